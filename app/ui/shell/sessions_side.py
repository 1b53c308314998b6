"""The column of sessions beside the conversation: shown and hidden, and out of the way in a narrow window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction, QResizeEvent

from app.ui.shell.action_buttons import follow
from app.ui.shell.layout import Layout
from app.ui.widgets.tab_order import keep_focus

ROOMY_PX = 1100
"""Below this width the conversation and the controls need all of it."""


class SessionsSide(QObject):
    """What the user wants is remembered; in a window that becomes narrow the column goes, and comes back with room."""

    def __init__(self, parts: Layout, toggle: QAction) -> None:
        super().__init__(parts)
        self._parts = parts
        self._toggle = toggle
        self._roomy = True
        self.wanted = True
        """Whether it is to be seen where there is room."""
        follow(parts.bar.sessions, toggle)
        parts.installEventFilter(self)
        parts.theme.resized.connect(self._look)

    def show(self, shown: bool) -> None:
        """As the user wants it from now on; asked for by name it is shown in a narrow window too."""
        self.wanted = shown
        self._set(shown)

    def restore(self, wanted: bool) -> None:
        """As it was left."""
        self.wanted = wanted
        self._set(wanted and self._roomy)

    def step_aside(self) -> None:
        """Make room for another column where there is only room for one."""
        if self._parts.tight:
            self._set(False)

    def _set(self, shown: bool) -> None:
        if not shown:
            keep_focus(self._parts.sessions, self._parts.bar.sessions)
        self._parts.sessions.setVisible(shown)
        self._toggle.setChecked(shown)
        self._parts.bar.sessions.setChecked(shown)

    @Slot()
    def _look(self) -> None:
        """Whether there is room; larger text needs more of it."""
        roomy = self._parts.width() >= self._parts.theme.scaled(ROOMY_PX)
        if roomy != self._roomy:
            self._roomy = roomy
            self._set(roomy and self.wanted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self._look()
        return False


def known_widths(now: Sequence[int], before: Sequence[int]) -> tuple[int, ...]:
    """The widths of the columns; one that is hidden keeps that of last time."""
    if all(now):
        return tuple(now)
    if len(before) != len(now):
        return ()
    return tuple(width or last for width, last in zip(now, before, strict=True))
