"""The button that starts and stops the playback of the displayed run."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.i18n import tr
from app.state import PlaybackSpeed
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import in_row, tool_button
from app.ui.widgets.buttons import opening

PACES = {
    PlaybackSpeed.READING: tr("At Reading Speed"),
    PlaybackSpeed.OWN: tr("At the Original Speed"),
    PlaybackSpeed.SLOWED: tr("Slowed 10 Times"),
    PlaybackSpeed.VERY_SLOW: tr("Slowed 100 Times"),
}
WATCH, STOP = tr("▷ Play back"), tr("Stop playback")
WATCH_SIGN, STOP_SIGN = "▷", "■"
TIP = tr("Plays the recorded answer back, with its curve and numbers. Nothing is generated.")


class WatchButton(QWidget):
    """A button that starts the playback at reading speed; its menu has other speeds."""

    wanted = Signal(PlaybackSpeed)
    stopped = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._watching = self._folded = False
        self._button = tool_button("watch_again", WATCH, TIP, tr("Play back"), kind="tiny", press=self._press)
        self._paces = tool_button("watch_paces", "▾", tr("Playback speed"), kind="tiny")
        self._paces.setAccessibleName(tr("Playback speed"))
        menu = QMenu(self)
        for pace, text in PACES.items():
            act = menu.addAction(text)
            act.setObjectName(f"watch_{pace.value}")
            act.triggered.connect(partial(self._choose, pace))
        opening(self._paces, menu)
        for button in (self._button, self._paces):
            button.setFont(theme.font(Size.NORMAL))
        in_row(..., self._button, self._paces, on=self, gap=GRID_PX)

    def fit(self, room: float) -> None:
        """Use words if they fit into `room` pixels, else symbols. The width is constant during the playback."""
        wide = self._wide(WATCH, STOP)
        self._folded = wide > room
        self.setFixedWidth(self._wide(WATCH_SIGN, STOP_SIGN) if self._folded else wide)
        self._set_text()

    def _wide(self, watch: str, stop: str) -> int:
        advance = self._button.fontMetrics().horizontalAdvance
        around = self._button.sizeHint().width() - advance(self._button.text())
        return around + max(advance(stop), advance(watch) + GRID_PX + self._paces.sizeHint().width())

    def _set_text(self) -> None:
        watch, stop = (WATCH_SIGN, STOP_SIGN) if self._folded else (WATCH, STOP)
        self._button.setText(stop if self._watching else watch)

    def show_watching(self, watching: bool, possible: bool) -> None:
        """Show whether a playback is active. Without a possible playback the button is hidden, but keeps its space."""
        self.setVisible(watching or possible)
        self._watching = watching
        self._set_text()
        self._button.setAccessibleName(STOP if watching else tr("Play back"))
        self._paces.setVisible(not watching)

    def _press(self) -> None:
        if self._watching:
            self.stopped.emit()
        else:
            self.wanted.emit(PlaybackSpeed.READING)

    def _choose(self, pace: PlaybackSpeed, checked: bool = False) -> None:
        self.wanted.emit(pace)
