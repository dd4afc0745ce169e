"""What papers on lossy compressors publish beside what records of this program have: a list of rows in YAML.

    paper, what, published, why: texts
    values: {name: [FILE, QUERY, COLUMN]}   a cell of a CSV file, like training/methods: pandas' QUERY leaves one row
    derive: EXPRESSIONS of pandas           `name = ...` each on a line, of the values (optional)
    here: "{name:.1f} %"                    a format of values and of what is derived

A row whose file has no such row yet, because its training was not made, has "not made" in place of `here`.
"""

import pandas
import yaml
from oscar_summary import records


def rows(listed, folders):
    """{paper, what, published, here, why} of each row of the file `listed`; `folders`: of first parts of FILE."""
    for row in yaml.safe_load(listed.read_text(encoding="utf-8")):
        texts = {key: row[key] for key in ("paper", "what", "published", "why")}
        yield {**texts, "here": _here(row, folders)}


def _here(row, folders):
    values = {name: _cell(folders, *where) for name, where in row["values"].items()}
    if None in values.values():
        return "not made"
    frame = pandas.DataFrame([values])
    if "derive" in row:
        frame = frame.eval(row["derive"])
    return row["here"].format(**frame.iloc[0].to_dict())


def _cell(folders, file, query, column):
    """The value of the only row; None where there is no row, or none in it. ValueError: more rows than one."""
    first, name = file.split("/")
    frame = pandas.DataFrame(records.read(folders[first] / f"{name}.csv")[1]).query(query)
    if len(frame) > 1:
        raise ValueError(f"{file}: {len(frame)} rows are {query}; write what tells them apart")
    value = frame[column].iloc[0] if len(frame) else None
    return None if value is None or pandas.isna(value) else value
