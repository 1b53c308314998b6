"""What the device's allocator holds, and whether a model will fit before it is tried."""

import ctypes
import resource
from collections.abc import Callable, Iterable
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

SAMPLE_INTERVAL_S = 0.25
HEADROOM = 1.1
"""A load needs a little more than its weights: the copies made while a tensor is converted, the first KV cache."""

# As mlx's own limit, which goes with it, this one is the whole process's.
_chosen = 0
_usual = mx.get_memory_limit()


def on_cpu() -> bool:
    return bool(mx.default_device() == mx.cpu)


def limit_bytes() -> int:
    """What the user chose, or the device recommends to stay under; on the CPU backend all of the machine's memory."""
    info = mx.device_info()
    limit = int(info.get("max_recommended_working_set_size", 0)) or _installed()
    return min(limit, _chosen) if _chosen and limit else _chosen or limit


def choose_limit(limit: int) -> None:
    """Stay under so many bytes from now on; 0: under what the device recommends."""
    global _chosen
    _chosen = limit
    mx.set_memory_limit(limit or _usual)


def give_back() -> None:
    """MLX keeps freed buffers for the next one, and glibc what a load has let go of: eight MB after the demo model."""
    mx.clear_cache()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def available_bytes() -> int | None:
    """How much could be allocated now; None where nobody knows."""
    limit = limit_bytes()
    room = max(0, limit - int(mx.get_active_memory())) if limit and (_chosen or not on_cpu()) else None
    free = _meminfo("MemAvailable") or None if on_cpu() else None
    return min((each for each in (room, free, _allowed()) if each is not None), default=None)


def refuse_too_large(needed: int, available: int) -> None:
    """Out of memory is foreseen as far as it can be: a native abort could not be caught."""
    if needed * HEADROOM > available and _chosen:
        what = tr("The model needs {needed:.1f} GB, and the memory limit that you set leaves {available:.1f} GB.")
        todo = tr("Raise the limit in the settings, under Advanced, or choose a smaller model.")
        raise UserError(what.format(needed=needed / 1e9, available=available / 1e9), todo, kind="memory")
    if needed * HEADROOM > available:
        what = tr("The model needs {needed} GB, and {free} GB are free.")
        what = what.format(needed=f"{needed / 1e9:.1f}", free=f"{available / 1e9:.1f}")
        raise UserError(what, SMALLER, kind="memory")


def kv_bytes(caches: Iterable[Any]) -> int:
    return sum(int(cache.nbytes) for cache in caches)


def read(weights: int, kv: int, kept: int = 0) -> Memory:
    """The allocator as it stands; the figures come from the library in bytes."""
    active = int(mx.get_active_memory())
    return Memory(
        active=active,
        cache=int(mx.get_cache_memory()),
        peak=max(active, int(mx.get_peak_memory())),  # 0 where nothing was allocated since it was set back
        limit=limit_bytes(),
        weights=weights,
        kv=kv,
        kept=kept,
    )


def recover() -> None:
    """After an error of the device: all that it still has to say is heard, and what was wired for the run is let go.

    mlx-lm waits for the device before it undoes the latter. Where that fails too, nobody ever would.
    """
    for stream in (generation_stream, mx.default_stream(mx.default_device())):
        with suppress(RuntimeError):
            mx.synchronize(stream)
    mx.set_wired_limit(0)
    mx.clear_cache()


class MemorySampler:
    """Emits a Memory at most four times a second."""

    def __init__(self, take: Callable[[], Memory], emit: Callable[[Memory], None]) -> None:
        self._take = take
        self._emit = emit
        self._due_at = 0.0

    def tick(self, now: float) -> None:
        if now >= self._due_at:
            self._due_at = now + SAMPLE_INTERVAL_S
            self._emit(self._take())


def _allowed() -> int | None:
    """What the process may still take of its address space; None where that has no limit, as a rule."""
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    file = Path("/proc/self/statm")
    if most == resource.RLIM_INFINITY or not file.exists():
        return None
    return max(0, most - int(file.read_text().split()[0]) * resource.getpagesize())


@cache
def _installed() -> int:
    return _meminfo("MemTotal")


def _meminfo(name: str) -> int:
    """A line of Linux's /proc/meminfo in bytes; 0 on systems that have none."""
    file = Path("/proc/meminfo")
    if not file.exists():
        return 0
    for line in file.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return 0
