"""The user's settings: a frozen value, and the one file it is kept in."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from typing import TypeVar, get_args, get_type_hints

from app.engine.types import Limits, Sampling

VERSION = 1
FILE = "settings.json"
BROKEN = "settings.broken.json"

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the window and its splitters were left. Geometry is Qt's own, in base64."""

    geometry: str = ""
    columns: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    controls_shown: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that outlives the program, apart from sessions and runs."""

    model: str = ""
    """The last model that was opened; empty: the bundled one."""
    mode: str = "chat"
    system: str = ""
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    enter_sends: bool = True
    view: str = ""
    """How the transcript is shown."""
    layout: Layout = field(default_factory=Layout)


def user_folder() -> Path:
    """The place that the system gives to a program's data."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Sluice"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sluice"


def load(folder: Path) -> tuple[Settings, str]:
    """The settings kept in `folder`, and a sentence for the user where they could not be read."""
    path = folder / FILE
    try:
        kept = json.loads(path.read_text("utf-8"))
        if kept["version"] != VERSION:
            raise ValueError(f"version {kept['version']}")
        return _read_fields(Settings, kept["settings"]), ""
    except FileNotFoundError:
        return Settings(), ""
    except (OSError, ValueError, TypeError, KeyError) as error:
        return Settings(), _set_aside(path, error)


def save(settings: Settings, folder: Path) -> None:
    """Write the whole file beside the old one, then put it in its place: a crash leaves one of the two."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"version": VERSION, "settings": asdict(settings)}, indent=1, ensure_ascii=False)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, suffix=".new", delete=False) as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            Path(file.name).unlink()
            raise
    Path(file.name).replace(folder / FILE)


def _set_aside(path: Path, error: Exception) -> str:
    aside = path.with_name(BROKEN)
    try:
        path.replace(aside)
    except OSError:
        return f"The settings could not be read ({error}), so Sluice starts with its own."
    return f"The settings could not be read, so Sluice starts with its own. The old ones are kept in {aside}."


Json = object
"""What `json.loads` makes: anything, until it has been looked at."""


def _read(kind: object, kept: Json) -> object:
    """A value of `kind` from what JSON made of it."""
    if isinstance(kind, type) and is_dataclass(kind):
        return _read_fields(kind, kept)
    if isinstance(kept, list):
        return _read_tuple(get_args(kind), kept)
    return _checked(kind, kept)


def _read_fields(kind: type[Value], kept: Json) -> Value:
    """A field that is missing keeps its default, one that is unknown is left out."""
    if not isinstance(kept, Mapping):
        raise TypeError(f"{kept!r} is not {kind}")
    hints = get_type_hints(kind)
    return kind(**{name: _read(hint, kept[name]) for name, hint in hints.items() if name in kept})


def _read_tuple(items: tuple[object, ...], kept: list[Json]) -> tuple[object, ...]:
    if not items:
        raise TypeError(f"{kept!r} is a list")
    kinds = items if Ellipsis not in items else (items[0],) * len(kept)
    return tuple(_read(kind, value) for kind, value in zip(kinds, kept, strict=True))


def _checked(kind: object, kept: Json) -> object:
    allowed = get_args(kind) or (kind,)
    if float in allowed and type(kept) is int:
        return float(kept)
    if type(kept) not in allowed:
        raise TypeError(f"{kept!r} is not {kind}")
    return kept
