"""The line above the speed graph: what the curves are, and the small buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal, SignalInstance, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QMenu, QToolButton, QWidget

from app.ui.instruments.speed_legend import Entry, SpeedLegend
from app.ui.look.theme import GRID_PX, Size, Theme
from app.ui.widgets.buttons import tool_button
from app.ui.widgets.plots.speed_curve import Axis
from app.ui.widgets.rows import in_row
from app.words import tr

EOS_TIP = tr("How likely the model was to end at each token: the line from 0 to 100 % at the right")
AXES = {Axis.TIME: (tr("Time"), tr("Speed over time")), Axis.TOKENS: (tr("Tokens"), tr("Speed over tokens"))}
"""What their buttons say, and what they are for."""
NARROW_PX = 300
"""Below this the legend needs the room of the button that is used least."""


class SpeedHead(QWidget):
    """Shows words and emits wishes."""

    axis_chosen = Signal(Axis)
    eos_switched = Signal(bool)
    picture_wanted = Signal()
    csv_wanted = Signal()
    tokens_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._legend = SpeedLegend(theme)
        self._axes = self._axis_buttons()
        self._eos = self._button("speed_eos", tr("End"), tr("End probability"))
        self._eos.setCheckable(True)
        self._eos.toggled.connect(self.eos_switched)
        self.copies, self._token_copy = self._copy_menu()
        self._lay_out()

    def set_axis(self, axis: Axis) -> None:
        with QSignalBlocker(self._axes):
            self._axes.button(list(Axis).index(axis)).setChecked(True)

    def set_eos(self, on: bool) -> None:
        self._eos.setChecked(on)

    def offer_eos(self, missing: str) -> None:
        """Whether there is an end probability to be shown, or why it is missing."""
        tip = missing or EOS_TIP
        if tip != self._eos.toolTip():
            self._eos.setEnabled(not missing)
            self._eos.setToolTip(tip)

    def offer_tokens(self, there: bool) -> None:
        """Whether there are tokens to be copied."""
        self._token_copy.setEnabled(there)

    def offer(self, act: QAction) -> None:
        """An action of the window, among the small buttons' own."""
        self.copies.addAction(act)

    def show_legend(self, entries: Sequence[Entry]) -> None:
        self._legend.show_entries(entries)

    def _axis_buttons(self) -> QButtonGroup:
        group = QButtonGroup(self)
        for number, axis in enumerate(Axis):
            button = self._button(f"speed_over_{axis.value}", *AXES[axis])
            button.setCheckable(True)
            group.addButton(button, number)
        group.button(0).setChecked(True)
        # Not clicked: a screen reader toggles.
        group.idToggled.connect(self._choose_axis)
        return group

    def _copy_menu(self) -> tuple[QMenu, QAction]:
        menu = QMenu(self)
        self._add(menu, "copy_speed_picture", tr("Copy as picture"), self.picture_wanted)
        self._add(menu, "copy_speed_csv", tr("Copy as CSV"), self.csv_wanted)
        tokens = self._add(menu, "copy_speed_tokens", tr("Copy each token as CSV"), self.tokens_wanted)
        tokens.setEnabled(False)
        return menu, tokens

    def _add(self, menu: QMenu, name: str, text: str, wanted: SignalInstance) -> QAction:
        action = QAction(text, menu)
        action.setObjectName(name)
        action.triggered.connect(wanted)
        menu.addAction(action)
        return action

    def _button(self, name: str, text: str, accessible: str) -> QToolButton:
        button = tool_button(name, text, accessible, accessible, kind="small")
        button.setFont(self._theme.font(Size.SMALL))
        return button

    def _lay_out(self) -> None:
        row = in_row(on=self, gap=GRID_PX)
        self._copy = self._button("copy_speed", tr("Copy"), tr("Copy the speed graph"))
        self._copy.setMenu(self.copies)
        self._copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        row.addWidget(self._legend, 1)
        for button in (*self._axes.buttons(), self._eos, self._copy):
            row.addWidget(button)

    @Slot(int, bool)
    def _choose_axis(self, number: int, pressed: bool) -> None:
        if pressed:
            self.axis_chosen.emit(list(Axis)[number])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The context menu copies as well."""
        super().resizeEvent(event)
        self._copy.setVisible(self.width() >= self._theme.scaled(NARROW_PX))
