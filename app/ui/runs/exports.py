"""Exports of a run: a file is chosen, then written in a thread."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.records.export import tokens_csv, tokens_json
from app.records.inspection_results import JsonObject
from app.records.journal import Journal
from app.records.session_file import run_text
from app.records.types import RunId, WholeRun
from app.ui.widgets import files

CSV = tr("Tokens as a table")
Export = tuple[str, str, str, Callable[[WholeRun, Sequence[JsonObject]], str]]
"""Title of the dialog, file name, description of the JSON file, and the function that returns its text for a run and
its interpretability results.
"""
RUN: Export = (
    tr("Export the Run"),
    tr("Run {number}"),
    tr("Run with all tokens"),
    lambda whole, results: run_text(whole),
)
TOKENS: Export = (
    tr("Export the Tokens"),
    tr("Tokens of run {number}"),
    tr("Tokens with all their alternatives"),
    tokens_json,
)
Then = Callable[[Failure | str], None]
"""Gets the failure, or a sentence that says where the file was saved."""


def ask_file(playground: Playground, tasks: Tasks, parent: QWidget, export: Export, run: RunId, then: Then) -> None:
    """Ask for a file, and write the run to it as JSON, or its tokens as CSV."""
    title, name, json, make = export
    if (journal := playground.book.journal) is None:
        return

    def save_to(path: Path) -> None:
        results = playground.inspection_results.of(run)
        makers = {".json": lambda whole: make(whole, results), ".csv": tokens_csv}
        save(tasks, {suffix: partial(_text, journal, run, each) for suffix, each in makers.items()}, then, path)

    files.ask_save(parent, title, name.format(number=run), {".json": json, ".csv": CSV}, save_to)


def save(tasks: Tasks, texts: files.Texts, then: Then, path: Path) -> None:
    """Write a file in the format of its suffix."""
    tasks.start(_write(tasks, texts, then, path))


async def _write(tasks: Tasks, texts: files.Texts, then: Then, path: Path) -> None:
    failure = await tasks.complete(partial(files.save, path, texts))
    then(failure or files.saved(path))


def _text(journal: Journal, run: RunId, make: Callable[[WholeRun], str]) -> str | None:
    journal.flush()
    whole = journal.runs.whole(run)
    return make(whole) if whole is not None else None
