"""Announcements for screen readers: answers sentence by sentence, finish reasons, models, failures, downloads."""

import re

from PySide6.QtCore import QObject

from app.bridge.playground import Playground
from app.engine.meter.frame import Frame
from app.engine.types import Channel, Reason, VisibleText
from app.i18n import tr
from app.state import Phase, Run, State
from app.ui.shell.layout import MainLayout
from app.ui.widgets import Announcer

LONGEST = 400
"""A longer text without the end of a sentence is split at its last space."""
# A number with a dot is more likely a list item, or incomplete.
_END = re.compile(r"(?<=[^\d\s][.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")
INTERVAL_S = 1.0
"""Sentences that arrive within this interval are announced together."""
CUT_OFF = (Reason.STOPPED, Reason.ERROR)
ASIDES = {Channel.REASONING: tr("The model is reasoning."), Channel.TOOL: tr("The model calls a tool.")}


class Sentences:
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
        parts.notice.told.connect(lambda words: self._announcer.say(words, urgent=True))
        parts.downloads.announced.connect(self._announcer.say)

    def _begin(self) -> None:
        self._sentences = Sentences()
        self._waiting: list[str] = []
        self._said_at = float("-inf")
        self._voice = Channel.NORMAL

    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING:
            self._begin()
        if new.model is not None and new.model is not old.model:
            self._announcer.say(tr("{name} is open.").format(name=new.model.full_name))

    def _on_advanced(self, frame: Frame) -> None:
        if not frame.shown or not self._announcer.heard:
            return
        for piece in frame.shown:
            self._take(piece)
        if self._waiting and frame.at - self._said_at >= INTERVAL_S:
            self._said_at = frame.at
            self._say_waiting()

    def _take(self, piece: VisibleText) -> None:
        if piece.voice is not self._voice:
            self._voice = piece.voice
            self._waiting.extend(filter(None, (self._sentences.rest(), ASIDES.get(piece.voice, ""))))
        if piece.voice is Channel.NORMAL:
            self._waiting.extend(self._sentences.take(piece.text))

    def _say_waiting(self) -> None:
        self._announcer.say(" ".join(self._waiting))
        self._waiting.clear()

    def _on_finished(self, run: Run) -> None:
        """Announce the last sentence and the finish reason; nothing after the user's own Stop."""
        urgent = run.finish.reason in CUT_OFF
        if not urgent:
            self._waiting.extend(filter(None, (self._sentences.rest(),)))
            self._say_waiting()
        self._announcer.say(tr("Finish reason: {reason}.").format(reason=self._parts.ending.reason), urgent)
