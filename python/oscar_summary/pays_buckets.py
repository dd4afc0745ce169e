"""What results/where-it-pays/SUMMARY.md says of captured buckets of true size."""

from . import causes, geometric, spread, table, true_size, where
from .causes import limiter
from .pays_words import BEST, DMA, FORM, LINK, PLAIN, SCALE, estimate, figures, gbps, over


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
                          f"{row['bits_per_value']:.2f}", limiter([row]), estimate(row), f"{bound['fp32'] / row['bound_ps']:.2f}",
                          f"{100 * row['bound_ps'] / row['allreduce_ps']:.0f} %",
                          ("equal" if row["sums_match_reference"] else "WRONG") + ("" if row["payload"] == "encoded" else ", size only")])
    text = table(["capture, bucket", "values", "link", "in GPU memory", "method", "us", "x fp32", f"x {PLAIN}", "bits/value", "limiter",
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


def beside_windows(true_rows, grid):
    """A line per machine that both have: means over true buckets and over windows that stand for them."""
    lines = []
    for link, form in dict.fromkeys((row[LINK], row[FORM]) for row in true_rows):
        pair = (where(true_rows, **{LINK: link, FORM: form}, method=BEST),
                where(grid, **{LINK: link, FORM: form, DMA: "461Gbps", SCALE: 16}, method=BEST))
        if not all(pair):
            continue
        lines.append([f"{gbps(link):g}", form, *(spread(over(rows, baseline)) for baseline in ("fp32", PLAIN) for rows in pair),
                      *(f"{geometric(figures(rows, 'bits_per_value')):.2f}" for rows in pair), *map(limiter, pair)])
    return table(["link", "in GPU memory", *(f"x {baseline}, {what}" for baseline in ("fp32", PLAIN) for what in ("buckets", "windows")),
                  "bits/value, buckets", "windows", "limiter, buckets", "windows"], lines)
