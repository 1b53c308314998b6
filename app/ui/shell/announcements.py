"""Announcements for screen readers, and the system's notifications about finished long tasks."""

import re
import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.bridge.playground import Playground
from app.engine.meter.meter import Frame
from app.engine.types import Channel, Reason, VisibleText
from app.files.settings import Notify
from app.i18n import tr
from app.state import RUNNING, SETTLED, Phase, Run, State
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.picker.download_strip import ACTIVE
from app.ui.shell.layout import MainLayout
from app.ui.widgets import Announcer, bring_up

LONGEST = 400
"""A longer text without the end of a sentence is split at its last space."""
# A number with a dot is more likely a list item, or incomplete.
_END = re.compile(r"(?<=[^\d\s][.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")
INTERVAL_S = 1.0
"""Sentences that arrive within this interval are announced together."""
CUT_OFF = (Reason.STOPPED, Reason.ERROR)
ASIDES = {Channel.REASONING: tr("The model is reasoning."), Channel.TOOL: tr("The model calls a tool.")}


class SentenceSplitter:
    """Splits a streamed text into sentences."""

    def __init__(self) -> None:
        self._open = ""

    def take(self, text: str) -> tuple[str, ...]:
        """Return the sentences that `text` completes."""
        self._open += text
        ends = [found.end() for found in _END.finditer(self._open)]
        if not ends and len(self._open) > LONGEST:
            ends = [self._open.rfind(" ") + 1 or len(self._open)]
        starts = [0, *ends]
        whole = tuple(self._open[start:end].strip() for start, end in zip(starts, ends, strict=False))
        self._open = self._open[starts[-1] :]
        return tuple(filter(None, whole))

    def rest(self) -> str:
        """Return the incomplete last sentence."""
        rest, self._open = self._open.strip(), ""
        return rest


class Announcements(QObject):
    """Created after the widgets whose finish reasons it reads."""

    def __init__(self, playground: Playground, parts: MainLayout, parent: QObject) -> None:
        super().__init__(parent)
        self._parts = parts
        self._announcer = Announcer(parts.transcript)
        self._begin()
        playground.changed.connect(self._on_changed)
        playground.advanced.connect(self._on_advanced)
        playground.finished.connect(self._on_finished)
        words = tr("The run in the other session has ended.")
        playground.finished_elsewhere.connect(lambda: self._announcer.say(words))
        parts.notice.announced.connect(lambda words: self._announcer.say(words, urgent=True))
        parts.downloads.announced.connect(self._announcer.say)

    def _begin(self) -> None:
        self._sentences = SentenceSplitter()
        self._waiting: list[str] = []
        self._announced_at = float("-inf")
        self._voice = Channel.NORMAL

    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING:
            self._begin()
        if new.model is not None and new.model is not old.model:
            self._announcer.say(tr("{name} is open.").format(name=new.model.full_name))

    def _on_advanced(self, frame: Frame) -> None:
        if not frame.shown or not self._announcer.is_active:
            return
        for piece in frame.shown:
            self._take(piece)
        if self._waiting and frame.at - self._announced_at >= INTERVAL_S:
            self._announced_at = frame.at
            self._announce_waiting()

    def _take(self, piece: VisibleText) -> None:
        if piece.voice is not self._voice:
            self._voice = piece.voice
            self._waiting.extend(filter(None, (self._sentences.rest(), ASIDES.get(piece.voice, ""))))
        if piece.voice is Channel.NORMAL:
            self._waiting.extend(self._sentences.take(piece.text))

    def _announce_waiting(self) -> None:
        self._announcer.say(" ".join(self._waiting))
        self._waiting.clear()

    def _on_finished(self, run: Run) -> None:
        """Announce the last sentence and the finish reason; nothing after the user's own Stop."""
        urgent = run.finish.reason in CUT_OFF
        if not urgent:
            self._waiting.extend(filter(None, (self._sentences.rest(),)))
            self._announce_waiting()
        self._announcer.say(tr("Finish reason: {reason}.").format(reason=self._parts.ending.reason), urgent)


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
        self._unseen = 0
        self._icon: QSystemTrayIcon | None = None
        playground.changed.connect(self._on_changed)
        downloading.changed.connect(self._on_downloads_changed)
        program = QApplication.instance()
        assert isinstance(program, QApplication)
        self._program = program
        program.applicationStateChanged.connect(self._forget)

    def _on_changed(self, old: State, new: State) -> None:
        if new.phase in RUNNING and self._begun is None and not new.is_scoring:
            text = tr("The experiment has ended.") if new.experiment else tr("The answer is complete.")
            self._begun = (time.monotonic(), text)
        elif new.phase in SETTLED and self._begun is not None:
            (begun, text), self._begun = self._begun, None
            if old.phase is not Phase.STOPPING:
                self._notify(tr("The run has failed.") if new.failure is not None else text, begun)

    def _on_downloads_changed(self) -> None:
        before = self._flowing
        going = [job.model_id for job in self._downloading.jobs if job.state in ACTIVE]
        self._flowing = {name: before.get(name, time.monotonic()) for name in going}
        if ended := before.keys() - self._flowing.keys():
            self._notify(tr("A download is complete."), min(before[name] for name in ended))

    def _notify(self, text: str, begun: float) -> None:
        when = self._when()
        if self._is_seen() or when is Notify.OFF or (when is Notify.LONG and time.monotonic() - begun < LONG_S):
            return
        self._unseen += 1
        self._program.setBadgeNumber(self._unseen)
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            if self._icon is None:
                self._icon = QSystemTrayIcon(self._window.windowIcon(), self)
                self._icon.messageClicked.connect(partial(bring_up, self._window))
            self._icon.show()
            self._icon.showMessage(QApplication.applicationName(), text, self._window.windowIcon())

    def _forget(self) -> None:
        if self._unseen and self._is_seen():
            self._unseen = 0
            self._program.setBadgeNumber(0)
            if self._icon is not None:
                self._icon.hide()

    def _is_seen(self) -> bool:
        return self._program.applicationState() is Qt.ApplicationState.ApplicationActive
