"""Explains how the run that is shown ended, and once more when its tokens have been read back."""

from PySide6.QtCore import QEvent, QObject, Qt

from app.bridge.playground import Playground
from app.controls import Mode
from app.displayed_run import DisplayedRun
from app.i18n import tr
from app.records.types import TurnId
from app.roofline.figures import Roofline
from app.state import Run
from app.ui.conversation.finish_line import EndingLine
from app.ui.conversation.finish_text import ending_of
from app.ui.conversation.run_details import RunDetails
from app.ui.conversation.transcript import Transcript
from app.ui.look import GAP_PX
from app.ui.widgets import keep_focus


class EndingController(QObject):
    """What can be done next stands there for the run that the page ends with, and for no other."""

    def __init__(
        self, playground: Playground, line: EndingLine, details: RunDetails, transcript: Transcript, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._line = line
        self._details = details
        self._ceiling: Roofline | None = None
        self._position = EndingPosition(line, transcript, self)
        line.more.toggled.connect(self._show_details)
        playground.shown.changed.connect(self._on_changed)
        playground.traces.changed.connect(self._on_traced)

    def _on_changed(self, old: DisplayedRun, new: DisplayedRun) -> None:
        if new == old:
            return
        if new.run is None:
            self._line.clear()
            self._details.clear()
            if new.live:
                self._position.keep_free()
            return
        self._show(new, new.run)
        if not new.replay and new.run.request.observe:
            # Where they tell something, its tokens are read.
            self._playground.traces.want(self._playground.state.turns[new.index])

    def _on_traced(self, turn: TurnId) -> None:
        shown = self._playground.shown.now
        if shown.turn == turn and shown.run is not None:
            self._show(shown, shown.run)

    def _show_details(self, shown: bool) -> None:
        if not shown:
            keep_focus(self._details, self._line.more)
        self._details.setVisible(shown)

    def show_ceiling(self, ceiling: Roofline | None) -> None:
        """Of the model that is open: what its runs could have come to."""
        known, self._ceiling = self._ceiling, ceiling
        shown = self._playground.shown.now
        if shown.run is not None and ceiling != known:
            self._show(shown, shown.run)

    def _show(self, shown: DisplayedRun, run: Run) -> None:
        state = self._playground.state
        last = not shown.replay and not shown.earlier
        newest = not shown.replay and shown.number == len(state.turns[shown.index].runs) - 1
        trace = self._playground.traces.of(shown.turn) if newest else None
        own = state.model is not None and state.model.name == shown.model
        chat = state.model is None or state.model.can.chat
        ending = ending_of(run, chat, trace, self._ceiling if own else None)
        can_record = last and ending.unrecorded and not state.observing
        reason, line = ending.reason, ending.line
        if shown.replay:
            reason, line = tr("replay: {reason}").format(reason=reason), tr("Replay: {reason}").format(reason=line)
        self._details.show_details(ending.story, ending.details, can_record, last)
        self._line.show_ending(line, reason, ending.steps, last, run.mode is Mode.CHAT, run.finish.failure is not None)
        self._position.put(shown.index)


class EndingPosition(QObject):
    """Where the line stands: over the place that the page keeps for it, as that scrolls; in raw mode below the page.

    While an answer is written, the line's room is kept free.
    """

    def __init__(self, line: EndingLine, transcript: Transcript, parent: QObject) -> None:
        super().__init__(parent)
        self._line = line
        self._transcript = transcript
        self._index = 0
        line.told.connect(self._move)
        transcript.verticalScrollBar().valueChanged.connect(self._move)
        # Not in the midst of an edit, when marks are not yet where they belong.
        layout = transcript.document().documentLayout()
        layout.documentSizeChanged.connect(self._move, Qt.ConnectionType.QueuedConnection)
        for part in (transcript.viewport(), line):
            part.installEventFilter(self)

    def put(self, index: int) -> None:
        """Under the answer with this index; under the last one where there is no such."""
        self._index = index
        self._transcript.keep_room(0)
        self._move()

    def keep_free(self) -> None:
        """An answer is being written, and will have such a line."""
        self._transcript.keep_room(self._line.sizeHint().height() + GAP_PX)

    def _move(self) -> None:
        viewport = self._transcript.viewport()
        if self._line.isHidden() or self._line.parent() is not viewport:
            return
        width = self._transcript.ending_rect(self._index).width()
        self._line.resize(width, self._line.height())
        wanted = max(self._line.heightForWidth(width), self._line.minimumSizeHint().height())
        self._line.setGeometry(self._transcript.ending_rect(self._index, wanted))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == (QEvent.Type.LayoutRequest if watched is self._line else QEvent.Type.Resize):
            self._move()
        return False
