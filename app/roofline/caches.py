"""The processor's caches, which are read faster than memory."""

import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path("/sys/devices/system/cpu/cpu0/cache")
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
OF_MAC = ("hw.perflevel0.l1dcachesize", "hw.perflevel0.l2cachesize")
MEMORY = "memory"

Cache = tuple[str, int]
"""Name and size in bytes."""


def level(size: int, caches: Sequence[Cache]) -> str:
    """Return the smallest cache, or memory, that holds this many bytes."""
    return next((name for name, holds in sorted(caches, key=lambda each: each[1]) if size <= holds), MEMORY)


def of_processor(folder: Path = FOLDER) -> list[Cache]:
    """Return the processor's caches; empty if the system doesn't report them."""
    try:
        return _of_mac() if sys.platform == "darwin" else [_read(each) for each in sorted(folder.glob("index*"))]
    except (OSError, ValueError, LookupError, AttributeError):
        return []


def _read(folder: Path) -> Cache:
    number, kind, size = ((folder / name).read_text("ascii").strip() for name in ("level", "type", "size"))
    return f"L{number} cache", 0 if kind == "Instruction" else int(size[:-1]) * UNITS[size[-1]]


def _of_mac() -> list[Cache]:
    ask, found = ctypes.CDLL(None).sysctlbyname, []
    for number, name in enumerate(OF_MAC, 1):
        value = ctypes.c_uint64(0)
        length = ctypes.c_size_t(ctypes.sizeof(value))
        if not ask(name.encode(), ctypes.byref(value), ctypes.byref(length), None, ctypes.c_size_t(0)):
            found.append((f"L{number} cache", value.value))
    return found
