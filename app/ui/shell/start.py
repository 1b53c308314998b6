"""The first moment: when the window is on the screen, the engine may begin, and the model of last time is opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Slot

from app.bridge.playground import Playground
from app.engine.types import LoadRequest
from app.settings import Settings
from app.ui.shell.features import Features
from app.ui.shell.layout import Layout

if TYPE_CHECKING:
    from app.ui.shell.early_imports import EarlyImports


class Start(QObject):
    """Waits for the first paint, then is out of the way. `start` is the model to open; `notice` something to say."""

    def __init__(
        self,
        playground: Playground,
        parts: Layout,
        features: Features,
        settings: Settings,
        start: str,
        notice: str,
    ) -> None:
        super().__init__(parts)
        self._playground = playground
        self._parts = parts
        self._features = features
        self._start = start
        self._notice = notice
        self._draft = _draft_of(settings) if start == settings.model else ""
        self._left = False
        self._ahead: EarlyImports | None = None
        parts.installEventFilter(self)

    def leave(self) -> None:
        """The window was closed before anything began."""
        self._left = True
        if self._ahead is not None:
            self._ahead.leave()

    @Slot()
    def _begin(self) -> None:
        if self._left:
            return
        self._playground.open()
        if self._notice:
            self._parts.notice.show_remark(self._notice)
        if self._start and not self._features.reopening.begin(self._start):
            self._playground.load(LoadRequest(self._start, self._draft or None))
        self._parts.prompt.setFocus()
        self._look_ahead()

    def _look_ahead(self) -> None:
        from app.ui.shell.early_imports import EarlyImports

        modules = [module for feature in self._features for module in feature.ahead]
        self._ahead = EarlyImports(self._playground, modules, self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._parts.removeEventFilter(self)
            QTimer.singleShot(0, self._begin)
        return False


def _draft_of(settings: Settings) -> str:
    """The draft model of last time, which belongs to the model of last time."""
    return settings.draft if settings.draft and Path(settings.draft).is_dir() else ""
