"""What the process holds: memory, threads, open files."""

import ctypes
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

NAMES = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the process has."""

    memory_kb: int
    threads: int
    handles: int
    in_use_kb: int = 0
    """Of the memory: what the C library has given out and not got back. The rest is holes between that, which stay at
    what was needed most, and Python's own store."""
    blocks: int = 0
    """How many pieces of memory Python has given out and not got back."""


def holdings() -> Holdings | None:
    """Where the system tells. What the C library has in store is given back first, and code that was read from files
    since the last time is no memory that grew."""
    status, handles = Path("/proc/self/status"), Path("/proc/self/fd")
    if not status.is_file():
        return None
    library = ctypes.CDLL(None)
    free_buffers = getattr(library, "malloc_trim", None)
    if free_buffers is not None:
        free_buffers(0)
    lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
    memory_kb = int(lines["RssAnon"].split()[0])
    handles_open = len(list(handles.iterdir()))
    return Holdings(memory_kb, threading.active_count(), handles_open, _in_use_kb(library), sys.getallocatedblocks())


class _Told(ctypes.Structure):
    """What `mallinfo2` tells of all heaps together; 0 stands for nothing."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in NAMES)


def _in_use_kb(library: ctypes.CDLL) -> int:
    tell = getattr(library, "mallinfo2", None)
    if tell is None:
        return 0
    tell.restype = _Told
    told = tell()
    return int(told.uordblks + told.hblkhd) // 1024
