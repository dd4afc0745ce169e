"""What results/where-it-pays/SUMMARY.md says of captured buckets of true size."""

from . import causes, ordered, table, true_size, where
from .causes import limiter
from .pays_words import BASELINES, BEST, DMA, FORM, LINK, PCIE5, PLAIN, SCALE, bits, claim, config, error, estimate, gbps, mean, quantiser_words


def of_true_size(rows):
    """A line per capture, machine and method, with the bound of a roofline."""
    if not rows:
        return ("No captures were there, so buckets of true size were not run: `scripts/capture --true-size NAME` makes them and "
                "`scripts/where_it_pays --captures DIR` runs them.\n")
    lines = []
    for chosen in true_size.POINTS:
        point = where(rows, **chosen.keys)
        bound = {row["method"]: row["bound_ps"] for row in point}
        for row in point:
            lines.append([f"{row['trace']} {row['bucket']}", f"{row['values']:,}", f"{gbps(row[LINK]):g}", row[FORM], row["method"],
                          f"{row['allreduce_ps'] / 1e6:.0f}", f"{row['speedup.fp32']:.2f}", f"{row['speedup.' + PLAIN]:.2f}",
                          f"{row['bits_per_value']:.2f}", error([row]), limiter([row]), estimate(row), f"{bound['fp32'] / row['bound_ps']:.2f}",
                          f"{100 * row['bound_ps'] / row['allreduce_ps']:.0f} %",
                          ("equal" if row["sums_match_reference"] else "WRONG") + ("" if row["payload"] == "encoded" else ", size only")])
    text = table(["capture, bucket", "values", "link", "in GPU memory", "method", "us", "x fp32", f"x {PLAIN}", "bits/value", "error", "limiter",
                  "break-even over fp32, Gbit/s", "bound x fp32", "of its bound", "sums"], lines)
    left = true_size.missing(rows)
    return text + (f"\nNot run: {', '.join(point.folder for point in left)}.\n" if left else "")


def lost(true_rows):
    """What lies between the best method and its bound at 400 Gbit/s with codes, in a sentence."""
    best = where(true_rows, **{LINK: "400Gbps", FORM: "codes"}, method=BEST)
    if not best:
        return ""
    shares = causes.shares(best)
    reached = sum(row["bound_ps"] / row["allreduce_ps"] for row in best) / len(best)
    parts = ", ".join(f"{100 * share:.0f} % {causes.NAMES[cause]}" for cause, share in sorted(shares.items(), key=lambda item: -item[1]))
    return (f"At 400 Gbit/s with codes, 8 ranks, `{BEST}` reaches {100 * reached:.0f} % of its bound, and its critical path is {parts}: the "
            "first slice must be read, coded and sent before anything is written back, and GPU kernels run before and after the steps.")


def machine():
    """(quantiser in words, rate of the DMA) of co-design.yaml as it is now."""
    now = config(true_size.CONFIG_NAME)
    return quantiser_words(now["quantiser"]), now["gpu"]["dma_bandwidth"]


def recorded(rows):
    """Which programs, quantisers and rates of the DMA made recorded rows, in words, and whether they are those of now."""
    made_by = ", ".join(ordered(rows, "program"))
    made = list(dict.fromkeys((row["quantiser"], row[DMA]) for row in rows))
    words = " and ".join(f"{quantiser}, DMA of {gbps(rate):g} Gbit/s" for quantiser, rate in made)
    same = "as co-design.yaml has them now" if made == [machine()] else "not those of co-design.yaml now, so no figure here may be mixed with those made since"
    return f"oscar-sim {made_by}: {words}; {same}"


def short(rows):
    """What the recorded buckets say, a sentence per link with codes."""
    lines = []
    for link in ordered(rows, LINK):
        best = where(rows, **{LINK: link, FORM: "codes"}, method=BEST)
        if best:
            values = [row["values"] / 1e6 for row in best]
            lines.append(f"* {claim(best, f'{min(values):.1f} to {max(values):.1f} million values, 8 ranks, codes made by the GPU, PCIe 5 x16', *BASELINES)}.")
    return "\n".join(lines)


def beside_windows(true_rows, grid):
    """A line per machine that both have: means over true buckets and over windows that stand for them; only of the same quantiser and DMA."""
    if any((row["quantiser"], row[DMA]) != machine() for row in true_rows):
        return ""
    lines = []
    for link, form in dict.fromkeys((row[LINK], row[FORM]) for row in true_rows):
        pair = (where(true_rows, **{LINK: link, FORM: form}, method=BEST),
                where(grid, **{LINK: link, FORM: form, DMA: PCIE5, SCALE: 16}, method=BEST))
        if not all(pair):
            continue
        lines.append([f"{gbps(link):g}", form, *(mean(rows, baseline) for baseline in ("fp32", PLAIN) for rows in pair),
                      *map(bits, pair), *map(error, pair), *map(limiter, pair)])
    return """
Means over the true buckets beside means over the windows with `scale: 16`. Each window is part of the bucket named, except ResNet-50's, which
is part of bucket 2:

""" + table(["link", "in GPU memory", *(f"x {baseline}, {what}" for baseline in ("fp32", PLAIN) for what in ("buckets", "windows")),
             "bits/value, buckets", "windows", "error, buckets", "windows", "limiter, buckets", "windows"], lines)
