"""The rows of a sweep: one per point and method."""

import csv
import sqlite3
from dataclasses import dataclass
from pathlib import Path


class InputError(Exception):
    """The input is wrong; the text says what, and how to write it right."""


@dataclass(frozen=True)
class Row:
    """One method at one point. `axes`: swept key -> text; `figures`: metric -> number, without those that are null."""
    axes: dict
    method: str
    figures: dict


def read(path):
    """The rows of points.sqlite, methods.csv, points.csv, or of a folder that holds them."""
    path = Path(path)
    if path.is_dir():
        path /= "points.sqlite"
    if not path.is_file():
        raise InputError(f"{path}: no such file; name the points.sqlite or points.csv of a sweep")
    columns, lines = _from_database(path) if path.suffix == ".sqlite" else _from_csv(path)
    if columns[:2] != ["position", "key"] or not {"method", "status"} & set(columns):
        raise InputError(f"{path}: is no table of a sweep; name the points.sqlite or points.csv of one")
    rows = (_long if "method" in columns else _wide)(columns, lines)
    if not rows:
        raise InputError(f"{path}: no point of the sweep is done; run it, or see the column error")
    return rows


def _from_database(path):
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            cursor = connection.execute("SELECT * FROM methods")
            return [column[0] for column in cursor.description], cursor.fetchall()
    except sqlite3.Error as error:
        raise InputError(f"{path}: {error}; name the points.sqlite of a sweep") from error


def _from_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    return (lines[0], lines[1:]) if lines else ([], [])


def _figures(named):
    return {name: float(value) for name, value in named if value not in (None, "")}


def _axes(columns, line, end):
    return {key: str(value) for key, value in zip(columns[2:end], line[2:end])}


def _long(columns, lines):
    end = columns.index("method")
    return [Row(_axes(columns, line, end), line[end], _figures(zip(columns[end + 1:], line[end + 1:])))
            for line in lines]


def _wide(columns, lines):
    """points.csv has the figures of all methods beside each other, as METHOD.METRIC."""
    end = columns.index("status")
    names = [column.rpartition(".") for column in columns[end + 3:]]
    rows = []
    for line in lines:
        for method in dict.fromkeys(name[0] for name in names):
            figures = _figures((name[2], value) for name, value in zip(names, line[end + 3:]) if name[0] == method)
            if figures:
                rows.append(Row(_axes(columns, line, end), method, figures))
    return rows
