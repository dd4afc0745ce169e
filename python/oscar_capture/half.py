"""fp16 storage of fp32 values with a power of two per iteration, as `oscar-sim trace convert --dtype f2` writes it."""

import math

import numpy as np

SMALLEST, LARGEST = -125, 112  # exponents of scales that the trace format knows


def scale_of(largest):
    """The power of two by which `largest`, the largest magnitude, is divided to come to 2^14 up to 2^15; 1 for 0."""
    if largest == 0:
        return 1.0
    return math.ldexp(1.0, min(max(math.frexp(largest)[1] - 15, SMALLEST), LARGEST))


def to_half(values, scale):
    """fp32 values divided by `scale`, rounded to the nearest fp16, ties to even: '<f2', same shape."""
    return (values.astype(np.float64) / scale).astype(np.float32).astype("<f2")
