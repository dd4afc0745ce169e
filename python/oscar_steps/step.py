"""A training step as an experiment takes it: what each bucket holds, when it is ready, and how long the passes last."""

from collections import Counter
from dataclasses import dataclass, field

from oscar_summary.command import InputError

REDUCTIONS = ("all_reduce", "reduce_scatter")
DEFAULT_RANKS = 8  # of an experiment, where nothing tells how many


class StepError(InputError):
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
    of = {kind: [(values, ready) for found, values, ready in collectives if found == kind] for kind in REDUCTIONS}
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
    others = Counter(found for found, _, _ in collectives if found != kind)
    for name, count in sorted(others.items()):
        implied = kind == "reduce_scatter" and name == "all_gather"
        notes.append(
            f"{count} of {name}: "
            + ("the simulator gathers parameters itself" if implied else "left out, for a step here has one operation")
        )
    return buckets, kind == "reduce_scatter", notes


def plain(text, most=60):
    """A text of a file as part of a line: printable characters alone, at most `most`."""
    return " ".join("".join(one if one.isprintable() else " " for one in str(text)[:most]).split())


def listed(counts):
    """ "3 of a, 1 of b" of a Counter, the most frequent first; at most five."""
    return ", ".join(f"{count} of {plain(name)}" for name, count in counts.most_common(5)) or "nothing"


def time_text(microseconds):
    """A time, rounded to 1 ns, in the largest of s, ms, us and ns in which it has at most three decimals."""
    nanoseconds = round(1000 * microseconds)
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if nanoseconds >= size and nanoseconds * 1000 % size == 0:
            return f"{nanoseconds / size:.3f}".rstrip("0").rstrip(".") + unit
    return f"{nanoseconds}ns"


def bytes_text(size):
    """Bytes in the largest of MiB, KiB and B in which they are a whole number."""
    return next(
        f"{size // scale}{unit}" for unit, scale in (("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)) if not size % scale
    )


def to_yaml(step, source, ranks=None, base=None):
    """An experiment with the step, on the machine `base`; without one its machine is the default."""
    lines = [f"# A training step from {plain(source, 200)}; times are of the machine that it was taken on."]
    lines += [f"# {plain(note, 400)}" for note in step.notes]
    if not (ranks or step.ranks):
        lines += ["# The file does not tell how many ranks there are."]
    lines += [f"base: {base}"] if base else []
    lines += ["payload: synthetic", f"ranks: {ranks or step.ranks or DEFAULT_RANKS}"]
    if step.sharded:
        lines += ["collective: {kind: reduce_scatter}"]
    lines += ["methods: [fp32, bf16, fixed_point]", "step:"]
    if step.sharded:
        lines += ["  strategy: fsdp"]
    lines += [
        f"  forward: {time_text(step.forward)}",
        f"  backward: {time_text(max([step.backward] + [bucket.ready for bucket in step.buckets]))}",
        f"  optimiser: {time_text(step.optimiser)}",
        "  given:   # bytes of fp32 values, in the order of sending",
    ]
    lines += [
        f"    - {{bytes: {bytes_text(4 * bucket.values)}, ready: {time_text(bucket.ready)}}}" for bucket in step.buckets
    ]
    return "\n".join(lines) + "\n"
