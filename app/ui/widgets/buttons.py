"""Functions that make buttons, and the row of buttons in a window."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QSize, Qt, SignalInstance
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QPushButton, QToolButton

from app.ui.look import Theme, scaled
from app.ui.look.icons import ICON_PX, icon
from app.ui.widgets.naming import named
from app.ui.widgets.rows import in_row

Press = Callable[[], object] | SignalInstance
Button = TypeVar("Button", bound=QAbstractButton)


def push_button(
    name: str, text: str, tip: str = "", spoken: str = "", *, kind: str = "", press: Press | None = None
) -> QPushButton:
    """Make a button that Enter in another widget doesn't press.

    The accessible name is `spoken`, or else the text without “…” and symbols. A click doesn't move the focus, as on
    macOS, so that the user can continue to type.
    """
    button = _button(QPushButton(text), name, tip, spoken, kind, press)
    button.setAutoDefault(False)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def tool_button(
    name: str, text: str, tip: str = "", spoken: str = "", *, kind: str = "", press: Press | None = None
) -> QToolButton:
    """Make a tool button for a strip or a heading."""
    button = QToolButton()
    button.setText(text)
    return _button(button, name, tip, spoken, kind, press)


def icon_button(
    theme: Theme, name: str, drawn: str, tip: str, spoken: str = "", *, press: Press | None = None
) -> QToolButton:
    """Make an icon button that scales with the text size; its accessible name is `spoken`, or else the tooltip."""
    button = tool_button(name, "", tip, spoken or tip, kind="icon", press=press)
    button.setIcon(icon(theme, drawn))
    button.setAutoRaise(True)
    scaled(theme, button, lambda button, side: button.setIconSize(QSize(side, side)), ICON_PX)
    return button


def opening(button: QToolButton, menu: QMenu) -> QToolButton:
    """Open the menu on a click or a screen reader's press, for which Qt does nothing.

    The press returns before the menu closes, because the screen reader waits for it.
    """
    button.setMenu(menu)
    button.clicked.connect(lambda: menu.popup(button.mapToGlobal(button.rect().bottomLeft())))
    return button


def button_row(*buttons: QPushButton) -> QHBoxLayout:
    """Lay out buttons in a row, aligned to the right."""
    return in_row(..., *buttons)


def _button(button: Button, name: str, tip: str, spoken: str, kind: str, press: Press | None) -> Button:
    named(button, name, spoken or button.text().replace("&", "").strip("‹› …"), tip)
    if kind:
        button.setProperty("kind", kind)
    if press is not None:
        button.clicked.connect(press)
    return button
