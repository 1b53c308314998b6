"""The panels on both sides of the conversation. They can be hidden, and are hidden where there is no room."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QToolButton, QWidget

from app.ui.shell.layout import MainLayout
from app.ui.widgets import keep_focus

TABS = {name: f"toggle_{name}" for name in ("controls", "inspector", "inside", "exact_prompt")}
"""Pages of the inspector, and the actions that show them."""


def follow(button: QAbstractButton, action: QAction) -> None:
    """Trigger the action when the button is toggled, by the mouse or by a screen reader.

    Code that changes the action has to set the action first, then the button.
    """
    button.toggled.connect(partial(_agree, action))


def _agree(action: QAction, on: bool) -> None:
    if action.isChecked() != on:
        action.trigger()


def press(button: QAbstractButton, action: QAction) -> None:
    """Trigger the action on a click, and enable the button together with it."""
    button.clicked.connect(action.trigger)
    action.enabledChanged.connect(button.setEnabled)
    button.setEnabled(action.isEnabled())


class SidePanel(QObject):
    """A panel that saves whether the user wants it. Without room it is hidden until there is room or the user requests
    it.
    """

    def __init__(
        self, parts: MainLayout, pane: QWidget, button: QToolButton, toggle: QAction, has_room: Callable[[], bool]
    ) -> None:
        super().__init__(parts)
        self._parts = parts
        self._pane = pane
        self._button = button
        self._toggle = toggle
        self._has_room = has_room
        self._roomy, self._aside = True, False
        self.wanted = True
        """Whether it is shown if there is room."""
        follow(button, toggle)
        # The columns' events, not the window's: a panel that is shown before they are resized would be squeezed.
        parts.columns.installEventFilter(self)
        parts.theme.resized.connect(self._check_room)

    def show(self, shown: bool) -> None:
        """Show or hide it as the user wants; a request shows it in a narrow window, too."""
        self.wanted, self._aside = shown, False
        self._set()

    def restore(self, wanted: bool) -> None:
        """Restore the saved state."""
        self.wanted = wanted
        self._set()

    def step_aside(self) -> None:
        """Hide it to make room for another column, if there is room for one only."""
        if self._parts.tight:
            self._aside = True
            self._set()

    def _set(self) -> None:
        """Show or hide the panel, and update its button and menu entry."""
        shown = self.wanted and not self._aside
        if not shown:
            keep_focus(self._pane, self._button)
        self._pane.setVisible(shown)
        self._toggle.setChecked(shown)
        self._button.setChecked(shown)

    def _check_room(self) -> None:
        """Check whether there is room, which depends on the text size."""
        roomy = self._has_room()
        if roomy != self._roomy:
            self._roomy, self._aside = roomy, not roomy
            self._set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self._check_room()
        return False


class Inspector(SidePanel):
    """The panel on the right, which has pages."""

    def __init__(self, parts: MainLayout, actions: Mapping[str, QAction]) -> None:
        self._pages = {tab: actions[name] for tab, name in TABS.items()}
        super().__init__(parts, parts.side, parts.bar.inspector, actions["toggle_side"], lambda: not parts.tight)
        parts.side.tabBarClicked.connect(self._hold)
        parts.side.currentChanged.connect(self._set)

    @property
    def tab(self) -> str:
        """The name of the current page."""
        return self._parts.side.currentWidget().objectName()

    def turn(self, tab: str) -> None:
        """Show a page without moving the focus."""
        side = self._parts.side
        page = next((page for name in TABS if name == tab and (page := side.findChild(QWidget, name))), None)
        if page is not None and page is not side.currentWidget():
            self._hold()
            side.setCurrentWidget(page)

    def _hold(self) -> None:
        """Move the focus before the page changes, or a field of the next page would get it."""
        keep_focus(self._parts.side, self._parts.side.tabBar())

    def _set(self) -> None:
        super()._set()
        for tab, action in self._pages.items():
            action.setChecked(self._toggle.isChecked() and tab == self.tab)
