"""A window of a trace: consecutive values of one bucket, as a trace of its own with the same bits.

Buckets are those of DistributedDataParallel: from the last tensor to the first;
the tensor that fills a bucket is its last.
"""

import math
from dataclasses import dataclass

import numpy as np
import yaml

from .error import CaptureError
from .folder import TraceWriter
from .manifest import Flow, Text, file_name

FIRST, SIZE = 1 << 20, 25 << 20  # bytes of fp32 from which on the first bucket, and each other, is closed
TEXTS = ("name", "model", "optimiser", "framework", "values")
FLOWS = ("data", "validation", "loss_curve")


@dataclass(frozen=True)
class Window:
    """Values `begin` to `end`, which is not one of them, of each rank's gradient."""

    begin: int
    end: int


def sizes_of(layers):
    """Values of each layer of a trace.yaml."""
    return [math.prod(layer["shape"]) for layer in layers]


def buckets(sizes):
    """Per bucket, in the order in which the backward pass fills them, a Window and where in it tensors meet."""
    found, end = [], sum(sizes)
    begin, meetings = end, []
    for number, size in reversed(list(enumerate(sizes))):
        if begin < end:
            meetings.append(begin)
        begin -= size
        if 4 * (end - begin) >= (SIZE if found else FIRST) or number == 0:
            found.append((Window(begin, end), meetings))
            end, meetings = begin, []
    return found


def window_of(bucket, meetings, elements):
    """So many values of the bucket, with a meeting of two tensors nearest to its middle in their own,
    as far as they lie in it."""
    if not 0 < elements <= bucket.end - bucket.begin:
        raise CaptureError(
            f"the bucket has {bucket.end - bucket.begin} values, so no window of {elements}; choose fewer or another "
            "bucket"
        )
    middle = (bucket.begin + bucket.end) // 2
    centre = min(meetings, key=lambda meeting: abs(meeting - middle), default=middle)
    begin = min(max(centre - elements // 2, bucket.begin), bucket.end - elements)
    return Window(begin, begin + elements)


def layers_in(layers, window):
    """The layers of the window in their order; one that is cut has one dimension and says in its name which values it
    has."""
    found, begin = [], 0
    for layer, size in zip(layers, sizes_of(layers)):
        first, last = max(window.begin - begin, 0), min(window.end - begin, size)
        begin += size
        if first >= last:
            continue
        kept = Flow(layer, name=Text(layer["name"]))
        if (first, last) != (0, size):
            kept.update(name=Text(f"{layer['name']}[{first}:{last}]"), shape=[last - first])
        found.append(kept)
    return found


def cut(source, target, bucket, elements, iterations, source_hash):
    """Writes the trace `target` and returns its Window. `iterations`: a slice of the source's; `source_hash`:
    its identity."""
    trace = _description(source)
    every = buckets(sizes_of(trace["layers"]))
    if not 0 <= bucket < len(every):
        raise CaptureError(f"{source} has no bucket {bucket}; it has 0 to {len(every) - 1}")
    entries = trace["iterations"][iterations]
    if not entries:
        raise CaptureError(f"{source} has {len(trace['iterations'])} iterations, none of which is in the range")
    window = window_of(*every[bucket], elements)
    writer = TraceWriter(target)
    try:
        for index, entry in enumerate(entries):
            is_bits = _copy(source / entry["file"], writer.unfinished / "trace" / file_name(index), trace, window)
            if is_bits:
                trace["dtype"] = "bf16"
        writer.publish(_content(trace, entries, window, bucket, source_hash))
    except OSError as error:
        raise CaptureError(f"{error.filename or target}: {error.strerror}") from error
    finally:
        writer.discard()
    return window


def _description(source):
    try:
        trace = yaml.safe_load((source / "trace.yaml").read_text(encoding="utf-8"))
        [entry["file"] for entry in trace["iterations"]], sizes_of(trace["layers"]), trace["name"], trace["ranks"]
    except OSError as error:
        raise CaptureError(f"{source / 'trace.yaml'}: {error.strerror}; give the folder of a trace") from error
    except (yaml.YAMLError, RecursionError, KeyError, TypeError, ValueError) as error:
        why = f"{type(error).__name__} {error}".replace("\n", " ")
        raise CaptureError(f"{source / 'trace.yaml'} does not describe a trace with a name: {why}") from error
    return trace


def _copy(source, target, trace, window):
    """The window of all ranks of an array, bit for bit. Whether they are bare bits of bf16,
    which the description must say."""
    try:
        array = np.load(source, mmap_mode="r")
    except ValueError as error:  # numpy's does not name the file
        raise CaptureError(f"{source}: {error}") from error
    shape = (trace["ranks"], sum(sizes_of(trace["layers"])))
    if array.shape != shape or not array.flags.c_contiguous:
        raise CaptureError(f"{source} has the shape {list(array.shape)}, not {list(shape)} in C order")
    np.save(target, np.ascontiguousarray(array[:, window.begin : window.end]))
    return array.dtype.kind == "V"


def _content(trace, entries, window, bucket, source_hash):
    content = {key: value for key, value in trace.items() if key != "generator"}  # which describes all layers
    note = (
        f"window of bucket {bucket} of {trace['name']}: values {window.begin} to {window.end} of the gradient, the "
        f"last not one of them, of the trace with the hash {source_hash}"
    )
    content.update(
        name=f"{trace['name']}-window",
        values="; ".join(filter(None, [trace.get("values"), note])),
        parameters=window.end - window.begin,
        layers=layers_in(trace["layers"], window),
        iterations=[Flow(entry, file=file_name(index)) for index, entry in enumerate(entries)],
    )
    for entry in content["iterations"]:
        if "stage" in entry:
            entry["stage"] = Text(entry["stage"])
    for key in set(TEXTS) & set(content):
        content[key] = Text(content[key])
    for key in set(FLOWS) & set(content):
        content[key] = Flow(content[key])
    if "data" in content:
        content["data"] = Flow({key: Text(value) for key, value in content["data"].items()})
    return content


def slice_of(text):
    """The slice that 'a:b' writes."""
    begin, colon, end = text.partition(":")
    if not colon or not all(part.isdigit() or not part for part in (begin, end)):
        raise ValueError(text)
    return slice(int(begin or 0), int(end) if end else None)
