"""The record that a training leaves: a file of JSON, METHOD-seedN.json."""

from oscar_summary import user_file
from oscar_summary.command import InputError

WHAT = "the record of a training, or remove it and train once more"
KEYS = {"method": str, "seed": int, "rows": list, "ended": str, "metric": str}


def read(path, keys=KEYS):
    """The record of a file. InputError: it is none, or lacks one of `keys`, which each has."""
    record = user_file.json_of(user_file.decoded(user_file.content(path, WHAT), path, WHAT), path, WHAT)
    if not isinstance(record, dict):
        raise InputError(f"{path}: is no map; name {WHAT}")
    wrong = [key for key, kind in keys.items() if not isinstance(record.get(key), kind)]
    if wrong:
        raise InputError(f"{path}: has no {wrong[0]}; name {WHAT}")
    return record
