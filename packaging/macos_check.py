"""Puts the Mac's bundle together from macOS wheels and looks at it; then plants faults, each of which must be found.

usage: macos_check.py MACOS WHEELS FOLDER [NEWER_QT]

WHEELS holds the wheels of both locks for this MACOS, unpacked. NEWER_QT is a PySide6 that asks for a newer one than the
bundle: without it nothing is planted.
"""

import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import kernels
import macho
import macos_tree
import weigh
from identity import MIN_MACOS
from verify_bundle import Bundle, version

Plant = Callable[[Path], None]


def faults(app: Path, macos: str = MIN_MACOS) -> list[str]:
    return Bundle(app, version(macos), finished=False).check().faults


def unlink_kernels(app: Path) -> None:
    (app / "Contents" / "Frameworks" / "mlx" / "lib" / kernels.FILE).unlink()


def newer_kernels(app: Path) -> None:
    """As a careless build on a new Mac would have them."""
    file = app / "Contents" / "Resources" / "mlx" / "lib" / kernels.FILE
    content = bytearray(file.read_bytes())
    struct.pack_into("<HH", content, 12, 26, 2)
    file.unlink()  # it shares its content with the sound one
    file.write_bytes(content)


def flatten(app: Path) -> None:
    """As a zip without links would bring it."""
    flat = app.with_name("flat")
    subprocess.run(["cp", "-rLl", str(app), str(flat)], check=True)
    shutil.rmtree(app)
    flat.rename(app)


def newer_qt(qt: Path, app: Path) -> None:
    module = app / "Contents" / "Frameworks" / "PySide6" / "QtCore.abi3.so"
    module.unlink()
    module.write_bytes(macho.thin((qt / "PySide6" / module.name).read_bytes(), "arm64"))


def planted(app: Path, plant: Plant) -> list[str]:
    """What is found in a copy with one fault; the copy shares its files."""
    copy = app.with_name("planted.app")
    subprocess.run(["cp", "-al", str(app), str(copy)], check=True)
    plant(copy)
    found = faults(copy)
    shutil.rmtree(copy)
    return found


def main(macos: str, wheels: Path, folder: Path, qt: Path | None = None) -> int:
    """The sound one first, then the others; says what was found."""
    if not macos_tree.tools():
        print("The Mac's bundle can't be put together here: install LLVM (Debian, Ubuntu: sudo apt-get install llvm).")
        return 1
    app = macos_tree.build(wheels.resolve(), folder.resolve())
    found = faults(app, macos)
    print(f"The bundle for macOS {macos} without Python: {len(found)} faults", *found, sep="\n  ")
    failed = bool(found) or weigh.main(app) != 0
    return int(failed | (qt is not None and not all_found(app, qt.resolve())))


def all_found(app: Path, qt: Path) -> bool:
    """Whether no planted fault is overlooked."""
    plants: tuple[tuple[str, Plant], ...] = (
        ("no Metal kernels beside libmlx.dylib", unlink_kernels),
        ("the Metal kernels ask for macOS 26.2", newer_kernels),
        ("code among the resources", flatten),
        ("which macOS has since 15.4", lambda copy: newer_qt(qt, copy)),
    )
    overlooked = 0
    for words, plant in plants:
        found = [fault for fault in planted(app, plant) if words in fault]
        print(f"Planted “{words}”: {'found' if found else 'NOT FOUND'}", *found[:1], sep="\n  ")
        overlooked += not found
    return not overlooked


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(Path, sys.argv[2:])))
