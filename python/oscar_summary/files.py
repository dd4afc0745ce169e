"""Files that appear whole or not at all."""

import os


def replace(file, text):
    """Writes `text` beside `file` and renames it, so that nobody sees half of it;
    makes the folder where it is missing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    draft.write_text(text, encoding="utf-8", newline="")
    draft.rename(file)
