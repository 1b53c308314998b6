"""The user's settings: a frozen value, and the one file it is kept in."""

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
"""The system prompt, the reply's beginning and presets are in it, and ten megabytes can be pasted into each."""
BOUNDS = Bounds(LARGEST_BYTES, most=2_000_000, lists=200_000)
FOLDED = ("bias", "kv", "draft", "picture")
"""Sections that most people never need, and one for which there is no room at first."""
KEEP_DAYS = (0, 30, 90, 365)
"""So long sessions are kept; 0: for ever."""
MEMORY_GB = (0.5, 4_096.0)
KEPT_GB = (0.1, 4_096.0)
SAVED_GB = (0.1, 4_096.0)
PREFILL_CHUNKS = (16, 8_192)
FRAMES_MS = (8, 100)
GB = 1_000_000_000
SIZES_PX = (0, 100_000)
SESSIONS = (0, LARGEST)


class Notify(StrEnum):
    """Which ends are told by the system while another program is in front."""

    OFF = "off"
    LONG = "long"
    ALWAYS = "always"

    @classmethod
    def _missing_(cls, value: object) -> Notify:
        """What a file calls by another name is as at first."""
        return cls.LONG


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the window and its splitters were left. Geometry is Qt's own, in base64."""

    geometry: str = ""
    columns: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    sessions_shown: bool = True
    side_shown: bool = True
    side_tab: str = "controls"
    """The page of the inspector."""
    folded: tuple[str, ...] = FOLDED
    """The sections of the controls that are folded away."""
    more_shown: bool = False
    """Not only the four controls that everybody needs."""
    end_probability_shown: bool = False
    """On the speed graph."""
    curve_measured: bool = False
    """By a drag over it, so that nobody has to be told that one can."""
    tables: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The columns that somebody has moved, wanted or not wanted, by the table's name."""


@dataclass(frozen=True, slots=True)
class NewSessionDefaults:
    """What new sessions begin with: what was set last or, where it is `used`, what was saved for that."""

    used: bool = False
    saved: Controls = AT_FIRST


@dataclass(frozen=True, slots=True)
class Advanced:
    """What is best left alone; 0: as the program has it."""

    memory_gb: float = 0.0
    prefill_chunk: int = 0
    frame_ms: int = 0
    kept_gb: float = 0.0
    """For the caches of conversations that were left."""
    saved_gb: float = 0.0
    """Of the disk, for the same; here 0 is none."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that outlives the program, apart from sessions and runs."""

    model: str = ""
    """The last model that was opened; empty: the bundled one."""
    controls: Controls = AT_FIRST
    """In the file their fields stand beside these."""
    draft: str = ""
    """The draft model beside the last model; empty: none."""
    adapter: str = ""
    """The folder of the adapter on the last model; empty: none."""
    recent_models: tuple[str, ...] = ()
    """What was open last, the newest first: folders, and models on servers."""
    folders: tuple[str, ...] = ()
    """Models, or folders of models, that the user added."""
    servers: tuple[Server, ...] = ()
    """Servers that run models, as the user added them; their keys are in no file."""
    presets: PresetStore = field(default_factory=PresetStore)
    enter_sends: bool = True
    view: str = ""
    """How the transcript is shown."""
    colouring: str = ""
    """What the grounds of its tokens tell."""
    shortcuts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The keys of the actions whose keys the user changed, by the action's name."""
    recent_actions: tuple[str, ...] = ()
    """What was run from the command palette, the last one first."""
    appearance: str = ""
    """Light or dark; empty: as the system has it."""
    high_contrast: bool = False
    """Even where the system doesn't ask for it."""
    notify: Notify = Notify.LONG
    native_look: bool = False
    """On a Mac: its own controls instead of Qt's."""
    text_percent: int = 100
    """How large the text is."""
    language: str = ""
    """The code of one of the interface's languages; empty: as the system has it."""
    toured: bool = False
    """The tour was taken or skipped, so it is offered no more."""
    beginning: NewSessionDefaults = field(default_factory=NewSessionDefaults)
    cache: str = ""
    """The folder of the Hugging Face cache; empty: as the environment has it."""
    keep_days: int = 0
    """Sessions that were not changed for so long are deleted; 0: never."""
    told_before: float = 0.0
    """The user was told that those go that were changed before this, in seconds since 1970."""
    advanced: Advanced = field(default_factory=Advanced)
    layout: Layout = field(default_factory=Layout)
    session: int = 0
    """The session that was open; 0: an empty page."""
    closed: float = 0.0
    """When that was, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class UnreadSettings:
    """The settings file could not be read. `aside` is where it was put, nowhere if it had to stay."""

    why: str
    aside: Path | None = None

    def sentence(self) -> str:
        """In the user's language, which is known only after the settings were read."""
        if self.aside is None:
            said = tr("The settings could not be read ({why}), so Sluice uses the defaults.")
            return said.format(why=self.why)
        said = tr("The settings could not be read, so Sluice uses the defaults. The old ones are kept in {file}.")
        return said.format(file=self.aside)


def user_folder() -> Path:
    """The place that the system gives to a program's data."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Sluice"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sluice"


def load(folder: Path) -> tuple[Settings, UnreadSettings | None]:
    """The settings kept in `folder`, and what there is to tell where they could not be read."""
    path = folder / FILE
    try:
        kept = json_reader.parse(regular_files.read(path, LARGEST_BYTES), BOUNDS)
        if kept["version"] != VERSION:
            raise ValueError(f"version {kept['version']}")
        flat = kept["settings"]
        controls = {"draft_tokens": AT_FIRST.draft_tokens, "observe": AT_FIRST.observe, **flat}
        return mended(read_plain(Settings, {**flat, "controls": controls})), None
    except FileNotFoundError:
        return Settings(), None
    except UNFIT as error:
        return Settings(), _set_aside(path, error)


def mended(kept: Settings) -> Settings:
    """Values that no control can show are as at first."""
    days = kept.keep_days if kept.keep_days in KEEP_DAYS else 0
    had = kept.advanced
    advanced = Advanced(
        memory_gb=_within(had.memory_gb, MEMORY_GB),
        kept_gb=_within(had.kept_gb, KEPT_GB),
        saved_gb=_within(had.saved_gb, SAVED_GB),
        prefill_chunk=_within(had.prefill_chunk, PREFILL_CHUNKS),
        frame_ms=_within(had.frame_ms, FRAMES_MS),
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
    """One that the environment can carry; none where it is a part of one, which would lead elsewhere each time."""
    with suppress(ValueError):
        return kept if Path(kept).is_absolute() and b"\0" not in os.fsencode(kept) else ""
    return ""


def save(settings: Settings, folder: Path) -> None:
    """Write the whole file beside the old one, then put it in its place: a crash leaves one of the two."""
    folder.mkdir(parents=True, exist_ok=True)
    fields = asdict(settings)
    flat = fields | fields.pop("controls")
    text = json.dumps({"version": VERSION, "settings": flat}, indent=1, ensure_ascii=False)
    # A path may have bytes that are no UTF-8: JSON has a way to say them.
    content = text.encode("utf-8", "backslashreplace")
    json_reader.parse(content, BOUNDS)  # what could not be read again must not take the old one's place
    atomic_file.write(folder / FILE, content)


def _set_aside(path: Path, error: Exception) -> UnreadSettings:
    aside = path.with_name(BROKEN)
    try:
        if not path.is_dir():
            path.replace(aside)
        else:  # which can't take the place of an earlier file
            aside = regular_files.set_aside(path) or aside
    except OSError:
        return UnreadSettings(str(error))
    return UnreadSettings(str(error), aside)
