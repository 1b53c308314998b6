"""What the pages of the settings show."""

from dataclasses import dataclass
from pathlib import Path

from app.records.journal_size import JournalSize


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
    shell_cache: Path | None = None
    """Where the user's shell has them, if it was asked."""


@dataclass(frozen=True, slots=True)
class PrivacyValues:
    """What is kept, and for how long."""

    keep_days: int = 0
    due: int = 0
    """So many sessions go at the next start."""
    held: JournalSize | None = None
    """None: not counted yet; it and the bytes of the logs come together."""
    logs: int = 0
    hindrance: str = ""
    """Why nothing can be deleted at present."""
