"""A control with its name, a button that restores the preset's value, and an error message."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, Size, Theme, scaled
from app.ui.widgets.buttons import tool_button
from app.ui.widgets.choices import ChoiceBox
from app.ui.widgets.labels import SmallPrint, plain_label
from app.ui.widgets.rows import in_grid
from app.ui.widgets.tab_order import come_after, first_stop

FIELD_PX = 88
BACK_PX = 20
AS_IT_IS = tr("Same as the preset.")


class FieldRow(QWidget):
    """A row with a control. `put_back` is emitted when the user wants the preset's value.

    The restore button and the error message are created when they are first needed. Room for the button is reserved.
    """

    put_back = Signal(str)

    def __init__(self, theme: Theme, title: str, tip: str, editor: QWidget, below: bool = False) -> None:
        super().__init__()
        self.name = editor.objectName()
        """The name of the setting."""
        self._theme, self._title, self._tip, self._editor = theme, title, tip, editor
        self._back: QToolButton | None = None
        self._reason: SmallPrint | None = None
        if not editor.accessibleName():
            editor.setAccessibleName(title)
        # A choice box has its own label: with a second one its name would be read twice.
        buddy = None if isinstance(editor, ChoiceBox) else editor
        self._label = plain_label("", title, font=theme.font(Size.NORMAL), buddy=buddy)
        grid = self._grid = in_grid([self._label], on=self, gap=GRID_PX)
        scaled(theme, grid, keep_place, BACK_PX)
        if below:
            grid.addWidget(editor, 1, 0, 1, 3)
        else:
            scaled(theme, editor, QWidget.setFixedWidth, FIELD_PX)
            grid.addWidget(editor, 0, 2)
        self._why: str | None = None
        self.grey("")

    def put_aside(self, part: QWidget, below: QWidget) -> None:
        """Add `part` in the column of the fields, and `below` under the row. Call it after the row is in a layout."""
        self._grid.addWidget(part, 0, 2)
        come_after(first_stop(self._editor), part)
        self._grid.addWidget(below, 3, 0, 1, 3)

    def mark(self, original: str | None, preset: str = "") -> None:
        """Show that the preset has another value, `original`; None: the same value."""
        tip = AS_IT_IS
        if original is not None:
            tip = tr("Reset to {original}, the value in “{preset}”.").format(preset=preset, original=original)
        if tip != (self._back.toolTip() if self._back else AS_IT_IS):
            back = self._way_back()
            back.setVisible(original is not None)
            back.setToolTip(tip)
            back.setAccessibleDescription(tip)
            embolden(self._label, original is not None)

    def _way_back(self) -> QToolButton:
        if self._back is None:
            words = tr("{setting}: reset to the preset").format(setting=self._title)
            self._back = back_button(self._theme, self.name, words)
            self._back.clicked.connect(lambda: self.put_back.emit(self.name))
            self._grid.addWidget(self._back, 0, 1)
            come_after(first_stop(self._editor), self._back)
        return self._back

    def grey(self, why: str) -> None:
        """Gray out the row, with the reason; empty: enable it."""
        if why != self._why:
            self._why = why
            self._editor.setEnabled(not why)
            self._label.setEnabled(not why)
            self._say(why)

    def refuse(self, reason: str, kind: str = "") -> None:
        """Show why the typed value is invalid; empty clears it. A reason for being disabled isn't a warning."""
        if reason and not self._reason:
            self._reason = SmallPrint(self._theme, f"{self.name}_reason", "warning")
            self._grid.addWidget(self._reason, 2, 0, 1, 3)
        if self._reason:
            self._reason.say(reason, kind or ("muted" if reason == self._why else "warning"))

    def _say(self, why: str) -> None:
        tip = f"{self._tip}\n{why}" if why else self._tip
        for widget in (self._label, self._editor):
            widget.setToolTip(tip)
        self._editor.setAccessibleDescription(tip)


def keep_place(grid: QGridLayout, pixels: int) -> None:
    """Reserve a column for the restore button."""
    grid.setColumnMinimumWidth(1, pixels)
    grid.setRowMinimumHeight(0, pixels)


def embolden(label: QLabel, wanted: bool) -> None:
    """Show the name in bold if the value differs from the preset."""
    font = label.font()
    font.setWeight(QFont.Weight.DemiBold if wanted else QFont.Weight.Normal)
    label.setFont(font)


def back_button(theme: Theme, name: str, spoken: str) -> QToolButton:
    """Make the button that restores the preset's value; it reserves its room while it is hidden."""
    button = tool_button(f"{name}_back", "↺", AS_IT_IS, spoken, kind="tiny")
    button.setAutoRaise(True)
    scaled(theme, button, QWidget.setFixedWidth, BACK_PX)
    scaled(theme, button, QWidget.setFixedHeight, BACK_PX)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    policy = button.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    button.setSizePolicy(policy)
    button.hide()
    return button
