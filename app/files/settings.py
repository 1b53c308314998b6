"""The user's settings as a frozen value, and their file."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from app.controls import AT_FIRST, Controls, clamped
from app.engine.types import Server
from app.files import atomic_file, json_reader, regular_files
from app.files.json_reader import Bounds
from app.files.json_values import LARGEST, UNFIT, read_plain
from app.i18n import LANGUAGES, tr
from app.presets import PresetStore

Number = TypeVar("Number", int, float)

VERSION = 1
FILE = "settings.json"
BROKEN = "settings.broken.json"
LARGEST_BYTES = 64_000_000
"""System prompt, reply prefix and presets may have ten megabytes each."""
BOUNDS = Bounds(LARGEST_BYTES, most=2_000_000, lists=200_000)
FOLDED = ("bias", "kv", "draft", "picture")
"""Collapsed sections by default: rarely needed, or too large for the first window."""
KEEP_DAYS = (0, 30, 90, 365)
"""Choices of how long sessions are stored; 0: forever."""
MEMORY_GB = (0.5, 4_096.0)
KEPT_GB = (0.1, 4_096.0)
SAVED_GB = (0.1, 4_096.0)
PREFILL_CHUNKS = (16, 8_192)
FRAMES_MS = (8, 100)
GB = 1_000_000_000
SIZES_PX = (0, 100_000)
SESSIONS = (0, LARGEST)


class Notify(StrEnum):
    """Which ends of runs are notified while another program is in front."""

    OFF = "off"
    LONG = "long"
    ALWAYS = "always"

    @classmethod
    def _missing_(cls, value: object) -> Notify:
        """Read an unknown value as the default."""
        return cls.LONG


@dataclass(frozen=True, slots=True)
class Layout:
    """Window geometry, in Qt's base64 form, and visible panes."""

    geometry: str = ""
    columns: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    sessions_shown: bool = True
    side_shown: bool = True
    side_tab: str = "controls"
    """The inspector's tab."""
    folded: tuple[str, ...] = FOLDED
    """The collapsed sections of the controls."""
    more_shown: bool = False
    """All controls are shown, and not only the four basic ones."""
    end_probability_shown: bool = False
    """The speed graph shows the EOS probability."""
    curve_measured: bool = False
    """The user has measured a range of the speed curve, so the hint is no longer shown."""
    tables: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Moved, shown and hidden columns by the table's name."""


@dataclass(frozen=True, slots=True)
class NewSessionDefaults:
    """Settings of new sessions: the last ones, or the saved ones if `used`."""

    used: bool = False
    saved: Controls = AT_FIRST


@dataclass(frozen=True, slots=True)
class Advanced:
    """Advanced settings; 0: default."""

    memory_gb: float = 0.0
    prefill_chunk: int = 0
    frame_ms: int = 0
    kept_gb: float = 0.0
    """Memory for KV caches of inactive conversations."""
    saved_gb: float = 0.0
    """Disk space for the same; 0: none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All stored settings."""

    model: str = ""
    """The last model; empty: the bundled one."""
    controls: Controls = AT_FIRST
    """In the file their fields are at this level."""
    draft: str = ""
    """The last model's draft model; empty: none."""
    adapter: str = ""
    """The last model's adapter folder; empty: none."""
    recent_models: tuple[str, ...] = ()
    """Recent models, newest first: folders and names of server models."""
    folders: tuple[str, ...] = ()
    """Models, or folders of models, that the user added."""
    servers: tuple[Server, ...] = ()
    """Servers that the user added, without their keys."""
    presets: PresetStore = field(default_factory=PresetStore)
    enter_sends: bool = True
    view: str = ""
    """The transcript's view."""
    colouring: str = ""
    """The transcript's token coloring."""
    shortcuts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Changed shortcuts by the action's name."""
    recent_actions: tuple[str, ...] = ()
    """Recent actions of the command palette, newest first."""
    appearance: str = ""
    """Light or dark; empty: as the system."""
    high_contrast: bool = False
    """High contrast, also if the system has it off."""
    notify: Notify = Notify.LONG
    native_look: bool = False
    """On macOS: native controls."""
    text_percent: int = 100
    """Text size."""
    language: str = ""
    """Language code; empty: as the system."""
    toured: bool = False
    """The tour was taken or skipped."""
    beginning: NewSessionDefaults = field(default_factory=NewSessionDefaults)
    cache: str = ""
    """The folder of the Hugging Face cache; empty: that of the environment."""
    keep_days: int = 0
    """Unchanged sessions are deleted after this time; 0: never."""
    told_before: float = 0.0
    """The user was told that sessions older than this are deleted; seconds since 1970."""
    advanced: Advanced = field(default_factory=Advanced)
    layout: Layout = field(default_factory=Layout)
    session: int = 0
    """The open session; 0: none."""
    closed: float = 0.0
    """When the program was closed; seconds since 1970."""


@dataclass(frozen=True, slots=True)
class UnreadSettings:
    """An unreadable settings file. `aside` is its new path; None if it couldn't be moved."""

    why: str
    aside: Path | None = None

    def sentence(self) -> str:
        """Return the sentence in the user's language, which is known after reading the settings."""
        if self.aside is None:
            text = tr("The settings could not be read ({why}), so Sluice uses the defaults.")
            return text.format(why=self.why)
        text = tr("The settings could not be read, so Sluice uses the defaults. The old ones are kept in {file}.")
        return text.format(file=self.aside)


def user_folder() -> Path:
    """Return the system's folder for program data."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Sluice"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sluice"


def load(folder: Path) -> tuple[Settings, UnreadSettings | None]:
    """Load the settings in `folder`; with the failure if they are unreadable."""
    path = folder / FILE
    try:
        kept = json_reader.parse(regular_files.read(path, LARGEST_BYTES), BOUNDS)
        if kept["version"] != VERSION:
            raise ValueError(f"version {kept['version']}")
        flat = kept["settings"]
        controls = {"draft_tokens": AT_FIRST.draft_tokens, "observe": AT_FIRST.observe, **flat}
        return repaired(read_plain(Settings, {**flat, "controls": controls})), None
    except FileNotFoundError:
        return Settings(), None
    except UNFIT as error:
        return Settings(), _set_aside(path, error)


def repaired(kept: Settings) -> Settings:
    """Replace values outside of the controls' ranges by defaults."""
    days = kept.keep_days if kept.keep_days in KEEP_DAYS else 0
    old = kept.advanced
    advanced = Advanced(
        memory_gb=_within(old.memory_gb, MEMORY_GB),
        kept_gb=_within(old.kept_gb, KEPT_GB),
        saved_gb=_within(old.saved_gb, SAVED_GB),
        prefill_chunk=_within(old.prefill_chunk, PREFILL_CHUNKS),
        frame_ms=_within(old.frame_ms, FRAMES_MS),
    )
    place = kept.layout
    layout = replace(place, columns=_sizes(place.columns), rows=_sizes(place.rows))
    language = kept.language if kept.language in LANGUAGES else ""
    told = kept.told_before if days else 0.0
    beginning = replace(kept.beginning, saved=clamped(kept.beginning.saved))
    return replace(
        kept,
        controls=clamped(kept.controls),
        language=language,
        beginning=beginning,
        cache=_whole_path(kept.cache),
        keep_days=days,
        told_before=told,
        advanced=advanced,
        layout=layout,
        session=_within(kept.session, SESSIONS),
    )


def _within(value: Number, limits: tuple[Number, Number]) -> Number:
    return value if limits[0] <= value <= limits[1] else type(value)()


def _sizes(kept: tuple[int, ...]) -> tuple[int, ...]:
    return kept if all(_within(each, SIZES_PX) == each for each in kept) else ()


def _whole_path(kept: str) -> str:
    """Return an absolute path that can be an environment variable; else empty."""
    with suppress(ValueError):
        return kept if Path(kept).is_absolute() and b"\0" not in os.fsencode(kept) else ""
    return ""


def save(settings: Settings, folder: Path) -> None:
    """Write the settings; after a crash the old or the new file is there."""
    folder.mkdir(parents=True, exist_ok=True)
    fields = asdict(settings)
    flat = fields | fields.pop("controls")
    text = json.dumps({"version": VERSION, "settings": flat}, indent=1, ensure_ascii=False)
    # A path may have bytes that aren't UTF-8, which JSON escapes.
    content = text.encode("utf-8", "backslashreplace")
    json_reader.parse(content, BOUNDS)  # unreadable content must not replace the old file
    atomic_file.write(folder / FILE, content)


def _set_aside(path: Path, error: Exception) -> UnreadSettings:
    aside = path.with_name(BROKEN)
    try:
        if not path.is_dir():
            path.replace(aside)
        else:  # a folder can't replace an earlier file
            aside = regular_files.set_aside(path) or aside
    except OSError:
        return UnreadSettings(str(error))
    return UnreadSettings(str(error), aside)
