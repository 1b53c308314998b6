"""The bar along the top: the title gives way, then go the buttons that the menu has too."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.shell.bar import Bar


def test_nothing_goes_beside_empty_room(qtbot: QtBot, theme: Theme) -> None:
    bar = Bar(theme)
    bar.model.setText("demo · 1.28 M")
    bar.title.setText("Tell me a story about a fox who lived in a town with many towers")
    qtbot.addWidget(bar)
    bar.resize(1000, 44)
    bar.show()
    theme.resize(200)
    QApplication.processEvents()
    assert bar.runs.isVisible() and bar.code.isVisible()
    assert bar.title.width() > 200
    bar.resize(700, 88)
    assert not bar.runs.isVisible() and not bar.code.isVisible()
    assert bar.mode.isVisible() and bar.inspector.isVisible()
    theme.resize(100)
    QApplication.processEvents()
    assert bar.code.isVisible()
    bar.model.setText("a model with a name that is so long that it leaves hardly any room" * 2)
    QApplication.processEvents()
    assert not bar.code.isVisible()
