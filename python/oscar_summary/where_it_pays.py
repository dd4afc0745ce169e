"""The text of results/where-it-pays/SUMMARY.md, of the rows of its CSV files."""

from . import causes, geometric, ordered, spread, table, true_size, where
from .causes import limiter, limiter_and_share

LINK, DMA, FORM, SCALE = "network.link.bandwidth", "gpu.dma_bandwidth", "gpu.gradients", "scale"
BEST, PLAIN, CODER = "oscar-hw", "fixed_point", "asc-balanced"
CODERS = (CODER, "asc-equal-bits")   # on the grid: chunks of equal time, and of equal coded size
BUSES = {"504Gbps": "PCIe 5 x16", "1008Gbps": "PCIe 6 x16", "3600Gbps": "NVLink-C2C (256 lanes)"}   # else 128
SIZES = {1: "1.6 MiB", 4: "6.25 MiB", 16: "25 MiB", 64: "100 MiB"}   # what a window of 409,600 fp32 values stands for
FORMS = {"codes": "codes made by the GPU", "fp32": "fp32 over DMA"}
GAIN = 1.01   # a method that is less than 1 % faster does not pay


def gbps(rate):
    """The number of a rate like 400Gbps."""
    return float(rate.removesuffix("Gbps"))


def figures(rows, figure):
    return [row[figure] for row in rows]


def over(rows, baseline):
    return figures(rows, f"speedup.{baseline}")


def mean(rows, baseline):
    return f"{geometric(over(rows, baseline)):.2f}"


def stops_at(rows, baseline):
    """The least rate of links in rows at which the method is not at least 1 % faster than the baseline; None: it is at all."""
    return next((row[LINK] for row in sorted(rows, key=lambda row: gbps(row[LINK])) if row[f"speedup.{baseline}"] < GAIN), None)


def ends(rows, baseline):
    """stops_at() as a cell of a table."""
    rate = stops_at(rows, baseline)
    return f"{gbps(rate):g}" if rate else f"above {max(gbps(row[LINK]) for row in rows):g}"


def estimate(row):
    """Break-even rate over fp32 as a report has it. It holds near the link of the run: beyond twice its rate only that is said."""
    rate, link = row["break_even_bandwidth_gbps"], gbps(row[LINK])
    if row["method"] == "fp32":
        return "-"
    return f"{rate:,.0f}" if rate is not None and rate <= 2 * link else f"above {2 * link:g}"


def relation(rows, baseline):
    """How fast the method is beside a baseline, in words."""
    ratio = geometric(over(rows, baseline))
    return f"{ratio:.2f} times as fast as `{baseline}`" if abs(ratio - 1) >= 0.005 else f"as fast as `{baseline}` ({ratio:.2f})"


def claim(rows, what, *baselines):
    """Ratios with their baselines, size, ranks, link and limiter."""
    relations = " and ".join(relation(rows, baseline) for baseline in baselines)
    return f"On {what} at {gbps(rows[0][LINK]):g} Gbit/s `{BEST}` is {relations}; its limiter is {limiter(rows)}"


def short(grid):
    """A sentence per link: 25 MiB, 8 ranks, codes by the GPU, PCIe 5."""
    chosen = where(grid, **{SCALE: 16, FORM: "codes", DMA: "504Gbps"}, method=BEST)
    lines = []
    for link in ordered(chosen, LINK):
        rows = where(chosen, **{LINK: link})
        lines.append(f"* {claim(rows, '25 MiB and 8 ranks, codes made by the GPU, PCIe 5 x16,', 'fp32', PLAIN)}.")
    return "\n".join(lines)


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


def plain_machine(ablations):
    """What the best method is worth on the machine that the ablation begins with, in a sentence."""
    rows = where(ablations, experiment=ordered(ablations, "experiment")[0], **{LINK: "400Gbps"}, method=BEST)
    return claim(rows, "25 MiB and 8 ranks, the plain machine (fp32 over DMA, PCIe 5 x16, lock-step, 64 lanes)", "fp32", PLAIN)


def alone(grid):
    """What integers without a coder are worth on the co-designed machine, in a sentence."""
    rows = where(grid, **{SCALE: 16, FORM: "codes", DMA: "504Gbps", LINK: "400Gbps"}, method=PLAIN)
    best = where(grid, **{SCALE: 16, FORM: "codes", DMA: "504Gbps", LINK: "400Gbps"}, method=BEST)
    return (f"On the same machine (25 MiB, 8 ranks) at 400 Gbit/s `{PLAIN}` is {mean(rows, 'fp32')} times as fast as `fp32`, limited by "
            f"{limiter(rows)}; the coder contributes the remaining factor of {mean(best, PLAIN)}")


def forms(grid):
    """Codes or fp32 in GPU memory: a sentence with the times of the best method in both, by bus."""
    at = where(grid, **{SCALE: 16, LINK: "400Gbps"}, method=BEST)
    ratios = [(BUSES[bus], *(geometric(figures(where(at, **{DMA: bus, FORM: form}), "allreduce_ps")) for form in ("fp32", "codes")))
              for bus in ordered(at, DMA)]
    return ("With 25 MiB, 8 ranks and 400 Gbit/s codes made by the GPU make `" + BEST + "` " + ", ".join(
        f"{fp32 / codes:.2f} times as fast over {bus}" for bus, fp32, codes in ratios) + " as with fp32 over the same DMA")


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
                where(grid, **{LINK: link, FORM: form, DMA: "504Gbps", SCALE: 16}, method=BEST))
        if not all(pair):
            continue
        lines.append([f"{gbps(link):g}", form, *(spread(over(rows, baseline)) for baseline in ("fp32", PLAIN) for rows in pair),
                      *(f"{geometric(figures(rows, 'bits_per_value')):.2f}" for rows in pair), *map(limiter, pair)])
    return table(["link", "in GPU memory", *(f"x {baseline}, {what}" for baseline in ("fp32", PLAIN) for what in ("buckets", "windows")),
                  "bits/value, buckets", "windows", "limiter, buckets", "windows"], lines)


def by_link(grid, baseline):
    """Speed-up of the best method at 25 MiB by bus and form, a column per link."""
    chosen = where(grid, **{SCALE: 16}, method=BEST)
    links, lines = ordered(chosen, LINK), []
    for form in ordered(chosen, FORM):
        for bus in ordered(chosen, DMA):
            rows = where(chosen, **{FORM: form, DMA: bus})
            lines.append([FORMS[form], BUSES[bus], *(f"{spread(over(at, baseline))}, {limiter(at)}"
                                                     for at in (where(rows, **{LINK: link}) for link in links))])
    return table(["in GPU memory", "DMA", *(f"{gbps(link):g}" for link in links)], lines)


def of_lanes(grid):
    """What the lanes of the engine cost in bits, in a sentence."""
    rows = where(grid, **{SCALE: 16, FORM: "codes", LINK: ordered(grid, LINK)[0]}, method=BEST)
    bits = {row["engine.lanes"]: geometric(figures(where(rows, engine__lanes=row["engine.lanes"]), "bits_per_value")) for row in rows}
    return (f"More lanes mean more headers and padding in each message: at 25 MiB and {gbps(rows[0][LINK]):g} Gbit/s, 8 ranks, `{BEST}` has "
            + " and ".join(f"{value:.2f} bits a value with {lanes} lanes" for lanes, value in bits.items()) + ".")


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
                              *(ends(of, "fp32") if of else "not run" for of in by_size), estimate(at[0]) if at else "not run"])
    return table(["window", "in GPU memory", "DMA", *(f"x {PLAIN}, {SIZES[size]}" for size in sizes),
                  *(f"x fp32, {SIZES[size]}" for size in sizes), "reports' own over fp32, 25 MiB"], lines)


def behind(grid, coders, what):
    """Where the best method is more than 1 % slower than the fastest of these coders, which have a name."""
    def ratio(row):
        return min(row[f"speedup.{coder}"] for coder in coders)

    best = sorted(where(grid, method=BEST), key=ratio)
    slower = [row for row in best if ratio(row) < 1 / GAIN]
    least = f"the least ratio is {ratio(best[0]):.3f}"
    if not slower:
        return f"`{BEST}` is nowhere on the grid ({len(best)} points) more than 1 % slower than {what}; {least}.\n"
    lines = [[row["trace"], SIZES[row[SCALE]], row[FORM], BUSES[row[DMA]], f"{gbps(row[LINK]):g}", f"{ratio(row):.3f}",
              limiter([row])] for row in slower]
    return (f"At {len(slower)} of {len(best)} points of the grid `{BEST}` is more than 1 % slower than {what} "
            f"({of_each(slower, SCALE, SIZES)}; {of_each(slower, LINK)}); {least}:\n\n"
            + table(["window", "bucket", "in GPU memory", "DMA", "link", "ratio", "limiter"], lines))


def behind_coder(grid):
    """Where the best method is slower than the coder without classes and adaptation: with its chunks, and with those that suit the coder."""
    return (behind(grid, [CODER], f"`{CODER}`, which has its chunks") + "\n"
            + behind(grid, CODERS, f"the faster of `{CODER}` and `{CODERS[1]}` (chunks of equal coded size) at that point"))


def of_balance(grid):
    """What chunks of equal time are worth to the coder, in a sentence."""
    pairs = {coder: where(grid, method=coder) for coder in CODERS}
    ratios = [bits["allreduce_ps"] / time["allreduce_ps"] for time, bits in zip(*pairs.values())]
    return (f"With chunks of equal time ASC (`{CODER}`) is {spread(ratios)} times as fast as with chunks of equal coded size "
            f"(`{CODERS[1]}`): 8 ranks, all {len(ratios)} points.")


def of_each(rows, key, names=None):
    """How many rows have each value of a key, in words."""
    return ", ".join(f"{len(where(rows, **{key: value}))} at {names[value] if names else value}" for value in ordered(rows, key))


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


def not_paying(grid):
    """Where the best method gains less than 1 % over integers at 25 MiB, a sentence per form and bus."""
    lines = []
    best = where(grid, **{SCALE: 16}, method=BEST)
    for form in ordered(best, FORM):
        for bus in ordered(best, DMA):
            rows = where(best, **{FORM: form, DMA: bus})
            for link in ordered(rows, LINK):
                at = where(rows, **{LINK: link})
                if geometric(over(at, PLAIN)) < GAIN:
                    lines.append(f"* {claim(at, f'25 MiB and 8 ranks, {FORMS[form]}, {BUSES[bus]},', PLAIN)} "
                                 f"({100 * max(causes.shares(at).values()):.0f} % of the critical path).")
                    break
            else:
                lines.append(f"* With {FORMS[form]}, {BUSES[bus]}, it pays over `{PLAIN}` at every rate of the grid: 25 MiB, 8 ranks, "
                             f"up to {max(map(gbps, ordered(rows, LINK))):g} Gbit/s, where it is {mean(at, PLAIN)} times as fast and its "
                             f"limiter is {limiter(at)}.")
    return "\n".join(lines)


def summary(grid, ablations, schedule_rows, rank_rows, many_rows, true_rows, steps, program):
    """The text of SUMMARY.md. `steps`: its section on training steps."""
    everything = (*grid, *ablations, *schedule_rows, *rank_rows, *many_rows, *true_rows)
    wrong = sum(1 for row in everything if not row["sums_match_reference"])
    return f"""# Where OSCAR-HW pays

Made by `scripts/where_it_pays` (oscar-sim {program}); `--from-csv` makes this page anew of the CSV files beside it. The machine is that of
`configs/experiments/co-design.yaml`: 8 ranks at one switch, int8 codes with the scale at the 99.9th percentile, a ring of 8 slices of which two
reduce beside the all-gather of earlier ones, 128 lanes at 1 GHz, chunks of equal predicted time, GPU kernels by slice, class
masks by block. On the grid the engine matches the DMA (128 lanes behind PCIe, 256 behind NVLink-C2C, for all methods). {len(everything):,} AllReduces; {wrong}
of them differ from the untimed reference. `{PLAIN}` is uncoded integers, `{CODER}` is ASC with balanced chunks,
`{BEST}` adds classes and adaptation by symbol. Every speed-up is over another method **on the same machine under the same schedule**. Means
are geometric, over the windows of a ResNet-50, a GPT-2 and a VGG-16 (least-most). *Limiter*: the largest part of the critical path; the
GPU's kernels are in the DMA's part. Links are in Gbit/s.

## In short

{short(grid)}
* {alone(grid)}.
* {plain_machine(ablations)}. The difference is the machine's, not the coder's.

![Speed-up over fp32 against the link](speed-up.png)

The lowest rate of links at which `{BEST}` gains less than 1 % over `{PLAIN}`, and its limiter there:

{not_paying(grid)}

![Speed-up over uncoded integers against the link](buses.png)

## Buckets of true size

Captured gradients themselves, without `scale`: 8 ranks, PCIe 5 x16, the last of two late steps. *Bound*: what `oscar-sim predict` (roofline)
allows with the run's measured bits, with both halves of the ring always at work; it knows no latency, kernels, headers, masks nor imbalance. At 400
Gbit/s with codes the bytes were made and decoded; in lines with *size only* their number was computed, and the sums are those of the values.

{of_true_size(true_rows)}
The speed-up may exceed that of the bounds where the baseline is further from its own. {lost(true_rows)}

Means over the true buckets beside means over the windows with `scale: 16`. Each window is part of the bucket named, except ResNet-50's, which
is part of bucket 2:

{beside_windows(true_rows, grid)}
## The grid at 25 MiB: `{BEST}` over fp32, 8 ranks

{by_link(grid, "fp32")}
{of_lanes(grid)}

## The grid at 25 MiB: `{BEST}` over `{PLAIN}`, 8 ranks

{by_link(grid, PLAIN)}
## From which link on it does not pay

8 ranks. The lowest rate of the grid at which `{BEST}` is not at least 1 % faster; *above* means that it is at every rate of the grid. The last
column is the rate that the report of the run at 400 Gbit/s estimates over fp32 to first order. The estimate holds near that link, for it leaves
out that the DMA limits fp32 too on faster ones; beyond twice the rate of the link the table says only that.

{break_evens(grid)}
## Against ASC without classes and adaptation

{behind_coder(grid)}
{of_balance(grid)}

## What each part of the co-design is worth

25 MiB, 8 ranks, means over the windows. The plain machine has fp32 over DMA, lock-step with one slice, class masks per value, 64 lanes and
one block a message. Each line adds to the one before; the last four put one machine on a faster DMA. *Chunks by time*
is the machine of `co-design.yaml`; on NVLink-C2C it has 256 lanes, as on the grid.

![Times as each part is added](parts.png)

### 400 Gbit/s

{ablation(ablations, "400Gbps")}
### 200 Gbit/s

{ablation(ablations, "200Gbps")}
## Other schedules

25 MiB, 8 ranks, 400 Gbit/s, codes made by the GPU, PCIe 5 x16. *Fastest*: over the baseline's own best schedule in this table.

{schedules(schedule_rows)}
## More ranks

25 MiB, 400 Gbit/s, codes made by the GPU, PCIe 5 x16. A window has two iterations of 8 ranks: with 16 ranks, both
steps show the gradients of both, so that what warms up is what is measured and history helps more than it would; from 32 on gradients repeat,
which makes sums larger than those of different workers. With 64 ranks a slice of a chunk has 800 values of the window, where headers weigh most.

{ranks(rank_rows)}
{validated(rank_rows)}

{many_ranks(many_rows)}
{steps}
## What carries over, and what does not

* **Ratios between methods carry over** to machines with the same ratio of link, DMA and engine; times do not. Compare the table of true
  size with the grid at 25 MiB: same machine, other values and a whole bucket.
* **The DMA decides.** Codes cost 8 bits to read and their sums 16 to write, whatever the wire carries. Once the DMA limits a coder, fewer bits on
  the wire gain nothing: classes and adaptation are then worth nothing over ASC alone. Once it limits uncoded integers too, no coder pays.
* **Codes made by the GPU are for slow DMA.** {forms(grid)}: below 1, their kernels cost
  more than the bytes that they save.
* **Two iterations are all the history there is**: one warms up, one is measured. Tables by class have been learnt from one iteration only, and
  `{BEST}` lives on its adaptation within the iteration. What longer history is worth cannot be seen here.
* **Windows with `scale` have more overhead than the bucket that they stand for**: tables, headers and the start of adaptation are those of
  the small gradient, so per value they weigh up to 64 times as much. The buckets of true size do not have this error.
* A window is a part of one bucket: embeddings, classifiers and other layers have other distributions (traces/README.md).
* A faster AllReduce is not a faster step: where the backward pass hides the AllReduces, a faster one gains nothing.
"""
