"""One training step from the trace that PyTorch's profiler exports: Chrome's format, with Kineto's names and arguments.

A collective's kernel waits for what was launched before it: its bucket is ready when the last of these kernels ends.
"""

import bisect
import gzip
import json

from oscar_steps.step import Step, StepError, chosen

KINDS = {
    "allreduce": "all_reduce",
    "reduce_scatter": "reduce_scatter",
    "_reduce_scatter_base": "reduce_scatter",
    "reduce_scatter_tensor_coalesced": "reduce_scatter",
    "allgather": "all_gather",
    "_allgather_base": "all_gather",
    "all_gather": "all_gather",
}


def read(path):
    """The events of a file, .json or .json.gz. StepError: it has none."""
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
        document = json.loads(text)
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError) as error:
        raise StepError(f"{path}: {error}; name the file that export_chrome_trace has written") from None
    except json.JSONDecodeError as error:
        raise StepError(
            f"{path}:{error.lineno}:{error.colno}: {error.msg[:1].lower()}{error.msg[1:]}; export the trace once more"
        ) from None
    except RecursionError:
        raise StepError(f"{path}: nested too deeply; export the trace once more") from None
    events = document.get("traceEvents") if isinstance(document, dict) else document
    if not isinstance(events, list):
        raise StepError(f"{path}: has no list traceEvents; name the file that export_chrome_trace has written")
    return [event for event in events if isinstance(event, dict) and event.get("ph") == "X"]


def _number(event, *keys):
    """A number of an event, by its keys. StepError: it has none."""
    value = event
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not abs(number) < 1e15:
        raise StepError(
            f"event {str(event.get('name'))[:60]!r}: {'.'.join(keys)} is {value!r}, no number; profile with PyTorch "
            "2.2 or newer, whose trace has it"
        )
    return number


def _name(event):
    return str(event.get("name", ""))


def _window(events, number):
    """When the host was in step `number`, or in the last whole one."""
    steps = {}
    for event in events:
        if event.get("cat") == "user_annotation" and _name(event).startswith("ProfilerStep#"):
            begin = _number(event, "ts")
            steps[_name(event).removeprefix("ProfilerStep#")] = (begin, begin + _number(event, "dur"))
    if number is not None and str(number) not in steps:
        raise StepError(f"no ProfilerStep#{number}; there are {', '.join(sorted(steps)) or 'none'}")
    if not steps:
        return float("-inf"), float("inf")
    return steps[str(number)] if number is not None else max(steps.values())


def _launches(events):
    """Of each correlation, when the host launched its kernel."""
    return {
        event["args"]["correlation"]: _number(event, "ts")
        for event in events
        if event.get("cat") in ("cuda_runtime", "cuda_driver")
        and isinstance(event.get("args"), dict)
        and isinstance(event["args"].get("correlation"), int)
    }


def _first(events, window, category, prefix):
    """When the first event of a name began; never, if there is none."""
    times = [
        _number(event, "ts") for event in events if event.get("cat") == category and _name(event).startswith(prefix)
    ]
    return min((time for time in times if window[0] <= time < window[1]), default=float("inf"))


def _extent(kernels):
    """Begin and end of kernels (launch, begin, end)."""
    return min(kernel[1] for kernel in kernels), max(kernel[2] for kernel in kernels)


def step_of(events, number=None, least_bytes=65536):
    """The step of these events. StepError: they have no kernels, or no gradients are reduced in them."""
    window, launched = _window(events, number), _launches(events)
    compute, communication = [], []
    for event in events:
        if event.get("cat") != "kernel":
            continue
        arguments = event.get("args") if isinstance(event.get("args"), dict) else {}
        begin = _number(event, "ts")
        launch = launched.get(arguments.get("correlation"), begin)
        if not window[0] <= launch < window[1]:
            continue
        if "nccl" in _name(event).lower():
            communication.append((launch, event))
        else:
            compute.append((launch, begin, begin + _number(event, "dur")))
    if not compute:
        raise StepError("no kernel but NCCL's; profile with ProfilerActivity.CUDA")
    backward_from = _first(events, window, "cpu_op", "autograd::engine::evaluate_function")
    optimiser_from = _first(events, window, "user_annotation", "Optimizer.step")
    backward = sorted(kernel for kernel in compute if backward_from <= kernel[0] < optimiser_from)
    if not backward:
        raise StepError(
            "no kernel was launched by autograd::engine::evaluate_function; profile with ProfilerActivity.CPU, too"
        )
    begin, end = _extent(backward)
    optimiser = [kernel for kernel in compute if kernel[0] >= optimiser_from]
    optimiser_begin, optimiser_end = _extent(optimiser) if optimiser else (0.0, 0.0)
    launches, ends = [kernel[0] for kernel in backward], []
    for kernel in backward:  # the latest end of those launched so far
        ends.append(max(kernel[2], ends[-1] if ends else begin))
    collectives, group = [], 0
    for launch, event in sorted(communication, key=lambda pair: pair[0]):
        kind = str(event.get("args", {}).get("Collective name", ""))
        values = int(_number(event, "args", "In msg nelems"))
        before = bisect.bisect_left(launches, launch)
        ready = (ends[before - 1] if before else begin) - begin
        collectives.append((KINDS.get(kind, kind or "unnamed"), values, ready))
        group = max(group, int(_number(event, "args", "Group size")))
    buckets, sharded, notes = chosen(collectives, least_bytes)
    return Step(
        buckets,
        forward=max(0.0, begin - _extent(compute)[0]),
        backward=end - begin,
        optimiser=optimiser_end - optimiser_begin,
        sharded=sharded,
        ranks=group if group >= 2 else None,
        notes=notes,
    )
