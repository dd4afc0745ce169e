"""A notebook as a page of Markdown with what its cells print and draw, for readers without Jupyter."""

import base64
import math
import os
import re

NOTE = "*This page shows [the notebook]({link}) with what its cells print; `scripts/generate_docs` makes it.*"
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
TOLERANCE = 0.02  # of numbers that depend on the rounding of a machine's linear algebra


def executed(file, package):
    """The notebook after a run from top to bottom; `package` is the folder to import oscar_sim from. Needs nbclient."""
    import nbclient
    import nbformat

    os.environ.update(
        PYTHONPATH=str(package), PYDEVD_DISABLE_FILE_VALIDATION="1"
    )  # of the kernel; it has no debugger to warn of
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(file.parent)}}
    ).execute()
    return notebook


def page(notebook, link, image):
    """(Markdown, PNG of the one figure). `link` leads to the notebook and `image` to the figure.

    Code is marked `py`: the blocks of other pages, `python`,
    are run in the order of the pages by scripts/readme_blocks.
    """
    parts, figures = [], []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        else:
            parts.append(f"```py\n{cell.source}\n```")
            parts += [part for output in cell.outputs for part in _shown(output, image, figures)]
    parts.insert(1, NOTE.format(link=link))
    if len(figures) != 1:
        raise ValueError(f"the notebook draws {len(figures)} figures; the page has a place for one")
    return "\n\n".join(parts) + "\n", figures[0]


def _shown(output, image, figures):
    """An output as Markdown; a figure goes to `figures`, too."""
    data = output.get("data", {})
    if "image/png" in data:
        figures.append(base64.b64decode(data["image/png"]))
        return [f"![The figure that the cell above draws]({image})"]
    if "<table" in data.get("text/html", ""):
        return [_table(data["text/html"])]
    text = output.get("text", "") or data.get("text/plain", "")
    return [f"```text\n{text.rstrip()}\n```"] if text.strip() else []


def _table(html):
    """A table of pandas, whose second row has the name of the index alone, as one of Markdown."""
    columns, index, *rows = (
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr.*?</tr>", html, re.DOTALL)
    )
    head = [index[0], *columns[1:]]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] + ["---:"] * (len(head) - 1), *rows])


def agree(held, wanted):
    """Whether two pages have the same words, and numbers that differ by the rounding of linear algebra only."""
    if NUMBER.split(held) != NUMBER.split(wanted):
        return False
    pairs = zip(NUMBER.findall(held), NUMBER.findall(wanted))
    return all(
        math.isclose(float(one), float(other), rel_tol=TOLERANCE, abs_tol=0 if "." in one else 1)
        for one, other in pairs
    )
