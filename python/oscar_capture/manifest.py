"""The content of trace.yaml and its layout as text."""

import math

import yaml

try:
    import xxhash
except ImportError:  # python3-xxhash; without it a trace has format 1
    xxhash = None

BLOCK_BYTES = 1 << 24


class Flow(dict):
    """A mapping that is written on one line."""


class Text(str):
    """A text that is written in double quotes."""


def describe(about, ranks, layers, windows, ready, losses, curve, validation, scales=()):
    """The content of trace.yaml.

    `ready`: seconds per layer. `losses`: {step: loss}. `curve`: [(step, loss)]. `validation`: a dict or
    None. `scales`: a power of two per iteration of an fp16 trace, none for fp32. What was not given has
    no key; the reader takes such keys as empty or zero.
    """
    content = {
        "format": 1,
        "name": Text(about.name),
        "model": Text(about.model),
        "parameters": sum(layer.size for layer in layers),
        "data": Flow(name=Text(about.data), licence=Text(about.licence), source=Text(about.source)),
        "optimiser": Text(about.optimiser),
    }
    for key in ("batch_per_rank", "ranks", "seed"):
        value = ranks if key == "ranks" else getattr(about, key)
        if value is not None:
            content[key] = value
    content.update(framework=Text(about.framework), values=Text(about.values))
    if scales:
        content["dtype"] = "f2"
    content["layers"] = [
        Flow(name=Text(layer.name), shape=list(layer.shape), ready=_microseconds(seconds))
        for layer, seconds in zip(layers, ready)
    ]
    content["iterations"] = [
        _iteration(index, step, windows.stage(step), losses) for index, step in enumerate(windows.steps)
    ]
    for entry, scale in zip(content["iterations"], scales):
        entry["scale"] = scale
    if validation:
        content["validation"] = Flow(validation)
    if curve:
        content["loss_curve"] = Flow(step=[step for step, _ in curve], loss=[loss for _, loss in curve])
    return content


def with_hashes(content, folder):
    """`content` as format 2: with the XXH3 of each array in `folder`, as `oscar-sim trace verify` checks it.

    As format 1, without hashes, where the module xxhash is missing.
    """
    if "iterations" not in content:
        return content
    hashed = xxhash is not None
    entries = [_with_hash(entry, _hash(folder / entry["file"]) if hashed else None) for entry in content["iterations"]]
    return {**content, "format": 2 if hashed else 1, "iterations": entries}


def file_name(index):
    """File of the iteration at this position of the capture."""
    return f"iteration-{index:05}.npy"


def _iteration(index, step, stage, losses):
    entry = Flow(file=file_name(index), step=step, stage=Text(stage))
    if step in losses:
        entry["loss"] = losses[step]
    return entry


def _with_hash(entry, found):
    kept = Flow({key: value for key, value in entry.items() if key != "hash"})
    if found is not None:
        kept["hash"] = Text(found)
    return kept


def _hash(path):
    state = xxhash.xxh3_64()
    with open(path, "rb") as file:
        while block := file.read(BLOCK_BYTES):
            state.update(block)
    return state.hexdigest()


def _microseconds(seconds):
    """Rounded up, so that only a tensor without a gradient is ready at 0us."""
    return f"{max(0, math.ceil(1e6 * seconds))}us"


def to_text(content):
    """YAML text, keys in the given order."""
    return yaml.dump(
        content, Dumper=_Dumper, sort_keys=False, default_flow_style=False, width=float("inf"), allow_unicode=True
    )


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True

    def increase_indent(self, flow=False, indentless=False):
        return super().increase_indent(flow, False)


_Dumper.add_representer(
    Flow, lambda dumper, value: dumper.represent_mapping("tag:yaml.org,2002:map", value.items(), flow_style=True)
)
_Dumper.add_representer(Text, lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"'))
