"""Whether gradients can be recorded: traces hold finite values only."""

import math
import sys

import torch


def why_not_finite(step, rank, layer, part):
    """Why a gradient cannot be in a trace, in one line, which stderr gets too, or None.

    Nothing is raised, for this runs within the user's training. `part`: fp32 in CPU memory, one dimension.
    """
    finite = torch.isfinite(part)
    if finite.all():
        return None
    at = int((~finite).nonzero()[0])
    problem = (
        f"iteration {step}: the gradient of rank {rank} is {'NaN' if math.isnan(part[at]) else 'infinite'} at value "
        f"{at} of layer {layer.name}; no trace can be written: choose iterations whose gradients are finite"
    )
    print(f"oscar_capture: {problem}", file=sys.stderr)
    return problem
