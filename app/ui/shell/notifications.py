"""System notifications about finished long tasks while another program is in front, and a count on the program's icon.

They contain no user text: it would be visible on a locked screen, and some systems would interpret it as markup.
"""

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.bridge.playground import Playground
from app.files.settings import Notify
from app.i18n import tr
from app.state import RUNNING, SETTLED, Phase, State
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.picker.download_strip import ACTIVE
from app.ui.widgets import bring_up

LONG_S = 30.0


class Notifications(QObject):
    """Shows notifications as the setting `when` says. Activating the program resets the count on its icon."""

    def __init__(
        self, playground: Playground, downloading: DownloadsController, when: Callable[[], Notify], window: QWidget
    ) -> None:
        super().__init__(window)
        self._downloading = downloading
        self._when = when
        self._window = window
        self._begun: tuple[float, str] | None = None
        self._flowing: dict[str, float] = {}
        self._untold = 0
        self._icon: QSystemTrayIcon | None = None
        playground.changed.connect(self._on_changed)
        downloading.changed.connect(self._on_downloads_changed)
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        self._program = program
        program.applicationStateChanged.connect(self._forget)

    def _on_changed(self, old: State, new: State) -> None:
        if new.phase in RUNNING and self._begun is None and not new.is_scoring:
            said = tr("The experiment has ended.") if new.experiment else tr("The answer is complete.")
            self._begun = (time.monotonic(), said)
        elif new.phase in SETTLED and self._begun is not None:
            (begun, said), self._begun = self._begun, None
            if old.phase is not Phase.STOPPING:
                self._tell(tr("The run has failed.") if new.failure is not None else said, begun)

    def _on_downloads_changed(self) -> None:
        before = self._flowing
        going = [job.model_id for job in self._downloading.jobs if job.state in ACTIVE]
        self._flowing = {name: before.get(name, time.monotonic()) for name in going}
        if ended := before.keys() - self._flowing.keys():
            self._tell(tr("A download is complete."), min(before[name] for name in ended))

    def _tell(self, said: str, begun: float) -> None:
        when = self._when()
        if self._is_seen() or when is Notify.OFF or (when is Notify.LONG and time.monotonic() - begun < LONG_S):
            return
        self._untold += 1
        self._program.setBadgeNumber(self._untold)
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            if self._icon is None:
                self._icon = QSystemTrayIcon(self._window.windowIcon(), self)
                self._icon.messageClicked.connect(partial(bring_up, self._window))
            self._icon.show()
            self._icon.showMessage(QApplication.applicationName(), said, self._window.windowIcon())

    def _forget(self) -> None:
        if self._untold and self._is_seen():
            self._untold = 0
            self._program.setBadgeNumber(0)
            if self._icon is not None:
                self._icon.hide()

    def _is_seen(self) -> bool:
        return self._program.applicationState() is Qt.ApplicationState.ApplicationActive
