"""Which records were made of something that has changed since."""

import functools
import json

from oscar_workloads.workloads import WORKLOADS

from . import provenance
from .settings import identity


def reasons(jobs, history=None):
    """For each job (settings, method, seed, path of its record) why the record is stale, in words; empty: it is not.

    `history`: what git knows of records without hashes.
    """
    history = history or provenance.History()
    clocks = {}  # by machine and method: the clock is asked once for all seeds
    return [_reason(*job, history, clocks) for job in jobs]


def _reason(settings, method, seed, path, history, clocks):
    record = json.loads(path.read_text(encoding="utf-8"))
    if record["identity"] != identity(settings, method, seed):
        return "made with other settings"
    found = [_price(record, settings, method)]
    found += (
        [_without_hashes(path, method, history)]
        if "made_of" not in record
        else provenance.differences(record["made_of"], _made_of(settings, method, clocks))
    )
    return ", ".join(filter(None, found))


def _price(record, settings, method):
    """Whether the GPU was paid by another price list; that of oscar_hw works on no clock."""
    other = method.kind != "oscar_hw" and record["gpu"] != settings.gpu_source
    return f"GPU time at another price list: {record['gpu']}" if other else ""


def _made_of(settings, method, clocks):
    key = json.dumps(
        [settings.machine, settings.ranks, method.parameters if method.kind == "oscar_hw" else None], sort_keys=True
    )
    if key not in clocks:
        clocks[key] = provenance.clock(settings, method)
    return provenance.of_record(settings, method, WORKLOADS[settings.workload], clocks[key])


@functools.cache
def _sources(kind, feedback):
    return sorted(path for path in provenance.sources_of_method(kind, feedback) if path.startswith("models/"))


def _without_hashes(path, method, history):
    """Old records have no hash: git tells when their rows came and which C++ sources of their method have changed
    since."""
    commit, changed = history.changed(path, _sources(method.kind, bool(method.parameters.get("feedback"))))
    if not changed:
        return ""
    return f"made before hashes were recorded; since {commit} these have changed: {', '.join(changed)}"
