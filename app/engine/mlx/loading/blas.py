"""The BLAS library of MLX's CPU backend, and the number of threads that suits a model's size."""

import ctypes
import os
from pathlib import Path

from app.i18n import tr

OWN_CHOICE = "OPENBLAS_NUM_THREADS"
SMALL_BYTES = 64_000_000
"""Bytes of weights below which one OpenBLAS thread is used.

Measured on two cores: one thread was 2.4 times as fast with the demo model, 1.4 times with 6 M parameters and as fast
with 16 M. With 84 M, two threads were 1.6 times as fast.
"""


def preloaded() -> bool:
    """Return whether the launcher preloaded the system's OpenBLAS; numpy's has another name."""
    maps = Path("/proc/self/maps")
    return maps.exists() and "/libopenblas" in maps.read_text(errors="replace")


def fit_threads(weights: int) -> None:
    """Set the number of threads for weights of this size, unless the user's environment sets it."""
    library = ctypes.CDLL(None)
    if OWN_CHOICE not in os.environ and hasattr(library, "openblas_set_num_threads"):
        library.openblas_set_num_threads(1 if weights < SMALL_BYTES else library.openblas_get_num_procs())


def report(weights: int) -> str:
    """Return the note for the load report; empty where MLX uses its own BLAS."""
    if not preloaded():
        return ""
    alone = weights < SMALL_BYTES and OWN_CHOICE not in os.environ
    if alone:
        return tr("The system's OpenBLAS computes matrix products, on one thread because the model is small.")
    return tr("The system's OpenBLAS computes matrix products.")
