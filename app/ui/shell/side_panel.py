"""What stands at either side of the conversation: shown and hidden, and out of the way where there is no room."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QToolButton, QWidget

from app.ui.shell.layout import Layout
from app.ui.widgets import keep_focus

TABS = {name: f"toggle_{name}" for name in ("controls", "inspector", "inside", "exact_prompt")}
"""The names of the inspector's pages, and of the actions that bring them."""


def follow(button: QAbstractButton, action: QAction) -> None:
    """Pressing the button triggers the action; so does toggling it, which is what a screen reader does.

    Whoever switches the action by itself switches the action first, then the button.
    """
    button.toggled.connect(partial(_agree, action))


def _agree(action: QAction, on: bool) -> None:
    if action.isChecked() != on:
        action.trigger()


def press(button: QAbstractButton, action: QAction) -> None:
    """The button does what the action does, and can be pressed when that can be chosen."""
    button.clicked.connect(action.trigger)
    action.enabledChanged.connect(button.setEnabled)
    button.setEnabled(action.isEnabled())


class SidePanel(QObject):
    """What the user wants is remembered; without room it goes until it is asked for, or there is room again."""

    def __init__(
        self, parts: Layout, pane: QWidget, button: QToolButton, toggle: QAction, has_room: Callable[[], bool]
    ) -> None:
        super().__init__(parts)
        self._parts = parts
        self._pane = pane
        self._button = button
        self._toggle = toggle
        self._has_room = has_room
        self._roomy, self._aside = True, False
        self.wanted = True
        """Whether it is to be seen where there is room."""
        follow(button, toggle)
        # Not the window's: what is shown before the columns have their room is squeezed into what they had.
        parts.columns.installEventFilter(self)
        parts.theme.resized.connect(self._look)

    def show(self, shown: bool) -> None:
        """As the user wants it from now on; asked for by name it is shown in a narrow window too."""
        self.wanted, self._aside = shown, False
        self._set()

    def restore(self, wanted: bool) -> None:
        """As it was left."""
        self.wanted = wanted
        self._set()

    def step_aside(self) -> None:
        """Make room for another column where there is only room for one."""
        if self._parts.tight:
            self._aside = True
            self._set()

    def _set(self) -> None:
        """Button and menu say what is to be seen."""
        shown = self.wanted and not self._aside
        if not shown:
            keep_focus(self._pane, self._button)
        self._pane.setVisible(shown)
        self._toggle.setChecked(shown)
        self._button.setChecked(shown)

    @Slot()
    def _look(self) -> None:
        """Whether there is room; larger text needs more of it."""
        roomy = self._has_room()
        if roomy != self._roomy:
            self._roomy, self._aside = roomy, not roomy
            self._set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self._look()
        return False


class Inspector(SidePanel):
    """The one at the right, which has pages."""

    def __init__(self, parts: Layout, actions: Mapping[str, QAction]) -> None:
        self._pages = {tab: actions[name] for tab, name in TABS.items()}
        super().__init__(parts, parts.side, parts.bar.inspector, actions["toggle_side"], lambda: not parts.tight)
        parts.side.tabBarClicked.connect(self._hold)
        parts.side.currentChanged.connect(self._set)

    @property
    def tab(self) -> str:
        """The name of the page that is shown, or would be."""
        return self._parts.side.currentWidget().objectName()

    def turn(self, tab: str) -> None:
        """To this page, wherever the keyboard is."""
        side = self._parts.side
        page = next((page for name in TABS if name == tab and (page := side.findChild(QWidget, name))), None)
        if page is not None and page is not side.currentWidget():
            self._hold()
            side.setCurrentWidget(page)

    @Slot()
    def _hold(self) -> None:
        """Before the page turns: no field of the next one takes the keyboard."""
        keep_focus(self._parts.side, self._parts.side.tabBar())

    def _set(self) -> None:
        super()._set()
        for tab, action in self._pages.items():
            action.setChecked(self._toggle.isChecked() and tab == self.tab)
