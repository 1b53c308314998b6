"""Names the system libraries that Qt misses on this Linux, with the line that installs them.

usage: qt_libraries.py PLATFORM…    PLATFORM is one of Qt's (offscreen, xcb, wayland), or "screen" for the one that a
window would use here. Exits 1 when something is missing; elsewhere than on Linux nothing ever is.
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

# Where Debian's name isn't the library's own name with its version.
PACKAGES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libz.so.1": "zlib1g",
}


def package_of(library: str) -> str:
    """The Debian package of a library, after the distribution's own rule: libX11.so.6 is in libx11-6."""
    stem, _, version = library.partition(".so.")
    name = stem.lower().replace("_", "-")
    return PACKAGES.get(library, f"{name}-{version}" if name[-1].isdigit() else f"{name}{version}")


def missing(libraries: list[Path]) -> list[str]:
    """What the dynamic linker doesn't find for these, each once."""
    listing = subprocess.run(["ldd", *map(str, libraries)], capture_output=True, text=True, check=False).stdout
    return sorted(set(re.findall(r"(\S+) => not found", listing)))


def platform_here() -> str:
    """The platform plugin that a window would be opened with."""
    asked = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
    return asked or ("wayland" if os.environ.get("WAYLAND_DISPLAY") else "xcb")


def main(platforms: list[str]) -> int:
    """Say in one sentence what is missing."""
    if sys.platform != "linux":
        return 0
    spec = find_spec("PySide6")
    if spec is None or spec.origin is None:
        print("PySide6 is not installed: run make setup.", file=sys.stderr)
        return 1
    qt = Path(spec.origin).parent / "Qt"
    names = [platform_here() if platform == "screen" else platform for platform in platforms]
    plugins = [qt / "plugins" / "platforms" / f"libq{name}.so" for name in names]
    lacking = missing([qt / "lib" / "libQt6Widgets.so.6", qt / "lib" / "libQt6Svg.so.6", *plugins])
    if not lacking:
        return 0
    packages = " ".join(sorted({package_of(library) for library in lacking}))
    print(
        f"Qt misses {', '.join(lacking)} for {' and '.join(names)}; install with:"
        f" sudo apt-get install --yes {packages}",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
