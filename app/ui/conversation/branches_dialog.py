"""The window of the conversation's branches: the tree, and the diff of the selected turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHeaderView, QTreeView, QWidget

from app.bridge.playground import Playground
from app.i18n import tr
from app.records.comparison import word_diff
from app.records.types import Fork, TurnId
from app.state import SETTLED, State, Turn
from app.ui.look import GAP_PX, MARGIN_PX, Size, Theme
from app.ui.tokens.words import legible
from app.ui.widgets import (
    as_tip,
    begin_window,
    button_row,
    in_column,
    layout_widget,
    named,
    plain_label,
    push_button,
    split,
)
from app.ui.widgets.diff_view import DiffView
from app.ui.widgets.menus import offer_buttons
from app.ui.widgets.table_model import OwnDirection

NUMBER = Qt.ItemDataRole.UserRole
HEADS = (tr("Turn"), tr("Forked"))
SHOWN, HIDDEN = "● ", "○ "
MAX_FORK_SHARE = 0.55
"""Maximum share of the width for the column “Forked”."""
MAX_WORDS = 12
MAX_CHARACTERS = 80
NOTHING = tr("(nothing)")
FIRST_PX = (760, 560)
SMALLEST_PX = (420, 320)
HALVES_PX = (300, 200)
NO_DIFFERENCE = tr("Select a turn of another branch to compare it with the shown one.")
LEGEND = tr("Struck through: only in the shown turn. Underlined: only in the selected turn.")


@dataclass(frozen=True, slots=True)
class BranchRow:
    """The row of a turn. `follows` is the number of its parent, 0 for a first turn."""

    number: int
    follows: int
    who: str
    words: str
    fork: str = ""
    """Description of the token where it forked from another answer."""
    shown: bool = False


@dataclass(slots=True)
class Node:
    """A row with its children."""

    row: BranchRow
    below: list[Node]


def arrange(rows: Sequence[BranchRow]) -> list[Node]:
    """Build a tree from the rows, indented only where the conversation forks."""
    following: dict[int, list[BranchRow]] = {}
    for row in sorted(rows, key=lambda row: row.number):
        following.setdefault(row.follows, []).append(row)
    top: list[Node] = []
    waiting = [(0, top)]
    while waiting:
        number, siblings = waiting.pop()
        here = following.pop(number, [])
        for row in here:
            node = Node(row, [])
            siblings.append(node)
            forks = len(here) > 1 or len(following.get(row.number, ())) > 1
            waiting.append((row.number, node.below if forks else siblings))
    return top


class BranchTree(QTreeView):
    """The tree of branches. `chosen` carries the number of a turn to show, `selection_changed` the selected one."""

    chosen = Signal(int)
    selection_changed = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "branches", tr("Branches"), tr("Enter or a double click shows a branch; ● marks the shown one"))
        self._rows: tuple[BranchRow, ...] = ()
        self._items = QStandardItemModel(0, len(HEADS), self)
        self._items.setHorizontalHeaderLabels(list(HEADS))
        self.setModel(self._items)
        self.setFont(theme.font(Size.NORMAL))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.setItemDelegate(OwnDirection(self))
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.doubleClicked.connect(self._choose)
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    @property
    def current(self) -> int:
        """Number of the selected turn; 0 for none."""
        return int(self.currentIndex().siblingAtColumn(0).data(NUMBER) or 0)

    def show_rows(self, rows: Sequence[BranchRow]) -> None:
        """Show all turns. Keep the selection, or else select the last shown turn."""
        if tuple(rows) == self._rows:
            return
        current, self._rows = self.current, tuple(rows)
        self._items.removeRows(0, self._items.rowCount())
        for node in arrange(rows):
            self._add(self._items.invisibleRootItem(), node)
        self.expandAll()
        self._fit_columns()
        shown = [row.number for row in rows if row.shown]
        numbers = {row.number for row in rows}
        self.select(current if current in numbers else shown[-1] if shown else 0)

    def select(self, number: int) -> None:
        flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
        found = self._items.match(self._items.index(0, 0), NUMBER, number, 1, flags)
        if found:
            self.setCurrentIndex(found[0])
            self.scrollTo(found[0])

    def _add(self, above: QStandardItem, node: Node) -> None:
        row = node.row
        mark = SHOWN if row.shown else HIDDEN
        items = [QStandardItem(f"{mark}{row.who}: {row.words}"), QStandardItem(row.fork)]
        for item in items:
            font = item.font()
            font.setBold(row.shown)
            item.setFont(font)
            item.setToolTip(as_tip(item.text()))
        items[0].setData(row.number, NUMBER)
        spoken = (f"{row.who}: {row.words}", row.fork, tr("shown") if row.shown else "")
        items[0].setData(", ".join(filter(None, spoken)), Qt.ItemDataRole.AccessibleTextRole)
        above.appendRow(items)
        for below in node.below:
            self._add(items[0], below)

    def _fit_columns(self) -> None:
        wanted = max(self.sizeHintForColumn(1), self.header().sectionSizeHint(1))
        self.header().resizeSection(1, min(wanted, round(MAX_FORK_SHARE * self.viewport().width())))

    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(int(index.siblingAtColumn(0).data(NUMBER)))

    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self.selection_changed.emit(int(index.siblingAtColumn(0).data(NUMBER)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)


class BranchesDialog(QDialog):
    """The branches window. It shows the branch that the user chooses."""

    def __init__(self, playground: Playground, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._playground = playground
        spoken = tr("Branches of the conversation")
        begin_window(theme, self, "branches_dialog", tr("Branches"), FIRST_PX, SMALLEST_PX, spoken=spoken)
        self.tree = BranchTree(theme)
        self._diff = DiffView(theme, "branches_diff")
        self._legend = plain_label("branches_legend", LEGEND, font=theme.font(Size.SMALL), muted=True, wraps=True)
        tip = tr("Show the selected turn in the conversation (Enter)")
        self._show = push_button(
            "branches_show", tr("Show"), tip, kind="primary", press=lambda: playground.switch(self.tree.current)
        )
        self._close = push_button("branches_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        offer_buttons(self.tree, self._show)
        self.tree.chosen.connect(playground.switch)
        self.tree.selection_changed.connect(self._compare)
        self._lay_out()
        playground.follow(("turns", "phase"), self._refresh)
        self.show_state(playground.state)

    def show_state(self, state: State) -> None:
        rows = [*(_row(turn, True) for turn in state.turns), *(_row(turn, False) for turn in state.others)]
        self.tree.show_rows([row for row in rows if row.number])
        self._compare(self.tree.current)

    def _refresh(self, state: State) -> None:
        if self.isVisible():
            self.show_state(state)

    def _compare(self, number: TurnId) -> None:
        """Show the diff of the selected turn. A shown turn has none, and can't be shown again."""
        state = self._playground.state
        shown = next((turn for turn in state.turns if number in turn.siblings), None)
        other = next((turn for turn in state.others if turn.id == number), None)
        self._show.setEnabled(state.phase in SETTLED and other is not None)
        self._legend.setVisible(shown is not None and other is not None)
        if shown is None or other is None:
            self._diff.wait(NO_DIFFERENCE)
        else:
            self._diff.show_stretches(word_diff(shown.text, other.text))

    def _lay_out(self) -> None:
        lower = layout_widget(in_column(self._legend, (self._diff, 1), margins=(0, GAP_PX, 0, 0)))
        halves = split(Qt.Orientation.Vertical, self.tree, lower, HALVES_PX, "branches_halves")
        in_column((halves, 1), button_row(self._close, self._show), on=self, margins=MARGIN_PX)


def _row(turn: Turn, shown: bool) -> BranchRow:
    fork = describe_fork(turn.forked) if turn.forked is not None else ""
    who = turn.runs[-1].model_label if turn.runs else turn.role.words
    return BranchRow(turn.id, turn.parent, who, _first_words(turn.text or turn.reasoning), fork, shown)


def describe_fork(forked: Fork) -> str:
    number = f"{forked.place + 1:,}"
    if not forked.chosen:
        return tr("at token {place}").format(place=number)
    chosen = legible(forked.chosen)
    if not forked.instead:
        return tr("at token {place}: “{chosen}”").format(place=number, chosen=chosen)
    words = tr("at token {place}: “{chosen}” instead of “{instead}”")
    return words.format(place=number, chosen=chosen, instead=legible(forked.instead))


def _first_words(text: str) -> str:
    words = " ".join(text[: 2 * MAX_CHARACTERS].split()[:MAX_WORDS])
    if len(words) > MAX_CHARACTERS or len(text.split()) > MAX_WORDS:
        words = f"{words[:MAX_CHARACTERS].rstrip()}…"
    return words or NOTHING
