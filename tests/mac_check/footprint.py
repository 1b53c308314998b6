"""How much memory this process has, as the system's own monitor counts it: on a Mac with what Metal holds for it."""

import ctypes
import os
import struct
import sys

from tests.bench.machine import resident_bytes

RUSAGE_INFO_V0 = 0
PHYS_FOOTPRINT_AT = 16 + 7 * 8
"""In sys/resource.h's rusage_info_v0: behind 16 bytes of an identity the eighth number."""


def footprint_bytes() -> int:
    if sys.platform != "darwin":
        return resident_bytes()
    told = ctypes.create_string_buffer(512)
    if ctypes.CDLL(None).proc_pid_rusage(os.getpid(), RUSAGE_INFO_V0, told):
        return resident_bytes()
    return int(struct.unpack_from("=Q", told, PHYS_FOOTPRINT_AT)[0])
