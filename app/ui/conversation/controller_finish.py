"""Explains the finish of the displayed run, and again once its tokens are loaded."""

from PySide6.QtCore import QEvent, QObject, Qt

from app.bridge.playground import Playground
from app.controls import Mode
from app.i18n import tr
from app.records.types import TurnId
from app.roofline.figures import Roofline
from app.state import DisplayedRun, Run
from app.ui.conversation.finish_line import FinishLine
from app.ui.conversation.finish_text import describe_finish
from app.ui.conversation.run_details import RunDetails
from app.ui.conversation.transcript import Transcript
from app.ui.look import GAP_PX
from app.ui.widgets import keep_focus


class FinishController(QObject):
    """Controller of the finish line and the details. The line is below its answer, or below a raw page."""

    def __init__(
        self, playground: Playground, line: FinishLine, details: RunDetails, transcript: Transcript, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._line = line
        self._details = details
        self._transcript = transcript
        self._roofline: Roofline | None = None
        self._index = 0
        """Index of the turn whose finish is shown."""
        line.more.toggled.connect(self._show_details)
        playground.shown.changed.connect(self._on_changed)
        playground.traces.changed.connect(self._on_trace_loaded)
        transcript.verticalScrollBar().valueChanged.connect(self._place_line)
        # Queued: in the midst of an edit the positions of the page aren't valid yet.
        layout = transcript.document().documentLayout()
        layout.documentSizeChanged.connect(self._place_line, Qt.ConnectionType.QueuedConnection)
        for part in (transcript.viewport(), line):
            part.installEventFilter(self)

    def show_ceiling(self, roofline: Roofline | None) -> None:
        """Set the bandwidth limit of the open model, and update the details."""
        known, self._roofline = self._roofline, roofline
        shown = self._playground.shown.now
        if shown.run is not None and roofline != known:
            self._show(shown, shown.run)

    def _on_changed(self, old: DisplayedRun, new: DisplayedRun) -> None:
        if new == old:
            return
        if new.run is None:
            self._line.clear()
            self._details.clear()
            if new.live:  # reserves the place of the line while the answer streams
                self._transcript.keep_room(self._line.sizeHint().height() + GAP_PX)
            return
        self._show(new, new.run)
        if not new.replay and new.run.request.observe:
            self._playground.traces.want(self._playground.state.turns[new.index])

    def _on_trace_loaded(self, turn: TurnId) -> None:
        shown = self._playground.shown.now
        if shown.turn == turn and shown.run is not None:
            self._show(shown, shown.run)

    def _show_details(self, shown: bool) -> None:
        if not shown:
            keep_focus(self._details, self._line.more)
        self._details.setVisible(shown)

    def _show(self, shown: DisplayedRun, run: Run) -> None:
        state = self._playground.state
        last = not shown.replay and not shown.earlier
        newest = not shown.replay and shown.number == len(state.turns[shown.index].runs) - 1
        trace = self._playground.traces.of(shown.turn) if newest else None
        is_open = state.model is not None and state.model.name == shown.model
        chat = state.model is None or state.model.can.chat
        text = describe_finish(run, chat, trace, self._roofline if is_open else None)
        can_record = last and text.lacks_logprobs and not state.observing
        reason, line = text.reason, text.line
        if shown.replay:
            reason, line = tr("replay: {reason}").format(reason=reason), tr("Replay: {reason}").format(reason=line)
        self._details.show_details(text.explanation, text.details, can_record, last)
        self._line.show_finish(line, reason, text.steps, last, run.mode is Mode.CHAT, run.finish.failure is not None)
        self._index = shown.index
        self._transcript.keep_room(0)
        self._place_line()

    def _place_line(self) -> None:
        viewport = self._transcript.viewport()
        if self._line.isHidden() or self._line.parent() is not viewport:
            return
        width = self._transcript.ending_rect(self._index).width()
        self._line.resize(width, self._line.height())
        wanted = max(self._line.heightForWidth(width), self._line.minimumSizeHint().height())
        self._line.setGeometry(self._transcript.ending_rect(self._index, wanted))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == (QEvent.Type.LayoutRequest if watched is self._line else QEvent.Type.Resize):
            self._place_line()
        return False
