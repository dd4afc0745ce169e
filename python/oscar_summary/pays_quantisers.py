"""What results/where-it-pays/SUMMARY.md says of quantisers: error beside bits and time."""

import yaml

from . import ordered, table, where
from .pays_words import BEST, ERROR, LINK, PLAIN, bits, config, error, gbps, mean, quantiser_words, small

QUANTISER, BITS = "quantiser", "quantiser.bits"
SHIPPED = ("per_tensor", 8)   # (kind, bits) of the program's default
LINKS = ("100Gbps", "200Gbps", "400Gbps")


def kind(row):
    """The kind of a row's quantiser."""
    return yaml.safe_load(row[QUANTISER])["kind"]


def name(row):
    return f"{kind(row)}, {row[BITS]} bits"


def chosen():
    """(kind, bits) of the co-designed machine."""
    quantiser = config("experiments/co-design")["quantiser"]
    return quantiser["kind"], quantiser.get("bits", 8)


def marked():
    """What a figure marks: words -> (kind, bits)."""
    return {"the default": SHIPPED, "co-design.yaml": chosen()}


def of_kind(rows, wanted, width):
    """The rows of a quantiser."""
    return [row for row in rows if (kind(row), row[BITS]) == (wanted, width)]


def widths(rows, wanted):
    """The bits that a kind was run with, in order."""
    return sorted(dict.fromkeys(row[BITS] for row in rows if kind(row) == wanted))


def kinds(rows):
    return list(dict.fromkeys(map(kind, rows)))


def comparison(rows):
    """A line per quantiser: error on each window, bits, and what OSCAR-HW is worth with it on each link."""
    traces, lines = ordered(rows, "trace"), []
    for wanted in kinds(rows):
        for width in widths(rows, wanted):
            best = where(of_kind(rows, wanted, width), method=BEST)
            at = {link: where(best, **{LINK: link}) for link in LINKS}
            lines.append([f"`{wanted}`", str(width), *(small(where(at[LINKS[0]], trace=trace)[0][ERROR]) for trace in traces),
                          bits(at[LINKS[0]]), *(mean(at[link], "fp32") for link in LINKS), *(mean(at[link], PLAIN) for link in LINKS),
                          mean(at[LINKS[1]], "rans-classes")])
    return table(["quantiser", "bits of a code", *(f"error, {trace}" for trace in traces), "bits/value",
                  *(f"x fp32, {gbps(link):g}" for link in LINKS), *(f"x {PLAIN}, {gbps(link):g}" for link in LINKS),
                  f"x rans-classes, {gbps(LINKS[1]):g}"], lines)


def best_ones(rows, figure):
    """Of rows of one window and link, those than which no other has less error and no more of a figure, from least error on."""
    found, least = [], float("inf")
    for row in sorted(rows, key=lambda row: (row[ERROR], row[figure])):
        if row[figure] < least:
            found.append(row)
            least = row[figure]
    return found


def undominated(rows, link):
    """Per window, the quantisers of OSCAR-HW than which no other is both closer and faster, a line each, and whether the chosen one is among them."""
    lines = []
    for trace in ordered(rows, "trace"):
        at = where(rows, trace=trace, method=BEST, **{LINK: link})
        found = best_ones(at, "allreduce_ps")
        words = "; ".join(f"{name(row)}: {small(row[ERROR])}, {row['allreduce_ps'] / 1e6:.0f} us" for row in found)
        own, = of_kind(at, *chosen())
        lines.append(f"* {trace}: {words}. {beside(own, at)}")
    return "\n".join(lines)


def beside(own, others):
    """What is both closer and faster than the chosen quantiser, in a sentence."""
    better = [row for row in others if row[ERROR] < own[ERROR] and row["allreduce_ps"] < own["allreduce_ps"]]
    said = f"The chosen one ({name(own)}: {small(own[ERROR])}, {own['allreduce_ps'] / 1e6:.0f} us)"
    return f"{said} is behind {', '.join(map(name, better))} in both." if better else f"{said} is behind no other in both."


def section(rows):
    """The section on quantisers."""
    bf16 = where(rows, method="bf16", **{LINK: LINKS[0]})
    return f"""## Error beside speed

The error is the relative L2 error of the sum against the sum of the fp32 gradients, on one measured iteration without error feedback. It
depends on the quantiser, not on link or coder: `{PLAIN}`, `atalanta`, `rans` and `{BEST}` send the same integers. `bf16` has {error(bf16)}.
The co-designed machine takes {quantiser_words(config("experiments/co-design")["quantiser"])}. 25 MiB, 8 ranks, codes made by the GPU,
PCIe 5 x16; means over the windows (least-most). What a training makes of an error, its figures do not tell: results/training trains with
another configuration (exact agreement, error feedback, one scale at the 99.9th percentile), and no model of true size.

![Error against bits and time](quantisers.png)

{comparison(rows)}
At {gbps(LINKS[1]):g} Gbit/s no other quantiser of the table is both closer and faster than these:

{undominated(rows, LINKS[1])}
"""
