"""One control with its name, what the preset has instead, and what is wrong with what was typed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from app.ui.look import GRID_PX, Size, Theme, scaled
from app.ui.widgets.buttons import tool_button
from app.ui.widgets.choice_box import ChoiceBox
from app.ui.widgets.labels import plain_label
from app.ui.widgets.rows import in_grid
from app.ui.widgets.small_print import SmallPrint
from app.words import tr

FIELD_PX = 88
BACK_PX = 20
AS_IT_IS = tr("It is as the preset has it.")


class FieldRow(QWidget):
    """`put_back` when the user wants the preset's value again. The way back has its place even while it is hidden."""

    put_back = Signal(str)

    def __init__(self, theme: Theme, title: str, tip: str, editor: QWidget, below: bool = False) -> None:
        super().__init__()
        self.name = editor.objectName()
        """Of the setting."""
        self._editor = editor
        self._tip = tip
        if not editor.accessibleName():
            editor.setAccessibleName(title)
        # A choice box has a label of its own: with another one it would be named twice.
        buddy = None if isinstance(editor, ChoiceBox) else editor
        self._label = plain_label("", title, font=theme.font(Size.NORMAL), buddy=buddy)
        self._back = back_button(theme, self.name, tr("{setting}: back to the preset").format(setting=title))
        self._back.clicked.connect(lambda: self.put_back.emit(self.name))
        self._reason = SmallPrint(theme, f"{self.name}_reason", "warning")
        grid = self._grid = in_grid([self._label, self._back], on=self, gap=GRID_PX)
        if below:
            grid.addWidget(editor, 1, 0, 1, 3)
        else:
            scaled(theme, editor, QWidget.setFixedWidth, FIELD_PX)
            grid.addWidget(editor, 0, 2)
        grid.addWidget(self._reason, 2, 0, 1, 3)
        self._why: str | None = None
        self.grey("")

    def put_aside(self, part: QWidget, below: QWidget) -> None:
        """One where the field of another row stands, one below all."""
        self._grid.addWidget(part, 0, 2)
        QWidget.setTabOrder(part, self._editor)
        self._grid.addWidget(below, 3, 0, 1, 3)

    def mark(self, original: str | None, preset: str = "") -> None:
        """Tell what the preset has instead; None: it has the same."""
        tip = AS_IT_IS
        if original is not None:
            tip = tr("“{preset}” has {original}. Set it back to that.").format(preset=preset, original=original)
        if tip != self._back.toolTip():
            self._back.setVisible(original is not None)
            self._back.setToolTip(tip)
            self._back.setAccessibleDescription(tip)
            embolden(self._label, original is not None)

    def grey(self, why: str) -> None:
        """Without effect for this reason; empty: it has an effect."""
        if why != self._why:
            self._why = why
            self._editor.setEnabled(not why)
            self._label.setEnabled(not why)
            self._say(why)

    @Slot(str)
    def refuse(self, reason: str, kind: str = "") -> None:
        """What was typed can't be taken for this reason; empty: it is past. Why it is grey warns of nothing."""
        self._reason.say(reason, kind or ("muted" if reason == self._why else "warning"))

    def _say(self, why: str) -> None:
        tip = f"{self._tip}\n{why}" if why else self._tip
        for widget in (self._label, self._editor):
            widget.setToolTip(tip)
        self._editor.setAccessibleDescription(tip)


def embolden(label: QLabel, wanted: bool) -> None:
    """A name in bold: its value is not as the preset has it."""
    font = label.font()
    font.setWeight(QFont.Weight.DemiBold if wanted else QFont.Weight.Normal)
    label.setFont(font)


def back_button(theme: Theme, name: str, spoken: str) -> QToolButton:
    """The way back to the preset; it keeps its place while it is hidden."""
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
