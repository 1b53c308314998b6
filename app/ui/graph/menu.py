"""The small menu of the speed graph: what it runs over, what is drawn with it, and what can be copied."""

from PySide6.QtCore import QSignalBlocker, Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets import opening, tool_button
from app.ui.widgets.plots.speed_curve import Axis

EOS_TIP = tr("Probability of an EOS or stop token at each place: the line from 0 to 100 %")
AXES = {Axis.TIME: tr("Speed over Time"), Axis.TOKENS: tr("Speed over Tokens")}


class SpeedMenu(QMenu):
    """Emits wishes."""

    axis_chosen = Signal(Axis)
    eos_switched = Signal(bool)
    picture_wanted = Signal()
    csv_wanted = Signal()
    tokens_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setToolTipsVisible(True)
        self._axes = QActionGroup(self)
        for axis, text in AXES.items():
            act = self._add(f"speed_over_{axis.value}", text)
            act.setCheckable(True)
            act.setData(axis)
            self._axes.addAction(act)
        self._axes.triggered.connect(lambda act: self.axis_chosen.emit(Axis(act.data())))
        self.addSeparator()
        self._eos = self._add("speed_eos", tr("EOS Probability"))
        self._eos.setCheckable(True)
        self._eos.toggled.connect(self.eos_switched)
        self.addSeparator()
        self._add("copy_speed_picture", tr("Copy as Picture"), self.picture_wanted)
        self._add("copy_speed_csv", tr("Copy as CSV"), self.csv_wanted)
        self._tokens = self._add("copy_speed_tokens", tr("Copy Each Token as CSV"), self.tokens_wanted)
        self.set_axis(Axis.TIME)
        self.offer_tokens(False)

    def button(self, theme: Theme) -> QToolButton:
        """Opens it, in the corner of the graph."""
        tip = tr("What the graph shows, and copies of it")
        button = tool_button("speed_menu", "⋯", tip, tr("Speed graph menu"), kind="small")
        button.setFont(theme.font(Size.SMALL))
        return opening(button, self)

    def set_axis(self, axis: Axis) -> None:
        for act in self._axes.actions():
            act.setChecked(act.data() == axis)

    def set_eos(self, on: bool) -> None:
        with QSignalBlocker(self._eos):
            self._eos.setChecked(on)

    def offer_eos(self, missing: str) -> None:
        """Whether there is an end probability to be shown, or why it is missing."""
        if (missing or EOS_TIP) != self._eos.toolTip():
            self._eos.setEnabled(not missing)
            self._eos.setToolTip(missing or EOS_TIP)

    def offer_tokens(self, there: bool) -> None:
        """Whether there are tokens to be copied."""
        self._tokens.setEnabled(there)

    def _add(self, name: str, text: str, wanted: SignalInstance | None = None) -> QAction:
        act = QAction(text, self)
        act.setObjectName(name)
        if wanted is not None:
            act.triggered.connect(wanted)
        self.addAction(act)
        return act
