"""The system's own libraries that the frozen program carries along on Linux, and what their packages say of them."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
DOCUMENTS = Path("/usr/share/doc")


def parts(files: Iterable[Path], documents: Path = DOCUMENTS) -> list[dict[str, str]]:
    """One entry for each package, in the form of resources/licences/parts.json."""
    found: dict[str, list[str]] = {}
    for file in sorted({file.resolve() for file in files}):
        if str(file).startswith(SYSTEM) and "site-packages" not in file.parts:
            found.setdefault(_package(file), []).append(file.name)
    return [_part(package, names, documents) for package, names in sorted(found.items())]


def _part(package: str, names: list[str], documents: Path) -> dict[str, str]:
    text = _read(documents / package / "copyright")
    licences = sorted(set(re.findall(r"^License: *(\S.*)$", text, re.MULTILINE)))
    return {
        "name": f"{package} (of the system)",
        "licence": ", ".join(licences) or "as its own text says",
        "about": f"Carried along from the system that this program was built on: {', '.join(names)}.",
        "text": text,
    }


def _package(file: Path) -> str:
    """The Debian package of a file; elsewhere its own name."""
    for name in (str(file), str(file).removeprefix("/usr")):
        try:
            told = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True, check=False).stdout
        except OSError:
            break
        if ":" in told:
            return told.split(":", 1)[0]
    return file.name


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
