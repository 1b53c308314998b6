"""Gives the transcript the tokens of its answers while it shows tokens, and keeps their legend."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QStackedWidget

from app.bridge.playground import Playground
from app.engine.types import Role
from app.records.types import TurnId
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import View
from app.ui.tokens.colours import Colouring
from app.ui.tokens.legend import TokenLegend


class TokensController(QObject):
    """What is known is shown at once; what is in sight and not known is asked for."""

    shown = Signal(bool)
    """Whether tokens are in sight."""

    def __init__(
        self,
        playground: Playground,
        transcript: Transcript,
        legend: TokenLegend,
        pages: QStackedWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._transcript = transcript
        self._legend = legend
        self._pages = pages
        playground.traces.grew.connect(self._show)
        playground.traces.changed.connect(self._show)
        # Not while it paints.
        transcript.trace_missed.connect(self._want, Qt.ConnectionType.QueuedConnection)
        transcript.scale_changed.connect(legend.show_scale)
        legend.chosen.connect(transcript.set_colouring)
        pages.currentChanged.connect(self.sync)

    def restore(self, colouring: str) -> None:
        """Coloured as it was left."""
        if colouring in list(Colouring):
            self._transcript.set_colouring(Colouring(colouring))
        self._legend.show_scale(self._transcript.scale)
        self.sync()

    def sync(self) -> None:
        """After another view, or other turns."""
        shown = self._transcript.view is View.TOKENS
        self.shown.emit(shown and self._pages.currentWidget() is self._transcript)
        if shown:
            turns = self._playground.state.turns
            for index, turn in enumerate(turns):
                if turn.role is Role.ASSISTANT:
                    self._transcript.show_trace(index, self._playground.traces.of(turn.id))
            self._transcript.trace_grew(len(turns) - 1)

    def _show(self, turn: TurnId) -> None:
        """Once a frame at the most, while an answer is written."""
        if self._transcript.view is not View.TOKENS:
            return
        turns = self._playground.state.turns
        index = next((at for at in range(len(turns) - 1, -1, -1) if turns[at].id == turn), None)
        if index is not None:
            self._transcript.show_trace(index, self._playground.traces.of(turn))
            self._transcript.trace_grew(index)

    def _want(self, index: int) -> None:
        """A turn that was put on the page anew has lost the trace that is known."""
        turns = self._playground.state.turns
        if index < len(turns):
            self._transcript.show_trace(index, self._playground.traces.of(turns[index].id))
            self._playground.traces.want(turns[index])
