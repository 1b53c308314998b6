"""Tells what the frozen program takes on the disk, and whether that is still little enough.

usage: weigh.py FOLDER    exits 1 above the limit
"""

import os
import sys
from pathlib import Path

import kernels

LIMIT_MB = 330
BESIDE_KERNELS_MB = 190
"""On a Mac: those for the newest macOS weigh half as much again, which is no fault of what lies beside them."""
KERNELS_MB = 230
HEAVIEST = 8


def weights(folder: Path) -> dict[str, int]:
    """Bytes of each ordinary file: links take none."""
    found: dict[str, int] = {}
    for place, _, names in os.walk(folder):
        for file in (Path(place) / name for name in names):
            if not file.is_symlink():
                found[str(file.relative_to(folder))] = file.stat().st_size
    return found


def main(folder: Path) -> int:
    """A table of the heaviest, and the sums: the Metal kernels apart."""
    found = weights(folder)
    for name, size in sorted(found.items(), key=lambda item: -item[1])[:HEAVIEST]:
        print(f"{size / 1e6:7.1f} MB  {name}")
    metal = [size for name, size in found.items() if Path(name).name == kernels.FILE]
    rest = BESIDE_KERNELS_MB if metal else LIMIT_MB
    fits = _fits(sum(found.values()) - sum(metal), rest, f"{folder} in {len(found)} files")
    if metal:
        fits &= _fits(sum(metal), KERNELS_MB, f"Metal kernels, {len(metal)} of those files")
    return int(not found or not fits)


def _fits(size: int, limit_mb: int, what: str) -> bool:
    print(f"{size / 1e6:7.1f} MB  {what}; at most {limit_mb} MB")
    return size / 1e6 <= limit_mb


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
