"""The rows of a sweep: one per point and method."""

import contextlib
import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pandas

from oscar_plot import quantity
from oscar_summary.command import InputError


@dataclass(frozen=True)
class Sweep:
    """`frame`: a line per point and method, with the swept `keys` as text, `method`, and figures as numbers (NaN:
    null). `fixed`: key -> text of what is the same at every point, as far as it is known."""

    frame: pandas.DataFrame
    keys: tuple
    fixed: dict


# What pandas, json and this file meet in a table that no sweep has written.
WRONG = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
STEPS = (2_000_000, 100)  # of SQLite's machine, for any database and for each byte of one


def read(path):
    """The Sweep of points.sqlite, methods.csv, points.csv, or of a folder that holds them. InputError: it is none."""
    path = Path(path)
    if path.is_dir():
        path /= "points.sqlite"
    if not path.is_file():
        raise InputError(f"{path}: no such file; name the points.sqlite or points.csv of a sweep")
    try:
        return _sweep(path)
    except WRONG as error:
        raise InputError(f"{path}: is not as a sweep writes it; name the points.sqlite or points.csv of one") from error


def _sweep(path):
    frame, fixed = _from_database(path) if path.suffix == ".sqlite" else (_from_csv(path), {})
    if list(frame.columns[:2]) != ["position", "key"] or not {"method", "status"} & set(frame.columns):
        raise InputError(f"{path}: is no table of a sweep; name the points.sqlite or points.csv of one")
    if not frame.columns.is_unique:
        raise InputError(f"{path}: has two columns of one name; name the points.sqlite or points.csv of a sweep")
    keys = tuple(frame.columns[2 : frame.columns.get_loc("method" if "method" in frame else "status")])
    frame = frame.drop(columns=["position", "key"]) if "method" in frame else _long(frame, keys)
    if frame.empty:
        raise InputError(f"{path}: no point of the sweep is done; run it, or see the column error")
    figures = frame.columns.difference([*keys, "method"], sort=False)
    for key in keys:  # numbers that pandas made floats
        frame[key] = frame[key].map(lambda value: str(value).removesuffix(".0"))
    frame = frame.reset_index(drop=True)
    frame[figures] = frame[figures].apply(_as_numbers)
    return Sweep(frame, keys, {key: text for key, text in fixed.items() if key not in keys})


def _as_numbers(column):
    """The column as numbers, unless it holds words like the bottleneck."""
    try:
        return pandas.to_numeric(column)
    except ValueError:
        return column


def _from_database(path):
    try:
        with contextlib.closing(_untrusted(path)) as connection:
            frame = pandas.read_sql_query("SELECT * FROM methods", connection)
            return frame, _fixed(connection)
    except (sqlite3.Error, pandas.errors.DatabaseError) as error:
        raise InputError(f"{path}: {str(error).split(': ')[-1]}; name the points.sqlite of a sweep") from error


def _untrusted(path):
    """A connection in which nothing of the database runs but the harmless, and no view without end."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.set_progress_handler(lambda: 1, STEPS[0] + STEPS[1] * path.stat().st_size)
    return connection


def _fixed(connection):
    """What a report of the sweep says of the trace, the ranks and the links."""
    if not connection.execute("SELECT name FROM sqlite_master WHERE name = 'results'").fetchone():
        return {}
    report = connection.execute("SELECT report FROM results WHERE report IS NOT NULL LIMIT 1").fetchone()
    config = _config(report[0]) if report else {}
    link = _text(config, "network", "link", "bandwidth")
    trace = _text(config, "trace")
    fixed = {
        "trace": trace and Path(trace).name,
        "ranks": isinstance(config.get("ranks"), int) and f"{config['ranks']} ranks",
        "network.link.bandwidth": link and f"links of {quantity.spelled(link)}",
    }
    return {key: text for key, text in fixed.items() if text}


def _config(report):
    """The configuration in the text of a report; empty where it is none."""
    try:
        config = json.loads(report)["config"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return config if isinstance(config, dict) else {}


def _text(config, *keys):
    """The text at some keys, or None."""
    for key in keys:
        config = config.get(key) if isinstance(config, dict) else None
    return config if isinstance(config, str) else None


def _from_csv(path):
    try:
        header = pandas.read_csv(path, dtype=str, header=None, nrows=1)
        if not header.iloc[0].is_unique:  # pandas would give them other names, slowly
            return header.set_axis(header.iloc[0], axis="columns")
        frame = pandas.read_csv(path, dtype=str)
        # Lines with more fields than the first make an index of their own.
        return frame if isinstance(frame.index, pandas.RangeIndex) else pandas.DataFrame()
    except (
        pandas.errors.EmptyDataError,
        pandas.errors.ParserError,
        UnicodeDecodeError,
    ):  # nothing, other text, or no text
        return pandas.DataFrame()


def _long(frame, keys):
    """points.csv has the figures of all methods beside each other, as METHOD.METRIC."""
    figures = frame.iloc[:, frame.columns.get_loc("status") + 3 :]
    if figures.columns.empty:
        return frame.iloc[:0].assign(method="")
    figures.columns = pandas.MultiIndex.from_tuples(
        [name.rpartition(".")[::2] for name in figures.columns], names=("method", None)
    )
    methods = figures.columns.get_level_values("method").unique()
    parts = {method: figures[method].dropna(how="all") for method in methods}
    long = pandas.concat(parts, names=["method"]).reset_index("method")
    long["method"] = pandas.Categorical(long["method"], methods)
    joined = frame[list(keys)].join(long, how="inner").rename_axis("point").sort_values(["point", "method"])
    return joined.astype({"method": str})
