"""Files dropped on a window: taken as copies, with a frame around the window while they are over it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.ui.look import Color, Theme
from app.ui.widgets.files import paths_of

DRAGS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)
FRAME_PX = 2


class FileDrops(QObject):
    """An event filter that passes dropped files to `take` while `allowed`. A move would delete the original."""

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        take: Callable[[tuple[Path, ...]], object],
        allowed: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__(window)
        self._window, self._theme, self._take, self._allowed = window, theme, take, allowed
        self._frame = QFrame(window)
        self._frame.setObjectName("drop_frame")
        self._frame.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._frame.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in DRAGS and isinstance(event, QDropEvent):
            self._offer(event)
            return True
        if kind == QEvent.Type.DragLeave:
            self._frame.hide()
        return False

    def _offer(self, event: QDropEvent) -> None:
        paths, is_drop = paths_of(event.mimeData()), event.type() == QEvent.Type.Drop
        accepted = bool(paths) and self._allowed()
        event.setDropAction(Qt.DropAction.CopyAction)
        event.setAccepted(accepted)
        if accepted and not is_drop:
            self._frame.setStyleSheet(f"#drop_frame {{ border: {FRAME_PX}px solid {self._theme.hex(Color.ACCENT)}; }}")
            self._frame.setGeometry(self._window.rect())
            self._frame.raise_()
        self._frame.setVisible(accepted and not is_drop)
        if accepted and is_drop:
            self._take(paths)
