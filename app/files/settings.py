"""The user's settings as a frozen value, their file, and the thread that writes it."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from app.controls import AT_FIRST, Controls, clamped
from app.engine.types import Server
from app.files import json_reader, regular_files
from app.files.json_reader import JsonLimits
from app.files.json_values import LARGEST, UNFIT, read_plain
from app.i18n import LANGUAGES, tr
from app.platform.shutdown import seconds_left
from app.presets import PresetStore

Number = TypeVar("Number", int, float)

VERSION = 1
FILE = "settings.json"
BROKEN = "settings.broken.json"
LARGEST_BYTES = 64_000_000
"""System prompt, reply prefix and presets may have ten megabytes each."""
BOUNDS = JsonLimits(LARGEST_BYTES, most=2_000_000, lists=200_000)
FOLDED = ("bias", "kv", "draft", "picture")
"""Collapsed sections by default: rarely needed, or too large for the first window."""
KEEP_DAYS = (0, 30, 90, 365)
"""Choices of the days after which unchanged sessions are deleted; 0: never."""
MEMORY_GB = (0.5, 4_096.0)
KEPT_GB = (0.1, 4_096.0)
SAVED_GB = (0.1, 4_096.0)
PREFILL_CHUNKS = (16, 8_192)
FRAMES_MS = (8, 100)
GB = 1_000_000_000
SIZES_PX = (0, 100_000)
SESSIONS = (0, LARGEST)


class Notify(StrEnum):
    """Ends of runs for which a notification is shown while another program is in front."""

    OFF = "off"
    LONG = "long"
    ALWAYS = "always"

    @classmethod
    def _missing_(cls, value: object) -> Notify:
        return cls.LONG


@dataclass(frozen=True, slots=True)
class Layout:
    """Window geometry, as Qt's bytes in base64, and visible panes."""

    geometry: str = ""
    columns: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    sessions_shown: bool = True
    side_shown: bool = True
    side_tab: str = "controls"
    """Selected tab of the inspector."""
    folded: tuple[str, ...] = FOLDED
    """The collapsed sections of the controls."""
    more_shown: bool = False
    """Show all controls, not only the four basic ones."""
    end_probability_shown: bool = False
    """Show the EOS probability in the speed graph."""
    curve_measured: bool = False
    """Whether the user has measured a range of the speed curve; then its hint isn't shown any more."""
    tables: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Order and visibility of columns, by the table's name."""


@dataclass(frozen=True, slots=True)
class NewSessionDefaults:
    """Settings of new sessions: the saved ones if `used`, else the last session's."""

    used: bool = False
    saved: Controls = AT_FIRST


@dataclass(frozen=True, slots=True)
class Advanced:
    """Advanced settings; 0: the default."""

    memory_gb: float = 0.0
    prefill_chunk: int = 0
    frame_ms: int = 0
    kept_gb: float = 0.0
    """Memory in GB for KV caches of inactive conversations."""
    saved_gb: float = 0.0
    """Disk space in GB for KV caches of inactive conversations; 0: none."""
    keeps_packed: bool = False
    """Don't unpack quantized weights on MLX's CPU backend."""


@dataclass(frozen=True, slots=True)
class Settings:
    model: str = ""
    """The last model; empty: the bundled one."""
    controls: Controls = AT_FIRST
    """Sampling settings and limits; in the file their fields are at this level."""
    draft: str = ""
    """The last model's draft model; empty: none."""
    adapter: str = ""
    """The last model's adapter folder; empty: none."""
    recent_models: tuple[str, ...] = ()
    """Recent models, newest first: folders and names of server models."""
    folders: tuple[str, ...] = ()
    """Model folders, or folders of models, that the user added."""
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
    """High contrast, even if the system's is off."""
    notify: Notify = Notify.LONG
    native_look: bool = False
    """Native controls on macOS."""
    text_percent: int = 100
    """Text size in percent."""
    language: str = ""
    """Language code; empty: as the system."""
    toured: bool = False
    """Whether the first lesson was begun, or the tour of earlier versions was ended."""
    beginning: NewSessionDefaults = field(default_factory=NewSessionDefaults)
    cache: str = ""
    """The folder of the Hugging Face cache; empty: that of the environment."""
    keep_days: int = 0
    """Days after which unchanged sessions are deleted; 0: never."""
    told_before: float = 0.0
    """Sessions older than this are deleted, as the user was informed; seconds since 1970."""
    advanced: Advanced = field(default_factory=Advanced)
    layout: Layout = field(default_factory=Layout)
    session: int = 0
    """Id of the open session; 0: none."""
    closed: float = 0.0
    """Time when the program was closed, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class UnreadSettings:
    """An unreadable settings file. `aside`: its new path; None if it couldn't be moved."""

    why: str
    aside: Path | None = None

    def sentence(self) -> str:
        """Return a message in the user's language, which is known only after reading the settings."""
        if self.aside is None:
            text = tr("The settings could not be read ({why}), so Sluice uses the defaults.")
            return text.format(why=self.why)
        text = tr("The settings could not be read, so Sluice uses the defaults. The old settings are in {file}.")
        return text.format(file=self.aside)


def user_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Sluice"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sluice"


def load(folder: Path) -> tuple[Settings, UnreadSettings | None]:
    """Load the settings in `folder`; return defaults and the failure if they are unreadable."""
    path = folder / FILE
    try:
        stored = json_reader.parse(regular_files.read(path, LARGEST_BYTES), BOUNDS)
        if stored["version"] != VERSION:
            raise ValueError(f"version {stored['version']}")
        flat = stored["settings"]
        controls = {"draft_tokens": AT_FIRST.draft_tokens, "observe": AT_FIRST.observe, **flat}
        return repaired(read_plain(Settings, {**flat, "controls": controls})), None
    except FileNotFoundError:
        return Settings(), None
    except UNFIT as error:
        return Settings(), _set_aside(path, error)


def repaired(stored: Settings) -> Settings:
    """Replace values outside of the controls' ranges by defaults."""
    days = stored.keep_days if stored.keep_days in KEEP_DAYS else 0
    old = stored.advanced
    advanced = Advanced(
        memory_gb=_within(old.memory_gb, MEMORY_GB),
        kept_gb=_within(old.kept_gb, KEPT_GB),
        saved_gb=_within(old.saved_gb, SAVED_GB),
        prefill_chunk=_within(old.prefill_chunk, PREFILL_CHUNKS),
        frame_ms=_within(old.frame_ms, FRAMES_MS),
        keeps_packed=old.keeps_packed,
    )
    place = stored.layout
    layout = replace(place, columns=_sizes(place.columns), rows=_sizes(place.rows))
    language = stored.language if stored.language in LANGUAGES else ""
    informed = stored.told_before if days else 0.0
    beginning = replace(stored.beginning, saved=clamped(stored.beginning.saved))
    return replace(
        stored,
        controls=clamped(stored.controls),
        language=language,
        beginning=beginning,
        cache=_whole_path(stored.cache),
        keep_days=days,
        told_before=informed,
        advanced=advanced,
        layout=layout,
        session=_within(stored.session, SESSIONS),
    )


def _within(value: Number, limits: tuple[Number, Number]) -> Number:
    return value if limits[0] <= value <= limits[1] else type(value)()


def _sizes(stored: tuple[int, ...]) -> tuple[int, ...]:
    return stored if all(_within(each, SIZES_PX) == each for each in stored) else ()


def _whole_path(stored: str) -> str:
    """Return the path if it is absolute and can be an environment variable; else empty."""
    with suppress(ValueError):
        return stored if Path(stored).is_absolute() and b"\0" not in os.fsencode(stored) else ""
    return ""


def save(settings: Settings, folder: Path) -> None:
    """Write the settings; after a crash, either the old or the new file exists."""
    folder.mkdir(parents=True, exist_ok=True)
    fields = asdict(settings)
    flat = fields | fields.pop("controls")
    text = json.dumps({"version": VERSION, "settings": flat}, indent=1, ensure_ascii=False)
    # A path may have bytes that aren't UTF-8, which JSON escapes.
    content = text.encode("utf-8", "backslashreplace")
    json_reader.parse(content, BOUNDS)  # unreadable content must not replace the old file
    regular_files.write_atomically(folder / FILE, content)


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


class SettingsWriter:
    """Writer of settings. `save` writes them; `tell` gets the first error of a series, on the thread."""

    def __init__(self, save: Callable[[Settings], None], tell: Callable[[Exception], None]) -> None:
        self._save = save
        self._tell = tell
        self._changed = threading.Condition()
        self._next: Settings | None = None
        self._busy = False
        self._failed = False

    def keep(self, settings: Settings) -> None:
        """Queue settings to be written after the current ones."""
        with self._changed:
            self._next = settings
            if self._busy:
                return
            self._busy = True
        threading.Thread(target=self._run, name="settings", daemon=True).start()

    def wait(self, until: float) -> bool:
        """Wait until all settings are written, or until the time `until`; return whether they are."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._busy, seconds_left(until)) and not self._failed

    def _run(self) -> None:
        while (settings := self._take_next()) is not None:
            try:
                self._save(settings)
                self._failed = False
            except Exception as error:
                was_failing, self._failed = self._failed, True
                with suppress(OSError):  # the terminal may be gone
                    sys.stderr.write(f"sluice: The settings could not be saved ({error}).\n")
                if not was_failing:
                    self._tell(error)

    def _take_next(self) -> Settings | None:
        with self._changed:
            settings, self._next = self._next, None
            if settings is None:
                self._busy = False
                self._changed.notify_all()
            return settings
