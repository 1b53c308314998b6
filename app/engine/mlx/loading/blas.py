"""The matrix products of MLX's CPU backend: whose they are, and how many threads serve a model of this size best."""

import ctypes
import os
from pathlib import Path

from app.i18n import tr

OWN_CHOICE = "OPENBLAS_NUM_THREADS"
SMALL_BYTES = 64_000_000
"""Below it the threads of OpenBLAS cost more than they do: on two cores one thread wrote 2.4 times as many tokens a
second with the demo model, 1.4 times with 6 M parameters and as many with 16 M; with 84 M, two wrote 1.6 times as many.
"""


def preloaded() -> bool:
    """Return whether the launcher preloaded the system's OpenBLAS; numpy's has another name."""
    maps = Path("/proc/self/maps")
    return maps.exists() and "/libopenblas" in maps.read_text(errors="replace")


def fit_threads(weights: int) -> None:
    """Set the number of threads that suits weights of this size; the user's environment wins."""
    library = ctypes.CDLL(None)
    if OWN_CHOICE not in os.environ and hasattr(library, "openblas_set_num_threads"):
        library.openblas_set_num_threads(1 if weights < SMALL_BYTES else library.openblas_get_num_procs())


def report(weights: int) -> str:
    """Return the note for the load report; empty where MLX uses its own BLAS."""
    if not preloaded():
        return ""
    alone = weights < SMALL_BYTES and OWN_CHOICE not in os.environ
    if alone:
        return tr("The system's OpenBLAS does the matrix products, on one thread for so small a model.")
    return tr("The system's OpenBLAS does the matrix products.")
