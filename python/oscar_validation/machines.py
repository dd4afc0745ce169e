"""Real machines: measured times, NCCL's tuner and the alpha-beta line fitted to them."""

from dataclasses import dataclass

import numpy
import yaml

from oscar_validation import fit, program

MACHINES = program.ROOT / "tests/validation/machines.yaml"
SMALL, LARGE = (32 << 10, 1 << 20), (64 << 20, 1 << 62)  # sizes of the two bars, B


@dataclass
class Machine:
    name: str
    config: str
    source: str
    simulated: str | None  # configuration of the simulated machine
    simulated_up_to: int  # B
    sizes: numpy.ndarray  # B
    measured: numpy.ndarray  # s
    fitted: numpy.ndarray  # whether a fit may see this size

    def line(self):
        """Candidates of the alpha-beta line."""
        return fit.Candidates.line(self.sizes)

    def fit(self, candidates):
        return fit.fit(candidates.at(self.fitted), self.measured[self.fitted])

    def left_out_error(self, candidates):
        return fit.left_out_error(candidates.at(self.fitted), self.measured[self.fitted])

    def between(self, sizes):
        return (self.sizes >= sizes[0]) & (self.sizes <= sizes[1])

    def mean_error(self, times, sizes=(0, 1 << 62)):
        """Mean |relative error| of times (s, one per size; NaN: none) over the sizes from .. to."""
        chosen = self.between(sizes) & numpy.isfinite(times)
        return float(fit.relative_errors(times, self.measured)[chosen].mean())


def read(path=MACHINES):
    """The machines of a file."""
    machines = []
    for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["machines"]:
        sizes = numpy.array(sorted(entry["measured"]))
        measured = numpy.array([entry["measured"][size] for size in sizes]) * 1e-6
        machines.append(
            Machine(
                entry["name"],
                entry["config"],
                entry["source"],
                entry.get("simulated"),
                entry.get("simulated_up_to", 0),
                sizes,
                measured,
                sizes >= entry["fit_from"],
            )
        )
    return machines


def simulated(machine, call, most=1 << 62):
    """What the simulated machine takes per size, s; NaN above its largest size and above `most` bytes."""
    return numpy.array(
        [
            call("run", machine.simulated, [f"size={size}B"])["methods"][0]["allreduce_ps"] * 1e-12
            if size <= min(most, machine.simulated_up_to)
            else numpy.nan
            for size in machine.sizes
        ]
    )


def times(prediction):
    """Per size of a prediction.json, s."""
    return numpy.array([row["time_ps"] for row in prediction["predictions"]]) * 1e-12
