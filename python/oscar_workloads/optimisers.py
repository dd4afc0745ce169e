"""The optimisers of the workloads: workloads.OPTIMISERS."""

import torch

WEIGHT_DECAY = 0.01  # of AdamW, PyTorch's default


def make(kind, parameters, lr, momentum):
    """The optimiser `kind`, one of OPTIMISERS, over `parameters`."""
    if kind == "sgd":
        return torch.optim.SGD(parameters, lr=lr, momentum=momentum)
    return torch.optim.AdamW(parameters, lr=lr, weight_decay=WEIGHT_DECAY)


def in_words(kind, lr, momentum):
    """The optimiser with its settings, for the trace."""
    if kind == "sgd":
        return f"SGD, learning rate {lr:g}, momentum {momentum:g}"
    return f"AdamW, learning rate {lr:g}, betas 0.9 and 0.999, weight decay {WEIGHT_DECAY:g}"
