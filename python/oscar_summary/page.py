"""A results page: text by hand in SUMMARY.md, tables by tables.py."""

from . import command, files


def fill(source, figures, name="SUMMARY.md", to=None):
    """Writes a page of the folder `source`, with tables of the CSV files in the folder `figures`, to the latter, or to the
    file `to`. Gives the path. The text stays as it is: who reads new figures reads it again."""
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
    files.replace(page, tables.fill((source / name).read_text(encoding="utf-8"), figures, tables.described(source)))
    return page
