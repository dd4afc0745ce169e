"""A training step as an experiment takes it: what each bucket holds, when it is ready, and how long the passes last."""

from dataclasses import dataclass, field


class StepError(Exception):
    """A file that is no step; the text says where, what, and how to write it right."""


@dataclass
class Bucket:
    """`values` of a rank, complete `ready` microseconds after the backward pass began."""

    values: int
    ready: float


@dataclass
class Step:
    """Times are microseconds. `sharded`: buckets are reduce-scattered. `ranks`: None where the file does not tell.
    `notes`: what the step leaves out of the file."""

    buckets: list
    forward: float = 0.0
    backward: float = 0.0
    optimiser: float = 0.0
    sharded: bool = False
    ranks: int = None
    notes: list = field(default_factory=list)


def chosen(collectives, least_bytes):
    """The buckets among (kind, values, ready), whether they are sharded, and notes on the rest. StepError: none is."""
    notes = []
    of = {
        kind: [(values, ready) for found, values, ready in collectives if found == kind]
        for kind in ("all_reduce", "reduce_scatter")
    }
    kind = max(of, key=lambda name: sum(values for values, _ in of[name]))
    buckets = [Bucket(values, max(0.0, ready)) for values, ready in of[kind] if 4 * values >= least_bytes]
    if not buckets:
        raise StepError(
            f"no all-reduce or reduce-scatter of {least_bytes} bytes or more; profile a step with gradients, or choose "
            "--least lower"
        )
    small = len(of[kind]) - len(buckets)
    if small:
        notes.append(f"{small} collectives of less than {least_bytes} bytes are left out")
    others = {}
    for found, _, _ in collectives:
        if found != kind:
            others[found] = others.get(found, 0) + 1
    for name, count in sorted(others.items()):
        implied = kind == "reduce_scatter" and name == "all_gather"
        notes.append(
            f"{count} of {name}: "
            + ("the simulator gathers parameters itself" if implied else "left out, for a step here has one operation")
        )
    return buckets, kind == "reduce_scatter", notes


def _time(microseconds):
    return f"{round(1000 * microseconds)}ns"


def to_yaml(step, source, ranks=None, base=None):
    """An experiment with the step, on the machine `base`; without one its machine is the default."""
    lines = [f"# A training step from {source}; times are of the machine that it was taken on."]
    lines += [f"# {note}" for note in step.notes]
    if not (ranks or step.ranks):
        lines += ["# The file does not tell how many ranks there are."]
    lines += [f"base: {base}"] if base else []
    lines += ["payload: synthetic", f"ranks: {ranks or step.ranks or 8}"]
    if step.sharded:
        lines += ["collective: {kind: reduce_scatter}"]
    lines += ["methods: [fp32, bf16, fixed_point]", "step:"]
    if step.sharded:
        lines += ["  strategy: fsdp"]
    lines += [
        f"  forward: {_time(step.forward)}",
        f"  backward: {_time(max([step.backward] + [bucket.ready for bucket in step.buckets]))}",
        f"  optimiser: {_time(step.optimiser)}",
        "  given:   # bytes of fp32 values, in the order of sending",
    ]
    lines += [f"    - {{bytes: {4 * bucket.values}B, ready: {_time(bucket.ready)}}}" for bucket in step.buckets]
    return "\n".join(lines) + "\n"
