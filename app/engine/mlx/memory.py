"""The memory of the device's allocator, and the check that a model fits before it is loaded."""

import ctypes
import resource
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx_lm.generate import generation_stream

from app.engine.errors import UserError
from app.engine.mlx.failures import SMALLER
from app.engine.types import Memory
from app.i18n import tr

DeviceInfo = Mapping[str, str | int]
SAMPLE_INTERVAL_S = 0.25
HEADROOM = 1.1
"""Memory for a load relative to its weights: conversions make copies, and the first KV cache is needed."""
CUDA_MARGIN = 0.1
"""Share of an NVIDIA GPU's memory that is never planned for: MLX can hang when the memory is exhausted (mlx #2821)."""

# Global, because mlx's limit also applies to the process.
_chosen = 0
_usual = mx.get_memory_limit()


def on_cpu() -> bool:
    return bool(mx.default_device() == mx.cpu)


def limit_bytes() -> int:
    """Return the limit in bytes: the user's or the device's. On the CPU backend it is the computer's memory."""
    return _limit_of(mx.device_info())


def _limit_of(info: DeviceInfo) -> int:
    """Metal's information has the recommended size, CUDA's the total memory."""
    on_cuda = int(int(info.get("total_memory", 0)) * (1 - CUDA_MARGIN))
    limit = int(info.get("max_recommended_working_set_size", 0)) or on_cuda or _computer_bytes()
    return min(limit, _chosen) if _chosen and limit else _chosen or limit


def set_limit(limit: int) -> None:
    """Set the limit in bytes; 0: the recommended one."""
    global _chosen
    _chosen = limit
    mx.set_memory_limit(limit or _usual)


def free_buffers() -> None:
    """Free the buffers that MLX holds for reuse, and those of glibc after a load (8 MB with the demo model)."""
    mx.clear_cache()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def available_bytes() -> int | None:
    """Return the bytes that can be allocated now; None if unknown."""
    info = mx.device_info()
    limit = _limit_of(info)
    room = max(0, limit - int(mx.get_active_memory())) if limit and (_chosen or not on_cpu()) else None
    free = _meminfo("MemAvailable") or None if on_cpu() else _cuda_free(info)
    return min((each for each in (room, free, _address_space_left()) if each is not None), default=None)


def refuse_too_large(needed: int, available: int) -> None:
    """Raise UserError before a load that can't fit: a native abort could not be caught."""
    if needed * HEADROOM <= available:
        return
    if _chosen:
        what = tr("The model needs {needed:.1f} GB, and the memory limit that you set leaves {available:.1f} GB.")
        todo = tr("Raise the limit in the settings, under Advanced, or choose a smaller model.")
        raise UserError(what.format(needed=needed / 1e9, available=available / 1e9), todo, kind="memory")
    what = tr("The model needs {needed} GB, and {free} GB are free.")
    raise UserError(what.format(needed=f"{needed / 1e9:.1f}", free=f"{available / 1e9:.1f}"), SMALLER, kind="memory")


def kv_bytes(caches: Iterable[Any]) -> int:
    return sum(int(cache.nbytes) for cache in caches)


def read(weights: int, kv: int, kept: int = 0) -> Memory:
    """Return the allocator's memory, in bytes."""
    active, info = int(mx.get_active_memory()), mx.device_info()
    return Memory(
        active=active,
        cache=int(mx.get_cache_memory()),
        peak=max(active, int(mx.get_peak_memory())),  # 0 if nothing was allocated since the reset
        limit=_limit_of(info),
        weights=weights,
        kv=kv,
        kept=kept,
        on_cpu=on_cpu(),
        device=str(info.get("device_name", "")),
    )


def recover() -> None:
    """Wait for the device after an error, and release the memory that was wired for the run."""
    for stream in (generation_stream, mx.default_stream(mx.default_device())):
        with suppress(RuntimeError):
            mx.synchronize(stream)
    mx.set_wired_limit(0)
    mx.clear_cache()


class MemorySampler:
    """Emits Memory at most four times a second."""

    def __init__(self, take: Callable[[], Memory], emit: Callable[[Memory], None]) -> None:
        self._take = take
        self._emit = emit
        self._due_at = 0.0

    def tick(self, now: float) -> None:
        if now >= self._due_at:
            self._due_at = now + SAMPLE_INTERVAL_S
            self._emit(self._take())


def _cuda_free(info: DeviceInfo) -> int | None:
    """Return an NVIDIA GPU's free bytes without the margin; None on other devices. Other programs use it too."""
    total, free = int(info.get("total_memory", 0)), int(info.get("free_memory", 0))
    reusable = int(mx.get_cache_memory())  # MLX's own, but not free for the driver
    return max(0, free + reusable - int(total * CUDA_MARGIN)) if total else None


def _address_space_left() -> int | None:
    """Return the bytes left of the address space limit; None: there is no limit, as usual."""
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    file = Path("/proc/self/statm")
    if most == resource.RLIM_INFINITY or not file.exists():
        return None
    return max(0, most - int(file.read_text().split()[0]) * resource.getpagesize())


@cache
def _computer_bytes() -> int:
    return _meminfo("MemTotal")


def _meminfo(name: str) -> int:
    """Return an entry of Linux's /proc/meminfo in bytes; 0 on other systems."""
    file = Path("/proc/meminfo")
    if not file.exists():
        return 0
    for line in file.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return 0
