"""Factors that OSCAR (HPCA 2026) publishes in its abstract: means over models, links and sizes that it does not say."""

ALLREDUCE = 3.77           # OSCAR-HW over no compression
STEP = 1.38                # a training step with OSCAR-HW over one without compression
ASC = 4.66                 # AllReduce, ASC over no compression
ASC_OVER_ATALANTA = 1.05   # AllReduce


def exposed_share(step, allreduce):
    """The share s of exposed communication with which an AllReduce so many times as fast makes a step so many times as fast, if it
    makes all of it shorter: step = 1 / (1 - s + s / allreduce)."""
    return (1 - 1 / step) / (1 - 1 / allreduce)


def step(share, allreduce):
    """Inverse of exposed_share()."""
    return 1 / (1 - share + share / allreduce)
