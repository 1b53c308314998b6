"""CPU load of other programs, page faults, and memory of other processes, where the system reports them."""

import ctypes
import os
import resource
import sys
import time
from functools import cache
from pathlib import Path

STAT = Path("/proc/stat")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
LOAD_INFO = 3
"""HOST_CPU_LOAD_INFO of mach/host_info.h: ticks of user, system, idle and nice."""
SHORTEST_S = 0.5
"""The system's ticks are too coarse for shorter times."""


class ExternalLoad:
    """CPU load and page faults since creation."""

    def __init__(self) -> None:
        self._begun, self._others, self._faults = time.monotonic(), others_s(), _page_faults()

    def share(self) -> float | None:
        """Return the share of all processors that other programs used; None if unknown or too early."""
        now, took = others_s(), time.monotonic() - self._begun
        if self._others is None or now is None or took < SHORTEST_S:
            return None
        return min(1.0, max(0.0, (now - self._others) / took / (os.cpu_count() or 1)))

    def page_faults(self) -> int:
        """Return the major page faults of this process."""
        return _page_faults() - self._faults


def _page_faults() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_majflt


def others_s() -> float | None:
    """Return the processor seconds of all other processes; only differences are meaningful."""
    try:
        busy = _busy_mac() if sys.platform == "darwin" else _busy_linux()
    except (OSError, ValueError, AttributeError):
        return None
    return None if busy is None else busy / TICKS_PER_S - time.process_time()


def _busy_linux() -> float | None:
    with STAT.open(encoding="ascii") as file:
        user, nice, system, _idle, _waiting, *rest = map(int, file.readline().split()[1:9])
    return user + nice + system + sum(rest)


def _busy_mac() -> float | None:
    ticks, count = (ctypes.c_uint32 * 4)(), ctypes.c_uint32(4)
    if ctypes.CDLL(None).host_statistics(_host(), LOAD_INFO, ticks, ctypes.byref(count)):
        return None
    user, system, _idle, nice = ticks
    return user + system + nice


@cache
def _host() -> ctypes.c_uint32:
    """Return Mach's host port. Cached, because each call adds a reference to it."""
    ask = ctypes.CDLL(None).mach_host_self
    ask.restype = ctypes.c_uint32
    return ctypes.c_uint32(ask())


LIBRARY = "/usr/lib/libproc.dylib"


class RusageInfo(ctypes.Structure):
    """`rusage_info_v0` of libproc on macOS."""

    _fields_ = (
        ("uuid", ctypes.c_uint8 * 16),
        *((name, ctypes.c_uint64) for name in ("user", "system", "idle_wakeups", "interrupts", "pageins", "wired")),
        *((name, ctypes.c_uint64) for name in ("resident", "footprint", "started", "exited")),
    )


def resident_bytes(process: int) -> int:
    """Return resident bytes; 0 if unknown or the process has ended."""
    if sys.platform == "darwin":
        return _footprint(process)
    try:
        return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _footprint(process: int) -> int:
    """Return the footprint on macOS, which includes compressed memory."""
    usage = RusageInfo()
    try:
        failed = ctypes.CDLL(LIBRARY).proc_pid_rusage(process, 0, ctypes.byref(usage))
    except (OSError, AttributeError):
        return 0
    return 0 if failed else int(usage.footprint)
