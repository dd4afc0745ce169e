"""Synchronous data-parallel training of one shared model, as far as every way to run it needs the same."""

from contextlib import contextmanager

import torch
import torch.nn.functional as F


def be_deterministic():
    """One thread and deterministic kernels: a run is then a function of its settings and the machine's type."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)


def new_model(workload, seed):
    """A freshly initialised model of a Workload; the seed also rules what dropout will draw."""
    torch.manual_seed(seed)
    return workload.module().make()


def loss_of(model, inputs, targets):
    """Mean cross-entropy in nats; scores [..., classes] are compared with `targets` of the shape before that."""
    scores = model(inputs)
    return F.cross_entropy(scores.reshape(-1, scores.shape[-1]), targets.reshape(-1))


@contextmanager
def evaluating(model):
    """Dropout off and batch normalisation with its running means, until the end of the block."""
    model.eval()
    try:
        yield model
    finally:
        model.train()
