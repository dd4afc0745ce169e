"""Record the gradients of a data-parallel training run as a trace that oscar-sim reads.

    oscar_capture.ddp      a communication hook for DistributedDataParallel
    oscar_capture.fsdp     a reduce-scatter hook for FullyShardedDataParallel
    oscar_capture.logical  one process that plays N workers in turn
    oscar_capture.folder   the writer of the trace folder

What is recorded is what each rank has in hand before the gradients are averaged. The unit of a
value is loss (nats, for a cross-entropy) per unit of the parameter. Training is not changed.
Needs PyTorch 1.13 or later, NumPy and PyYAML. The format is described in traces/README.md.
"""

from .error import CaptureError

__all__ = ["CaptureError"]
