"""The window of runs: the table, and below it one receipt or a comparison."""

from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShowEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QMenu, QSplitter, QStackedWidget, QWidget

from app.actions import shown
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.comparison.comparison import LETTERS
from app.definitions import meaning
from app.engine.types import Failure
from app.i18n import tr
from app.records.export import runs_csv
from app.records.journal import Journal
from app.records.receipt import receipt
from app.records.types import JournalChange, RunId, RunRow, SessionId
from app.ui.comparison.view import ComparisonView
from app.ui.look import MARGIN_PX, Theme
from app.ui.runs import exports
from app.ui.runs.columns import COLUMNS
from app.ui.runs.controller_replay import ReplayController
from app.ui.runs.draft_check import DraftCheckWindow
from app.ui.runs.receipt_page import ReceiptPage
from app.ui.runs.table import RunsTable
from app.ui.study_window import BUSY, SAMPLE_PROMPT, call_with_model
from app.ui.widgets import (
    ChoiceBox,
    LazyWindow,
    SmallPrint,
    begin_window,
    caption,
    files,
    in_column,
    in_row,
    named,
    opening,
    plain_label,
    tool_button,
)
from app.ui.widgets.empty_page import EmptyPage, draw_table
from app.ui.widgets.find_bar import SearchField
from app.ui.widgets.notices import UndoStrip

FIRST_PX = (1120, 680)
MIN_PX = (680, 440)
ROWS_PX = (300, 260)
CHUNK = 500
HINT = tr("Select a run to read its receipt and to rerun it; select two or more to compare them.")
NONE = tr("Each run will appear here as a row, with settings, speed and finish reason.")
UNREAD = tr("This run can't be read from the session database.")
SCOPES = {False: tr("This session"), True: tr("All sessions")}


class RunsWindow(QDialog):
    """Stays open beside the main window. It reads in threads; results that come too late for the selection are dropped.

    `tasks` belong to the feature, which closes them.
    """

    basis_picked = Signal(object, bool)
    """tuple[RunRow, ...]: for a new experiment; True: a sweep."""

    def __init__(
        self, playground: Playground, tasks: Tasks, theme: Theme, bundled: Path, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        begin_window(theme, self, "runs_window", tr("Runs"), FIRST_PX, MIN_PX, is_dialog=False)
        self._playground, self._tasks = playground, tasks
        self._run: RunId = 0
        """The single selected run; 0: none."""
        self._wanted: RunId = 0
        """The run to select once its row is loaded; 0: none."""
        self._of_all = False
        self.replays = ReplayController(playground, tasks, self._show_replay, self)
        self._draft_check = LazyWindow(lambda: DraftCheckWindow(playground, tasks, theme, self))
        self._scope = ChoiceBox("runs_scope", tr("Runs to list"), tr("The runs of this session, or of all"), SCOPES)
        self._scope.activated.connect(self._change_scope)
        self._filter = self._filter_line()
        self._tally = caption(theme, "", name="runs_tally", tip=meaning("tally"))
        self._acts: dict[str, QAction] = {}
        self._menu = self._make_menu()
        self._table = RunsTable(theme, self._menu)
        self._receipt = ReceiptPage(
            theme,
            replay=lambda: self.replays.start(self._run),
            stop=self.replays.stop,
            export=lambda: self._export(exports.RUN),
            export_tokens=lambda: self._export(exports.TOKENS),
            check_drafts=self._check_drafts,
        )
        self.comparison = ComparisonView(theme, tasks, "runs")
        self._trouble = SmallPrint(theme, "runs_trouble", "error")
        self._hint = plain_label("", HINT, muted=True, wraps=True)
        tip = tr("Send a short prompt to the open model")
        self._empty = EmptyPage(theme, "runs_empty", NONE, draw_table, tip)
        self._empty.sample_wanted.connect(partial(self._run_sample, bundled))
        self._unread = plain_label("run_unread", UNREAD, muted=True, wraps=True)
        self.undo = UndoStrip("run", tr("Restore the runs ({key} in the table)").format(key=shown(("Ctrl+Z",))))
        self._below = QStackedWidget()
        self._lay_out()
        self._listen()

    def select(self, run: RunId) -> None:
        """Select this run as soon as its row is read."""
        self._wanted = run
        self._load()

    @property
    def _compared(self) -> tuple[RunRow, ...]:
        """The selected runs, at most as many as can be compared."""
        return self._table.picked_rows[: len(LETTERS)]

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        sorts = menu.addMenu(tr("Sort by"))
        sorts.setObjectName("runs_sort")
        for column in COLUMNS:
            sorts.addAction(column.title).setData(column.name)
        sorts.triggered.connect(lambda act: self._table.sort_by(act.data()))

        def add(name: str, text: str, press: Callable[[], object]) -> None:
            self._acts[name] = act = menu.addAction(text)
            act.setObjectName(name)
            act.triggered.connect(lambda: press())

        menu.addSeparator()
        add("compare_runs", tr("Compare in Window"), lambda: self.comparison.open_window())
        menu.addSeparator()
        add("try_run", tr("Try This With…"), lambda: self.basis_picked.emit(self._table.picked_rows, False))
        add("sweep_runs", tr("Sweep Settings…"), lambda: self.basis_picked.emit(self._table.picked_rows, True))
        menu.addSeparator()
        add("check_run_drafts", tr("Predict Draft Gain…"), self._check_drafts)
        add("export_run_tokens", tr("Export Tokens of the Run…"), lambda: self._export(exports.TOKENS))
        add("copy_rows", tr("Copy Selected Rows as CSV"), lambda: self._copy(self._table.picked_rows))
        add("save_rows", tr("Save Selected Rows as CSV…"), lambda: self._save(self._table.picked_rows))
        add("copy_table", tr("Copy Table as CSV"), lambda: self._copy(self._table.rows))
        add("save_table", tr("Save Table as CSV…"), lambda: self._save(self._table.rows))
        menu.addSeparator()
        add("remove_runs", tr("Remove from the Table"), self._remove)
        self._acts["remove_runs"].setShortcut(QKeySequence(Qt.Key.Key_Delete))
        self._acts["remove_runs"].setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._enable_actions(0)
        return menu

    def _enable_actions(self, selected: int) -> None:
        for name in ("try_run", "check_run_drafts", "export_run_tokens"):
            self._acts[name].setEnabled(selected == 1)
        self._acts["compare_runs"].setEnabled(selected > 1)
        for name in ("sweep_runs", "remove_runs"):
            self._acts[name].setEnabled(selected > 0)

    def _filter_line(self) -> QLineEdit:
        tip = tr("Only runs in which all of these words occur: in the model, the ending, a setting… ({key})")
        tip = tip.format(key=shown(("Ctrl+F",)))
        line = SearchField("runs_filter", tr("Filter the runs"), tr("Filter"), tip)
        line.textChanged.connect(self._filter_rows)
        seek = QAction(line)
        seek.setShortcut(QKeySequence(QKeySequence.StandardKey.Find))
        seek.triggered.connect(line.setFocus)
        self.addAction(seek)
        return line

    def _lay_out(self) -> None:
        for words in (self._hint, self._unread):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        more = opening(tool_button("runs_more", "⋯", tr("Sort, copy and save the table"), tr("More")), self._menu)
        whole = in_column(
            in_row(self._scope, (self._filter, 1), self._tally, more), self._trouble, on=self, margins=MARGIN_PX
        )
        # Containers are inserted while they are empty: otherwise Qt would polish their widgets again.
        rows = named(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "runs_rows")
        whole.addWidget(rows, 1)
        rows.addWidget(self._table)
        rows.addWidget(self._below)
        whole.addWidget(self.undo)
        rows.setSizes(list(ROWS_PX))
        self._table.hide()
        for page in (self._empty, self._hint, self._unread, self._receipt, self.comparison):
            self._below.addWidget(page)

    def _listen(self) -> None:
        table, undo, book = self._table, self.undo, self._playground.book
        self._filter.returnPressed.connect(table.setFocus)
        table.picked.connect(self._on_picked)
        table.activated.connect(lambda index: self._playground.open_session(table.rows[index.row()].session))
        table.copied.connect(lambda: self._copy(table.picked_rows))
        table.removed.connect(self._remove)
        table.undo_wanted.connect(undo.undo)
        undo.changed.connect(self._note_undo)
        undo.restored.connect(lambda runs: self._mark_removed(runs, False))
        book.journal_changed.connect(self._on_journal_changed)
        book.ready.connect(self._load)
        self._playground.follow(("session",), self._on_session)

    def _on_journal_changed(self, change: JournalChange) -> None:
        if change is JournalChange.RUNS:
            self._load()

    def _on_session(self) -> None:
        if not self._of_all:
            self._load()

    def _load(self) -> None:
        """Read the rows, if the window is visible."""
        if self.isVisible():
            self._read(self._show_rows, "rows", self._playground.state.session)

    def _read(self, show: Callable[..., Coroutine[Any, Any, None]], kind: str, *keys: object) -> None:
        """Read from the session database, once it is open."""
        if (journal := self._playground.book.journal) is not None:
            self._tasks.start(show(journal, *keys), kind)

    async def _show_rows(self, journal: Journal, session: SessionId) -> None:
        of_all, rows = self._of_all, tuple[RunRow, ...]()
        if of_all or session:
            rows = await self._tasks.in_thread(_rows, journal, None if of_all else session)
        self._scope.show_value(of_all)
        self._table.show_rows(rows, of_all)
        self._show_hint(bool(rows))
        self._count()
        if any(row.id == self._wanted for row in rows):
            wanted, self._wanted = self._wanted, 0
            self._filter.clear()
            self._table.pick((wanted,))
            self._table.setFocus()
        else:
            self._show_picked()

    def _show_hint(self, has_rows: bool) -> None:
        """Show the empty page alone while there are no runs."""
        if has_rows is self._table.isHidden():
            self._table.setVisible(has_rows)
            self._below.setCurrentWidget(self._hint if has_rows else self._empty)

    def _run_sample(self, bundled: Path) -> None:
        playground = self._playground
        has_model = call_with_model(playground, bundled, partial(playground.send, SAMPLE_PROMPT))
        self._trouble.say("" if has_model else BUSY, "error")

    def _show_picked(self) -> None:
        """Read the receipt of the selected run, or compare several."""
        runs = tuple(row.id for row in self._compared)
        if len(runs) == 1:
            self._read(self._show_receipt, "receipt", runs[0])
        elif runs:
            self._read(self.comparison.show_runs, "comparison", self._playground.state.model, runs)

    async def _show_receipt(self, journal: Journal, run: RunId) -> None:
        record = await self._tasks.in_thread(journal.runs.get, run)
        if run == self._run:
            lines = receipt(record) if record is not None else ()
            self._receipt.show_lines(lines)
            self._below.setCurrentWidget(self._receipt if lines else self._unread)
            self._show_replay(run)

    def _show_replay(self, run: RunId) -> None:
        """Show the outcome of a rerun."""
        self._receipt.show_running(self.replays.is_running)
        if run == self._run:
            outcome = self.replays.outcome(run)
            self._receipt.show_outcome(outcome.words, outcome.kind)

    def _count(self) -> None:
        shown = len(self._table.rows)
        picked = len(self._table.picked_rows)
        words = "{runs}"
        if picked > len(LETTERS):
            words = tr("{runs} · {picked} selected, the first {compared} compared")
        elif picked > 1:
            words = tr("{runs} · {picked} selected")
        words = words.format(runs=tr("%n runs", "%n run", shown), picked=picked, compared=len(LETTERS))
        self._tally.setText(words)
        self._tally.setAccessibleName(tr("Runs shown: {words}").format(words=words))

    def _change_scope(self, index: int) -> None:
        if bool(index) is not self._of_all:
            self._of_all = bool(index)
            self._load()

    def _filter_rows(self, text: str) -> None:
        self._table.filter(text)
        self._count()

    def _on_picked(self) -> None:
        rows = self._compared
        self._run = rows[0].id if len(rows) == 1 else 0
        self._enable_actions(len(rows))
        self._receipt.show_outcome("")
        self._count()
        if not rows:
            self._below.setCurrentWidget(self._hint)
        elif len(rows) > 1:
            self._below.setCurrentWidget(self.comparison)
            self.comparison.wait()
        self._show_picked()

    def _remove(self) -> None:
        """Remove the selected runs; the next one is selected."""
        rows, gone = self._table.rows, self._table.picked_rows
        if gone:
            following = rows[rows.index(gone[-1]) + 1 :][:1]
            self._table.pick(tuple(row.id for row in following))
            words = tr("Removed %n runs; their answers stay.", "Removed %n run; its answer stays.", len(gone))
            runs = tuple(row.id for row in gone)
            self.undo.show_removed(runs, words)
            self._mark_removed(runs, True)

    def _mark_removed(self, runs: tuple[RunId, ...], is_removed: bool) -> None:
        if (journal := self._playground.book.journal) is not None:
            journal.runs.remove(runs, is_removed)

    def _note_undo(self, can_undo: bool) -> None:
        self._table.undoable = can_undo

    def _check_drafts(self) -> None:
        self._draft_check.window.start(self._run)
        self._draft_check.bring_up()

    def _export(self, export: exports.Export) -> None:
        exports.ask_file(self._playground, self._tasks, self, export, self._run, self._show_saved)

    def _copy(self, rows: tuple[RunRow, ...]) -> None:
        self._tasks.start(self._copy_csv(rows), "copy")

    async def _copy_csv(self, rows: tuple[RunRow, ...]) -> None:
        QGuiApplication.clipboard().setText(await self._tasks.in_thread(runs_csv, rows))

    def _save(self, rows: tuple[RunRow, ...]) -> None:
        save = partial(exports.save, self._tasks, {".csv": partial(runs_csv, rows)}, self._show_saved)
        files.ask_save(self, tr("Save the Table"), tr("Runs"), {".csv": tr("Table")}, save)

    def _show_saved(self, outcome: Failure | str) -> None:
        self._trouble.say(*((outcome.sentence, "error") if isinstance(outcome, Failure) else (outcome, "muted")))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._load()


def _rows(journal: Journal, session: SessionId | None) -> tuple[RunRow, ...]:
    """Read the rows in chunks, so that other readers get their turn."""
    rows: list[RunRow] = []
    while step := journal.runs.rows(session, start=len(rows), count=CHUNK):
        rows += step
        if len(step) < CHUNK:
            break
    return tuple(rows)
