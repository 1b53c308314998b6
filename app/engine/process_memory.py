"""Memory of another process of this user."""

import ctypes
import os
import sys
from pathlib import Path

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
