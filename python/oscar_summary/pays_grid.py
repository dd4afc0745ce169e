"""What results/where-it-pays/SUMMARY.md says of the grid: links, DMA, form in GPU memory, size, 8 ranks."""

from . import causes, geometric, ordered, table, where
from .causes import limiter
from .pays_words import (BASELINES, BEST, BUSES, CODER, CODERS, DMA, FORM, FORMS, GAIN, LINK, PCIE5, PLAIN, SCALE, SIZES, bits, claim, ends,
                         error, estimate, factors, gbps, mean, of_each, over)

HEAD = {SCALE: 16, FORM: "codes", DMA: PCIE5}   # the machine of co-design.yaml with a bucket of 25 MiB
HEAD_WORDS = "25 MiB, 8 ranks, codes made by the GPU, PCIe 5 x16"


def short(grid):
    """A sentence per link: 25 MiB, 8 ranks, codes by the GPU, PCIe 5."""
    chosen = where(grid, **HEAD, method=BEST)
    return "\n".join(f"* {claim(where(chosen, **{LINK: link}), HEAD_WORDS, *BASELINES)}." for link in ordered(chosen, LINK))


def alone(grid):
    """What integers without a coder are worth on the co-designed machine, in a sentence."""
    rows = where(grid, **HEAD, **{LINK: "400Gbps"}, method=PLAIN)
    best = where(grid, **HEAD, **{LINK: "400Gbps"}, method=BEST)
    return f"{claim(rows, HEAD_WORDS, 'fp32', 'bf16')}; the coder contributes the remaining factor of {mean(best, PLAIN)}"


def forms(grid):
    """Codes or fp32 in GPU memory: a sentence with the times of the best method in both, by bus."""
    at = where(grid, **{SCALE: 16, LINK: "400Gbps"}, method=BEST)
    parts = []
    for bus in ordered(at, DMA):
        pairs = [(row["allreduce_ps"], where(at, **{DMA: bus, FORM: "codes"}, trace=row["trace"])[0]["allreduce_ps"])
                 for row in where(at, **{DMA: bus, FORM: "fp32"})]
        parts.append(f"{factors([fp32 / codes for fp32, codes in pairs])} times as fast over {BUSES[bus]}")
    return (f"With 25 MiB, 8 ranks and 400 Gbit/s codes made by the GPU make `{BEST}` (error {error(at)}) {', '.join(parts)} as with fp32 over "
            "the same DMA")


def by_link(grid, baseline):
    """Speed-up of the best method at 25 MiB by bus and form, a column per link, with its error."""
    chosen = where(grid, **{SCALE: 16}, method=BEST)
    links, lines = ordered(chosen, LINK), []
    for form in ordered(chosen, FORM):
        for bus in ordered(chosen, DMA):
            rows = where(chosen, **{FORM: form, DMA: bus})
            lines.append([FORMS[form], BUSES[bus], *(f"{mean(at, baseline)}, {limiter(at)}"
                                                     for at in (where(rows, **{LINK: link}) for link in links)), error(rows)])
    return table(["in GPU memory", "DMA", *(f"{gbps(link):g}" for link in links), "error"], lines)


def of_lanes(grid):
    """What the lanes of the engine cost in bits, in a sentence."""
    rows = where(grid, **{SCALE: 16, FORM: "codes", LINK: ordered(grid, LINK)[0]}, method=BEST)
    found = {row["engine.lanes"]: bits(where(rows, engine__lanes=row["engine.lanes"])) for row in rows}
    return (f"More lanes mean more headers and padding in each message: at 25 MiB and {gbps(rows[0][LINK]):g} Gbit/s, 8 ranks, `{BEST}` has "
            + " and ".join(f"{value} bits a value with {lanes} lanes" for lanes, value in found.items()) + ".")


def break_evens(grid):
    """A line per window, form and bus: rates of links from which on the best method does not pay, by size of the bucket."""
    lines = []
    best = where(grid, method=BEST)
    sizes = sorted(ordered(best, SCALE))
    for trace in ordered(best, "trace"):
        for form in ordered(best, FORM):
            for bus in ordered(best, DMA):
                rows = where(best, trace=trace, **{FORM: form, DMA: bus})
                by_size = [where(rows, **{SCALE: size}) for size in sizes]
                at = where(rows, **{SCALE: 16, LINK: "400Gbps"})
                lines.append([trace, form, BUSES[bus], *(ends(of, PLAIN) if of else "not run" for of in by_size),
                              *(ends(of, "fp32") if of else "not run" for of in by_size), estimate(at[0]) if at else "not run",
                              error(at) if at else "not run"])
    return table(["window", "in GPU memory", "DMA", *(f"x {PLAIN}, {SIZES[size]}" for size in sizes),
                  *(f"x fp32, {SIZES[size]}" for size in sizes), "reports' own over fp32, 25 MiB", "error"], lines)


def behind(grid, coders, what):
    """Where the best method is more than 1 % slower than the fastest of these coders, which have a name."""
    def ratio(row):
        return min(row[f"speedup.{coder}"] for coder in coders)

    best = sorted(where(grid, method=BEST), key=ratio)
    slower = [row for row in best if ratio(row) < 1 / GAIN]
    ratios = factors(list(map(ratio, best)))
    if not slower:
        return f"`{BEST}` is {ratios} times as fast as {what}, and nowhere on the grid ({len(best)} points) more than 1 % slower.\n"
    lines = [[row["trace"], SIZES[row[SCALE]], row[FORM], BUSES[row[DMA]], f"{gbps(row[LINK]):g}", f"{ratio(row):.3f}",
              error([row]), limiter([row])] for row in slower]
    return (f"`{BEST}` is {ratios} times as fast as {what}. At {len(slower)} of {len(best)} points of the grid it is more than 1 % slower "
            f"({of_each(slower, SCALE, SIZES)}; {of_each(slower, LINK)}):\n\n"
            + table(["window", "bucket", "in GPU memory", "DMA", "link", "ratio", "error", "limiter"], lines))


def behind_coder(grid):
    """Where the best method is slower than the coder without classes and adaptation: with its chunks, and with those that suit the coder."""
    return (behind(grid, [CODER], f"`{CODER}`, which has its chunks") + "\n"
            + behind(grid, CODERS, f"the faster of `{CODER}` and `{CODERS[1]}` (chunks of equal coded size) at each point"))


def of_balance(grid):
    """What chunks of equal time are worth to the coder, in a sentence."""
    pairs = {coder: where(grid, method=coder) for coder in CODERS}
    ratios = [with_bits["allreduce_ps"] / time["allreduce_ps"] for time, with_bits in zip(*pairs.values())]
    return (f"With chunks of equal time ASC (`{CODER}`) is {factors(ratios)} times as fast as with chunks of equal coded size "
            f"(`{CODERS[1]}`): 8 ranks, all {len(ratios)} points.")


def not_paying(grid):
    """Where the best method gains less than 1 % over integers at 25 MiB, a sentence per form and bus."""
    lines = []
    best = where(grid, **{SCALE: 16}, method=BEST)
    for form in ordered(best, FORM):
        for bus in ordered(best, DMA):
            rows = where(best, **{FORM: form, DMA: bus})
            what = f"25 MiB, 8 ranks, {FORMS[form]}, {BUSES[bus]}"
            for link in ordered(rows, LINK):
                at = where(rows, **{LINK: link})
                if geometric(over(at, PLAIN)) < GAIN:
                    lines.append(f"* {claim(at, what, PLAIN)} ({100 * max(causes.shares(at).values()):.0f} % of the critical path).")
                    break
            else:
                lines.append(f"* At every rate of the grid it pays over `{PLAIN}` with {FORMS[form]}, {BUSES[bus]}. {claim(at, what, PLAIN)}.")
    return "\n".join(lines)
