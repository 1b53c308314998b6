"""The inspector at the right of the conversation: one place with three tabs, shown, hidden and turned."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.ui.shell.action_buttons import follow
from app.ui.shell.layout import Layout
from app.ui.widgets.tab_order import keep_focus

TABS = {"controls": "toggle_controls", "inspector": "toggle_inspector", "exact_prompt": "toggle_exact_prompt"}
"""The names of the pages, and of the actions that bring them."""


class RightSide(QObject):
    """What the user wants is remembered. In a tight window it is not shown until it is asked for."""

    def __init__(self, parts: Layout, actions: Mapping[str, QAction]) -> None:
        super().__init__(parts)
        self._parts = parts
        self._actions = actions
        self._tight = self._aside = False
        self.wanted = True
        follow(parts.bar.inspector, actions["toggle_side"])
        parts.side.tabBarClicked.connect(self._hold)
        parts.side.currentChanged.connect(self._tell)
        parts.installEventFilter(self)
        parts.theme.resized.connect(self._look)

    @property
    def tab(self) -> str:
        """The name of the page that is shown, or would be."""
        return self._parts.side.currentWidget().objectName()

    def restore(self, wanted: bool, tab: str) -> None:
        """As it was left."""
        self.wanted = wanted
        self._turn(tab)
        self._show()

    @Slot(bool)
    def show(self, shown: bool) -> None:
        self.wanted, self._aside = shown, False
        self._show()

    def bring(self, tab: str) -> None:
        """This page, wherever the keyboard is."""
        self._turn(tab)
        self.show(True)

    def step_aside(self) -> None:
        """Make room for another column where there is only room for one."""
        if self._parts.tight:
            self._aside = True
            self._show()

    def _turn(self, tab: str) -> None:
        side = self._parts.side
        page = next((page for name in TABS if name == tab and (page := side.findChild(QWidget, name))), None)
        if page is not None and page is not side.currentWidget():
            self._hold()
            side.setCurrentWidget(page)

    @Slot()
    def _hold(self) -> None:
        """Before the page turns: no field of the next one takes the keyboard."""
        keep_focus(self._parts.side, self._parts.side.tabBar())

    def _show(self) -> None:
        shown = self.wanted and not self._aside
        if not shown:
            keep_focus(self._parts.side, self._parts.bar.inspector)
        self._parts.side.setVisible(shown)
        self._tell()

    @Slot()
    def _tell(self) -> None:
        """Buttons and menu say what is to be seen."""
        shown = self.wanted and not self._aside
        self._actions["toggle_side"].setChecked(shown)
        self._parts.bar.inspector.setChecked(shown)
        for tab, name in TABS.items():
            self._actions[name].setChecked(shown and tab == self.tab)

    @Slot()
    def _look(self) -> None:
        """Whether there is room; larger text needs more of it."""
        if self._parts.tight != self._tight:
            self._tight = self._aside = self._parts.tight
            self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self._look()
        return False
