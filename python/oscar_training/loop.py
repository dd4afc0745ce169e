"""Real training on a simulated machine: synchronous steps of workers that one process plays in turn."""

import collections
import statistics

import numpy as np
import oscar_sim
import torch
from oscar_workloads import optimisers, training
from oscar_workloads.workloads import WORKLOADS

from . import AFTER_ALL_STEPS, machine
from .error import TrainingError


class Gradients:
    """The gradients of all workers as flat fp32 arrays, one a worker, and the way back into the model."""

    def __init__(self, model, ranks):
        trained = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
        self.layers = [(name, tuple(p.shape)) for name, p in trained]
        self._parameters = [p for _, p in trained]
        ends = np.cumsum([p.numel() for p in self._parameters])
        self._places = [slice(int(end) - p.numel(), int(end)) for end, p in zip(ends, self._parameters)]
        self.flat = np.empty((ranks, int(ends[-1])), np.float32)

    def take(self, rank):
        """Moves what backward() left in the model to `flat`."""
        for place, parameter in zip(self._places, self._parameters):
            self.flat[rank, place] = parameter.grad.numpy().ravel()
            parameter.grad = None

    def not_finite(self):
        """Which value is the first that is none, in words; empty if all are finite."""
        lost = np.argwhere(~np.isfinite(self.flat))
        return (
            f"gradient of rank {lost[0][0]}: element {lost[0][1]} is {self.flat[tuple(lost[0])]}" if len(lost) else ""
        )

    def give(self, mean):
        """Makes `mean` the gradient that the optimiser applies."""
        for place, parameter in zip(self._places, self._parameters):
            parameter.grad = torch.from_numpy(mean[place].reshape(parameter.shape).copy())


def train(settings, method, seed):
    """The record of one training: settings in words, and a row per evaluation.

    A row: step; seconds, collectives and kernels (simulated, so far: of all, of the collectives one after the other, of
    the GPU's kernels around them); payload_bytes (encoded, of a rank on average, so far) and floats (that a
    compressor sent, as its publication counts them); loss (mean over workers and the steps since the last row); quality
    (of the workload's metric). `factors`: in how many steps a controller chose which, tensors counted apart; `gains`:
    of each factor that it tried, the mean share that it keeps; `throughputs`: of each that it sent, the mean of samples
    per second times that share.
    TrainingError: a workload that does not exist.
    SGD has the workload's momentum, or none where the method brings its own (DGC, FetchSGD, Sketched-SGD).
    A training whose gradients are no longer finite ends there; `ended` says why.
    """
    if settings.workload not in WORKLOADS:
        raise TrainingError(f"no workload {settings.workload!r}; there are {', '.join(WORKLOADS)}")
    workload = WORKLOADS[settings.workload]
    training.be_deterministic()
    model, data = training.new_model(workload, seed), workload.source.load()
    rate = settings.learning_rate or workload.lr
    gradients = Gradients(model, settings.ranks)
    totals, rows, losses, ended = Totals(), [], [], AFTER_ALL_STEPS
    steps = settings.steps or workload.steps
    with machine.run(settings, method, seed, gradients.layers) as on_machine:
        momentum = 0 if on_machine.has_momentum else workload.momentum
        optimiser = optimisers.make(workload.optimiser, model.parameters(), rate, momentum)
        for step, (inputs, targets) in zip(range(1, steps + 1), data.batches(settings.ranks, workload.batch, seed)):
            losses.append(_all_workers(model, gradients, inputs, targets))
            if lost := gradients.not_finite():
                ended = f"at step {step}: {lost}"
                break
            try:
                outcome = on_machine.step(gradients.flat)
            except oscar_sim.ConfigError as error:  # the method came to no finite mean
                ended = f"at step {step}: {error}"
                break
            gradients.give(outcome.mean)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)  # else the first worker would add its next gradient to this mean
            totals.add(outcome, settings.ranks)
            if step % settings.epoch == 0:
                on_machine.end_epoch(rate)
            if step % settings.evaluate == 0 or step == steps:
                with training.evaluating(model):
                    quality = data.evaluate(model)
                rows.append({"step": step, **totals.so_far, "loss": statistics.fmean(losses), "quality": quality})
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
        "factors": dict(totals.factors),
        "gains": totals.means(totals.gains),
        "throughputs": totals.means(totals.throughputs),
    }


class Totals:
    """Sums of the steps of a training."""

    def __init__(self):
        self.so_far = {"seconds": 0.0, "collectives": 0.0, "kernels": 0.0, "payload_bytes": 0, "floats": 0}
        self.factors = collections.Counter()
        self.gains, self.throughputs = collections.defaultdict(list), collections.defaultdict(list)

    def add(self, step, ranks):
        """An oscar_sim.LiveStep of so many ranks."""
        of_step = {key: getattr(step, key) for key in ("seconds", "collectives", "kernels", "floats")}
        of_step["payload_bytes"] = step.payload_bytes / ranks
        self.so_far = {key: value + of_step[key] for key, value in self.so_far.items()}
        self.factors.update(f"{factor:g}" for factor in step.factors)
        for found, of_step in ((self.gains, step.gains), (self.throughputs, step.throughputs)):
            for factor, value in of_step.items():
                found[f"{factor:g}"].append(value)

    @staticmethod
    def means(found):
        return {factor: statistics.fmean(values) for factor, values in found.items()}


def _all_workers(model, gradients, inputs, targets):
    """The forward and backward pass of every worker; returns the mean loss."""
    losses = []
    for rank in range(len(gradients.flat)):
        loss = training.loss_of(model, inputs[rank], targets[rank])
        loss.backward()
        gradients.take(rank)
        losses.append(loss.item())
    return statistics.fmean(losses)
