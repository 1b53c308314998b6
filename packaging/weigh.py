"""Tells what the frozen program takes on the disk, and whether that is still little enough.

usage: weigh.py FOLDER    exits 1 above the limit
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

LIMIT_MB = 330
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
    """A table of the heaviest, and the sum."""
    found = weights(folder)
    total_mb = sum(found.values()) / 1e6
    for name, size in sorted(found.items(), key=lambda item: -item[1])[:HEAVIEST]:
        print(f"{size / 1e6:7.1f} MB  {name}")
    print(f"{total_mb:7.1f} MB  {folder} in {len(found)} files; at most {LIMIT_MB} MB")
    return int(not found or total_mb > LIMIT_MB)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
