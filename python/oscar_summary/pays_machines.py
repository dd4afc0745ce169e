"""What results/where-it-pays/SUMMARY.md says of other machines: parts of the co-design, schedules, numbers of ranks."""

from . import causes, geometric, ordered, spread, table, where
from .causes import limiter, limiter_and_share
from .pays_words import BEST, CODER, LINK, PLAIN, claim, figures, mean, over


def plain_machine(ablations):
    """What the best method is worth on the machine that the ablation begins with, in a sentence."""
    rows = where(ablations, experiment=ordered(ablations, "experiment")[0], **{LINK: "400Gbps"}, method=BEST)
    return claim(rows, "25 MiB and 8 ranks, the plain machine (fp32 over DMA, PCIe 5 x16, lock-step, 64 lanes)", "fp32", PLAIN)


def ablation(rows, link):
    """A line per step from the plain machine to the co-designed one, and per faster bus."""
    at, lines = where(rows, **{LINK: link}), []
    for name in ordered(at, "experiment"):
        of = {method: where(at, experiment=name, method=method) for method in ("fp32", PLAIN, CODER, BEST)}
        times = [f"{geometric(figures(of[method], 'allreduce_ps')) / 1e6:.0f}" for method in of]
        lines.append([name, *times, spread(over(of[BEST], "fp32")), mean(of[PLAIN], "fp32"), spread(over(of[BEST], PLAIN)),
                      mean(of[BEST], CODER), limiter(of[BEST])])
    return table(["machine", "fp32 us", f"{PLAIN} us", f"{CODER} us", f"{BEST} us", f"{BEST} x fp32", f"{PLAIN} x fp32",
                  f"{BEST} x {PLAIN}", f"{BEST} x {CODER}", "limiter"], lines)


def schedules(rows):
    """A line per schedule: times of the methods, and what each is worth over the fastest schedule of the baseline."""
    names = ordered(rows, "experiment")
    time = {(name, method): geometric(figures(where(rows, experiment=name, method=method), "allreduce_ps"))
            for name in names for method in ("fp32", PLAIN, BEST)}
    least = {method: min(time[name, method] for name in names) for method in ("fp32", PLAIN)}
    return table(["schedule", "fp32 us", f"{PLAIN} us", f"{BEST} us", f"{BEST} x fp32", f"{BEST} x {PLAIN}", "x fastest fp32",
                  f"x fastest {PLAIN}", f"limiter of {BEST}"],
                 [[name, *(f"{time[name, method] / 1e6:.0f}" for method in ("fp32", PLAIN, BEST)),
                   *(f"{time[name, method] / time[name, BEST]:.2f}" for method in ("fp32", PLAIN)),
                   *(f"{least[method] / time[name, BEST]:.2f}" for method in ("fp32", PLAIN)),
                   limiter(where(rows, experiment=name, method=BEST))] for name in names])


def ranks(rows):
    """A line per number of ranks, with computed sizes."""
    lines = []
    for count in ordered(where(rows, payload="size_only"), "ranks"):
        best = where(rows, payload="size_only", ranks=count, method=BEST)
        lines.append([str(count), spread(over(best, "fp32")), spread(over(best, PLAIN)), mean(best, CODER),
                      f"{geometric(figures(best, 'bits_per_value')):.2f}", limiter(best), *errors_of_sizes(rows, count)])
    return table(["ranks", f"{BEST} x fp32", f"{BEST} x {PLAIN}", f"{BEST} x {CODER}", "bits/value", "limiter",
                  "computed sizes off by at most", "their times"], lines)


def errors_of_sizes(rows, count):
    """By how much bits and times of computed sizes differ at most from those of real bytes with so many ranks, as text."""
    pairs = [(row, *where(rows, payload="size_only", ranks=count, trace=row["trace"], method=row["method"]))
             for row in where(rows, payload="encoded", ranks=count)]
    return [f"{100 * max(abs(twin[figure] / row[figure] - 1) for row, twin in pairs):.3f} %" if pairs else "not run"
            for figure in ("bits_per_value", "allreduce_ps")]


def validated(rows):
    """How many of the runs with real bytes have the sums of the untimed reference."""
    coded = where(rows, payload="encoded")
    if not coded:
        return "No run with real bytes is in the CSV file."
    wrong = sum(1 for row in coded if not row["sums_match_reference"])
    return (f"With real bytes ({', '.join(map(str, ordered(coded, 'ranks')))} ranks, {len(coded)} AllReduces) {wrong} differ from the "
            "untimed reference; the last two columns compare them with computed sizes.")


def many_ranks(rows):
    """A line per number of ranks and slices, over the baseline with the same slices and over the faster of its schedules."""
    if not rows:
        return "More than 64 ranks were not run (`configs/sweeps/where-it-pays-many-ranks.yaml`).\n"
    lines = []
    for count, slices in sorted(dict.fromkeys((row["ranks"], row["collective.slices"]) for row in rows)):
        time = {method: {many: geometric(figures(at, "allreduce_ps")) for many in ordered(rows, "collective.slices")
                         if (at := where(rows, ranks=count, method=method, collective__slices=many))} for method in ("fp32", PLAIN, BEST)}
        best = where(rows, ranks=count, method=BEST, collective__slices=slices)
        lines.append([str(count), str(slices), *(f"{time[method][slices] / 1e6:.0f}" for method in time), spread(over(best, "fp32")),
                      spread(over(best, PLAIN)), *(f"{min(time[method].values()) / time[BEST][slices]:.2f}" for method in ("fp32", PLAIN)),
                      f"{geometric(figures(best, 'bits_per_value')):.2f}", limiter_and_share(best)])
    return f"""{bound_by_latency(rows)} Each slice adds timesteps. *Fastest*: over the faster of the baseline's own
schedules in this table. Headers weigh more than at true size: with 256 ranks and 8 slices a message has 200 values of the window.

""" + table(["ranks", "slices", "fp32 us", f"{PLAIN} us", f"{BEST} us", f"{BEST} x fp32", f"{BEST} x {PLAIN}", "x fastest fp32",
                  f"x fastest {PLAIN}", "bits/value", f"limiter of {BEST}"], lines)


def bound_by_latency(rows):
    """From how many ranks on latency is the largest part, by slices, in a sentence."""
    parts = []
    for slices in ordered(rows, "collective.slices"):
        best = where(rows, method=BEST, collective__slices=slices)
        counts = [count for count in ordered(best, "ranks") if limiter(where(best, ranks=count)) == causes.NAMES["latency"]]
        parts.append(f"from {min(counts)} ranks on with {slices} slice{'s' if slices > 1 else ''}" if counts else f"at no number of ranks with {slices}")
    return f"Latency is the largest part of the critical path of `{BEST}` {' and '.join(parts)}."
