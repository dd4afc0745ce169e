"""Train a workload in one process that plays all workers, and record their gradients as a trace."""

import dataclasses
import itertools
import statistics
import time

from oscar_capture import logical

from . import optimisers, training
from .checkpoint import Checkpoint
from .software import framework

PROGRESS_INTERVAL = 50  # steps


def windows(workload):
    """{stage: (first step, steps)}: the middle stage is half-way, the late one ends with the training."""
    last = workload.steps - workload.window
    first = {"early": workload.early, "middle": last // 2, "late": last}
    return {stage: (first[stage], workload.window) for stage in workload.stages}


def capture(workload, folder, replace, report, resumable=False):
    """Train `workload` and write the trace at `folder` (a Path), which appears whole or not at all.

    `replace`: in place of a trace that is there. `report`: called with lines of progress. `resumable`: a run that is
    interrupted leaves what it has in a hidden folder beside `folder`, and the next with the same settings goes on
    there. CaptureError or WorkloadError: it cannot be written, or the settings do not fit the model or data.
    """
    training.be_deterministic()
    model = training.new_model(workload, workload.seed)
    recorder = logical.Recorder(
        model,
        folder,
        workload.ranks,
        windows=windows(workload),
        layers=workload.layers or None,
        dtype=workload.dtype,
        replace=replace,
        keep=resumable,
        **_about(workload),
    )
    try:
        settings = repr({**dataclasses.asdict(workload), "source": workload.source.name})
        checkpoint = Checkpoint(recorder.unfinished / "checkpoint.npz", settings) if resumable else None
        _train(workload, workload.source.load(), model, recorder, report, checkpoint)
        recorder.finish()
    finally:
        recorder.discard()


def _about(workload):
    return dict(
        name=workload.name,
        model=workload.module().MODEL,
        data=workload.source.name,
        licence=workload.source.licence,
        source=workload.source.origin(),
        optimiser=optimisers.in_words(workload.optimiser, workload.lr, workload.momentum),
        batch_per_rank=workload.batch,
        seed=workload.seed,
        framework=framework(),
    )


def _train(workload, data, model, recorder, report, checkpoint):
    optimiser = optimisers.make(workload.optimiser, model.parameters(), workload.lr, workload.momentum)
    stages = {first: stage for stage, (first, _) in windows(workload).items()}
    quality, start = checkpoint.restore(model, optimiser, recorder) if checkpoint else {}, time.monotonic()
    if recorder.step:
        report(f"goes on at step {recorder.step} of {workload.steps}")
    order = itertools.islice(data.batches(workload.ranks, workload.batch, workload.seed), recorder.step, None)
    for step, (inputs, targets) in zip(range(recorder.step, workload.steps), order):
        if step in stages:
            quality[stages[step]] = _evaluate(data, model)
        if workload.pooled and not recorder.journal.recording:
            loss = _pooled(model, recorder, inputs, targets)
        else:
            loss = _workers(model, recorder, inputs, targets)
        optimiser.step()
        if checkpoint and (checkpoint.is_due or step == workload.early + workload.window - 1):
            checkpoint.save(model, optimiser, recorder, quality)
        if step % PROGRESS_INTERVAL == 0:
            report(f"step {step} of {workload.steps}, loss {loss:.3f}, {time.monotonic() - start:.0f} s")
    stated = [quality[stages[first]] for first in (min(stages), max(stages))]
    recorder.validation(data.metric, *stated, chance=round(data.chance, 4))
    report(
        f"{data.metric}: "
        + ", ".join(f"{stage} {value}" for stage, value in quality.items())
        + f" (chance {data.chance:.4g})"
    )


def _evaluate(data, model):
    with training.evaluating(model):
        return round(data.evaluate(model), 4)


def _pooled(model, recorder, inputs, targets):
    """One step in one pass over all workers' examples, up to the mean gradient in .grad; returns the mean loss."""
    with recorder.pooled():
        loss = recorder.loss(training.loss_of(model, inputs.flatten(0, 1), targets.flatten(0, 1)))
        loss.backward()
    return loss.item()


def _workers(model, recorder, inputs, targets):
    """One step of all workers, up to the mean gradient in .grad; returns the mean loss."""
    losses = []
    for rank in range(recorder.ranks):
        with recorder.worker(rank):
            loss = recorder.loss(training.loss_of(model, inputs[rank], targets[rank]))
            loss.backward()
        losses.append(loss.item())
    recorder.average()
    return statistics.fmean(losses)
