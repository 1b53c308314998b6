"""Static checks of a Mac's bundle, on any system: what would keep it from starting is found before a Mac sees it.

usage: verify_bundle.py BUNDLE [--macos 14.0] [--unfinished]

--macos is the system that it must run on. --unfinished is for a tree that was put together without a Mac: it has no
Python in it. Exits 1 and names each fault.
"""

import argparse
import os
import plistlib
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kernels
import macho
from identity import BUNDLE_ID

Version = tuple[int, int]

PLIST_KEYS = """
    CFBundleIdentifier CFBundleName CFBundleExecutable CFBundleIconFile CFBundlePackageType CFBundleShortVersionString
    CFBundleVersion LSMinimumSystemVersion NSHighResolutionCapable
""".split()
UNWANTED = ("QtWebEngineCore", "QtQml", "QtQuick", "Qt3DCore", "libtorch")
OF_THE_SYSTEM = ("/usr/lib/", "/System/")
NEWER = {"__ZTVNSt3__117bad_function_callE": (15, 4), "__ZNSt3__113__hash_memoryEPKvm": (26, 0)}
"""Names of the C++ library, and the macOS that first had them: a binary that expects one can't be loaded before it."""
LOOKED_AT = {"PySide6": (15, 0), "shiboken6": (15, 0)}
"""Packages whose binaries say that they want this macOS, and expect nothing that 14 has not."""


@dataclass(slots=True)
class Findings:
    """Faults keep the bundle from working somewhere; remarks don't."""

    faults: list[str] = field(default_factory=list)
    remarks: Counter[str] = field(default_factory=Counter)
    binaries: int = 0


class Bundle:
    """One check after the other, into `found`."""

    def __init__(self, app: Path, macos: Version | None = None, finished: bool = True) -> None:
        self.found = Findings()
        self._root = app.resolve() / "Contents"
        self._info: dict[str, Any] = {}
        self._macos = macos
        self._finished = finished

    def check(self) -> Findings:
        try:
            self._info = plistlib.loads((self._root / "Info.plist").read_bytes())
        except (OSError, plistlib.InvalidFileException, ValueError) as error:
            self._fault(f"Info.plist can't be read: {error}")
            return self.found
        self._check_info()
        self._check_links()
        for file in self._files():
            if macho.is_macho(file):
                self.found.binaries += 1
                self._check_binary(file)
        self._check_places()
        self._check_kernels()
        return self.found

    @property
    def _floor(self) -> Version:
        """The oldest system that the bundle says it runs on."""
        return version(str(self._info.get("LSMinimumSystemVersion", "0.0")))

    def _check_info(self) -> None:
        self.found.faults += [f"Info.plist lacks {key}" for key in PLIST_KEYS if key not in self._info]
        if self._info.get("CFBundleIdentifier") != BUNDLE_ID:
            self._fault(f"Info.plist names {self._info.get('CFBundleIdentifier')} instead of {BUNDLE_ID}")
        if self._info.get("LSBackgroundOnly"):
            self._fault("Info.plist says LSBackgroundOnly: it would have no window")
        if self._macos is not None and self._floor > self._macos:
            self._fault(f"LSMinimumSystemVersion is {dotted(self._floor)}, above {dotted(self._macos)}")
        if not (self._root / "Resources" / str(self._info.get("CFBundleIconFile"))).is_file():
            self._fault("the icon is missing")
        program = self._root / "MacOS" / str(self._info.get("CFBundleExecutable"))
        if self._finished and not (program.is_file() and os.access(program, os.X_OK)):
            self._fault("the program itself is missing, or can't be executed")

    def _check_links(self) -> None:
        for place, folders, files in os.walk(self._root):
            for path in (Path(place) / name for name in (*folders, *files)):
                if path.is_symlink() and not path.exists():
                    self._fault(f"dangling link {self._name(path)}")

    def _check_binary(self, file: Path) -> None:
        name = self._name(file)
        parts = {part.processor: part for part in macho.slices(file)}
        if Path(name).parts[0] == "Resources":
            self._fault(f"code among the resources: {name}")
        if "arm64" not in parts:
            self._fault(f"not for Apple silicon: {name}")
            return
        if len(parts) > 1:
            self.found.remarks["for several processors"] += 1
        part = parts["arm64"]
        if part.oldest_macos > self._floor:
            self._remark_newer(part.oldest_macos, name)
        for symbol in sorted(part.undefined & set(NEWER)):
            if NEWER[symbol] > self._floor:
                self._fault(f"{name} expects {symbol}, which macOS has since {dotted(NEWER[symbol])}")
        for library in part.libraries:
            self._check_library(library, part.rpaths, file)

    def _remark_newer(self, oldest: Version, name: str) -> None:
        """macOS refuses no library for that alone, but nobody has tried it there: Python's own, or any other."""
        known = [LOOKED_AT[part] for part in Path(name).parts if part in LOOKED_AT]
        if known and oldest <= known[0]:
            self.found.remarks[f"built for macOS {dotted(oldest)}"] += 1
        else:
            self._fault(f"{name} is built for macOS {dotted(oldest)}, the bundle asks for {dotted(self._floor)}")

    def _check_library(self, library: str, rpaths: tuple[str, ...], file: Path) -> None:
        if library.startswith(OF_THE_SYSTEM) or (not self._finished and Path(library).name.startswith("Python")):
            return
        if library.startswith("/"):
            self._fault(f"{self._name(file)} looks for {library}, which is on the building Mac alone")
            return
        base, _, rest = library.partition("/")
        places = rpaths if base == "@rpath" else (base,)
        if not any((self._place(place, file) / rest).exists() for place in places):
            self._fault(f"{self._name(file)} looks for {library} in {', '.join(places) or 'no place'}: it isn't there")

    def _place(self, written: str, file: Path) -> Path:
        at = written.replace("@loader_path", str(file.parent))
        return Path(at.replace("@executable_path", str(self._root / "MacOS")))

    def _check_places(self) -> None:
        for place, folders, files in os.walk(self._root / "Frameworks"):
            for path in (Path(place) / name for name in folders):
                dotted_ = "." in path.name and not path.is_symlink() and ".framework" not in str(path)
                if dotted_:
                    self._fault(f"a folder with a dot would be taken for a framework: {self._name(path)}")
            for name in (*folders, *files):
                if any(unwanted in name for unwanted in UNWANTED):
                    self._fault(f"not needed: {self._name(Path(place) / name)}")

    def _check_kernels(self) -> None:
        """Whichever name mlx's library is loaded by, the kernels lie beside it."""
        libraries = sorted(self._root.rglob("libmlx.dylib"))
        if not libraries:
            self._fault("libmlx.dylib is missing")
        for folder in sorted({place for library in libraries for place in (library.parent, library.resolve().parent)}):
            try:
                target = kernels.target(folder / kernels.FILE)
            except (OSError, ValueError) as error:
                self._fault(f"no Metal kernels beside libmlx.dylib in {self._name(folder)}: {error}")
                continue
            if target > self._floor:
                self._fault(f"the Metal kernels ask for macOS {dotted(target)}, the bundle for {dotted(self._floor)}")

    def _files(self) -> Iterator[Path]:
        for place, _, names in os.walk(self._root):
            yield from (file for name in sorted(names) if not (file := Path(place) / name).is_symlink())

    def _name(self, path: Path) -> str:
        return str(path.relative_to(self._root))

    def _fault(self, text: str) -> None:
        if text not in self.found.faults:
            self.found.faults.append(text)


def version(text: str) -> Version:
    """Major and minor."""
    numbers = [int(number) for number in text.split(".")] + [0]
    return numbers[0], numbers[1]


def dotted(numbers: Version) -> str:
    return ".".join(map(str, numbers))


def main(arguments: list[str]) -> int:
    """Check, and say what was found."""
    parser = argparse.ArgumentParser(description="Static checks of a Mac's bundle.")
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--macos", type=version, help="a system that it must run on")
    parser.add_argument("--unfinished", action="store_true", help="it was put together without Python")
    given = parser.parse_args(arguments)
    found = Bundle(given.bundle, given.macos, not given.unfinished).check()
    for remark, count in sorted(found.remarks.items()):
        print(f"remark: {count} {remark}")
    for fault in found.faults:
        print(f"fault: {fault}")
    print(f"{given.bundle}: {found.binaries} binaries, {len(found.faults)} faults")
    return int(bool(found.faults) or not found.binaries)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
