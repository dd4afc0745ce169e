"""The text of results/oscar-hw/SUMMARY.md, of the rows of its CSV files."""

from pathlib import Path

from . import causes, ordered, runs, where
from .oscar_hw_captured import (captured_buckets, captured_steps, captured_steps_in_words, in_bytes, on_captured_buckets,
                                reached_on_captured_buckets, sizes_in_words)
from .oscar_hw_sweeps import (ablation, at_true_size, by_baseline, by_slices, by_trace, compared, end_to_end, of_delta_gather, published,
                              worth)
from .pays_buckets import recorded
from .oscar_hw_words import BASELINE, BASELINES, BEST, GRADIENTS, LINK, TRUE_ELEMENTS, Setting, mean_of


def summary(matrix, ablations, step_rows, delta_rows, true_rows, program):
    """The text of SUMMARY.md."""
    settings = Setting.all_of(ablations)
    head = settings[0]
    allreduces = (*matrix, *ablations, *delta_rows, *true_rows)
    wrong = sum(1 for row in allreduces if not row["sums_match_reference"])
    bound, integers = (where(true_rows, **{LINK: settings[2].link, GRADIENTS: "fp32"}, method=m) for m in (BEST, "fixed_point"))
    captured = captured_buckets()
    parts = [f"""# OSCAR-HW on the shipped traces

Made by `scripts/oscar_hw` (oscar-sim {program}) from `configs/sweeps/oscar-hw.yaml`, `oscar-hw-ablation.yaml`,
`oscar-hw-step.yaml`, `oscar-hw-delta-gather.yaml` and `oscar-hw-true-size.yaml`; `scripts/oscar_hw --from-csv` makes it anew of the CSV
files beside it. {len(allreduces)} AllReduces and {len(step_rows)} training steps of {len(ordered(matrix, 'trace'))} traces, three late iterations each,
and of a generated one. All {len(allreduces)} (100 %) carried real bytes, which every rank decoded; {wrong} of them differ from the untimed
reference. Of the AllReduces of captured buckets below {in_bytes(captured)} did.

Ring on one switch, packet fidelity. More than 8 ranks are resampled (docs/trace-format.md). Figures are geometric means over the traces
(least-most). `{BASELINE}` is one table of 16 ranges learnt from all that all links carried in t-1, with equal chunks. `{BEST}` is ASC with
tables per link and timestep, 8 classes of values from the magnitudes of earlier sums, adaptation by symbol, and chunks of blocks dealt by
predicted cost.

The traces have 32,000 to 56,000 values: on links of 200 Gbit/s and more their AllReduce is bound by latency, not by bytes.
The tables at 1 Gbit/s therefore show the effect of bytes alone. [ENGINE.md](ENGINE.md) attributes what an engine of 64 lanes loses.

## Published and here

**On whole buckets of captured gradients** ({", ".join(ordered(captured, "trace"))}: {sizes_in_words(captured)}, 8 ranks, PCIe 5 x16)
each published factor is reached as follows; the last column of the second table says what limits OSCAR-HW. With codes made by the GPU
slices overlap. The machine is that of `configs/experiments/co-design.yaml`, all methods on it, as recorded by
{recorded(captured)}. [Where it pays](../where-it-pays/SUMMARY.md) has the
bounds, the other links and what each part of the design is worth.

{reached_on_captured_buckets(captured)}
{on_captured_buckets(captured)}
{captured_steps_in_words(captured_steps())}
**The plain machine gains less.** At {settings[2].link} with 8 ranks, PCIe 5 x16 and fp32 over DMA, OSCAR-HW is {mean_of(settings[2].rows, BEST, "speedup.fp32"):.2f} times as fast as fp32 on the
shipped traces, limited by latency ([ENGINE.md](ENGINE.md) has the shares), and {bound[0]["speedup.fp32"]:.2f} times on {TRUE_ELEMENTS:,} values, limited by **DMA**: it is {100 * causes.share(bound, "dma"):.0f} % of the critical path, for it moves 4 bytes a
value to and from GPU memory whatever is sent on the wire, and the masks of the classes besides. Uncoded integers are there {integers[0]["speedup.fp32"]:.2f} times as fast as fp32.
No coder in the NIC can change that; moving less over the DMA does (next section).

## At true size: {TRUE_ELEMENTS:,} values, int8 p99.9, 8 ranks, 64 lanes at 1 GHz

A trace generated like {Path(runs.LIKE).name} (`oscar-sim trace generate`), one iteration. Shares are of the critical path. With `codes` kernels of
the GPU quantise, which the dma column counts too, and DMA reads 1 byte a value and writes 2.

{at_true_size(true_rows)}
## Appendix: what bytes alone are worth

The tables from here on put gradients of 32,000 to 56,000 values on slow links, in part with an engine at 100 GHz that limits nothing. DMA
and engine are not slowed down with the link. The tables tell what coded bytes and their balance are worth where nothing else counts;
they do not stand for a machine.

### Published factors on small traces

{published(settings, step_rows, true_rows)}
Here: int8 p99.9, 8 ranks, lock-step, 1 slice, PCIe 5 x16 for DMA at the default rate of the program named above; lanes that limit nothing: `{head.engine}`. Which bit widths,
models, links and sizes the published means are over, the abstract does not say; "no compression" may be 8 or 16 bits there, of which see the
tables by baseline.

![What each ingredient of OSCAR-HW adds](ablation.png)

![All methods](variants.png)

## Which coder

{compared(settings)}

## By trace: int8 p99.9, 8 ranks, {head.name}

*Gap* is coded bits, headers included, over the zero-order entropy of the values of each timestep given their classes.

{by_trace(head)}"""]
    parts += [f"## Ablation: int8 p99.9, 8 ranks, {s.name}\n\n{ablation(s)}" for s in settings if s.slices == 1 and s.issue == "lock_step"]
    parts.append(f"""## What slices leave of the worth of balance: int8 p99.9, 8 ranks, {head.link}, engine `{head.engine}`

Speed-up over fp32 of the same schedule. In lock-step the largest message of a timestep counts; where steps wait for their own data
only, and more so with a few slices in flight, links work off each other's surplus.

{by_slices(settings)}""")
    parts.append(f"""## Bytes, balance and what is reached: int8 p99.9, 8 ranks, engine `{delta_rows[0]["engine"]}`, lock-step

What coded bytes and balance allow is reached on these slow links but for latency, which counts for more the smaller a model and the
faster a link. A slow link and a small trace do not stand for a fast link and a large model: latency and wire scale together, but DMA and
engine keep their rates, and they decide at true size (above).

{worth(delta_rows)}""")
    parts.append(f"""## Delta gather: int8 p99.9, 8 ranks

Both ranks that exchange a final sum may already hold a partial sum of it, from the reduce-scatter. `delta_gather` sends only the
difference from that partial sum, encoded anew at each hop (docs/collectives.md). In reverse, the hops carry sums of 1, 2, ..., 7 ranks instead
of 8 seven times; forward, of 8, 7, ..., 2. Baselines and methods share the schedule. Elsewhere on this page sums travel whole.

{of_delta_gather(delta_rows)}""")
    parts += [f"## {BEST} over {b}, 64 lanes at 1 GHz, lock-step\n\n{by_baseline(matrix, b)}" for b in BASELINES]
    parts.append(f"""## Training steps: int8 p99.9, 8 ranks, 1 Gbps

Compute times are chosen, not measured (configs/sweeps/oscar-hw-step.yaml). *Exposed*: share of the step.

{end_to_end(step_rows)}""")
    return "\n".join(parts)
