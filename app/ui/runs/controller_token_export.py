"""Saves a run's tokens with all that was recorded of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.records.journal import Journal
from app.records.token_export import tokens_csv, tokens_json
from app.records.types import RunId, WholeRun
from app.ui.widgets import file_saving
from app.words import tr

KINDS = {".json": tr("Tokens with all their candidates"), ".csv": tr("Tokens as a table")}


class TokenExportController:
    """Asks where to, and writes beside the window's thread; what fails is told to whoever asked."""

    def __init__(self, playground: Playground, tasks: Tasks) -> None:
        self._playground = playground
        self._tasks = tasks

    def ask(self, parent: QWidget, run: RunId, then: Callable[[Failure | None], None]) -> None:
        file_saving.ask(
            parent,
            tr("Export the Tokens"),
            tr("Tokens of run {number}").format(number=run),
            KINDS,
            partial(self._save, run, then),
        )

    def _save(self, run: RunId, then: Callable[[Failure | None], None], path: Path) -> None:
        journal = self._playground.book.journal
        if journal is not None:
            texts = {".json": partial(_json, journal, run), ".csv": partial(csv_of, journal, run)}
            self._tasks.start(self._write(path, texts, then))

    async def _write(self, path: Path, texts: file_saving.Texts, then: Callable[[Failure | None], None]) -> None:
        then(await self._tasks.in_thread(file_saving.save, path, texts))


# On a thread.


def whole_run(journal: Journal, run: RunId) -> WholeRun | None:
    journal.flush()
    return journal.runs.whole(run)


def csv_of(journal: Journal, run: RunId) -> str | None:
    whole = whole_run(journal, run)
    return tokens_csv(whole.tokens) if whole is not None else None


def _json(journal: Journal, run: RunId) -> str | None:
    whole = whole_run(journal, run)
    return tokens_json(whole) if whole is not None else None
