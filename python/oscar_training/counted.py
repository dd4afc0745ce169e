"""Counts the steps of a training that is going on, for a progress bar; the training does not know of it."""

import contextlib
import dataclasses

from oscar_workloads.workloads import WORKLOADS


@contextlib.contextmanager
def steps(name, took_one):
    """Meanwhile took_one() is called for each optimiser step that a training of the workload `name` begins."""
    workload = WORKLOADS[name]
    WORKLOADS[name] = dataclasses.replace(workload, source=_Counted(workload.source, took_one))
    try:
        yield
    finally:
        WORKLOADS[name] = workload


class _Counted:
    """A source whose data tell of each batch that is taken."""

    def __init__(self, source, took_one):
        self._source, self._took_one = source, took_one

    def load(self):
        data = self._source.load()
        batches = data.batches

        def counted(*arguments):
            for batch in batches(*arguments):
                self._took_one()
                yield batch

        data.batches = counted
        return data
