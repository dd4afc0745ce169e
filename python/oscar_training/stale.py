"""Which records were made of something that has changed since."""

import json

from oscar_workloads.workloads import WORKLOADS

from . import provenance, record_file
from .settings import identity


def reasons(jobs, but_versions=False):
    """For each job (settings, method, seed, path of its record) why the record is stale, in words; empty: it is not.
    `but_versions`: other versions of Python and libraries do not make it stale."""
    clocks = {}  # by machine and method: the clock is asked once for all seeds
    return [_reason(*job, but_versions, clocks) for job in jobs]


def _reason(settings, method, seed, path, but_versions, clocks):
    record = record_file.read(path, keys={})  # an older program's may lack some
    if record.get("identity") != identity(settings, method, seed) or "made_of" not in record:
        return "made with other settings"
    was, now = record["made_of"], _made_of(settings, method, clocks)
    return ", ".join(provenance.differences(was, now) + ([] if but_versions else provenance.other_versions(was, now)))


def _made_of(settings, method, clocks):
    key = json.dumps([settings.machine, settings.ranks, method.kind, method.parameters], sort_keys=True)
    if key not in clocks:
        clocks[key] = provenance.clock(settings, method)
    return provenance.of_record(settings, method, WORKLOADS[settings.workload], clocks[key])
