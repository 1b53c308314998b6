"""Puts the Mac's bundle together on Linux: the real macOS wheels, laid out by PyInstaller's own code for macOS.

`macos_check.py` uses it.

What it can't have here is Python itself, and a signature: nothing of it can run. It shows how PyInstaller lays out
mlx's libraries, its Metal kernels and Qt's frameworks. Needs LLVM's `lipo` and `install_name_tool`.
"""

import os
import re
import shutil
import site
import sys
from collections.abc import Iterator
from pathlib import Path

import contents
import kernels
import macho
from app.platform import licenses
from identity import BUNDLE_ID, NAME
from info_plist import info_plist

ROOT = Path(__file__).resolve().parents[1]
VERSION = "0.0.0"
Entry = tuple[str, str, str]
"""Place in the bundle, source, PyInstaller's word for its kind."""

# What a build on a Mac comes to as well: what is imported, what belongs to it in Qt, and no other module of Qt.
PACKAGES = """
    mlx numpy shiboken6 tokenizers safetensors regex yaml _yaml sentencepiece markupsafe pydantic_core google
""".split()
QT_MODULES = "QtCore QtGui QtWidgets QtNetwork QtSvg QtOpenGL QtOpenGLWidgets QtTest".split()
QT_PLUGINS = "platforms styles imageformats iconengines tls".split()
TOOLS = ("lipo", "install_name_tool")
_OF_PYTHON = re.compile(r"\.(so|dylib)$")


def tools() -> dict[str, str]:
    """Where LLVM's tools are, under whatever names; empty where one is missing."""
    found = {tool: _find(tool) for tool in TOOLS}
    return {tool: place for tool, place in found.items() if place} if all(found.values()) else {}


def _find(tool: str) -> str | None:
    name = f"llvm-{tool.replace('_', '-')}"
    versions = sorted(Path("/usr/bin").glob(f"{name}-[0-9]*"), reverse=True)
    return shutil.which(tool) or shutil.which(name) or next(map(str, versions), None)


def binaries(wheels: Path) -> Iterator[Entry]:
    """Modules and libraries of what the program imports."""
    places = [wheels / package for package in PACKAGES] + [
        wheels / "PySide6" / "Qt" / "plugins" / p for p in QT_PLUGINS
    ]
    files = [file for place in places for file in sorted(place.rglob("*")) if _OF_PYTHON.search(file.name)]
    files += [wheels / "PySide6" / f"{module}.abi3.so" for module in QT_MODULES]
    for file in files:
        name = str(file.relative_to(wheels))
        if contents.kept(name) and "tests" not in file.parts:
            yield name, str(file), "BINARY" if "plugins" in name or name.endswith(".dylib") else "EXTENSION"


def datas(wheels: Path) -> Iterator[Entry]:
    """Metadata, transformers' sources, the kernels, our own files."""
    out = {f"{name.replace('.', '/')}.py" for name in contents.excluded()}
    bundled = {licenses.normal(name) for name in contents.packages()} | {"mlx-metal"}
    told = [file for file in wheels.glob("*.dist-info/**/*") if _package(file.relative_to(wheels)) in bundled]
    sources = [*told, *wheels.glob("transformers/**/*.py")]
    for file in sorted(sources):
        name = str(file.relative_to(wheels))
        if file.is_file() and name not in out:
            yield name, str(file), "DATA"
    for package, name in contents.DATA.items():
        yield f"{package}/{name}", str(wheels / package / name), "DATA"
    yield "mlx/lib/mlx.metallib", str(wheels / "mlx" / "lib" / "mlx.metallib"), "DATA"
    yield "mlx.metallib", "mlx/lib/mlx.metallib", "SYMLINK"
    for file in sorted((ROOT / "resources").rglob("*")):
        if file.is_file() and contents.kept(str(file.relative_to(ROOT))):
            yield str(file.relative_to(ROOT)), str(file), "DATA"


def _package(name: Path) -> str:
    return licenses.normal(name.parts[0].split("-")[0])


def pretend_macos(wheels: Path, work: Path) -> None:
    """PyInstaller asks once, when it is imported, where it runs."""
    from PyInstaller import compat
    from PyInstaller.config import CONF

    compat.is_darwin, compat.is_linux, compat.is_unix = True, False, False
    starter = wheels / "PyInstaller" / "bootloader" / "Darwin-64bit" / "runw"
    sys.executable = str(starter)  # it reads search paths from the interpreter
    site.getsitepackages = lambda prefixes=None: [str(wheels)]
    shims = work / "tools"
    shims.mkdir(parents=True)
    for tool, place in tools().items():
        (shims / tool).symlink_to(place)
    os.environ["PATH"] = f"{shims}:{os.environ['PATH']}"
    CONF.update(workpath=str(work), distpath=str(work), specpath=str(ROOT), cachedir=str(work / "cache"))
    from PyInstaller.utils import osx

    osx.sign_binary = lambda *_arguments, **_options: None


def collected(toc: list[Entry]) -> object:
    """What the bundle is made of, and takes its settings from."""
    from PyInstaller.building.api import COLLECT

    collect: object = COLLECT.__new__(COLLECT)
    settings = {"console": False, "target_arch": "arm64", "codesign_identity": None, "entitlements_file": None}
    vars(collect).update(settings, toc=toc, strip_binaries=False, upx_binaries=False, upx_exclude=[])
    return collect


def build(wheels: Path, folder: Path) -> Path:
    """The bundle."""
    work = folder / "work"
    shutil.rmtree(folder, ignore_errors=True)
    pretend_macos(wheels, work)
    from PyInstaller.building.datastruct import normalize_toc
    from PyInstaller.building.osx import BUNDLE
    from PyInstaller.depend.bindepend import binary_dependency_analysis
    from PyInstaller.utils.osx import collect_files_from_framework_bundles

    found = binary_dependency_analysis(list(binaries(wheels)), [], [])
    found = [entry for entry in found if contents.kept(entry[0])]
    toc = normalize_toc(collect_files_from_framework_bundles(normalize_toc([*datas(wheels), *found])))
    starter = work / NAME
    starter.write_bytes(macho.thin((wheels / "PyInstaller/bootloader/Darwin-64bit/runw").read_bytes(), "arm64"))
    oldest = kernels.oldest_macos(wheels / "mlx" / "lib" / "mlx.metallib")
    BUNDLE(
        collected([(NAME, str(starter), "EXECUTABLE"), *toc]),
        name=f"{NAME}.app",
        icon=str(ROOT / "packaging" / "icons" / "sluice.icns"),
        bundle_identifier=BUNDLE_ID,
        version=VERSION,
        info_plist=info_plist(VERSION, oldest),
    )
    app = (work / f"{NAME}.app").rename(folder / f"{NAME}.app")
    shutil.rmtree(work)
    return app
