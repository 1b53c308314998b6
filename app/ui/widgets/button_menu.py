"""A context menu for rows, with the same actions as the buttons beside them."""

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QMenu


def offer_buttons(view: QAbstractItemView, *buttons: QAbstractButton) -> None:
    """Add the buttons as menu entries, in this order, without the hidden ones."""
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(partial(_open, view, buttons))


def _open(view: QAbstractItemView, buttons: tuple[QAbstractButton, ...], place: QPoint) -> None:
    menu = QMenu(view)
    menu.setObjectName(f"{view.objectName()}_menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for button in buttons:
        if not button.isHidden():
            menu.addAction(button.text(), button.click).setEnabled(button.isEnabled())
    menu.popup(view.viewport().mapToGlobal(place))
