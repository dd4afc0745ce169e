"""What results/where-it-pays/SUMMARY.md says of training steps, of the rows of step.csv (end_to_end.py)."""

from . import end_to_end, ordered, published, runs, table, where
from .causes import limiter
from .pays_buckets import recorded
from .pays_words import BEST, ERROR, LINK, PLAIN, gbps, small

OTHERS = ("bf16", PLAIN, BEST)   # than fp32
RANKS = 8


def model_of(row):
    return end_to_end.models()[row["trace"]]


def steps_of(rows):
    """A mapping method -> row for each point, by model and link."""
    names, points = list(end_to_end.models()), {}
    for row in rows:
        points.setdefault(tuple(row[key] for key in end_to_end.KEYS), {})[row["method"]] = row
    return sorted(points.values(), key=lambda of: (names.index(of["fp32"]["trace"]), gbps(of["fp32"][LINK])))


def faster(of, method, baseline="fp32"):
    """How many times as fast a step is."""
    return of[baseline]["step_ps"] / of[method]["step_ps"]


def allreduces(of, method, baseline="fp32"):
    """How many times as fast the step's AllReduces are together."""
    return of[baseline]["allreduce_ps"] / of[method]["allreduce_ps"]


def percent(share):
    return f"{100 * share:.1f} %"


def sources():
    """A line per model: its GPU and how long it computes."""
    lines = []
    for trace, model in end_to_end.models().items():
        forward, backward = end_to_end.passes_ms(model)
        split = "published" if "forward_ms" in model else "1 : 2"
        lines.append([model["name"], trace, model["gpu"], model["batch"], f"{forward:.1f} + {backward:.1f}", split, model["source"]])
    return table(["model", "capture", "GPU", "batch of a GPU", "forward + backward, ms", "split", "source"], lines)


def main_rows(rows):
    return where(rows, ready="operations", share=end_to_end.SHARE)


def steps(rows):
    """A line per model and link."""
    lines = []
    for of in steps_of(main_rows(rows)):
        fp32, best = of["fp32"], of[BEST]
        lines.append([model_of(fp32)["name"], f"{gbps(fp32[LINK]):g}", f"{fp32['step_ps'] / 1e9:.1f}", percent(fp32["exposed_share"]),
                      *(f"{faster(of, method):.2f}" for method in OTHERS), f"{faster(of, BEST, PLAIN):.2f}", percent(best["exposed_share"]),
                      *(f"{allreduces(of, method):.2f}" for method in (PLAIN, BEST)), f"{best['bits_per_value']:.2f}", error_of(best), limiter([best])])
    return table(["model", "link", "fp32's step, ms", "of it exposed", *(f"step, {method} x fp32" for method in OTHERS),
                  f"step, {BEST} x {PLAIN}", f"exposed with {BEST}", f"AllReduces, {PLAIN} x fp32", f"AllReduces, {BEST} x fp32",
                  f"bits/value of {BEST}", f"error of {BEST}", f"limiter of {BEST}'s AllReduces"], lines)


def error_of(row):
    """The error of a step's sums as text; early records have none."""
    return "not recorded" if row[ERROR] is None else small(row[ERROR])


def errors_of_buckets(rows, buckets):
    """Where steps have no error, that of single buckets with the same quantiser, in a sentence."""
    made = {(row["trace"], row["quantiser"]) for row in rows if row[ERROR] is None}
    found = {row["trace"]: row for row in where(buckets, method=BEST) if (row["trace"], row["quantiser"]) in made}
    words = ", ".join(f"{small(row[ERROR])} ({model_of(row)['name']})" for row in found.values())
    return f"The error of these steps was not recorded; one bucket of the same model with the same quantiser has {words}." if found else ""


def nearest(rows, trace, share):
    """The step of a model on the link at which fp32 exposes most nearly such a share."""
    found = [of for of in steps_of(main_rows(rows)) if of["fp32"]["trace"] == trace]
    return min(found, key=lambda of: abs(of["fp32"]["exposed_share"] - share))


def reaches(rows, trace, share):
    """Whether fp32 exposes as much of a model's step at any link."""
    return any(row["exposed_share"] >= share for row in where(main_rows(rows), trace=trace, method="fp32"))


def implied(rows):
    """Which share of exposed communication the published factors imply, and a line per model on where its step has it."""
    share = published.exposed_share(published.STEP, published.ALLREDUCE)
    lines = []
    for trace in ordered(main_rows(rows), "trace"):
        of = nearest(rows, trace, share)
        fp32 = of["fp32"]
        ratios = ", ".join(f"{faster(of, method):.2f} (`{method}`)" for method in OTHERS)
        where_it_is = "nearest" if reaches(rows, trace, share) else "at no link of the table; nearest"
        lines.append(f"* {end_to_end.models()[trace]['name']}: {where_it_is} at {gbps(fp32[LINK]):g} Gbit/s ({percent(fp32['exposed_share'])}, with "
                     f"which an AllReduce {published.ALLREDUCE} times as fast would make a step {published.step(fp32['exposed_share'], published.ALLREDUCE):.2f} "
                     f"times as fast). There ({end_to_end.SHARE * fp32['values'] / 1e6:.0f} million values, {RANKS} ranks) a step is {ratios} times as fast as with `fp32`, and with "
                     f"`{BEST}` {faster(of, BEST, PLAIN):.2f} times as fast as with `{PLAIN}`; `{BEST}`'s AllReduces are {allreduces(of, BEST):.2f} times as "
                     f"fast as `fp32`'s, limited by {limiter([of[BEST]])}.")
    return (f"An AllReduce {published.ALLREDUCE} times as fast and a step {published.STEP} times as fast, as published, mean that "
            f"{percent(share)} of the uncompressed step is exposed communication: step = 1 / (1 - s + s / a). Where the steps here expose so much:\n\n"
            + "\n".join(lines) + "\n")


def as_captured(rows):
    """A line per model and link with ready times as captured beside those by operations."""
    lines = []
    for other in steps_of(where(rows, ready="captured", share=end_to_end.SHARE)):
        keys = {key: other["fp32"][key] for key in ("trace", LINK)}
        for of in steps_of(where(main_rows(rows), **keys)):
            lines.append([model_of(of["fp32"])["name"], f"{gbps(keys[LINK]):g}",
                          *(percent(point["fp32"]["exposed_share"]) for point in (of, other)),
                          *(f"{faster(point, method):.2f}" for method in (PLAIN, BEST) for point in (of, other))])
    return table(["model", "link", "exposed by fp32, ready by operations", "as captured",
                  *(f"step, {method} x fp32, {ready}" for method in (PLAIN, BEST) for ready in ("by operations", "as captured"))], lines)


def thinning(rows):
    """How far steps of thinned gradients are from those of whole ones, in a sentence."""
    whole = steps_of(where(rows, share=1, ready="operations"))
    if not whole:
        return "No whole gradient was run."
    pairs = [(of[method], where(main_rows(rows), trace=of[method]["trace"], method=method, **{LINK: of[method][LINK]})[0])
             for of in whole for method in of]
    worst = {figure: max(abs(thin[figure] / full[figure] - 1) for full, thin in pairs)
             for figure in ("allreduce_ps", "step_ps", "bits_per_value")}
    names = ", ".join(dict.fromkeys(f"{model_of(full)['name']} at {gbps(full[LINK]):g} Gbit/s" for full, _ in pairs))
    return (f"Runs with the whole gradient ({names}; {len(pairs)} runs of a method) differ from those with the thinned one by at most {100 * worst['allreduce_ps']:.1f} % in the "
            f"time of the AllReduces, {100 * worst['step_ps']:.2f} % in that of the step and {100 * worst['bits_per_value']:.1f} % in bits.")


def section(rows, buckets=()):
    """The section on training steps. `buckets`: rows of true size."""
    if not rows:
        return ("## Training steps\n\nNo captures were there, so no steps were run: `scripts/capture --true-size NAME` makes them and "
                "`scripts/where_it_pays --captures DIR` runs them.\n")
    left = ", ".join(f"{point.trace} at {point.link}{' whole' if point.share == 1 else ''}" for point in runs.lacking(end_to_end.POINTS, rows))
    return f"""## Training steps

Recorded by {recorded(rows)}.

All buckets of a captured model, cut as DistributedDataParallel does (25 MiB, the first 1 MiB), {RANKS} ranks, PCIe 5 x16, codes made by the GPU.
A bucket is sent as soon as its gradients are ready and the bucket before it is sent; what the backward pass does not hide is
*exposed*. How long the passes take is published, not chosen, and so the exposed share is a result:

{sources()}
A gradient is ready when so much of the backward pass's multiplications is done, at the published size of input; all GPUs compute at the
same time. Gradients are thinned: of each tensor one value of {end_to_end.SHARE}, in runs from all over it, with `scale: {end_to_end.SHARE}`; sizes are
computed and no bytes made. {thinning(rows)}
{errors_of_buckets(rows, buckets)}

{steps(rows)}{f"{chr(10)}Not run: {left}.{chr(10)}" if left else ""}
### What the published step implies

{implied(rows)}
The captures were made on a CPU with smaller images and batches. Their own ready times give other shares, mostly because dense layers take
longer there in proportion. Their values are of those images too: the first dense layer of this VGG-16, three quarters of its
gradient, sees each feature repeatedly, so it codes into fewer bits than one of larger images would.

{as_captured(rows)}"""
