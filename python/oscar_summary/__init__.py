"""What the summaries of sweeps share: means over traces, Markdown tables, and the rows of a sweep's database."""

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


def methods(database):
    """A row per method of each point that is done, in the order of the plan; a row is a mapping of figures."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    return connection.execute("SELECT * FROM methods").fetchall()
