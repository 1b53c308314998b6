"""Use and clock of an NVIDIA GPU, as reported by its driver's library, NVML."""

import ctypes
import os
from dataclasses import dataclass
from functools import cache
from typing import Any

LIBRARY = "libnvidia-ml.so.1"
SM_CLOCK = 1
"""NVML_CLOCK_SM: the clock of the multiprocessors."""
SLOWED = 0x4 | 0x8 | 0x20 | 0x40 | 0x80
"""Reasons for a lower clock: power cap, hardware slowdown, temperature (software and hardware), power brake."""
MOST_PROCESSES = 256
FUNCTIONS = (
    "nvmlDeviceGetProcessUtilization",
    "nvmlDeviceGetClockInfo",
    "nvmlDeviceGetMaxClockInfo",
    "nvmlDeviceGetCurrentClocksThrottleReasons",
)
"""The functions of an NvidiaGpu, which a driver may lack."""


class ProcessSample(ctypes.Structure):
    """`nvmlProcessUtilizationSample_t`. The shares are percentages."""

    _fields_ = (
        ("process", ctypes.c_uint),
        ("time_us", ctypes.c_ulonglong),
        *((name, ctypes.c_uint) for name in ("multiprocessors", "memory", "encoder", "decoder")),
    )


@dataclass(frozen=True, slots=True)
class NvidiaGpu:
    library: Any
    handle: ctypes.c_void_p

    def others_share(self, since_s: float) -> float | None:
        """Return the share of the GPU's time that other programs used since then, by `time.time`; None if unknown.

        In a container the driver reports the host's process ids. Without our own id, others can't be told apart.
        """
        samples, count = (ProcessSample * MOST_PROCESSES)(), ctypes.c_uint(MOST_PROCESSES)
        since_us = ctypes.c_ulonglong(int(since_s * 1e6))
        if self.library.nvmlDeviceGetProcessUtilization(self.handle, samples, ctypes.byref(count), since_us):
            return None
        shares = {each.process: each.multiprocessors / 100 for each in samples[: count.value]}
        own = shares.pop(os.getpid(), None)
        return None if own is None else min(1.0, sum(shares.values()))

    def clock(self) -> float | None:
        """Return the current clock divided by the maximum; None if unknown."""
        now, most = ctypes.c_uint(0), ctypes.c_uint(0)
        failed = self.library.nvmlDeviceGetClockInfo(self.handle, SM_CLOCK, ctypes.byref(now))
        failed = failed or self.library.nvmlDeviceGetMaxClockInfo(self.handle, SM_CLOCK, ctypes.byref(most))
        return None if failed or not most.value else now.value / most.value

    def is_slowed(self) -> bool:
        """Return whether temperature or power limits the clock."""
        reasons = ctypes.c_ulonglong(0)
        failed = self.library.nvmlDeviceGetCurrentClocksThrottleReasons(self.handle, ctypes.byref(reasons))
        return not failed and bool(reasons.value & SLOWED)


@cache
def find_gpu(pci_bus_id: str) -> NvidiaGpu | None:
    """Return the GPU with this PCI bus id; None without it or its driver."""
    handle = ctypes.c_void_p()
    try:
        library = ctypes.CDLL(LIBRARY)
        for name in FUNCTIONS:
            getattr(library, name)
        failed = library.nvmlInit_v2() or library.nvmlDeviceGetHandleByPciBusId_v2(
            pci_bus_id.encode(), ctypes.byref(handle)
        )
    except (OSError, AttributeError):
        return None
    return None if failed else NvidiaGpu(library, handle)
