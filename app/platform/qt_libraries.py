"""A check on Linux for the system libraries that Qt needs, with the command that installs them.

usage: python -m app.platform.qt_libraries PLATFORM…
PLATFORM is one of Qt's (offscreen, xcb, wayland), or "screen" for the one of a window. The exit status is 1 if a
library is missing.
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
    """Return the Debian package of a library by Debian's rule: libX11.so.6 is in libx11-6."""
    stem, _, version = library.partition(".so.")
    name = stem.lower().replace("_", "-")
    return PACKAGES.get(library, f"{name}-{version}" if name[-1].isdigit() else f"{name}{version}")


def missing(libraries: list[Path]) -> list[str]:
    """Return the libraries that the dynamic linker doesn't find for these, each once."""
    listing = subprocess.run(["ldd", *map(str, libraries)], capture_output=True, text=True, check=False).stdout
    return sorted(set(re.findall(r"(\S+) => not found", listing)))


def platform_here() -> str:
    """Return the name of the platform plugin for a window."""
    asked = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
    return asked or ("wayland" if os.environ.get("WAYLAND_DISPLAY") else "xcb")


def main(platforms: list[str]) -> int:
    """Print the missing libraries to stderr. Return 1 if there are any."""
    if sys.platform != "linux":
        return 0
    spec = find_spec("PySide6")
    if spec is None or spec.origin is None:
        sys.stderr.write("PySide6 is not installed: run make setup.\n")
        return 1
    qt = Path(spec.origin).parent / "Qt"
    names = [platform_here() if platform == "screen" else platform for platform in platforms]
    plugins = [qt / "plugins" / "platforms" / f"libq{name}.so" for name in names]
    lacking = missing([qt / "lib" / "libQt6Widgets.so.6", qt / "lib" / "libQt6Svg.so.6", *plugins])
    if not lacking:
        return 0
    packages = " ".join(sorted({package_of(library) for library in lacking}))
    sys.stderr.write(
        f"Qt misses {', '.join(lacking)} for {' and '.join(names)}; install with:"
        f" sudo apt-get install --yes {packages}\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
