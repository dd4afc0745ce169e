"""The text of results/where-it-pays/SUMMARY.md, of the rows of its CSV files."""

from . import pays_buckets, pays_grid, pays_machines, pays_quantisers, step_text, where
from .pays_buckets import beside_windows, lost, of_true_size, recorded
from .pays_grid import alone, behind_coder, break_evens, by_link, forms, not_paying, of_balance, of_lanes
from .pays_machines import ablation, many_ranks, plain_machine, ranks, schedules, validated
from .pays_words import BEST, CODER, LINK, PLAIN, config, quantiser_words

GRID, ABLATION, SCHEDULES, RANKS, MANY_RANKS, QUANTISERS, IN_NETWORK, ENGINE = SWEEPS = tuple(
    f"where-it-pays{part}" for part in ("", "-ablation", "-schedules", "-ranks", "-many-ranks", "-quantisers", "-in-network", "-engine"))
TRUE_SIZE, STEP = "true-size", "step"


def checked(rows):
    """How many AllReduces were run, how many of them with real bytes, and how many have other sums than the reference, in words."""
    everything = [row for name in (*SWEEPS, TRUE_SIZE) for row in rows[name]]
    wrong = sum(1 for row in everything if not row["sums_match_reference"])
    real = sum(1 for row in everything if row.get("payload") == "encoded")
    return (f"Of {len(everything):,} AllReduces {real} ({100 * real / len(everything):.1f} %) carried real bytes, which every rank decoded and found "
            f"equal to those that it would have sent; the\nothers computed the sizes of the same blocks and made no byte. {wrong} of the {len(everything):,} "
            "sums differ from the untimed reference.")


def short(rows):
    """The claims of the page, a sentence each."""
    grid, ring = rows[GRID], where(rows[GRID], **pays_grid.HEAD)
    many = [row for row in rows[MANY_RANKS] if row["collective.slices"] == 1]
    return "\n".join([pays_grid.short(grid), f"* {alone(grid)}.", pays_machines.against_switches(where_link(rows[IN_NETWORK]), ring),
                      pays_machines.short_of_ranks(many), f"* {plain_machine(rows[ABLATION])}. The difference is the machine's, not the coder's."])


def where_link(rows):
    """The rows of the links on which the page decides between switches and rings."""
    return [row for row in rows if row[LINK] in ("200Gbps", "400Gbps")]


def summary(rows, program):
    """The text of SUMMARY.md. `rows`: of each of SWEEPS, of TRUE_SIZE and of STEP, by name."""
    grid, ablations, rank_rows, true_rows = (rows[name] for name in (GRID, ABLATION, RANKS, TRUE_SIZE))
    quantiser = quantiser_words(config("experiments/co-design")["quantiser"])
    return f"""# Where OSCAR-HW pays

{checked(rows)}

Made by `scripts/where_it_pays` (oscar-sim {program}); `--from-csv` makes this page anew of the CSV files beside it. The machine is that of
`configs/experiments/co-design.yaml`: 8 ranks at one switch, codes of {quantiser}, a ring of 8 slices of which two
reduce beside the all-gather of earlier ones, 128 lanes at 1 GHz, chunks of equal predicted time, GPU kernels by slice, class
masks by block. On the grid the engine matches the DMA (128 lanes behind PCIe, 256 behind NVLink-C2C, for all methods). `{PLAIN}` is uncoded
integers, `{CODER}` is ASC with balanced chunks, `{BEST}` adds classes and adaptation by symbol; `atalanta-balanced` has one table of all
timesteps, `rans-classes` codes by the same classes. Every speed-up is over another method **on the same machine under the same schedule**,
unless its sentence says otherwise. Means are geometric, over the windows of a ResNet-50, a GPT-2 and a VGG-16 (least-most). *Error*: relative
L2 error of the sum. *Limiter*: the largest part of the critical path; the GPU's kernels are in the DMA's part. Links are in Gbit/s.

fp32's ring is an idealised one: partial sums stay in a NIC of unlimited memory, so each value crosses PCIe once in each direction. A ring
that keeps partial sums in GPU memory, as NCCL's does, moves 2 (N-1) / N times as much there: 1.75 times with 8 ranks.

## In short

{short(rows)}

![Speed-up over fp32 against the link](speed-up.png)

The lowest rate of links at which `{BEST}` gains less than 1 % over `{PLAIN}`, and its limiter there:

{not_paying(grid)}

![Speed-up over uncoded integers against the link](buses.png)

{pays_quantisers.section(rows[QUANTISERS])}
## Against switches that add

25 MiB, 8 ranks, codes made by the GPU, PCIe 5 x16. `collective: in_network`: the switch adds what the ranks send and sends the sum to all
of them, with the switch's default adders and slots; of `{CODER}` it decodes, adds and encodes anew. `{BEST}` cannot run there, because a
switch holds no classes. Of 16, 32 and 64 slices, each of which launches kernels of the GPU, each method has those with which it is fastest
on the mean. *Faster by*: time of the line over that of `{BEST}`'s ring; below 1 `{BEST}` loses.

{pays_machines.in_network(rows[IN_NETWORK], where(grid, **pays_grid.HEAD))}
## What the engine's assumptions are worth

25 MiB, 8 ranks, codes made by the GPU, PCIe 5 x16. *As assumed*: a lane finds the row of a value in one cycle (`search: flash`, 15 multipliers
a lane), a table is made in no time (`table_update: 0`), and the GPU plans behind the forward pass. No lane was synthesised.

{pays_machines.engine(rows[ENGINE])}
## Buckets of true size

Recorded by {recorded(true_rows) if true_rows else "nobody"}.

Captured gradients themselves, without `scale`: 8 ranks, PCIe 5 x16, the last of two late steps. *Bound*: what `oscar-sim predict` (roofline)
allows with the run's measured bits, with both halves of the ring always at work; it knows no latency, kernels, headers, masks nor imbalance. At 400
Gbit/s with codes the bytes were made and decoded; in lines with *size only* their number was computed, and the sums are those of the values.

{pays_buckets.short(true_rows)}

{of_true_size(true_rows)}
The speed-up may exceed that of the bounds where the baseline is further from its own. {lost(true_rows)}
{beside_windows(true_rows, grid)}
## The grid at 25 MiB: `{BEST}` over fp32, 8 ranks

{by_link(grid, "fp32")}
{of_lanes(grid)}

## The grid at 25 MiB: `{BEST}` over bf16, 8 ranks

{by_link(grid, "bf16")}
## The grid at 25 MiB: `{BEST}` over `{PLAIN}`, 8 ranks

{by_link(grid, PLAIN)}
## The grid at 25 MiB: `{BEST}` over `rans-classes`, 8 ranks

{by_link(grid, "rans-classes")}
## From which link on it does not pay

8 ranks. The lowest rate of the grid at which `{BEST}` is not at least 1 % faster; *above* means that it is at every rate of the grid. The last
column but one is the rate that the report of the run at 400 Gbit/s estimates over fp32 to first order. The estimate holds near that link, for
it leaves out that the DMA limits fp32 too on faster ones; beyond twice the rate of the link the table says only that.

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

{schedules(rows[SCHEDULES])}
## More ranks

25 MiB, 400 Gbit/s, codes made by the GPU, PCIe 5 x16. A window has two iterations of 8 ranks: with 16 ranks, both
steps show the gradients of both, so that what warms up is what is measured and history helps more than it would; from 32 on gradients repeat,
which makes sums larger than those of different workers. With 64 ranks a slice of a chunk has 800 values of the window, where headers weigh most.

{ranks(rank_rows)}
{validated(rank_rows)}

{many_ranks(rows[MANY_RANKS])}
{step_text.section(rows[STEP], true_rows)}
## What carries over, and what does not

* **Ratios between methods carry over** to machines with the same ratio of link, DMA and engine; times do not.
* **The DMA decides.** Codes cost 8 bits to read and their sums 16 to write, whatever the wire carries (up to 5 bits a code their sums take
  8). Once the DMA limits a coder, fewer bits on the wire gain nothing: classes and adaptation are then worth nothing over ASC alone. Once it
  limits uncoded integers too, no coder pays.
* **Codes made by the GPU are for slow DMA.** {forms(grid)}: below 1, their kernels cost
  more than the bytes that they save.
* **Two iterations are all the history there is**: one warms up, one is measured. Tables by class have been learnt from one iteration only, and
  `{BEST}` lives on its adaptation within the iteration. What longer history is worth cannot be seen here.
* **Windows with `scale` have more overhead than the bucket that they stand for**: tables, headers and the start of adaptation are those of
  the small gradient, so per value they weigh up to 64 times as much. The buckets of true size do not have this error.
* A window is a part of one bucket: embeddings, classifiers and other layers have other distributions (traces/README.md).
* A faster AllReduce is not a faster step: where the backward pass hides the AllReduces, a faster one gains nothing.
"""
