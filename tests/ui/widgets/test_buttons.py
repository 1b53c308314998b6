import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.buttons import button_row, opening, push_button, tool_button
from app.ui.widgets.menus import offer_buttons
from tests.ui.desk import named


def test_button_accessible_name_is_its_text_without_symbols(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    buttons = push_button("back", "‹ &Previous", "The step before"), push_button("save", "Export…", "Save it")
    window.setLayout(button_row(*buttons))
    assert [button.accessibleName() for button in buttons] == ["Previous", "Export"]
    assert not any(button.autoDefault() for button in buttons)
    assert [button.parentWidget() for button in buttons] == [window, window]


@pytest.mark.parametrize("way", ["a click", "a key", "a screen reader"])
def test_menu_button_opens_by_click_key_and_screen_reader(qtbot: QtBot, way: str) -> None:
    menu = QMenu()
    menu.addAction("One")
    button = opening(tool_button("more", "⋯", "More of it", "More"), menu)
    for each in (menu, button):
        qtbot.addWidget(each)
    button.show()
    seen: list[bool] = []
    menu.aboutToShow.connect(lambda: seen.append(True))
    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, menu.close))
    if way == "a click":
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    elif way == "a key":
        QTest.keyClick(button, Qt.Key.Key_Space)
    else:
        acts = QAccessible.queryAccessibleInterface(button).actionInterface()
        acts.doAction(acts.actionNames()[0])
    qtbot.waitUntil(lambda: seen == [True] and not menu.isVisible())


def test_offer_buttons_lists_visible_buttons(qtbot: QtBot) -> None:
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
    menu = named(view, QMenu, "rows_menu")
    assert [(act.text(), act.isEnabled()) for act in menu.actions()] == [("Open", True), ("Delete…", False)]
    menu.actions()[0].trigger()
    assert pressed == ["open"]
    menu.close()
