"""Switches the view of the transcript, and supplies the token view with traces and its legend."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QStackedWidget

from app.bridge.playground import Playground
from app.engine.types import Role
from app.records.types import TurnId
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import AnswerView
from app.ui.tokens.colours import Colouring
from app.ui.tokens.legend import TokenLegend

VIEWS = {
    "view_markdown": AnswerView.MARKDOWN,
    "view_plain": AnswerView.PLAIN,
    "view_mono": AnswerView.MONO,
    "view_tokens": AnswerView.TOKENS,
}


class TokensController(QObject):
    """Controller of the token view. It shows known traces at once, and loads missing ones when they become visible."""

    shown = Signal(bool)
    """Whether the token view is visible."""

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
        self._actions: Mapping[str, QAction] = {}
        self._text_view = "view_markdown"
        """The last view that wasn't the token view."""
        playground.traces.grew.connect(self._show)
        playground.traces.changed.connect(self._show)
        # Queued: emitted while it paints.
        transcript.trace_missed.connect(self._want, Qt.ConnectionType.QueuedConnection)
        transcript.scale_changed.connect(legend.show_scale)
        legend.chosen.connect(transcript.set_colouring)
        legend.left.connect(self._leave_tokens)
        pages.currentChanged.connect(self.sync)

    def join(self, actions: Mapping[str, QAction]) -> None:
        self._actions = actions
        group = QActionGroup(self)
        for name in VIEWS:
            group.addAction(actions[name])

    def restore(self, view: str, colouring: str) -> None:
        """Restore the view and the colouring of the last start."""
        self._actions[next((name for name, known in VIEWS.items() if known == view), "view_markdown")].setChecked(True)
        self.follow()
        if colouring in list(Colouring):
            self._transcript.set_colouring(Colouring(colouring))
        self._legend.show_scale(self._transcript.scale)

    def follow(self) -> None:
        """Show the view of the checked action."""
        name = next(name for name in VIEWS if self._actions[name].isChecked())
        if VIEWS[name] is not AnswerView.TOKENS:
            self._text_view = name
        self._transcript.set_view(VIEWS[name])
        self.sync()

    def _leave_tokens(self) -> None:
        self._actions[self._text_view].trigger()
        self._transcript.setFocus()

    def sync(self) -> None:
        """Show the traces again after a change of the view or the turns."""
        shown = self._transcript.view is AnswerView.TOKENS
        self.shown.emit(shown and self._pages.currentWidget() is self._transcript)
        if shown:
            turns = self._playground.state.turns
            for index, turn in enumerate(turns):
                if turn.role is Role.ASSISTANT:
                    self._transcript.show_trace(index, self._playground.traces.of(turn.id))
            self._transcript.trace_grew(len(turns) - 1)

    def _show(self, turn: TurnId) -> None:
        if self._transcript.view is not AnswerView.TOKENS:
            return
        turns = self._playground.state.turns
        index = next((at for at in range(len(turns) - 1, -1, -1) if turns[at].id == turn), None)
        if index is not None:
            self._transcript.show_trace(index, self._playground.traces.of(turn))
            self._transcript.trace_grew(index)

    def _want(self, index: int) -> None:
        """Request the trace of a turn; a rewritten turn has lost it."""
        turns = self._playground.state.turns
        if index < len(turns):
            self._transcript.show_trace(index, self._playground.traces.of(turns[index].id))
            self._playground.traces.want(turns[index])
