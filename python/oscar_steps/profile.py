"""One training step from the trace that PyTorch's profiler exports: Chrome's format, with Kineto's names and arguments.

A collective's kernel waits for what was launched before it: its bucket is ready when the last of these kernels ends.
A bucket of gradients is an all-reduce or a reduce-scatter that the host launched between the first operation of the
backward pass and the optimiser. Times are whole nanoseconds here: files count microseconds, with decimals or without,
from the start of the profile or since 1970, which a double holds only to 0.2 us.
"""

import bisect
from collections import Counter
from decimal import Decimal

from oscar_steps.collectives import Records, arguments, collective_of, external_id, is_communication
from oscar_steps.step import REDUCTIONS, Step, StepError, chosen, listed
from oscar_summary import user_file

WHAT = "the file that export_chrome_trace has written"
FAR = 9 * 10**15  # microseconds: in nanoseconds 63 bits
NEVER = float("inf")
ANNOTATIONS = ("user_annotation", "cpu_op", "operator")  # by version


def events_of(text, path):
    """The complete events of a text of JSON. InputError: it has none."""
    document = user_file.json_of(text, path, WHAT, parse_float=Decimal)
    events = document.get("traceEvents") if isinstance(document, dict) else document
    if not isinstance(events, list):
        raise StepError(f"{path}: has no list traceEvents; name {WHAT}")
    return [event for event in events if isinstance(event, dict) and event.get("ph") == "X"]


def read(path):
    """The events of a file, .json or .json.gz. InputError: it has none."""
    return events_of(user_file.decoded(user_file.content(path, WHAT), path, WHAT), path)


def _time(event, key):
    """A time of an event in ns. StepError: it has none."""
    value = event.get(key)
    try:
        number = Decimal(value) if isinstance(value, (int, str, Decimal)) else Decimal(repr(value))
        found = number.is_finite() and abs(number) < FAR and int((number * 1000).to_integral_value())
    except (ArithmeticError, TypeError, ValueError):
        found = False
    if found is False or isinstance(value, bool):
        said = repr(value) if isinstance(value, str) else str(value)
        raise StepError(
            f"event {_name(event)[:60]!r}: {key} is {said[:40]}, no time in microseconds; export the trace once more"
        )
    return found


def _end(event):
    """When an event ended. StepError: before it began."""
    duration = _time(event, "dur")
    if duration < 0:
        raise StepError(f"event {_name(event)[:60]!r}: dur is negative; export the trace once more")
    return _time(event, "ts") + duration


def _name(event):
    return str(event.get("name", ""))


def _category(event):
    return str(event.get("cat", "")).lower()


def _window(events, number):
    """When the host was in step `number`, or in the last."""
    steps = {}
    for event in events:
        count = _name(event).removeprefix("ProfilerStep#")
        if count != _name(event) and count.isdecimal() and len(count) < 19 and _category(event) in ANNOTATIONS:
            steps[int(count)] = (_time(event, "ts"), _end(event))
    if number is not None and number not in steps:
        raise StepError(f"no ProfilerStep#{number}; there are {', '.join(map(str, sorted(steps))) or 'none'}")
    if not steps:
        return -NEVER, NEVER
    return steps[number] if number is not None else max(steps.values())


def _launches(events):
    """When the host launched kernels: by correlation, and by External id."""
    by_correlation, by_id = {}, {}
    for event in events:
        if _category(event).endswith(("runtime", "driver")):  # cuda_runtime, hip_runtime, Runtime, ...
            correlation = arguments(event).get("correlation")
            if isinstance(correlation, int):
                by_correlation[correlation] = _time(event, "ts")
        elif _category(event) in ANNOTATIONS and external_id(event) is not None:
            by_id.setdefault(external_id(event), _time(event, "ts"))
    return by_correlation, by_id


def _first(events, window, prefix):
    """When the first event of a name began; never, if there is none."""
    times = [
        _time(event, "ts") for event in events if _category(event) in ANNOTATIONS and _name(event).startswith(prefix)
    ]
    return min((time for time in times if window[0] <= time < window[1]), default=NEVER)


def _kernels(events, window):
    """Of a window: (launch, begin, end) of each kernel that computes, and the collectives."""
    (by_correlation, by_id), records = _launches(events), Records(events, _time)
    compute, collectives = [], []
    for event in events:
        if _category(event) != "kernel":
            continue
        begin = _time(event, "ts")
        correlation = arguments(event).get("correlation")
        told = by_correlation.get(correlation) if isinstance(correlation, int) else None
        launch = by_id.get(external_id(event)) if told is None else told
        at = begin if launch is None else launch
        if not window[0] <= at < window[1]:
            continue
        if is_communication(event):
            collectives.append(collective_of(event, at, records.of(event, launch)))
        else:
            compute.append((at, begin, _end(event)))
    return compute, sorted(collectives, key=lambda collective: collective.launch)


def _refuse_without_kernels(events, compute, collectives):
    """StepError where there is nothing to import, with what was looked for and what is there."""
    if compute and collectives:
        return
    records = sum(1 for event in events if _name(event) == "record_param_comms")
    there = listed(Counter(_category(event) or "no category" for event in events))
    raise StepError(
        f"holds {len(compute)} kernels that compute and {len(collectives)} of NCCL or RCCL in this step, and a step "
        f"needs both (looked for: category kernel, names with nccl or rccl, Collective name; there are events {there}; "
        f"record_param_comms: {records}); profile training on several GPUs with ProfilerActivity.CUDA"
    )


def _extent(kernels):
    """Begin and end of kernels (launch, begin, end)."""
    return min(kernel[1] for kernel in kernels), max(kernel[2] for kernel in kernels)


def _gradients(collectives, backward_from, optimiser_from, least_bytes, group):
    """The collectives between the backward pass and the optimiser that can be buckets, and notes on the others."""
    during, outside, notes = [], Counter(), []
    for collective in collectives:
        if collective.launch < backward_from:
            outside[(collective.kind, "before the backward pass")] += 1
        elif collective.launch >= optimiser_from:
            outside[(collective.kind, "from the optimiser on")] += 1
        elif collective.kind in REDUCTIONS and collective.values is None:
            outside[(collective.kind, "without a size")] += 1
        else:
            during.append(collective)
    for (kind, when), count in sorted(outside.items()):
        notes.append(f"{count} of {kind} {when}: left out")
    _refuse_without_sizes(during, outside)
    return *_of_group(during, least_bytes, group, notes), notes


def _refuse_without_sizes(during, outside):
    count = sum(count for (_, why), count in outside.items() if why == "without a size")
    if count and not any(collective.kind in REDUCTIONS for collective in during):
        raise StepError(
            f"{count} reductions of gradients without a size: neither their kernels nor record_param_comms have In msg "
            "nelems or Input Dims; profile with PyTorch 2.2 or newer, or with record_shapes=True"
        )


def _of_group(collectives, least_bytes, name, notes):
    """The collectives of the one process group that reduces gradients, or of the named one, and the group. StepError:
    several reduce `least_bytes` or more, as norms of gradients do not, and none is named."""
    reductions = [collective for collective in collectives if collective.kind in REDUCTIONS]
    large = [collective for collective in reductions if 4 * collective.values >= least_bytes]
    all_reducing = dict.fromkeys(collective.group for collective in large or reductions)
    reducing = [group for group in all_reducing if group.known] or list(all_reducing)
    groups = [group for group in reducing if name is None or group.named(name)]
    if name is not None and not groups:
        raise StepError(
            f"no process group {name} reduces in the backward pass; there are {_groups(collectives, reducing)}"
        )
    if len(groups) > 1:
        raise StepError(
            f"{len(groups)} process groups reduce in the backward pass: {_groups(collectives, groups)}; name that "
            "of the gradients (data parallelism) with --group"
        )
    if not groups:
        return collectives, None
    left_out = Counter((one.kind, str(one.group)) for one in collectives if one.group != groups[0])
    notes += [f"{count} of {kind} in group {group}: left out" for (kind, group), count in sorted(left_out.items())]
    return [collective for collective in collectives if collective.group == groups[0]], groups[0]


def _groups(collectives, groups):
    """The groups with what they reduce, in words."""
    words = []
    for group in groups:
        sizes = [one.values for one in collectives if one.group == group and one.kind in REDUCTIONS]
        words.append(f"{group}: {len(sizes)} reductions of {sum(sizes)} values")
    return "; ".join(words) or "none"


def _ready(backward, collectives):
    """(kind, values, ready) of each collective: ready when all kernels of the backward pass that were launched before
    it have ended, in us from the begin of that pass."""
    begin, _ = _extent(backward)
    launches, ends = [kernel[0] for kernel in backward], []
    for kernel in backward:  # the latest end of those launched so far
        ends.append(max(kernel[2], ends[-1] if ends else begin))
    found = []
    for collective in collectives:
        before = bisect.bisect_left(launches, collective.launch)
        found.append(
            (collective.kind, collective.values or 0, ((ends[before - 1] if before else begin) - begin) / 1000)
        )
    return found


def step_of(events, number=None, least_bytes=65536, group=None):
    """The step of these events; `group`: the process group whose reductions are the gradients', by name, description,
    ranks or size. StepError: they have no kernels, or no gradients are reduced in them."""
    window = _window(events, number)
    compute, collectives = _kernels(events, window)
    backward_from = _first(events, window, "autograd::engine::evaluate_function")
    optimiser_from = _first(events, (backward_from, window[1]), "Optimizer.step")
    _refuse_without_kernels(events, compute, collectives)
    backward = sorted(kernel for kernel in compute if backward_from <= kernel[0] < optimiser_from)
    if not backward:
        raise StepError(
            "no kernel was launched by autograd::engine::evaluate_function; profile with ProfilerActivity.CPU, too"
        )
    gradients, of_group, notes = _gradients(collectives, backward_from, optimiser_from, least_bytes, group)
    buckets, sharded, more = chosen(_ready(backward, gradients), least_bytes)
    optimiser = [kernel for kernel in compute if kernel[0] >= optimiser_from]
    begin, end = _extent(backward)
    optimiser_begin, optimiser_end = _extent(optimiser) if optimiser else (0, 0)
    size = of_group.size if of_group else None
    return Step(
        buckets,
        forward=max(0, begin - _extent(compute)[0]) / 1000,
        backward=(end - begin) / 1000,
        optimiser=(optimiser_end - optimiser_begin) / 1000,
        sharded=sharded,
        ranks=size if size and size >= 2 else None,
        notes=notes + more,
    )
