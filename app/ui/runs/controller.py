"""The window of runs: what the journal knows goes into it, what is wanted there is done."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.meter.curve import kept_curve
from app.engine.types import Failure, Model
from app.i18n import tr
from app.records.export import runs_csv
from app.records.journal import Journal
from app.records.receipt import receipt
from app.records.types import JournalChange, RunId, RunRecord, RunRow, SessionId
from app.records.word_diff import DiffSegment, DiffSide, word_diff
from app.state import Phase, State
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.runs.controller_export import RUN, TOKENS, RunExportController
from app.ui.runs.controller_replay import ReplayController
from app.ui.widgets import LazyWindow, NoticeBar, file_saving
from app.ui.widgets.plots.compared import Compared

if TYPE_CHECKING:
    from app.ui.runs.view import RunsView

STRETCH = 500
TABLE_KINDS = {".csv": tr("Table")}


class RunsController(Feature):
    """Everything that takes long is read aside; what comes too late for what is shown then is left out."""

    ahead = ("app.ui.runs.view",)

    basis_picked = Signal(object, bool)
    """The RunRows that an experiment is to begin from, and whether it shall be a sweep."""

    def __init__(self, playground: Playground, notice: NoticeBar, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._theme = theme
        self._notice = notice
        self._window = parent
        self._tasks = Tasks(self)
        self._view = LazyWindow(self._make)
        self._of_all = False
        self._wanted: RunId = 0
        """Is picked as soon as its row is there."""
        self._replaying = ReplayController(playground, self._tasks, self)
        self._replaying.told.connect(self._show_replay)
        self._exporting = RunExportController(playground, self._tasks)
        playground.book.keep_open_for(self._tasks)
        playground.book.told.connect(self._on_told)
        playground.book.ready.connect(self._load)
        playground.changed.connect(self._on_changed)

    def actions(self) -> dict[str, Intent]:
        return {"show_runs": self.show, "replay": self.replay_last}

    def joined(self) -> None:
        self._allow(self._playground.state)

    @Slot()
    def show(self) -> None:
        """The table, beside the window."""
        self._view.bring_up()

    @Slot()
    def show_last(self) -> None:
        """The table, with the run that the page ends with."""
        self._wanted = self._last
        self.show()
        self._load()

    @Slot()
    def replay_last(self) -> None:
        """The same, and have it happen again."""
        self.show_last()
        self._replaying.start(self._wanted)

    @property
    def _last(self) -> RunId:
        """The run that the page ends with; 0: there is none."""
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
        view.export_wanted.connect(lambda run: self._exporting.ask(self._view.window, RUN, run, self._tell_saved))
        view.tokens_wanted.connect(lambda run: self._exporting.ask(self._view.window, TOKENS, run, self._tell_saved))
        view.copy_wanted.connect(lambda rows: self._tasks.start(self._copy(rows), "copy"))
        view.save_wanted.connect(self._ask_table)
        view.removed.connect(self._remove)
        view.basis_picked.connect(self.basis_picked)
        self._replaying.changed.connect(view.receipt.show_going)
        return view

    @Slot(object)
    def _on_told(self, change: JournalChange) -> None:
        if change is JournalChange.RUNS:
            self._load()

    def _allow(self, state: State) -> None:
        self._actions["replay"].setEnabled(state.phase is Phase.READY and state.last_run is not None)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        self._allow(new)
        if new.session != old.session and not self._of_all:
            self._load()

    @Slot(bool)
    def _change_scope(self, of_all: bool) -> None:
        self._of_all = of_all
        self._load()

    @Slot()
    def _load(self) -> None:
        """The rows anew, if anyone sees them; they are read again when the window is."""
        if self._view.seen is not None:
            self._read(self._show_rows, "rows", self._playground.state.session)

    def _read(self, show: Callable[..., Coroutine[Any, Any, None]], kind: str, *asked: object) -> None:
        """From the journal, once there is one."""
        if (journal := self._playground.book.journal) is not None:
            self._tasks.start(show(journal, *asked), kind)

    async def _show_rows(self, journal: Journal, session: SessionId) -> None:
        rows: tuple[RunRow, ...] = ()
        if self._of_all or session:
            rows = await self._tasks.in_thread(_rows, journal, None if self._of_all else session)
        view = self._view.window
        view.show_rows(rows, self._of_all)
        if any(row.id == self._wanted for row in rows):
            wanted, self._wanted = self._wanted, 0
            view.pick(wanted)
        else:
            self._on_picked(view.runs)

    @Slot(object)
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

    @Slot(int)
    def _show_replay(self, run: RunId) -> None:
        outcome = self._replaying.outcome(run)
        self._view.window.show_replay(run, outcome.words, outcome.kind)

    async def _show_diff(self, journal: Journal, first: RunId, second: RunId) -> None:
        model = self._playground.state.model
        stretches, known = await self._tasks.in_thread(_diff, journal, model, first, second)
        self._view.window.comparison.show_diff((first, second), stretches, known)

    @Slot()
    def export_last_tokens(self) -> None:
        """Those of the run that the page ends with."""
        if self._last:
            self._exporting.ask(self._window, TOKENS, self._last, self._tell_saved_here)

    def _tell_saved_here(self, failure: Failure | None) -> None:
        if failure is not None:
            self._notice.show_failure(failure)

    @Slot(object, bool)
    def _remove(self, runs: tuple[RunId, ...], removed: bool) -> None:
        if (journal := self._playground.book.journal) is not None:
            journal.runs.remove(runs, removed)

    async def _copy(self, rows: tuple[RunRow, ...]) -> None:
        QGuiApplication.clipboard().setText(await self._tasks.in_thread(runs_csv, rows))

    @Slot(object)
    def _ask_table(self, rows: tuple[RunRow, ...]) -> None:
        save = partial(self._exporting.save, {".csv": partial(runs_csv, rows)}, self._tell_saved)
        file_saving.ask(self._view.window, tr("Save the Table"), tr("Runs"), TABLE_KINDS, save)

    def _tell_saved(self, failure: Failure | None) -> None:
        self._view.window.trouble.say(failure.sentence if failure is not None else "")


# On a thread.


def _rows(journal: Journal, session: SessionId | None) -> tuple[RunRow, ...]:
    """In stretches, so that the journal is free for others in between."""
    rows: list[RunRow] = []
    while step := journal.runs.rows(session, start=len(rows), count=STRETCH):
        rows += step
        if len(step) < STRETCH:
            break
    return tuple(rows)


def _curves(journal: Journal, runs: tuple[RunId, ...]) -> tuple[Compared, ...]:
    found = []
    for run in runs:
        curve = kept_curve(journal.runs.arrivals(run), journal.runs.drafts(run))
        found.append(Compared(run, tuple(curve.points)))
    return tuple(found)


def _diff(journal: Journal, model: Model | None, *runs: RunId) -> tuple[tuple[DiffSegment, ...], str]:
    """And what is known to change the tokens of the open model, where it wrote them both and they differ."""
    from app.roofline.measurement_store import sameness

    found = [journal.runs.get(run) for run in runs]
    ours = model is not None and all(run is not None and run.model.folder == str(model.folder) for run in found)
    stretches = word_diff(*map(_words, found))
    differ = any(each.side is not DiffSide.BOTH for each in stretches)
    return stretches, sameness(journal.folder, model) if ours and differ else ""


def _words(run: RunRecord | None) -> str:
    return "\n\n".join(part for part in (run.reasoning, run.text) if part) if run is not None else ""
