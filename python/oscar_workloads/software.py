"""What computed the gradients: versions of PyTorch and of the BLAS library."""

import ctypes

import torch

from oscar_capture.recorder import threads

from .sources import package_version


def framework():
    """Both versions in words, for the trace."""
    return f"PyTorch {pytorch()}, {blas()}, {threads()}"


def pytorch():
    """The version of PyTorch; Debian's build reports an older one than its package has."""
    packaged = "/dist-packages/" in torch.__file__ and package_version("python3-torch")
    return packaged.partition("+")[0] if packaged else torch.__version__


def blas():
    """Name and version of the BLAS library in use, such as "OpenBLAS 0.3.21"."""
    try:
        config = ctypes.CDLL("libblas.so.3").openblas_get_config
    except (OSError, AttributeError):
        return "BLAS other than OpenBLAS"
    config.restype = ctypes.c_char_p
    return " ".join(config().decode().split()[:2])
