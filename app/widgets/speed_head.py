"""The line above the speed graph: what the curves are, what is under the pointer, and the small buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from app.widgets.palette import Colour
from app.widgets.speed_curve import Axis
from app.widgets.theme import GAP_PX, MUTED_ROLE, Size, Theme

Entry = tuple[Colour, str, str]
"""Colour, mark and name of a curve."""


class SpeedHead(QWidget):
    """Shows words and emits wishes."""

    axis_chosen = Signal(Axis)
    picture_wanted = Signal()
    csv_wanted = Signal()
    tokens_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._legend = QLabel()
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        self._readout = QLabel()
        self._readout.setObjectName("speed_under_pointer")
        self._axes = self._axis_buttons()
        self.copies, self._token_copy = self._copy_menu()
        self._lay_out()

    def set_axis(self, axis: Axis) -> None:
        self._axes.button(list(Axis).index(axis)).setChecked(True)

    def offer_tokens(self, there: bool) -> None:
        """Whether there are tokens to be copied."""
        self._token_copy.setEnabled(there)

    def show_legend(self, entries: Iterable[Entry]) -> None:
        marks = [f'<span style="color:{self._theme.hex(role)}">{mark}</span> {name}' for role, mark, name in entries]
        self._legend.setText(" &nbsp; ".join(marks))

    def show_readout(self, words: str) -> None:
        if words != self._readout.text():
            self._readout.setText(words)
            self._readout.setToolTip(words)

    def _axis_buttons(self) -> QButtonGroup:
        group = QButtonGroup(self)
        for number, axis in enumerate(Axis):
            button = self._button(f"speed_over_{axis.value}", axis.value.capitalize(), f"Speed over {axis.value}")
            button.setCheckable(True)
            group.addButton(button, number)
        group.button(0).setChecked(True)
        group.idClicked.connect(self._choose_axis)
        return group

    def _copy_menu(self) -> tuple[QMenu, QAction]:
        menu = QMenu(self)
        self._add(menu, "copy_speed_picture", "Copy as picture", self.picture_wanted.emit)
        self._add(menu, "copy_speed_csv", "Copy as CSV", self.csv_wanted.emit)
        tokens = self._add(menu, "copy_speed_tokens", "Copy each token as CSV", self.tokens_wanted.emit)
        tokens.setEnabled(False)
        return menu, tokens

    def _add(self, menu: QMenu, name: str, text: str, act: Callable[[], None]) -> QAction:
        action = QAction(text, menu)
        action.setObjectName(name)
        action.triggered.connect(lambda: act())
        menu.addAction(action)
        return action

    def _button(self, name: str, text: str, accessible: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setAccessibleName(accessible)
        button.setToolTip(accessible)
        button.setText(text)
        button.setFont(self._theme.font(Size.SMALL))
        button.setProperty("kind", "small")
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP_PX)
        for label in (self._legend, self._readout):
            label.setFont(self._theme.font(Size.SMALL))
            label.setForegroundRole(MUTED_ROLE)
        self._legend.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        self._readout.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._readout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        copy = self._button("copy_speed", "Copy", "Copy the speed graph")
        copy.setMenu(self.copies)
        copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        row.addWidget(self._legend)
        row.addWidget(self._readout, 1)
        for button in (*self._axes.buttons(), copy):
            row.addWidget(button)

    def _choose_axis(self, number: int) -> None:
        self.axis_chosen.emit(list(Axis)[number])
