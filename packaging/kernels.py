"""The macOS that mlx's Metal kernels are compiled for, and what follows from it for the bundle."""

import struct
from pathlib import Path

from identity import MIN_MACOS

FILE = "mlx.metallib"
_HEAD = struct.Struct("<4s8xHH")


def oldest_macos(kernels: Path) -> str:
    """The oldest macOS that the bundle runs on: pip takes the newest kernels that the building Mac can run."""
    needed = target(kernels)
    floor = tuple(map(int, MIN_MACOS.split(".")))
    return ".".join(map(str, max(needed, floor)))


def target(kernels: Path) -> tuple[int, int]:
    """The macOS that Metal kernels are compiled for, as their file's head says."""
    with kernels.open("rb") as file:
        head = file.read(_HEAD.size)
    magic, major, minor = _HEAD.unpack(head.ljust(_HEAD.size, b"\0"))
    if magic != b"MTLB":
        raise ValueError(f"{kernels.name} holds no Metal kernels")
    return major, minor
