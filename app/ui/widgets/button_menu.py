"""A right click on rows offers what the buttons beside them do, by the same words and as far as they can be pressed."""

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QMenu


def offer_buttons(view: QAbstractItemView, *buttons: QAbstractButton) -> None:
    """In this order; one that is hidden is left out."""
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
