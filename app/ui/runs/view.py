"""The window of runs: the table, and below it one receipt or a comparison."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QMenu, QSplitter, QStackedWidget, QWidget

from app.actions import shown
from app.definitions import meaning
from app.i18n import tr
from app.records.types import RunRow
from app.ui.look import MARGIN_PX, Theme
from app.ui.runs.columns import COLUMNS
from app.ui.runs.comparison import ComparisonPage
from app.ui.runs.receipt import Line, ReceiptPage
from app.ui.runs.table import RunsTable
from app.ui.widgets import (
    ChoiceBox,
    SmallPrint,
    begin_window,
    caption,
    in_column,
    in_row,
    named,
    plain_label,
    tool_button,
)
from app.ui.widgets.buttons import opening
from app.ui.widgets.find_bar import SearchField
from app.ui.widgets.notices import UndoStrip
from app.ui.widgets.plots.speed_curve import LETTERS

FIRST_PX = (1120, 680)
MIN_PX = (680, 440)
ROWS_PX = (300, 260)
HINT = tr("Select a run to read its receipt and to rerun it; select two or more to compare them.")
NONE = tr("Each run will appear here as a row, with settings, speed and finish reason.")
UNREAD = tr("This run can't be read from the session database.")
SCOPES = {False: tr("This session"), True: tr("All sessions")}


class RunsMenu(QMenu):
    """The menu of the table; `acts` are its actions by name."""

    sort_wanted = Signal(str)
    """The name of a column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.acts: dict[str, QAction] = {}
        sorts = self.addMenu(tr("Sort by"))
        sorts.setObjectName("runs_sort")
        for column in COLUMNS:
            sorts.addAction(column.title).setData(column.name)
        sorts.triggered.connect(lambda action: self.sort_wanted.emit(action.data()))
        self.addSeparator()
        self._add("try_run", tr("Try This With…"))
        self._add("sweep_runs", tr("Sweep Settings…"))
        self.addSeparator()
        self._add("export_run_tokens", tr("Export Tokens of the Run…"))
        self._add("copy_rows", tr("Copy Selected Rows as CSV"))
        self._add("save_rows", tr("Save Selected Rows as CSV…"))
        self._add("copy_table", tr("Copy Table as CSV"))
        self._add("save_table", tr("Save Table as CSV…"))
        self.addSeparator()
        self._add("remove_runs", tr("Remove from the Table"))
        self.acts["remove_runs"].setShortcut(QKeySequence(Qt.Key.Key_Delete))
        self.acts["remove_runs"].setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.offer(0)

    def offer(self, selected: int) -> None:
        """Enable the actions that suit a number of selected rows."""
        for name in ("try_run", "export_run_tokens"):
            self.acts[name].setEnabled(selected == 1)
        for name in ("sweep_runs", "remove_runs"):
            self.acts[name].setEnabled(selected > 0)

    def _add(self, name: str, text: str) -> None:
        self.acts[name] = self.addAction(text)
        self.acts[name].setObjectName(name)


class RunsView(QDialog):
    """Stays open beside the main window; its signals are the user's requests."""

    opened = Signal()
    """The window became visible."""
    scope_changed = Signal(bool)
    """Whether to show the runs of all sessions."""
    picked = Signal(object)
    """tuple[int, ...]: the selected runs, at most as many as can be compared."""
    pair_picked = Signal(int, int)
    session_wanted = Signal(int)
    """The session of a run, on a double click or Enter."""
    replay_wanted = Signal(int)
    stop_wanted = Signal()
    export_wanted = Signal(int)
    tokens_wanted = Signal(int)
    copy_wanted = Signal(object)
    """tuple[RunRow, ...]: to the clipboard as CSV."""
    save_wanted = Signal(object)
    """tuple[RunRow, ...]: to a CSV file."""
    removed = Signal(object, bool)
    """tuple[int, ...]: removed from the table; False: restored."""
    basis_picked = Signal(object, bool)
    """tuple[RunRow, ...]: for a new experiment; True: a sweep."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "runs_window", tr("Runs"), FIRST_PX, MIN_PX)
        self.run = 0
        """The single selected run, or 0."""
        self._of_all = False
        self._scope = ChoiceBox("runs_scope", tr("Runs to list"), tr("The runs of this session, or of all"), SCOPES)
        self._scope.activated.connect(self._change_scope)
        self._filter = self._filter_line()
        self._tally = caption(theme, "", name="runs_tally", tip=meaning("tally"))
        self._menu = RunsMenu(self)
        self._table = RunsTable(theme, self._menu)
        self.receipt = ReceiptPage(theme)
        self.comparison = ComparisonPage(theme)
        self.trouble = SmallPrint(theme, "runs_trouble", "error")
        """A failure of the database or of a file."""
        self._hint = plain_label("", NONE, muted=True, wraps=True)
        self._unread = plain_label("run_unread", UNREAD, muted=True, wraps=True)
        self.undo = UndoStrip("run", tr("Restore the runs ({key} in the table)").format(key=shown(("Ctrl+Z",))))
        self._below = QStackedWidget()
        self._lay_out()
        self._listen()

    @property
    def runs(self) -> tuple[int, ...]:
        """The selected runs, at most as many as can be compared."""
        return tuple(row.id for row in self._compared)

    @property
    def _compared(self) -> tuple[RunRow, ...]:
        return self._table.picked_rows[: len(LETTERS)]

    def show_rows(self, rows: tuple[RunRow, ...], of_all: bool) -> None:
        """Show the runs of the session, or of all sessions."""
        self._of_all = of_all
        self._scope.show_value(of_all)
        self._table.show_rows(rows, of_all)
        self._hint.setText(HINT if rows else NONE)
        self._count()
        if len(self.runs) > 1:
            self.comparison.show_rows(self._compared)

    def pick(self, run: int) -> None:
        self._filter.clear()
        self._table.pick((run,))
        self._table.setFocus()

    def show_receipt(self, run: int, lines: Sequence[Line]) -> None:
        """Show the receipt of a run; no lines: it can't be read."""
        if run == self.run:
            self.receipt.show_lines(lines)
            self._below.setCurrentWidget(self.receipt if lines else self._unread)

    def show_replay(self, run: int, words: str, kind: str = "text") -> None:
        """Show the outcome of a rerun."""
        if run == self.run:
            self.receipt.show_outcome(words, kind)

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
            in_row(self._scope, (self._filter, 1), self._tally, more),
            self.trouble,
            on=self,
            margins=MARGIN_PX,
        )
        # Containers are inserted while they are empty: otherwise Qt would polish their widgets again.
        rows = named(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "runs_rows")
        whole.addWidget(rows, 1)
        rows.addWidget(self._table)
        rows.addWidget(self._below)
        whole.addWidget(self.undo)
        rows.setSizes(list(ROWS_PX))
        for page in (self._hint, self._unread, self.receipt, self.comparison):
            self._below.addWidget(page)

    def _listen(self) -> None:
        self._filter.returnPressed.connect(self._table.setFocus)
        self._table.picked.connect(self._on_picked)
        self._table.activated.connect(lambda index: self.session_wanted.emit(self._table.rows[index.row()].session))
        self._table.removed.connect(self._remove)
        self._table.undo_wanted.connect(self.undo.undo)
        self.undo.changed.connect(self._note_undo)
        self.undo.restored.connect(lambda runs: self.removed.emit(runs, False))
        self.comparison.pair_picked.connect(self.pair_picked)
        self.receipt.replay_wanted.connect(lambda: self.replay_wanted.emit(self.run))
        self.receipt.stop_wanted.connect(self.stop_wanted)
        self.receipt.export_wanted.connect(lambda: self.export_wanted.emit(self.run))
        self._menu.sort_wanted.connect(self._table.sort_by)
        acts = {name: act.triggered for name, act in self._menu.acts.items()}
        acts["try_run"].connect(lambda: self.basis_picked.emit(self._table.picked_rows, False))
        acts["sweep_runs"].connect(lambda: self.basis_picked.emit(self._table.picked_rows, True))
        acts["copy_table"].connect(lambda: self.copy_wanted.emit(self._table.rows))
        acts["save_rows"].connect(lambda: self.save_wanted.emit(self._table.picked_rows))
        acts["save_table"].connect(lambda: self.save_wanted.emit(self._table.rows))
        for copy in (self._table.copied, acts["copy_rows"]):
            copy.connect(lambda: self.copy_wanted.emit(self._table.picked_rows))
        for export in (self.receipt.tokens_wanted, acts["export_run_tokens"]):
            export.connect(lambda: self.tokens_wanted.emit(self.run))
        acts["remove_runs"].connect(self._remove)

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
            self.scope_changed.emit(self._of_all)

    def _filter_rows(self, text: str) -> None:
        self._table.filter(text)
        self._count()

    def _on_picked(self, runs: tuple[int, ...]) -> None:
        runs = runs[: len(LETTERS)]
        self.run = runs[0] if len(runs) == 1 else 0
        self._menu.offer(len(runs))
        self.receipt.show_outcome("")
        self._count()
        if not runs:
            self._below.setCurrentWidget(self._hint)
        elif len(runs) > 1:
            self._below.setCurrentWidget(self.comparison)
            self.comparison.show_rows(self._compared)
        self.picked.emit(runs)

    def _remove(self) -> None:
        """Remove the selected runs; the next one is selected."""
        rows, gone = self._table.rows, self._table.picked_rows
        if gone:
            following = rows[rows.index(gone[-1]) + 1 :][:1]
            self._table.pick(tuple(row.id for row in following))
            said = tr("Removed %n runs; their answers stay.", "Removed %n run; its answer stays.", len(gone))
            runs = tuple(row.id for row in gone)
            self.undo.offer(runs, said)
            self.removed.emit(runs, True)

    def _note_undo(self, there: bool) -> None:
        self._table.undoable = there

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.opened.emit()
