"""Conditions of an NVIDIA GPU during a run: use by other programs, clock, kernels that MLX compiled or lacks."""

import os
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import mlx.core as mx
from mlx.nn.layers.base import Module

from app.engine.nvml import find_gpu
from app.engine.types import GpuConditions

METAL_ONLY = ("gated_delta_update", "_wkv7_step_ops")
"""Functions of mlx-lm with a Metal kernel. On other devices they loop over the tokens of the prompt."""


class GpuWatch:
    """Watches the GPU since its creation."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._id = str(mx.device_info().get("pci_bus_id", ""))
        self._begun = time.time()

    def conditions(self, phases: Sequence[float] = ()) -> GpuConditions | None:
        """Return the conditions; None on other devices.

        `phases`: start of the prefill, start of the decode, first token, by `time.monotonic`; 0.0 if not reached.
        """
        if not self._id:
            return None
        created = _created_after(self._begun, kernel_folder())
        to_wall = time.time() - time.monotonic()
        gpu = find_gpu(self._id)
        return GpuConditions(
            others=gpu.others_share(self._begun) if gpu is not None else None,
            clock=gpu.clock() if gpu is not None else None,
            is_slowed=gpu is not None and gpu.is_slowed(),
            compiled=len(created),
            compile_s=compile_seconds(created, [each + to_wall for each in phases if each]),
            loops=loops_over_tokens(self._module),
        )


def kernel_folder() -> Path:
    """Return the folder in which MLX keeps the kernels that it has compiled."""
    chosen = os.environ.get("MLX_PTX_CACHE_DIR")
    return Path(chosen) if chosen else Path(tempfile.gettempdir(), "mlx", str(getattr(mx, "__version__", "")), "ptx")


def _created_after(begun: float, folder: Path) -> list[float]:
    """Return the times at which kernels were stored since then."""
    try:
        times = [entry.stat().st_mtime for entry in os.scandir(folder) if entry.name.endswith(".ptx")]
    except OSError:
        return []
    return sorted(each for each in times if each >= begun)


def compile_seconds(created: Iterable[float], phases: Sequence[float]) -> float:
    """Return the seconds before each kernel, since the kernel or the beginning of the phase before it.

    MLX waits for its compiler, and computes meanwhile what it has already started. Kernels after the phases are rare.
    """
    if not phases:
        return 0.0
    marks = sorted([*((each, False) for each in phases), *((each, True) for each in created if each <= max(phases))])
    return sum(after - before for (before, _), (after, is_kernel) in pairwise(marks) if is_kernel)


def loops_over_tokens(module: Module) -> bool:
    """Return whether a layer has a kernel for Metal only, so that its prefill is a loop over the tokens."""
    kinds = {type(each).__module__ for each in module.modules()}
    return any(hasattr(sys.modules.get(kind), name) for kind in kinds for name in METAL_ONLY)
