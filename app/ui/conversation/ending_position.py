"""Where the line about a run's end stands: over the place that the page keeps for it; in raw mode below the page."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Slot

from app.ui.conversation.ending_line import EndingLine
from app.ui.conversation.transcript import Transcript
from app.ui.look import GAP_PX


class EndingPosition(QObject):
    """Follows the page as it scrolls and is laid out. While an answer is written, the line's room is kept free."""

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

    @Slot()
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
