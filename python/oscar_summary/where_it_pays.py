"""The text of results/where-it-pays/SUMMARY.md, of the rows of its CSV files."""

from .pays_buckets import beside_windows, lost, of_true_size
from .pays_grid import alone, behind_coder, break_evens, by_link, forms, not_paying, of_balance, of_lanes, short
from .pays_machines import ablation, many_ranks, plain_machine, ranks, schedules, validated
from .pays_words import BEST, CODER, PLAIN


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
