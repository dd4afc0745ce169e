"""What the summaries of sweeps share: means over traces, Markdown tables, and the rows of a sweep's database."""

import json
import math
import sqlite3


def geometric(values):
    """Geometric mean of positive numbers."""
    return math.exp(sum(map(math.log, values)) / len(values))


def spread(values):
    """Geometric mean (least-most), as text."""
    return f"{geometric(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def table(head, lines):
    """A Markdown table."""
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
                     + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def _connect(database):
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    return connection


def methods(database):
    """A row per method of each point that is done, in the order of the plan; a row is a mapping of figures."""
    return _connect(database).execute("SELECT * FROM methods").fetchall()


def steps(database):
    """A mapping per method of each point that is done: its swept keys, `method`, and the report's `step` of it."""
    rows = _connect(database).execute("SELECT points.*, report FROM points JOIN results USING (key) "
                                      "WHERE report IS NOT NULL ORDER BY position").fetchall()
    return [{"trace": row["trace"], "overlap": row["step.overlap"] == "true", "method": method["name"], **method["step"]}
            for row in rows for method in json.loads(row["report"])["methods"]]


def ordered(rows, key):
    """The values of one key of rows, in the order in which they come."""
    return list(dict.fromkeys(row[key] for row in rows))


def where(rows, **values):
    """The rows whose keys have these values; `__` in a name stands for a dot."""
    return [row for row in rows if all(row[key.replace("__", ".")] == value for key, value in values.items())]
