"""A right click on rows offers the buttons beside them: their words, what can be pressed, and nothing else."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QListWidget, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.widgets.button_menu import offer_buttons


def test_what_can_be_pressed_can_be_chosen(qtbot: QtBot) -> None:
    view = QListWidget()
    qtbot.addWidget(view)
    view.setObjectName("rows")
    open_, delete, hidden = (QPushButton(words, view) for words in ("Open", "Delete…", "Draft"))
    pressed: list[str] = []
    open_.clicked.connect(lambda: pressed.append("open"))
    delete.setEnabled(False)
    hidden.hide()
    offer_buttons(view, open_, delete, hidden)
    view.show()
    view.customContextMenuRequested.emit(QPoint(5, 5))
    menu = view.findChild(QMenu, "rows_menu")
    assert menu is not None
    assert [(act.text(), act.isEnabled()) for act in menu.actions()] == [("Open", True), ("Delete…", False)]
    menu.actions()[0].trigger()
    assert pressed == ["open"]
    menu.close()
