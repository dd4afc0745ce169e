"""Times on the co-designed machine that no CSV file of results/where-it-pays has: rows of a method by trace, with the
columns of those files, of runs of the program."""

from functools import lru_cache

from tests.scripts.loading import script

script("validate")  # names the folder of oscar_validation
from oscar_summary import causes  # noqa: E402
from oscar_validation import program  # noqa: E402

WINDOWS = ("resnet50-window", "gpt2-window", "vgg16-window")
CONFIG = program.ROOT / "configs/experiments/co-design.yaml"
METHODS = """[fp32, bf16, fixed_point, {kind: atalanta, table: pooled, name: atalanta-balanced},
    {kind: asc, name: asc-balanced}, {kind: asc, adapt: symbol, name: asc-adapt-symbol},
    {kind: rans, name: rans}, {kind: rans, split: context, name: rans-classes},
    {kind: asc, split: context, adapt: symbol, name: oscar-hw}]"""


@lru_cache
def reports(link, load):
    """[trace]: the methods of a run at a link, with so many cycles for loading a table, by name."""
    return {
        trace: {
            method["name"]: method
            for method in program.call(
                "run",
                CONFIG,
                (
                    "payload=size_only",
                    f"methods={' '.join(METHODS.split())}",
                    f"trace=traces/{trace}",
                    f"network.link.bandwidth={link}Gbps",
                    f"engine.table_load={load}",
                ),
            )["methods"]
        }
        for trace in WINDOWS
    }


def row(method):
    """A method of a report with the columns that the CSV files have."""
    path = {f"critical_path.{cause}_ps": method["critical_path"][f"{cause}_ps"] for cause in causes.NAMES}
    return path | {figure: method[figure] for figure in ("allreduce_ps", "bits_per_value", "relative_l2_error")}


def loading(link, method, load=16):
    """trace -> the row of a method on the co-designed machine; `load` 0 is an engine with a second bank of tables."""
    return {trace: row(methods[method]) for trace, methods in reports(link, load).items()}


def second_bank(link, method):
    return loading(link, method, load=0)


def added_by_second_bank(arrays=1):
    """The share of the area of an engine of `rans-classes` that a second bank of tables adds: with one set of tables at
    encoder and decoder, as the report counts them, or with one in each of so many arrays."""
    one, two = (reports(400, load)[WINDOWS[0]]["rans-classes"]["engine_area_um2"] for load in (16, 0))
    return arrays * (two - one) / (one + (arrays - 1) * (two - one))
