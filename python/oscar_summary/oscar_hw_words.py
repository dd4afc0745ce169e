"""Names, figures and published factors that the parts of results/oscar-hw/SUMMARY.md share."""

from . import geometric, where
from . import published as factors

LINK, GATHER, GRADIENTS = "network.link.bandwidth", "collective.all_gather_direction", "gpu.gradients"
BEST, BASELINE = "oscar-hw", "atalanta-equal"
BASELINES = ("fp32", "bf16", "fixed_point", BASELINE)
PUBLISHED = [
    ("AllReduce, OSCAR-HW over no compression", factors.ALLREDUCE, BEST, "fp32"),
    ("AllReduce, ASC over no compression", factors.ASC, "asc-balanced", "fp32"),
    ("AllReduce, ASC over Atalanta, table profiled on local gradients", factors.ASC_OVER_ATALANTA, "asc-balanced", "atalanta-local-balanced"),
    ("AllReduce, ASC over Atalanta, one table of all timesteps of t-1", factors.ASC_OVER_ATALANTA, "asc-balanced", "atalanta-balanced"),
]
PUBLISHED_STEP = ("Training step, OSCAR-HW over no compression", factors.STEP)
TRUE_ELEMENTS = 4_000_000
DELTAS = f"{BEST}-delta-gather"


class Setting:
    """One machine and schedule of the ablation, with its rows."""

    KEYS = ("engine", LINK, "collective.issue", "collective.slices")

    def __init__(self, values, rows):
        self.rows = [row for row in rows if tuple(row[key] for key in self.KEYS) == values]
        self.engine, self.link, self.issue, self.slices = values
        self.name = f"{self.link}, engine `{self.engine}`, {self.issue}, {self.slices} slice(s)"

    @classmethod
    def all_of(cls, rows):
        return [cls(values, rows) for values in dict.fromkeys(tuple(row[key] for key in cls.KEYS) for row in rows)]

    def of(self, method):
        return where(self.rows, method=method)


def figures(rows, figure):
    return [row[figure] for row in rows]


def mean_of(rows, method, figure):
    return geometric(figures(where(rows, method=method), figure))
