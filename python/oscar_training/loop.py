"""Real training of which only the clock is simulated: synchronous steps of workers that one process plays in turn."""

import collections
import statistics

import numpy as np
import torch
from oscar_workloads import optimisers, training
from oscar_workloads.workloads import WORKLOADS

from . import AFTER_ALL_STEPS
from .error import TrainingError
from .compressing import Compressing
from .network import Network
from .oscar_hw import OscarHw
from .replayed import Replay


class Gradients:
    """The gradients of all workers as flat fp32 arrays, one a worker, and the way back into the model."""

    def __init__(self, model, ranks):
        self._parameters = [p for p in model.parameters() if p.requires_grad]
        ends = np.cumsum([p.numel() for p in self._parameters])
        self.tensors = [
            (int(end - p.numel()), int(end), p.shape[0] if p.dim() > 1 else 0) for end, p in zip(ends, self._parameters)
        ]
        self.flat = np.empty((ranks, int(ends[-1])), np.float32)

    def take(self, rank):
        """Moves what backward() left in the model to `flat`."""
        for (begin, end, _), parameter in zip(self.tensors, self._parameters):
            self.flat[rank, begin:end] = parameter.grad.numpy().ravel()
            parameter.grad = None

    def not_finite(self):
        """Which value is the first that is none, in words; empty if all are finite."""
        lost = np.argwhere(~np.isfinite(self.flat))
        return (
            f"gradient of rank {lost[0][0]}: element {lost[0][1]} is {self.flat[tuple(lost[0])]}" if len(lost) else ""
        )

    def give(self, mean):
        """Makes `mean` the gradient that the optimiser applies."""
        for (begin, end, _), parameter in zip(self.tensors, self._parameters):
            parameter.grad = torch.from_numpy(mean[begin:end].reshape(parameter.shape).copy())


def train(settings, method, seed):
    """The record of one training: settings in words, a row per evaluation, and what the shortcuts of the clock cost.

    A row: step, seconds (simulated, so far), payload_bytes and floats (of the busiest rank, so far), loss (mean over
    workers and the steps since the last row), quality (of the workload's metric). `collectives`: steps that were
    simulated, that took the time of another (`reused`), that were simulated to compare (`sampled`), and the largest
    relative difference of these. `factors`: in how many steps a
    controller chose which, tensors counted apart; `gains`: of each factor that it tried, the mean share that it keeps.
    TrainingError: a workload that does not exist.
    A training whose gradients are no longer finite ends there; `ended` says why.
    """
    if settings.workload not in WORKLOADS:
        raise TrainingError(f"no workload {settings.workload!r}; there are {', '.join(WORKLOADS)}")
    workload = WORKLOADS[settings.workload]
    training.be_deterministic()
    model, data = training.new_model(workload, seed), workload.source.load()
    rate = settings.learning_rate or workload.lr
    optimiser = optimisers.make(workload.optimiser, model.parameters(), rate, workload.momentum)
    gradients = Gradients(model, settings.ranks)
    reduction, clock_of = _method(method, settings, gradients, seed)
    rows, losses, clock, payload, floats, ended = [], [], 0.0, 0, 0, AFTER_ALL_STEPS
    factors, gains = collections.Counter(), collections.defaultdict(list)
    compute = settings.compute.forward + settings.compute.backward + settings.compute.optimiser
    steps = settings.steps or workload.steps
    for step, (inputs, targets) in zip(range(1, steps + 1), data.batches(settings.ranks, workload.batch, seed)):
        losses.append(_all_workers(model, gradients, inputs, targets))
        if lost := gradients.not_finite():
            ended = f"at step {step}: {lost}"
            break
        outcome = reduction.step(list(gradients.flat), gradients.tensors)
        gradients.give(outcome.mean)
        optimiser.step()
        clock += compute + outcome.compression + outcome.communication
        payload, floats = payload + outcome.payload, floats + outcome.floats
        factors.update(f"{factor:g}" for factor in outcome.factors)
        for factor, gain in outcome.gains.items():
            gains[f"{factor:g}"].append(gain)
        if step % settings.epoch == 0:
            reduction.end_epoch(rate)
        if step % settings.evaluate == 0 or step == steps:
            with training.evaluating(model):
                quality = data.evaluate(model)
            rows.append(
                {
                    "step": step,
                    "seconds": clock,
                    "payload_bytes": payload,
                    "floats": floats,
                    "loss": statistics.fmean(losses),
                    "quality": quality,
                }
            )
            losses = []
    return {
        "workload": settings.workload,
        "method": method.name,
        "kind": method.kind,
        "parameters": method.parameters,
        "seed": seed,
        "metric": data.metric,
        "ended": ended,
        "rows": rows,
        "factors": dict(factors),
        "gains": {factor: statistics.fmean(found) for factor, found in gains.items()},
        "collectives": {
            "simulated": clock_of.simulated,
            "reused": clock_of.reused,
            "sampled": clock_of.sampled,
            "worst_error": clock_of.worst_error,
        },
    }


def _method(method, settings, gradients, seed):
    """What makes the mean, and what times it: they are one where the values decide on the time."""
    if method.kind == "oscar_hw":
        reduction = OscarHw(method, settings, Replay(settings.machine, settings.ranks, gradients.tensors))
        return reduction, reduction
    network = Network(settings.machine, settings.ranks)
    return Compressing(method, settings, network, seed), network


def _all_workers(model, gradients, inputs, targets):
    """The forward and backward pass of every worker; returns the mean loss."""
    losses = []
    for rank in range(len(gradients.flat)):
        loss = training.loss_of(model, inputs[rank], targets[rank])
        loss.backward()
        gradients.take(rank)
        losses.append(loss.item())
    return statistics.fmean(losses)
