"""How long compressing takes on a GPU: counts of operations times the seconds that each takes.

A model of throughput: kernels that keep the whole GPU busy. `launch` is paid once per step and per round, whose
thresholds the processor waits for.
"""

from .error import TrainingError


def seconds(operations, constants):
    """Time of one step of the busiest rank. `operations` as oscar_sim.Step has them; TrainingError: a count without a
    constant."""
    if not any(operations.values()):
        return 0.0
    counts = {**operations, "launch": 1 + operations.get("rounds", 0)}
    counts.pop("rounds", None)
    missing = [name for name, count in counts.items() if count and name not in constants]
    if missing:
        raise TrainingError(f"gpu: no seconds for {', '.join(missing)}")
    return sum(count * constants[name] for name, count in counts.items() if count)
