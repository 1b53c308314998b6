"""Saves a run, or its tokens with all that was recorded of each."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.records.inspection_results import JsonObject
from app.records.journal import Journal
from app.records.session_file import run_text
from app.records.token_export import tokens_csv, tokens_json
from app.records.types import RunId, WholeRun
from app.ui.widgets import file_saving

CSV = tr("Tokens as a table")
RUN = tr("Export the Run"), tr("Run {number}"), tr("Run with all its tokens"), lambda whole, looks: run_text(whole)
TOKENS = tr("Export the Tokens"), tr("Tokens of run {number}"), tr("Tokens with all their alternatives"), tokens_json
"""What is asked, the file's name, what its JSON is called, and what makes that."""

Make = Callable[[WholeRun, Sequence[JsonObject]], str]
"""Also of the looks inside that were taken at it."""
What = tuple[str, str, str, Make]
Then = Callable[[Failure | None], None]


class RunExportController:
    """Asks where to, and writes beside the window's thread; what fails is told to whoever asked."""

    def __init__(self, playground: Playground, tasks: Tasks) -> None:
        self._playground = playground
        self._tasks = tasks

    def ask(self, parent: QWidget, what: What, run: RunId, then: Then) -> None:
        title, name, json, make = what
        if (journal := self._playground.book.journal) is None:
            return
        save = partial(self._save, journal, run, make, then)
        file_saving.ask(parent, title, name.format(number=run), {".json": json, ".csv": CSV}, save)

    def _save(self, journal: Journal, run: RunId, make: Make, then: Then, path: Path) -> None:
        looks = self._playground.looks.of(run)
        made = {".json": lambda whole: make(whole, looks), ".csv": tokens_csv}
        self.save({suffix: partial(_text, journal, run, each) for suffix, each in made.items()}, then, path)

    def save(self, texts: file_saving.Texts, then: Then, path: Path) -> None:
        """What these make, in the form that the path says."""
        self._tasks.start(self._write(path, texts, then))

    async def _write(self, path: Path, texts: file_saving.Texts, then: Then) -> None:
        then(await self._tasks.kept(partial(file_saving.save, path, texts)))


# On a thread.


def _text(journal: Journal, run: RunId, make: Callable[[WholeRun], str]) -> str | None:
    journal.flush()
    whole = journal.runs.whole(run)
    return make(whole) if whole is not None else None
