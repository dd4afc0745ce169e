"""What a method made of one step."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Outcome:
    """What a method made of one step."""

    mean: np.ndarray  #: fp32, one value per parameter
    compression: float  #: seconds on the GPU
    communication: float  #: seconds on the network
    payload: int  #: bytes that the busiest rank had to say
    floats: int = 0  #: values among them, the figure of papers
    factors: list[float] = field(default_factory=list)  #: of each tensor, as a controller chose; none without one
    gains: dict[float, float] = field(default_factory=dict)  #: of the factors that it tried
