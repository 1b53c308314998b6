"""Licenses of all parts of the program, read from the installed packages."""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from pathlib import Path
from typing import Any

from app import __version__
from app.files import json_reader
from app.i18n import tr

ROOTS = (
    *("mlx[cpu,cuda12,cuda13]", "mlx-lm", "transformers", "huggingface-hub", "numpy"),
    *("PySide6-Essentials", "pyqtgraph", "qasync", "llguidance", "ziamath"),
)
"""Direct dependencies, as in pyproject.toml; the others follow from their metadata."""
SYSTEM_LIBRARIES = "system.json"
"""File that lists the system libraries bundled with the frozen program."""
_TEXTS = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)
_REQUIREMENT = re.compile(r"\s*([\w.-]+)\s*(?:\[([^]]*)\])?[^;]*(?:;(.*))?")
_KNOWN = {"Apache-2.0": "Apache-2.0", "Apache Software License": "Apache-2.0", "LGPL-3.0": "LGPL-3"}
"""License texts for packages that contain none, by the license's name."""


@dataclass(frozen=True, slots=True)
class ComponentLicense:
    """A component of the program, with its license."""

    name: str
    version: str
    license: str
    text: str


def everything(texts: Path, own: Path) -> tuple[ComponentLicense, ...]:
    """Return all components by name, Sluice first. `texts`: the folder of license texts; `own`: Sluice's license."""
    parts = [*_others(texts), *(_of_package(package, texts) for package in packages())]
    sluice = ComponentLicense("Sluice", __version__, "MIT", _read(own))
    return (sluice, *sorted(parts, key=lambda part: part.name.lower()))


def packages(roots: Iterable[str] = ROOTS) -> tuple[Distribution, ...]:
    """Return these packages and their dependencies, if they are installed."""
    found: dict[str, Distribution] = {}
    waiting = list(roots)
    while waiting:
        name, extras = _parsed(waiting.pop())[:2]
        package = found.get(normal(name)) or _installed(name)
        if package is not None and (extras or normal(name) not in found):
            found[normal(name)] = package
            waiting += _dependencies(package, extras)
    return tuple(found[name] for name in sorted(found))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _parsed(requirement: str) -> tuple[str, frozenset[str], str]:
    """Parse a requirement into name, extras and condition."""
    found = _REQUIREMENT.match(requirement)
    assert found is not None
    extras = frozenset(extra.strip() for extra in (found[2] or "").split(",") if extra.strip())
    return found[1], extras, found[3] or ""


def _dependencies(package: Distribution, extras: frozenset[str]) -> Iterator[str]:
    """Yield a package's dependencies for these extras, ignoring other conditions: excluded ones aren't installed."""
    for requirement in package.requires or ():
        wanted = re.search(r"""extra\s*==\s*['"]([^'"]+)""", _parsed(requirement)[2])
        if wanted is None or wanted[1] in extras:
            yield requirement


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _of_package(package: Distribution, texts: Path) -> ComponentLicense:
    license_name = _license_of(package)
    own = [str(package.locate_file(file)) for file in _files(package) if _TEXTS.search(file.name)]
    text = "\n\n".join(filter(None, (_read(Path(file)) for file in own)))
    text = text or _known_text(package.name, license_name, texts)
    return ComponentLicense(
        package.name, package.version, license_name, "\n\n".join(filter(None, (text, _components(package))))
    )


def _files(package: Distribution) -> Iterator[PackagePath]:
    return (file for file in package.files or () if ".dist-info" in str(file))


def _license_of(package: Distribution) -> str:
    described = package.metadata
    stated = [described[field] for field in ("License-Expression", "License") if field in described]
    if stated and stated[0].strip():
        return stated[0].strip().splitlines()[0]
    classifiers = described.get_all("Classifier") or []
    named = [line.rsplit(" :: ", 1)[1] for line in classifiers if line.startswith("License ::")]
    return ", ".join(named)


def _components(package: Distribution) -> str:
    """Return the components compiled into the package, from its SBOM."""
    lines: set[str] = set()
    for file in _files(package):
        if "/sboms/" in str(file) and file.suffix == ".json":
            parts = json_reader.parse(_read(Path(str(package.locate_file(file)))) or "{}").get("components", ())
            lines |= {line for part in parts if (line := _part_line(part)) and part["name"] != package.name}
    return "\n".join((tr("Compiled into it:"), *sorted(lines))) if lines else ""


def _part_line(part: dict[str, Any]) -> str:
    licenses = [each.get("expression") or each.get("license", {}).get("id", "") for each in part.get("licenses", ())]
    return " ".join(filter(None, (part.get("name"), part.get("version"), *licenses)))


def _known_text(package: str, license_name: str, texts: Path) -> str:
    """Return our copy of a package's own license text, or the text for its license."""
    own = _read(texts / normal(package))
    return own or next((_read(texts / file) for name, file in _KNOWN.items() if name in license_name), "")


def _others(texts: Path) -> Iterator[ComponentLicense]:
    """Yield components that aren't Python packages: Python, Qt, their components, and bundled system libraries."""
    for list_ in ("parts.json", SYSTEM_LIBRARIES):
        content = _read(texts / list_)
        for part in json_reader.parse(content) if content else ():
            paragraphs = [
                part.get("about", ""),
                part.get("text", ""),
                *(_read(texts / file) for file in part.get("files", ())),
            ]
            yield ComponentLicense(part["name"], _version(part), part["licence"], "\n\n".join(filter(None, paragraphs)))


def _version(part: dict[str, str]) -> str:
    if part["name"] == "Python":
        return ".".join(map(str, sys.version_info[:3]))
    package = _installed(part.get("version_of", "")) if part.get("version_of") else None
    return package.version if package is not None else part.get("version", "")


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
