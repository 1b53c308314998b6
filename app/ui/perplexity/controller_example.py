"""The gallery's question, what 4 bits would cost the demo model: the copy is made here, for as long as we are open."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.i18n import tr

if TYPE_CHECKING:
    from app.quantization.choice import Outcome
    from app.quantization.convert import Conversion

Begin = Callable[[Path, Path | Failure], None]
MAKING = tr("Making a copy of demo with 4 bits…")
DEMO, COPY, TEXT = "demo", "demo-4bit", "comparison.txt"


class ExampleController(QObject):
    """`begin` hears of the text and of the folder that holds the copy, or why there is none."""

    def __init__(self, tasks: Tasks, bundled: Path, begin: Begin, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks, self._begin = tasks, begin
        self.demo, self._text = bundled / DEMO, bundled.parent / "texts" / TEXT
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._conversion: Conversion | None = None

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where the copy is, if there is one."""
        return (Path(self._folder.name),) if self._folder is not None else ()

    def start(self) -> None:
        """What was made before is taken again; what is being made comes."""
        if not self._tasks.waiting("example"):
            self._tasks.start(self._make(), "example")

    async def _make(self) -> None:
        from app.quantization.convert import Conversion

        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="sluice-", ignore_cleanup_errors=True)
        copy = Path(self._folder.name) / COPY
        if not copy.exists():
            self._conversion = Conversion(self.demo)
            made = await self._tasks.tried(_make, self._conversion, copy)
            if isinstance(made, Failure):
                self._begin(self._text, made)
                return
        self._begin(self._text, copy)

    def close(self) -> None:
        if self._conversion is not None:
            self._conversion.cancel()
        if self._folder is not None:
            self._folder.cleanup()


def _make(conversion: Conversion, copy: Path) -> Outcome | Failure:
    """Aside."""
    from app.quantization.choice import Choice

    with closing(conversion):
        return conversion.convert(Choice(4), copy)
