"""oscar-sim in Python: quantisers, codecs and lossy compressors on NumPy arrays, and whole simulations.

    import numpy, oscar_sim
    quantiser = oscar_sim.Quantiser("percentile", bits=8, percentile=99.9)
    codes, saturated = quantiser.quantise(gradient, quantiser.peaks(gradient))
    asc = oscar_sim.Codec("asc")
    message = asc.encode(codes, width=8, table=asc.learn(codes_before, width=8))
    report = oscar_sim.simulate({"trace": "traces/lenet-fmnist", "ranks": 8, "methods": ["fp32", "asc"]})

Kinds and parameters are those of the configurations: `oscar_sim.families()`, and `oscar-sim describe FAMILY KIND`
for the parameters. Contiguous arrays of the stated type are not copied; other arrays, lists and PyTorch's tensors are
converted.
"""

from oscar_sim._core import (
    ConfigError,
    Context,
    CorruptStream,
    Exchange,
    Table,
    TableMismatch,
    __version__,
    families,
    read_training,
)
from oscar_sim.codec import Codec
from oscar_sim.compressor import Compressor, Step
from oscar_sim.live import LiveRun, LiveStep
from oscar_sim.quantiser import Quantiser, widened_bits
from oscar_sim.report import Report
from oscar_sim.simulation import SimulationError, simulate, write_trace

__all__ = [
    "Codec",
    "Compressor",
    "ConfigError",
    "Context",
    "CorruptStream",
    "Exchange",
    "LiveRun",
    "LiveStep",
    "Quantiser",
    "Report",
    "SimulationError",
    "Step",
    "Table",
    "TableMismatch",
    "__version__",
    "families",
    "read_training",
    "simulate",
    "widened_bits",
    "write_trace",
]
