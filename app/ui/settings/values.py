"""What the pages of the settings show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class GeneralValues:
    """How the program looks and speaks, and what Enter does."""

    appearance: str = ""
    """Light or dark; empty: as the system has it."""
    high_contrast: bool = False
    text_percent: int = 100
    language: str = ""
    """The chosen one's code; empty: the system's."""
    restarts: bool = False
    """Another language is spoken until the next start."""
    enter_sends: bool = True


@dataclass(frozen=True, slots=True)
class BeginningValues:
    """What new sessions begin with."""

    used: bool = False
    """What was saved, and not what was set last."""
    saved: str = ""
    """That in a sentence."""


@dataclass(frozen=True, slots=True)
class FoldersValues:
    """Where things lie."""

    models: tuple[str, ...] = ()
    """Folders that the user added."""
    cache: Path = Path()
    """Where downloads go now."""
    next_cache: Path = Path()
    """Where they go after the next start."""
    usual_cache: bool = True
    """That is the usual place."""
    cache_bytes: int | None = None
    """None: not known yet."""
    data: Path = Path()
    logs: Path = Path()


@dataclass(frozen=True, slots=True)
class PrivacyValues:
    """What is kept, and for how long."""

    keep_days: int = 0
    due: int = 0
    """So many sessions go at the next start."""
    sessions: int | None = None
    """None: not counted yet; it and what follows come together."""
    deleted: int = 0
    runs: int = 0
    tokens: int = 0
    traces: int = 0
    """Bytes."""
    journal: int = 0
    logs: int = 0
    hindrance: str = ""
    """Why nothing can be deleted at present."""


@dataclass(frozen=True, slots=True)
class AdvancedValues:
    """0: as the program has it."""

    memory_gb: float = 0.0
    limit: int = 0
    """What is held to at present, in bytes; 0: not known yet."""
    prefill_chunk: int = 0
    frame_ms: int = 0
