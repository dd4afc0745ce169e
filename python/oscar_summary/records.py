"""The rows behind a summary as CSV files beside it, so that its tables can be made anew without a run.

The first line is a comment with the program that made the figures: `# oscar-sim 0.1.0+HASH`, its version and the hash
of its sources. Then RFC 4180: the swept keys, `method`, and figures with seven significant digits.
"""

import csv
import io
import sqlite3

from . import files

DIGITS = 7
WORDS = {"": None, "true": True, "false": False}


def swept(row):
    """The swept keys of a row of a sweep's database: what stands between the point's key and the method."""
    names = list(row.keys())
    return names[names.index("key") + 1 : names.index("method")]


def program_of(database):
    """Version and sources of the program that made the points of a sweep; ValueError if several programs did."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        programs = [row[0] for row in connection.execute("SELECT DISTINCT program FROM results JOIN plan USING (key)")]
    if len(programs) != 1:
        raise ValueError(f"{database}: points of {len(programs)} programs; remove the folder and run the sweep again")
    return programs[0]


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.{DIGITS}g}"
    return "" if value is None else str(value)


def value(word):
    """What text() made a word of."""
    if word in WORDS:
        return WORDS[word]
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def write(file, program, rows, columns):
    """Writes these columns of the rows."""
    out = io.StringIO()
    out.write(f"# oscar-sim {program}\n")
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(columns)
    lines.writerows([text(row[column]) for column in columns] for row in rows)
    files.replace(file, out.getvalue())


def read(file):
    """(program, rows): each row is a mapping of its columns."""
    with file.open(encoding="utf-8", newline="") as lines:
        program = next(lines).removeprefix("# oscar-sim ").strip()
        return program, [{key: value(word) for key, word in row.items()} for row in csv.DictReader(lines)]


def with_speedups(rows, keys):
    """Adds `speedup.BASELINE` over every method of the same point to each row:
    the baseline's allreduce_ps / its own."""
    points = {}
    for row in rows:
        points.setdefault(tuple(row[key] for key in keys), []).append(row)
    for point in points.values():
        for row in point:
            row.update(
                {f"speedup.{baseline['method']}": baseline["allreduce_ps"] / row["allreduce_ps"] for baseline in point}
            )
    return rows
