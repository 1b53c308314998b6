"""Where things lie that the window's parts need to know of."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from app.settings import user_folder


@dataclass(frozen=True, slots=True)
class Places:
    """The folder of the program's data, and the one that holds the models that come with it, if any do."""

    data: Path = field(default_factory=user_folder)
    bundled: Path | None = None

    @property
    def resources(self) -> Path | None:
        """Everything that comes with the program."""
        return self.bundled.parent if self.bundled is not None else None
