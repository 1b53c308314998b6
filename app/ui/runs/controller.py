"""The feature Runs: fills its window from the session database, and carries out its requests."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.meter.curve import kept_curve
from app.engine.types import Failure, Model
from app.i18n import tr
from app.records.export import runs_csv
from app.records.inspection_results import JsonObject
from app.records.journal import Journal
from app.records.receipt import receipt
from app.records.session_file import run_text
from app.records.token_export import tokens_csv, tokens_json
from app.records.types import JournalChange, RunId, RunRecord, RunRow, SessionId, WholeRun
from app.records.word_diff import DiffSegment, DiffSide, word_diff
from app.state import Phase, State
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.runs.controller_replay import ReplayController
from app.ui.widgets import LazyWindow, NoticeBar, file_saving
from app.ui.widgets.plots.compared import Compared

CSV = tr("Tokens as a table")
RUN = tr("Export the Run"), tr("Run {number}"), tr("Run with all tokens"), lambda whole, looks: run_text(whole)
TOKENS = tr("Export the Tokens"), tr("Tokens of run {number}"), tr("Tokens with all their alternatives"), tokens_json
"""Title of the dialog, file name, name of the JSON format, and the function that makes it."""

Make = Callable[[WholeRun, Sequence[JsonObject]], str]
"""Called with the run and its interpretability results."""
What = tuple[str, str, str, Make]
Then = Callable[[Failure | None], None]


class RunExportController:
    """Asks for a file and writes it in a thread; `then` gets the failure."""

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
        looks = self._playground.inspection_results.of(run)
        made = {".json": lambda whole: make(whole, looks), ".csv": tokens_csv}
        self.save({suffix: partial(_text, journal, run, each) for suffix, each in made.items()}, then, path)

    def save(self, texts: file_saving.Texts, then: Then, path: Path) -> None:
        """Write a file in the format of its suffix."""
        self._tasks.start(self._write(path, texts, then))

    async def _write(self, path: Path, texts: file_saving.Texts, then: Then) -> None:
        then(await self._tasks.complete(partial(file_saving.save, path, texts)))


def _text(journal: Journal, run: RunId, make: Callable[[WholeRun], str]) -> str | None:
    journal.flush()
    whole = journal.runs.whole(run)
    return make(whole) if whole is not None else None


if TYPE_CHECKING:
    from app.ui.runs.view import RunsView

CHUNK = 500
TABLE_KINDS = {".csv": tr("Table")}


class RunsController(Feature):
    """Reads in threads; results that arrive too late for the current selection are dropped."""

    ahead = ("app.ui.runs.view",)

    basis_picked = Signal(object, bool)
    """The RunRows for a new experiment, and whether it is a sweep."""

    def __init__(self, playground: Playground, notice: NoticeBar, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._theme = theme
        self._notice = notice
        self._window = parent
        self._tasks = Tasks(self)
        self._view = LazyWindow(self._make)
        self._all_sessions = False
        self._wanted: RunId = 0
        """The run to select once its row is loaded."""
        self._replaying = ReplayController(playground, self._tasks, self)
        self._replaying.outcome_changed.connect(self._show_replay)
        self._exporting = RunExportController(playground, self._tasks)
        playground.book.keep_open_for(self._tasks)
        playground.book.journal_changed.connect(self._on_told)
        playground.book.ready.connect(self._load)
        playground.follow(("phase", "turns"), self._enable_actions)
        playground.follow(("session",), self._load_own)

    def actions(self) -> dict[str, Intent]:
        return {"show_runs": self.show, "replay": self.replay_last}

    def joined(self) -> None:
        self._enable_actions(self._playground.state)

    def show(self) -> None:
        self._view.bring_up()

    def show_last(self) -> None:
        """Open the window and select the last run."""
        self._wanted = self._last
        self.show()
        self._load()

    def replay_last(self) -> None:
        """Open the window, and rerun the last run."""
        self.show_last()
        self._replaying.start(self._wanted)

    @property
    def _last(self) -> RunId:
        """The last run of the session; 0: none."""
        run = self._playground.state.last_run
        return run.id if run is not None else 0

    def forget_all(self) -> None:
        if self._view.made is not None:
            self._view.made.undo.forget()

    def close(self) -> None:
        if self._view.made is not None:
            self._view.made.leave()

    def _make(self) -> RunsView:
        from app.ui.runs.view import RunsView

        view = RunsView(self._theme, self._window)
        view.opened.connect(self._load)
        view.scope_changed.connect(self._change_scope)
        view.picked.connect(self._on_picked)
        view.pair_picked.connect(lambda first, second: self._read(self._show_diff, "diff", first, second))
        view.session_wanted.connect(self._playground.open_session)
        view.replay_wanted.connect(self._replaying.start)
        view.stop_wanted.connect(self._replaying.stop)
        view.export_wanted.connect(lambda run: self._exporting.ask(self._view.window, RUN, run, self._show_saved))
        view.tokens_wanted.connect(lambda run: self._exporting.ask(self._view.window, TOKENS, run, self._show_saved))
        view.copy_wanted.connect(lambda rows: self._tasks.start(self._copy(rows), "copy"))
        view.save_wanted.connect(self._ask_table)
        view.removed.connect(self._remove)
        view.basis_picked.connect(self.basis_picked)
        self._replaying.changed.connect(view.receipt.show_running)
        return view

    def _on_told(self, change: JournalChange) -> None:
        if change is JournalChange.RUNS:
            self._load()

    def _enable_actions(self, state: State) -> None:
        self._actions["replay"].setEnabled(state.phase is Phase.READY and state.last_run is not None)

    def _load_own(self) -> None:
        if not self._all_sessions:
            self._load()

    def _change_scope(self, all_sessions: bool) -> None:
        self._all_sessions = all_sessions
        self._load()

    def _load(self) -> None:
        """Read the rows, if the window is visible."""
        if self._view.seen is not None:
            self._read(self._show_rows, "rows", self._playground.state.session)

    def _read(self, show: Callable[..., Coroutine[Any, Any, None]], kind: str, *asked: object) -> None:
        """Read from the session database, once it is open."""
        if (journal := self._playground.book.journal) is not None:
            self._tasks.start(show(journal, *asked), kind)

    async def _show_rows(self, journal: Journal, session: SessionId) -> None:
        rows: tuple[RunRow, ...] = ()
        if self._all_sessions or session:
            rows = await self._tasks.in_thread(_rows, journal, None if self._all_sessions else session)
        view = self._view.window
        view.show_rows(rows, self._all_sessions)
        if any(row.id == self._wanted for row in rows):
            wanted, self._wanted = self._wanted, 0
            view.pick(wanted)
        else:
            self._on_picked(view.runs)

    def _on_picked(self, runs: tuple[RunId, ...]) -> None:
        if len(runs) == 1:
            self._read(self._show_receipt, "receipt", runs[0])
        elif runs:
            self._read(self._show_curves, "curves", runs)

    async def _show_curves(self, journal: Journal, runs: tuple[RunId, ...]) -> None:
        self._view.window.comparison.show_curves(await self._tasks.in_thread(_curves, journal, runs))

    async def _show_receipt(self, journal: Journal, number: RunId) -> None:
        run = await self._tasks.in_thread(journal.runs.get, number)
        self._view.window.show_receipt(number, receipt(run) if run is not None else ())
        self._show_replay(number)

    def _show_replay(self, run: RunId) -> None:
        outcome = self._replaying.outcome(run)
        self._view.window.show_replay(run, outcome.words, outcome.kind)

    async def _show_diff(self, journal: Journal, first: RunId, second: RunId) -> None:
        model = self._playground.state.model
        stretches, known = await self._tasks.in_thread(_diff, journal, model, first, second)
        self._view.window.comparison.show_diff((first, second), stretches, known)

    def export_last_tokens(self) -> None:
        """Export the tokens of the last run."""
        if self._last:
            self._exporting.ask(self._window, TOKENS, self._last, self._show_export_failure)

    def _show_export_failure(self, failure: Failure | None) -> None:
        if failure is not None:
            self._notice.show_failure(failure)

    def _remove(self, runs: tuple[RunId, ...], removed: bool) -> None:
        if (journal := self._playground.book.journal) is not None:
            journal.runs.remove(runs, removed)

    async def _copy(self, rows: tuple[RunRow, ...]) -> None:
        QGuiApplication.clipboard().setText(await self._tasks.in_thread(runs_csv, rows))

    def _ask_table(self, rows: tuple[RunRow, ...]) -> None:
        save = partial(self._exporting.save, {".csv": partial(runs_csv, rows)}, self._show_saved)
        file_saving.ask(self._view.window, tr("Save the Table"), tr("Runs"), TABLE_KINDS, save)

    def _show_saved(self, failure: Failure | None) -> None:
        self._view.window.trouble.say(failure.sentence if failure is not None else "")


def _rows(journal: Journal, session: SessionId | None) -> tuple[RunRow, ...]:
    """Read the rows in chunks, in a thread, so that other readers get their turn."""
    rows: list[RunRow] = []
    while step := journal.runs.rows(session, start=len(rows), count=CHUNK):
        rows += step
        if len(step) < CHUNK:
            break
    return tuple(rows)


def _curves(journal: Journal, runs: tuple[RunId, ...]) -> tuple[Compared, ...]:
    found = []
    for run in runs:
        curve = kept_curve(journal.runs.arrivals(run), journal.runs.drafts(run))
        found.append(Compared(run, tuple(curve.points)))
    return tuple(found)


def _diff(journal: Journal, model: Model | None, *runs: RunId) -> tuple[tuple[DiffSegment, ...], str]:
    """Diff two runs, in a thread, and say what changes the tokens of the open model if both are its own."""
    from app.roofline.measurement_store import sameness

    found = [journal.runs.get(run) for run in runs]
    ours = model is not None and all(run is not None and run.model.folder == str(model.folder) for run in found)
    stretches = word_diff(*map(_words, found))
    differ = any(each.side is not DiffSide.BOTH for each in stretches)
    return stretches, sameness(journal.folder, model) if ours and differ else ""


def _words(run: RunRecord | None) -> str:
    return "\n\n".join(part for part in (run.reasoning, run.text) if part) if run is not None else ""
