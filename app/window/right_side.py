"""The inspector and the controls, right of the conversation: in a window with no room for both, one steps aside."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction, QResizeEvent

from app.window.layout import Layout

ROOMY_PX = 1400
"""Below this width only one of the two is shown."""


class RightSide(QObject):
    """What the user wants is remembered; of two that are wanted the one asked for last is shown, and both with room."""

    def __init__(self, parts: Layout, acts: Mapping[str, QAction]) -> None:
        super().__init__(parts)
        self._parts = parts
        self._acts = acts
        self._roomy = True
        self._inspector_first = True
        self.controls_wanted = True
        self.inspector_wanted = False
        parts.installEventFilter(self)

    def restore(self, controls: bool, inspector: bool) -> None:
        """As it was left."""
        self.controls_wanted, self.inspector_wanted = controls, inspector
        self._show()

    @Slot(bool)
    def show_controls(self, shown: bool) -> None:
        self.controls_wanted = shown
        self._inspector_first = not shown
        self._show()

    @Slot(bool)
    def show_inspector(self, shown: bool) -> None:
        self.inspector_wanted = shown
        self._inspector_first = shown
        self._show()

    def _show(self) -> None:
        both = self._roomy or not (self.controls_wanted and self.inspector_wanted)
        controls = self.controls_wanted and (both or not self._inspector_first)
        inspector = self.inspector_wanted and (both or self._inspector_first)
        parts = self._parts
        # What goes makes room before the other comes.
        for part, shown in sorted(((parts.controls, controls), (parts.inspector, inspector)), key=lambda each: each[1]):
            part.setVisible(shown)
        for button, name, shown in (
            (parts.controls_button, "toggle_controls", controls),
            (parts.inspector_button, "toggle_inspector", inspector),
        ):
            self._acts[name].setChecked(shown)
            button.setChecked(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            roomy = event.size().width() >= ROOMY_PX
            if roomy != self._roomy:
                self._roomy = roomy
                self._show()
        return False
