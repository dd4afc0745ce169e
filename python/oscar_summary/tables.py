"""Tables of a results page: `tables.yaml` beside the page says what each shows, and the CSV files beside it fill them.

The page is written by hand; `<!-- table NAME -->` and `<!-- end -->` enclose what fill() writes. A table is

    csv: FILE or [FILE, ...]     in the folder of the page
    where: QUERY                 of pandas, keys with a dot in backticks: the rows of the table and of the baselines
    only: QUERY                  the rows of the table among them
    order: [key, ...]            by which rows are sorted: as in `names`, or by number (default: as in the file)
    derive: EXPRESSIONS          of pandas, `name = ...` each on a line: columns beside those of the file
    rows: {heading: key}         a line for each combination of values that is there; without `rows` each row is a line
    columns: {heading: cell}     a cell is a text or a list of them, which are joined
    across: key                  repeats columns whose heading has {} for each value of the key
    points: [key, ...]           what a method is compared at (default: all swept keys)
    schedules: [key, ...]        of those, the keys of which `fastest` takes a baseline's best values
    keep:                        which rows stay, one of
      {fastest: key, by: [key, ...]}             for each combination of `by`, the key's value of least mean time
      {front: [column, column], by: [key, ...]}  rows than which no other is better in both columns
      {behind: [method, ...], of: method}        rows of a method more than 1 % slower than the fastest of others

The column `file` has the name of a row's file, and `program` what made it. A cell is

    FIGURE [of METHOD] [over BASELINE] [at QUERY]

with FIGURE one of FIGURES, or of a column of the file `mean(COLUMN)`, `worst(COLUMN)`, which is the value farthest from
0 in per cent, or `only(COLUMN)`, which is the same in all rows. `names` has, by key, the words for its values. Where
each row is a line, a cell is a format string of Python, like `{mean:.4g} us`, and "-" where one of its columns has no
value.
"""

import re
from itertools import takewhile
from numbers import Integral
from statistics import geometric_mean as geometric
from string import Formatter

import pandas
import yaml

from . import causes, table
from .pays import GAIN, LINK

BLOCK = re.compile(r"<!-- table (\S+) -->\n.*?<!-- end -->", re.DOTALL)
CELL = re.compile(
    r"(?P<figure>[\w-]+)(?:\((?P<column>[\w.]+)\))?"
    r"(?: of (?P<method>[\w-]+))?(?: over (?P<baseline>[\w-]+))?(?: at (?P<query>.+))?"
)


def ranged(values, form):
    """Geometric mean (least-most) as text; where they are the same as text, only that."""
    least, most = form(min(values)), form(max(values))
    return least if least == most else f"{form(geometric(values))} ({least}-{most})"


def small(value):
    """An error with three decimals, or, where those say nothing, as a power of ten."""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.0e}"


def plain(value):
    """A value of a key: rates of links without their unit."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value:,}" if isinstance(value, Integral) else re.sub(r"Gbps$", "", str(value))


def read(file):
    """The rows of a CSV file of records.py with the keys that were swept in `attrs`."""
    with file.open(encoding="utf-8") as lines:
        program = next(lines).removeprefix("# oscar-sim ").strip()
        rows = pandas.read_csv(lines)
    rows.attrs["keys"] = list(takewhile("method".__ne__, rows.columns))
    return rows.assign(
        **{"file": file.name, "program": rows.get("program", program), "payload": rows.get("payload", "size_only")}
    )


class Group:
    """The rows of one line of a table, and all rows in which their baselines are found."""

    def __init__(self, rows, frame, definition):
        self.rows, self.frame, self.definition = rows, frame, definition

    def chosen(self, method, query):
        rows = self.rows if query is None else self.rows.query(query)
        return Group(rows if method is None else rows[rows["method"] == method], self.frame, self.definition)

    def partners(self, baseline, column):
        """A figure of the baseline at the same points; KeyError where it was not run at all of them."""
        keys = self.definition["points"]
        others = self.frame.loc[self.frame["method"] == baseline, [*keys, column]]
        found = self.rows[keys].merge(others, on=keys, how="left", validate="many_to_one")[column]
        if found.isna().any():
            raise KeyError(baseline)
        return found.to_numpy()

    def ratios(self, baseline, column="allreduce_ps"):
        return list(self.partners(baseline, column) / self.rows[column].to_numpy())

    def fastest(self, baseline):
        """How many times as fast the rows are as the baseline's best schedule at the same point."""
        keys = [key for key in self.definition["points"] if key not in self.definition["schedules"]]
        least = self.frame[self.frame["method"] == baseline].groupby(keys)["allreduce_ps"].min()
        at = self.rows.set_index(keys).index
        return list(least.loc[at].to_numpy() / self.rows["allreduce_ps"].to_numpy())

    def column(self, name, form, factor=1):
        return ranged(list(self.rows[name] * factor), form)

    def records(self):
        return self.rows.to_dict("records")


def ends(group, baseline):
    """The least rate of links at which the method is not at least 1 % faster than the baseline."""
    rates = sorted((float(plain(link)), ratio) for link, ratio in zip(group.rows[LINK], group.ratios(baseline)))
    return next((f"{rate:g}" for rate, ratio in rates if ratio < GAIN), f"above {rates[-1][0]:g}")


def estimate(group):
    """Break-even rate over fp32 as a report has it. It holds near the run's link."""
    (row,) = group.records()
    rate, link = row["break_even_bandwidth_gbps"], float(plain(row[LINK]))
    if row["method"] == "fp32":
        return "-"
    return f"{rate:,.0f}" if rate <= 2 * link else f"above {2 * link:g}"  # a rate that is not there compares as false


def sums(group):
    """Whether the sums are those of the reference, and whether their bytes were made."""
    made = "" if (group.rows["payload"] == "encoded").all() else ", size only"
    return ("equal" if group.rows["sums_match_reference"].all() else "WRONG") + made


def percent(values):
    """Shares as text; nothing counts as a share that no digit shows, for a geometric mean needs one."""
    return ranged([max(value, 1e-9) for value in values], lambda value: f"{100 * value:.1f} %")


def share(cause):
    """A figure: the share of a cause in the critical path."""
    return lambda of, _: f"{100 * causes.share(of.records(), cause):.0f} %"


def reached(of, over):
    """Share of the speed-up that the coded bytes and their imbalance allow."""
    return percent(
        ratio * row["bits_per_value"] * row["imbalance"] / 32 for ratio, row in zip(of.ratios(over), of.records())
    )


FIGURES = {
    "speed-up": lambda of, over: ranged(of.ratios(over), "{:.2f}".format),
    "slow-down": lambda of, over: ranged([1 / ratio for ratio in of.ratios(over)], "{:.2f}".format),
    "ratio": lambda of, over: ranged(of.ratios(over), "{:.3f}".format),
    "fastest": lambda of, over: ranged(of.fastest(over), "{:.2f}".format),
    "step": lambda of, over: ranged(of.ratios(over, "step_ps"), "{:.2f}".format),
    "bound": lambda of, over: ranged(of.ratios(over, "bound_ps"), "{:.2f}".format),
    "ends": ends,
    "estimate": lambda of, _: estimate(of),
    "sums": lambda of, _: sums(of),
    "count": lambda of, _: plain(len(of.rows)),
    "real": lambda of, _: plain((of.rows["payload"] == "encoded").sum()),
    "wrong": lambda of, _: plain(len(of.rows) - of.rows["sums_match_reference"].sum()),
    "us": lambda of, _: of.column("allreduce_ps", "{:.0f}".format, 1e-6),
    "step-ms": lambda of, _: of.column("step_ps", "{:.1f}".format, 1e-9),
    "bits": lambda of, _: of.column("bits_per_value", "{:.2f}".format),
    "balance": lambda of, _: of.column("imbalance", "{:.3f}".format),
    "error": lambda of, _: "not recorded"
    if of.rows["relative_l2_error"].isna().any()
    else of.column("relative_l2_error", small),
    "cosine": lambda of, _: of.column("cosine", "{:.4f}".format),
    "exposed": lambda of, _: percent(of.rows["exposed_share"]),
    "of-bound": lambda of, _: ranged(
        list(of.rows["bound_ps"] / of.rows["allreduce_ps"]), lambda share: f"{100 * share:.0f} %"
    ),
    "limiter": lambda of, _: causes.limiter(of.records()),
    "limiter-and-share": lambda of, _: causes.limiter_and_share(of.records()),
    "entropy": lambda of, _: of.column("entropy_bits_per_value", "{:.2f}".format),
    "gap": lambda of, _: ranged(
        list(of.rows["bits_per_value"] / of.rows["entropy_bits_per_value"]), lambda ratio: f"{100 * (ratio - 1):+.1f} %"
    ),
    "bits-ratio": lambda of, over: ranged(of.ratios(over, "bits_per_value"), "{:.2f}".format),
    "reached": reached,
    "allowed": lambda of, _: ranged(list(32 / of.rows["bits_per_value"] / of.rows["imbalance"]), "{:.2f}".format),
    **{f"share-{cause}": share(cause) for cause in causes.NAMES},
}
OF_COLUMN = {
    "mean": lambda values: ranged(list(values), "{:.2f}".format),
    "worst": lambda values: f"{100 * max(values, key=abs):+.1f} %",
    "only": lambda values: plain(*values.unique()),
}


def cell(group, text):
    """A cell, or a list of them, of a line; "not run" where its rows or their baselines are missing."""
    if isinstance(text, list):
        return ", ".join(cell(group, part) for part in text)
    said = CELL.fullmatch(text)
    of = group.chosen(said["method"], said["query"])
    try:
        if of.rows.empty:
            raise KeyError(text)
        if said["column"]:
            return OF_COLUMN[said["figure"]](of.rows[said["column"]])
        return FIGURES[said["figure"]](of, said["baseline"])
    except KeyError:
        return "not run"


def shown(row, text):
    """A format string filled with the columns of a row; "-" where one of them has no value."""
    missing = any(name and pandas.isna(row[name]) for _, name, _, _ in Formatter().parse(text))
    return "-" if missing else text.format(**row)


def kept(rows, frame, definition):
    """The rows that a table's `keep` leaves."""
    keep = definition["keep"]
    if "behind" in keep:
        of = Group(rows[rows["method"] == keep["of"]], frame, definition)
        ratios = [min(found) for found in zip(*map(of.ratios, keep["behind"]))]
        return of.rows.assign(ratio=ratios).query(f"ratio < {1 / GAIN}").sort_values("ratio")

    def fastest(rows):
        times = rows.groupby(keep["fastest"])["allreduce_ps"].apply(lambda values: geometric(list(values)))
        return rows[rows[keep["fastest"]] == times.idxmin()]

    def front(rows):
        first, second = keep["front"]
        ordered = rows.sort_values([first, second])
        return ordered[ordered[second] < ordered[second].cummin().shift(fill_value=float("inf"))]

    groups = rows.groupby(keep["by"], sort=False, group_keys=False)
    return groups.apply(fastest if "fastest" in keep else front)


def columns(definition, rows, names):
    """[(heading, cell)] with those across a key written out."""
    found = []
    for heading, text in definition["columns"].items():
        if "{}" not in heading:
            found.append((heading, text))
            continue
        key = definition["across"]
        for value in rows[key].unique().tolist():  # numbers of Python, whose text a query reads
            at = f"`{key}` == {value!r}"
            found.append(
                (
                    heading.format(named(names, key, value)),
                    [f"{part} at {at}" for part in ([text] if isinstance(text, str) else text)],
                )
            )
    return found


def place(names, key, value):
    """Where a value comes in the order of its key: as in `names`, by number, or by text."""
    known = list(names.get(key, ()))
    if value in known:
        return known.index(value)
    text = plain(value).replace(",", "")
    return float(text) if re.fullmatch(r"[\d.]+", text) else text


def named(names, key, value):
    return names.get(key, {}).get(value, plain(value))


def made(definition, folder, names):
    """The Markdown of a table."""
    files = definition["csv"] if isinstance(definition["csv"], list) else [definition["csv"]]
    parts = [read(folder / file) for file in files if (folder / file).exists()]
    if not parts:
        return f"Not run: there is no {files[0]}.\n"
    frame = pandas.concat(parts)
    definition = {"points": parts[0].attrs["keys"], "schedules": [], **definition}
    frame = frame.eval(definition["derive"]) if "derive" in definition else frame
    frame = frame.query(definition["where"]) if "where" in definition else frame
    rows = frame.query(definition["only"]) if "only" in definition else frame
    rows = kept(rows, frame, definition) if "keep" in definition else rows
    if "order" in definition:
        rows = rows.sort_values(
            definition["order"],
            kind="stable",
            key=lambda column: column.map(lambda value: place(names, column.name, value)),
        )
    if "rows" not in definition:
        cells = definition["columns"]
        return table(list(cells), [[shown(row, text) for text in cells.values()] for row in rows.to_dict("records")])
    head, lines = columns(definition, rows, names), []
    keys = definition["rows"]
    for _, group in rows.groupby(
        list(keys.values()) if len(keys) > 1 else [*keys.values()][0], sort=False, dropna=False
    ):
        lines.append(
            [
                *(named(names, key, group[key].iloc[0]) for key in keys.values()),
                *(cell(Group(group, frame, definition), text) for _, text in head),
            ]
        )
    return table([*keys, *(heading for heading, _ in head)], lines)


def described(folder):
    """What `tables.yaml` of a folder says: {"names": ..., "tables": ...}."""
    return yaml.safe_load((folder / "tables.yaml").read_text(encoding="utf-8"))


def fill(page, figures, described):
    """The text of a page, its tables made of CSV files in the folder `figures`; KeyError if one is not described."""

    def block(found):
        return (
            f"<!-- table {found[1]} -->\n{made(described['tables'][found[1]], figures, described['names'])}<!-- end -->"
        )

    return BLOCK.sub(block, page)
