"""Time stamps of the device that computes the gradients."""

import time

import torch


class HostClock:
    """For CPUs: work is done when the call returns. A stamp is in seconds."""

    def now(self):
        return time.perf_counter()

    def seconds(self, start, end):
        return end - start


class CudaClock:
    """For GPUs: a stamp is an event in the current stream, reached when the work before it is done."""

    def now(self):
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def seconds(self, start, end):
        end.synchronize()
        return start.elapsed_time(end) / 1e3


def clock_for(device):
    """The clock of a torch.device."""
    return CudaClock() if device.type == "cuda" else HostClock()
