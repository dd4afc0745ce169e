"""A trace of a part of each tensor of another one, for whole models whose gradients would take hours.

Of a tensor of n values about n / share stay, in runs of consecutive values from all over it, so that with
`scale: share` (docs/time.md) each tensor occupies the machine for as long as the whole one. Rows of an embedding that
are rarely used, and dense ones, keep their shares.
"""

import math

import numpy as np
import yaml

from oscar_capture import manifest

RUN = 4096  # consecutive values: enough for blocks of classes and for tables that adapt


def runs_of(size, share):
    """Slices of a tensor of `size` values, equally spaced, with about size / share values in all and at least one."""
    values = max(1, round(size / share))
    count = -(-values // RUN)
    found = []
    for i in range(count):
        begin, end = size * i // count, size * (i + 1) // count
        length = values * (i + 1) // count - values * i // count
        begin += (end - begin - length) // 2
        found.append(slice(begin, begin + length))
    return found


def write(source, target, share, iterations):
    """Writes to the folder `target` the trace of the positions `iterations` of `source` with a part of each tensor."""
    trace = yaml.safe_load((source / "trace.yaml").read_text(encoding="utf-8"))
    parts, first = [], 0
    for layer in trace["layers"]:
        size = math.prod(layer["shape"])
        chosen = runs_of(size, share)
        parts += [slice(first + part.start, first + part.stop) for part in chosen]
        layer["shape"] = [sum(part.stop - part.start for part in chosen)]
        first += size
    entries = [trace["iterations"][position] for position in iterations]
    draft = target.with_name(target.name + ".tmp")
    draft.mkdir(parents=True, exist_ok=True)
    for index, entry in enumerate(entries):
        array = np.load(source / entry["file"], mmap_mode="r")
        entry["file"] = f"iteration-{index:05}.npy"
        np.save(draft / entry["file"], np.concatenate([array[:, part] for part in parts], axis=1))
    trace.update(parameters=sum(part.stop - part.start for part in parts), iterations=entries)
    (draft / "trace.yaml").write_text(manifest.to_text(manifest.with_hashes(trace, draft)), encoding="utf-8")
    draft.rename(target)
