"""The inspector and the controls, right of the conversation: in a window with no room for both, one steps aside."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction, QResizeEvent

from app.ui.shell.layout import Layout

ROOMY_PX = 1400
"""Below this width only one of the two is shown."""


class RightSide(QObject):
    """What the user wants is remembered; of two that are wanted the one asked for last is shown, and both with room.

    In a tight window neither is, until it is asked for.
    """

    def __init__(self, parts: Layout, actions: Mapping[str, QAction]) -> None:
        super().__init__(parts)
        self._parts = parts
        self._actions = actions
        self._roomy = True
        self._tight = self._aside = False
        self._inspector_first = True
        self.controls_wanted = True
        self.inspector_wanted = False
        parts.installEventFilter(self)
        parts.theme.resized.connect(self._look)

    def restore(self, controls: bool, inspector: bool) -> None:
        """As it was left."""
        self.controls_wanted, self.inspector_wanted = controls, inspector
        self._show()

    @Slot(bool)
    def show_controls(self, shown: bool) -> None:
        self.controls_wanted = shown
        self._inspector_first = not shown
        self._aside = False
        self._show()

    @Slot(bool)
    def show_inspector(self, shown: bool) -> None:
        self.inspector_wanted = shown
        self._inspector_first = shown
        self._aside = False
        self._show()

    def step_aside(self) -> None:
        """Make room for another column where there is only room for one."""
        if self._parts.tight:
            self._aside = True
            self._show()

    def _show(self) -> None:
        both = self._roomy or not (self.controls_wanted and self.inspector_wanted)
        controls = self.controls_wanted and (both or not self._inspector_first) and not self._aside
        inspector = self.inspector_wanted and (both or self._inspector_first) and not self._aside
        parts = self._parts
        # What goes makes room before the other comes.
        for part, shown in sorted(((parts.controls, controls), (parts.inspector, inspector)), key=lambda each: each[1]):
            part.setVisible(shown)
        for button, name, shown in (
            (parts.controls_button, "toggle_controls", controls),
            (parts.inspector_button, "toggle_inspector", inspector),
        ):
            self._actions[name].setChecked(shown)
            button.setChecked(shown)

    @Slot()
    def _look(self) -> None:
        """Whether there is room; larger text needs more of it."""
        roomy, tight = self._parts.width() >= self._parts.theme.scaled(ROOMY_PX), self._parts.tight
        if (roomy, tight) != (self._roomy, self._tight):
            if tight != self._tight:
                self._aside = tight
            self._roomy, self._tight = roomy, tight
            self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self._look()
        return False
