"""What results/where-it-pays/SUMMARY.md says of other machines: parts of the co-design, schedules, numbers of ranks."""

from . import causes, geometric, ordered, table, where
from .causes import limiter, limiter_and_share
from .pays_words import BASELINES, BEST, CODER, LINK, PLAIN, bits, claim, config, error, factors, figures, mean, times


def plain_machine(ablations):
    """What the best method is worth on the machine that the ablation begins with, in a sentence."""
    rows = where(ablations, experiment=ordered(ablations, "experiment")[0], **{LINK: "400Gbps"}, method=BEST)
    return claim(rows, "25 MiB, 8 ranks, the plain machine (fp32 over DMA, PCIe 5 x16, lock-step, 64 lanes)", *BASELINES)


def ablation(rows, link):
    """A line per step from the plain machine to the co-designed one, and per faster bus."""
    at, lines = where(rows, **{LINK: link}), []
    for name in ordered(at, "experiment"):
        of = {method: where(at, experiment=name, method=method) for method in ("fp32", PLAIN, CODER, BEST)}
        lines.append([name, *(f"{geometric(figures(of[method], 'allreduce_ps')) / 1e6:.0f}" for method in of), mean(of[BEST], "fp32"),
                      mean(of[PLAIN], "fp32"), mean(of[BEST], PLAIN), mean(of[BEST], CODER), error(of[BEST]), limiter(of[BEST])])
    return table(["machine", "fp32 us", f"{PLAIN} us", f"{CODER} us", f"{BEST} us", f"{BEST} x fp32", f"{PLAIN} x fp32",
                  f"{BEST} x {PLAIN}", f"{BEST} x {CODER}", "error", "limiter"], lines)


def fastest(rows, key, method):
    """trace -> the method's least time over the values of a key."""
    return {trace: min(figures(where(rows, trace=trace, method=method), "allreduce_ps")) for trace in ordered(rows, "trace")}


def over_fastest(best, least):
    """Of the rows, how many times as fast they are as the least times of a baseline."""
    return factors([least[row["trace"]] / row["allreduce_ps"] for row in best])


def schedules(rows):
    """A line per schedule: times of the methods, and what each is worth over the fastest schedule of the baseline."""
    least = {method: fastest(rows, "experiment", method) for method in ("fp32", PLAIN)}
    lines = []
    for name in ordered(rows, "experiment"):
        best = where(rows, experiment=name, method=BEST)
        lines.append([name, *(times(where(rows, experiment=name, method=method)) for method in ("fp32", PLAIN, BEST)), mean(best, "fp32"),
                      mean(best, PLAIN), *(over_fastest(best, least[method]) for method in least), error(best), limiter(best)])
    return table(["schedule", "fp32 us", f"{PLAIN} us", f"{BEST} us", f"{BEST} x fp32", f"{BEST} x {PLAIN}", "x fastest fp32",
                  f"x fastest {PLAIN}", "error", f"limiter of {BEST}"], lines)


def ranks(rows):
    """A line per number of ranks, with computed sizes."""
    lines = []
    for count in ordered(where(rows, payload="size_only"), "ranks"):
        best = where(rows, payload="size_only", ranks=count, method=BEST)
        lines.append([str(count), *(mean(best, baseline) for baseline in ("fp32", PLAIN, CODER)), bits(best), error(best), limiter(best),
                      *errors_of_sizes(rows, count)])
    return table(["ranks", f"{BEST} x fp32", f"{BEST} x {PLAIN}", f"{BEST} x {CODER}", "bits/value", "error", "limiter",
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
        of_count = where(rows, ranks=count)
        at = where(of_count, collective__slices=slices)
        best = where(at, method=BEST)
        lines.append([str(count), str(slices), *(times(where(at, method=method)) for method in ("fp32", PLAIN, BEST)),
                      *(mean(best, baseline) for baseline in ("fp32", "bf16", PLAIN)),
                      *(over_fastest(best, fastest(of_count, "collective.slices", method)) for method in ("fp32", PLAIN)), bits(best),
                      error(best), limiter_and_share(best)])
    return f"""{bound_by_latency(rows)} Each slice adds timesteps. *Fastest*: over the faster of the baseline's own
schedules in this table. Headers weigh more than at true size: with 256 ranks and 8 slices a message has 200 values of the window.

""" + table(["ranks", "slices", "fp32 us", f"{PLAIN} us", f"{BEST} us", f"{BEST} x fp32", f"{BEST} x bf16", f"{BEST} x {PLAIN}",
             "x fastest fp32", f"x fastest {PLAIN}", "bits/value", "error", f"limiter of {BEST}"], lines)


def short_of_ranks(rows):
    """What the best method is worth with 64 and more ranks, a sentence each. `rows`: of one number of slices."""
    return "\n".join(f"* {claim_of_ranks(where(rows, ranks=count, method=BEST), count)}." for count in ordered(rows, "ranks") if count != 128)


def claim_of_ranks(best, count):
    """The row of the table of many ranks as a sentence; its link is that of co-design.yaml."""
    link = config("experiments/co-design")["network"]["link"]["bandwidth"]
    return claim([row | {LINK: link} for row in best], f"25 MiB, {count} ranks, one slice, codes made by the GPU, PCIe 5 x16", "fp32", "bf16", PLAIN)


def bound_by_latency(rows):
    """From how many ranks on latency is the largest part, by slices, in a sentence."""
    parts = []
    for slices in ordered(rows, "collective.slices"):
        best = where(rows, method=BEST, collective__slices=slices)
        counts = [count for count in ordered(best, "ranks") if limiter(where(best, ranks=count)) == causes.NAMES["latency"]]
        parts.append(f"from {min(counts)} ranks on with {slices} slice{'s' if slices > 1 else ''}" if counts else f"at no number of ranks with {slices}")
    return f"Latency is the largest part of the critical path of `{BEST}` {' and '.join(parts)}."


def of_windows(rows, traces):
    """The rows in the order of these windows, one each."""
    return [row for trace in traces for row in where(rows, trace=trace)]


def ratios(rows, others):
    """How many times as fast the rows are as the others of the same windows, mean (least-most)."""
    return factors([other["allreduce_ps"] / row["allreduce_ps"] for row, other in zip(rows, others)])


def at_best(rows):
    """Of rows with several numbers of slices, those of the number with which each method is fastest on a link, on the mean."""
    found = []
    for link in ordered(rows, LINK):
        for method in ordered(rows, "method"):
            of = where(rows, **{LINK: link}, method=method)
            found += min((where(of, collective__slices=slices) for slices in ordered(of, "collective.slices")),
                         key=lambda at: geometric(figures(at, "allreduce_ps")))
    return found


def in_network(rows, ring):
    """Per link, the baselines added by switches, each with its best number of slices, beside the rings of the same methods: how fast the best method's ring is beside them.
    `ring`: rows of the grid on the machine of co-design.yaml."""
    lines = []
    for link in ordered(rows, LINK):
        traces = ordered(rows, "trace")
        best = of_windows(where(ring, **{LINK: link}, method=BEST), traces)
        lines.append([f"{gbps_of(link)}", "ring", "8", BEST, times(best), "1.00", error(best), limiter(best)])
        for kind, found in (("ring", ring), ("in the network", at_best(rows))):
            for method in ("fp32", "bf16", PLAIN, CODER):
                at = of_windows(where(found, **{LINK: link}, method=method), traces)
                lines.append([f"{gbps_of(link)}", kind, str(at[0].get("collective.slices", 8)), method, times(at), ratios(best, at), error(at), limiter(at)])
    return table(["link", "collective", "slices", "method", "us", f"{BEST}'s ring is faster by", "error", "limiter"], lines)


def wins(rows, others):
    """Whether the rows are faster, in words."""
    found = [other["allreduce_ps"] / row["allreduce_ps"] for row, other in zip(rows, others)]
    word = "loses" if geometric(found) < 1 else "wins"
    return word if min(found) > 1 or max(found) < 1 else f"{word} on the mean, not on each window"


def against_switches(rows, ring):
    """Where the best method's ring loses to integers that switches add, a sentence per link."""
    lines = []
    for link in ordered(rows, LINK):
        traces = ordered(rows, "trace")
        best, added = (of_windows(where(found, **{LINK: link}, method=method), traces) for found, method in ((ring, BEST), (at_best(rows), PLAIN)))
        lines.append(f"* At {gbps_of(link)} Gbit/s (25 MiB, 8 ranks, codes made by the GPU, PCIe 5 x16) `{BEST}`'s ring is {ratios(best, added)} times as "
                     f"fast as a switch that adds uncoded integers in {added[0]['collective.slices']} slices: it {wins(best, added)}; both have an error "
                     f"of {error(best)}; the ring is limited by {limiter(best)}, the switch by {limiter(added)}.")
    return "\n".join(lines)


def gbps_of(link):
    return link.removesuffix("Gbps")


def engine(rows):
    """A line per link and assumption: what OSCAR-HW, ASC and rANS are worth with it."""
    lines = []
    for link in ordered(rows, LINK):
        for name in ordered(rows, "experiment"):
            best, coder, rans = (where(rows, **{LINK: link}, experiment=name, method=method) for method in (BEST, CODER, "rans-classes"))
            lines.append([gbps_of(link), name, bits(best), error(best), mean(best, "fp32"), mean(best, PLAIN), limiter(best),
                          *(mean(rows_of, baseline) for rows_of in (coder, rans) for baseline in ("fp32", PLAIN))])
    return table(["link", "assumption", "bits/value", "error", f"{BEST} x fp32", f"{BEST} x {PLAIN}", f"limiter of {BEST}",
                  f"{CODER} x fp32", f"{CODER} x {PLAIN}", "rans-classes x fp32", f"rans-classes x {PLAIN}"], lines)
