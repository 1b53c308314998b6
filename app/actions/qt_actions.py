"""Creates Qt's actions and the menu bar from the table."""

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.actions.sentences import TIPS
from app.actions.table import ACTIONS, Action

Intent = Callable[[], object] | Callable[[bool], object]
"""The function of an action; a checkable action passes its state."""


def create(parent: QWidget, intents: Mapping[str, Intent]) -> dict[str, QAction]:
    """Create a QAction for each action. `intents` are methods of objects on the UI thread."""
    made: dict[str, QAction] = {}
    for action in ACTIONS:
        made[action.name] = _make(action, parent)
        made[action.name].triggered.connect(intents[action.name])
    return made


def fill(bar: QMenuBar, made: Mapping[str, QAction]) -> None:
    """Fill the menu bar."""
    menus: dict[str, QMenu] = {}
    for action in ACTIONS:
        menu = menus.get(action.menu) or menus.setdefault(action.menu, bar.addMenu(action.menu))
        menu = menus.get(action.submenu, menu)
        if action.line_above:
            menu.addSeparator()
        if action.submenu and action.submenu not in menus:
            menu = menus.setdefault(action.submenu, menu.addMenu(action.submenu))
        menu.addAction(made[action.name])


def _make(action: Action, parent: QWidget) -> QAction:
    made = QAction(action.text, parent)
    made.setObjectName(f"action_{action.name}")
    made.setToolTip(TIPS.get(action.name, ""))
    made.setStatusTip(made.toolTip())
    made.setShortcuts([QKeySequence(each) for each in action.shortcuts])
    made.setMenuRole(action.role)
    made.setCheckable(action.checkable)
    parent.addAction(made)
    return made
