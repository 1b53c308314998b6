"""The window of the conversation's branches: the tree, and the diff of the selected turn."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.i18n import tr
from app.records.comparison import DiffSegment
from app.ui.conversation.branches_tree import BranchRow, BranchTree
from app.ui.look import GAP_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import begin_window, button_row, held, in_column, plain_label, push_button, split
from app.ui.widgets.diff_view import DiffView
from app.ui.widgets.menus import offer_buttons

FIRST_PX = (760, 560)
SMALLEST_PX = (420, 320)
HALVES_PX = (300, 200)
NO_DIFFERENCE = tr("Select a turn of another branch to compare it with the shown one.")
LEGEND = tr("Struck through: only in the shown turn. Underlined: only in the selected turn.")


class BranchesDialog(QDialog):
    """The branches window. Emits `chosen` with the number of a turn to show, and `selection_changed` to ask for its
    diff.
    """

    chosen = Signal(int)
    selection_changed = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        spoken = tr("Branches of the conversation")
        begin_window(theme, self, "branches_dialog", tr("Branches"), FIRST_PX, SMALLEST_PX, spoken=spoken)
        self.tree = BranchTree(theme)
        self._diff = DiffView(theme, "branches_diff")
        self._legend = plain_label("branches_legend", LEGEND, font=theme.font(Size.SMALL), muted=True, wraps=True)
        tip = tr("Show the selected turn in the conversation (Enter)")
        self._show = push_button(
            "branches_show", tr("Show"), tip, kind="primary", press=lambda: self.chosen.emit(self.tree.current)
        )
        self._close = push_button("branches_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        offer_buttons(self.tree, self._show)
        self.tree.chosen.connect(self.chosen)
        self.tree.selection_changed.connect(self._on_selection_changed)
        self._rows: dict[int, BranchRow] = {}
        self._allowed = True
        self._lay_out()

    def show_rows(self, rows: Sequence[BranchRow], allowed: bool = True) -> None:
        """Show the branches. `allowed`: the shown branch can change now."""
        self._rows, self._allowed = {row.number: row for row in rows}, allowed
        self.tree.show_rows(rows)
        self._enable()
        self.selection_changed.emit(self.tree.current)

    def show_difference(self, stretches: Sequence[DiffSegment] | None) -> None:
        """Show the diff of the selected turn; None if there is nothing to compare."""
        self._legend.setVisible(stretches is not None)
        if stretches is None:
            self._diff.wait(NO_DIFFERENCE)
        else:
            self._diff.show_stretches(stretches)

    def _lay_out(self) -> None:
        lower = held(in_column(self._legend, (self._diff, 1), margins=(0, GAP_PX, 0, 0)))
        halves = split(Qt.Orientation.Vertical, self.tree, lower, HALVES_PX, "branches_halves")
        in_column((halves, 1), button_row(self._close, self._show), on=self, margins=MARGIN_PX)

    def _on_selection_changed(self, number: int) -> None:
        self._enable()
        self.selection_changed.emit(number)

    def _enable(self) -> None:
        row = self._rows.get(self.tree.current)
        self._show.setEnabled(self._allowed and row is not None and not row.shown)
