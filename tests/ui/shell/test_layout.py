from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.shell.layout import TopBar
from tests.ui.desk import Desk, act, named


def test_bar_without_room_hides_buttons_of_the_menu(qtbot: QtBot, theme: Theme) -> None:
    bar = TopBar(theme)
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


def test_bar_button_shows_and_hides_its_panel(desk: Desk) -> None:
    """A screen reader toggles the button."""
    window = desk.ready()
    window.resize(1600, 1000)
    for name, button_name, how in (("sessions", "sessions_button", "click"), ("side", "inspector_button", "toggle")):
        pane, button = named(window, QWidget, name), named(window, QAbstractButton, button_name)
        shown = pane.isVisible()
        assert button.isChecked() is shown
        for expected in (not shown, shown):
            getattr(button, how)()
            action = act(window, f"toggle_{name}")
            assert (pane.isVisible(), button.isChecked(), action.isChecked()) == (expected,) * 3
