"""A results page: text by hand in SUMMARY.md, tables by tables.py."""

import argparse
import re
from pathlib import Path

from . import command, files

OWN, OWN_END = "<!-- of the figures here -->", "<!-- end of these -->"


def parser(doc, folder, program=None):
    """Of the command line of a script that makes the page in `folder`; `program`: one that it runs may be named."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("-o", type=Path, default=folder, metavar="DIR", help="default: %(default)s")
    if program:
        made.add_argument("--program", type=Path, default=program, metavar="FILE", help="default: %(default)s")
    made.add_argument("--from-csv", action="store_true", help="run nothing: fill the tables from the CSV files in DIR")
    return made


def of_any_figures(text):
    """A page without what its text says of the figures that are shipped with it."""
    return re.sub(f"{OWN}.*?{OWN_END}\n*", "", text, flags=re.DOTALL)


def fill(source, figures, name="SUMMARY.md", to=None):
    """Writes a page of the folder `source`, with tables of the CSV files in the folder `figures`, to the latter, or to
    the file `to`. Gives the path. The text stays as it is, but for what is of the figures in `source` alone, between
    OWN and OWN_END: who reads new figures reads it again."""
    if not any(figures.glob("*.csv")):
        raise command.InputError(
            f"{figures}: holds no CSV file of a run; name the folder of an earlier one, or leave --from-csv away"
        )
    try:
        from . import tables
    except ImportError as error:
        raise command.InputError(
            f"{source / name}: its tables need {error.name}; run scripts/setup plot-packages.txt"
        ) from None
    page = to or figures / name
    text = (source / name).read_text(encoding="utf-8")
    if figures.resolve() != source.resolve():
        text = of_any_figures(text)
    files.replace(page, tables.fill(text, figures, tables.described(source)))
    return page
