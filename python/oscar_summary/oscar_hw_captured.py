"""What results/oscar-hw/SUMMARY.md says of captured buckets and steps, which scripts/where_it_pays ran."""

from pathlib import Path

from . import causes, geometric, ordered, records, spread, step_text, table, where
from . import end_to_end as captured_models
from .oscar_hw_words import BEST, GRADIENTS, LINK, PUBLISHED, figures
from .pays_words import error, gbps

ROOT = Path(__file__).resolve().parents[2]
CAPTURED = ROOT / "results/where-it-pays/true-size.csv"   # by scripts/where_it_pays: buckets of captured gradients
CAPTURED_STEPS = ROOT / "results/where-it-pays/step.csv"   # likewise: training steps of captured models


def captured_buckets():
    """The rows of CAPTURED with speed-ups."""
    return records.with_speedups(records.read(CAPTURED)[1], ("trace", "bucket", LINK, GRADIENTS, "payload"))


def captured_steps():
    """The rows of CAPTURED_STEPS; none where it is missing."""
    return records.read(CAPTURED_STEPS)[1] if CAPTURED_STEPS.exists() else []


def has_baseline(rows, baseline):
    return all(f"speedup.{baseline}" in row for row in rows)


def spread_over(rows, baseline):
    """Speed-ups over a baseline as text, if the runs of all rows have it."""
    return spread(figures(rows, f"speedup.{baseline}")) if has_baseline(rows, baseline) else "not run"


def links_that_reach(rows, form, claim):
    """Links on which a method's mean speed-up over another is at least the published one, in words."""
    _, factor, method, over = claim
    best = where(rows, **{GRADIENTS: form}, method=method)
    links = sorted((link for link in ordered(best, LINK) if has_baseline(where(best, **{LINK: link}), over)), key=gbps)
    reaching = [link for link in links if geometric(figures(where(best, **{LINK: link}), f"speedup.{over}")) >= factor]
    where_it_does = f"on links of {', '.join(reaching)}" if reaching else "on no link"
    return f"{where_it_does} (tried: {', '.join(links)})" if links else "not run"


def reached_on_captured_buckets(rows):
    """A line per published factor of an AllReduce: where captured buckets reach it."""
    there = ordered(rows, "method")
    return table(["claim", "published", "what is compared", "codes made by the GPU", "fp32 over DMA"],
                 [[what, f"{factor:.2f}", f"`{method}` / `{over}`", *(links_that_reach(rows, form, (what, factor, method, over)) for form in ("codes", "fp32"))]
                  for what, factor, method, over in PUBLISHED if over in there])


def sizes_in_words(rows):
    """Least and most values of the buckets."""
    values = figures(rows, "values")
    return f"{min(values):,} to {max(values):,} values"


def in_bytes(rows):
    """How many of the AllReduces carried real bytes, in words."""
    real = len(where(rows, payload="encoded"))
    return f"{real} of {len(rows)} ({100 * real / len(rows):.0f} %)"


def on_captured_buckets(rows):
    """A line per link and form of gradients: OSCAR-HW and ASC on whole buckets of captured gradients."""
    there, lines = ordered(rows, "method"), []
    of_best = [over for over in ("fp32", "bf16", "fixed_point", "atalanta-balanced", "asc-balanced", "rans-classes") if over in there]
    of_asc = [over for over in ("fp32", "atalanta-balanced") if over in there]
    for link, form in dict.fromkeys((row[LINK], row[GRADIENTS]) for row in rows):
        machine = where(rows, **{LINK: link, GRADIENTS: form})
        best, asc = (where(machine, method=method) for method in (BEST, "asc-balanced"))
        lines.append([link, form, *(spread_over(best, over) for over in of_best), *(spread_over(asc, over) for over in of_asc),
                      error(best), causes.limiter_and_share(best)])
    return table(["link", "in GPU memory", *(f"`{BEST}` x {over}" for over in of_best), *(f"asc-balanced x {over}" for over in of_asc),
                  f"error of `{BEST}`", f"limiter of `{BEST}`"], lines)


def captured_steps_in_words(rows):
    """What the published factor of a training step implies, and where steps of captured models have it."""
    if not rows:
        return ""
    models = captured_models.models()
    gpus = ", ".join(f"{models[trace]['name']} on {models[trace]['gpu']}" for trace in ordered(rows, "trace"))
    return f"""**Training steps** of the captured models, with published times of the passes ({gpus}), buckets of 25 MiB that overlap the backward
pass, the co-designed machine, 8 ranks, links of {", ".join(f"{rate:g}" for rate in sorted(map(gbps, ordered(rows, LINK))))} Gbit/s
([where it pays](../where-it-pays/SUMMARY.md) has the table and the sources). {step_text.implied(rows)}
"""
