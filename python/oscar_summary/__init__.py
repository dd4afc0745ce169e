"""What the summaries of sweeps share: means over traces, Markdown tables, and the rows of a sweep's database.

Rows are mappings in lists: runs are recorded also where pandas, which fills the tables of pages, is not installed.
"""

import json
import sqlite3
from pathlib import Path
from statistics import geometric_mean as geometric  # noqa: F401 (for users of the package)


def table(head, lines):
    """A Markdown table."""
    return (
        "\n".join(
            ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
            + ["| " + " | ".join(line) + " |" for line in lines]
        )
        + "\n"
    )


def _connect(database):
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    return connection


def methods(database):
    """A mapping of figures per method of each point that is done, in the order of the plan; traces, where they are
    swept, by their names."""
    rows = map(dict, _connect(database).execute("SELECT * FROM methods"))
    return [row | {key: Path(value).name for key, value in row.items() if key == "trace"} for row in rows]


def steps(database):
    """A mapping per method of each point that is done: trace, overlap, method, `exposed_share` of its step, and over
    each method `speedup.BASELINE` and `amdahl.BASELINE.FIGURE`."""
    rows = (
        _connect(database)
        .execute(
            "SELECT points.*, report FROM points JOIN results USING (key) " "WHERE report IS NOT NULL ORDER BY position"
        )
        .fetchall()
    )
    return [
        {
            "trace": Path(row["trace"]).name,
            "overlap": row["step.overlap"] == "true",
            "method": method["name"],
            **_flat(method["step"]),
        }
        for row in rows
        for method in json.loads(row["report"])["methods"]
    ]


def _flat(step):
    """What a report says of a step, of which a comparison with each method, without nesting."""
    checks = {
        f"amdahl.{name}.{figure}": value for name, check in step["amdahl"].items() for figure, value in check.items()
    }
    return {
        "exposed_share": step["exposed_share"],
        **{f"speedup.{name}": factor for name, factor in step["speedup"].items()},
        **checks,
    }


def ordered(rows, key):
    """The values of one key of rows, in the order in which they come."""
    return list(dict.fromkeys(row[key] for row in rows))


def where(rows, **values):
    """The rows whose keys have these values; `__` in a name stands for a dot."""
    return [row for row in rows if all(row[key.replace("__", ".")] == value for key, value in values.items())]
