from functools import partial

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QSplitter, QTabWidget, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.files.settings import Settings
from app.ui.look.theme import Theme
from app.ui.shell.layout import COLUMNS_PX, TopBar
from app.ui.shell.window_state import known_widths
from app.ui.widgets import ScrollColumn
from tests.ui.desk import Desk, act, named


def test_full_screen_action_follows_the_window(desk: Desk) -> None:
    """A Mac's windows have a full-screen button."""
    window = desk.ready()
    window.showFullScreen()
    assert act(window, "full_screen").isChecked()
    act(window, "full_screen").trigger()
    assert not window.isFullScreen()
    assert not act(window, "full_screen").isChecked()


@pytest.mark.slow
def test_full_screen_of_a_maximized_window_keeps_it_maximized(desk: Desk) -> None:
    window = desk.ready()
    window.showMaximized()
    for full in (True, False):
        act(window, "full_screen").trigger()
        assert (window.isFullScreen(), window.isMaximized()) == (full, True)


@pytest.mark.parametrize("percent", [200, pytest.param(100, marks=pytest.mark.slow)])
def test_inspector_is_as_wide_as_its_tabs_and_their_content(desk: Desk, percent: int) -> None:
    """The last tab was behind arrows, and the last of the five kinds was cut."""
    window = desk.ready()
    window.resize(1600, 1000)
    desk.theme.resize(percent)
    side, columns = named(window, QTabWidget, "side"), named(window, QSplitter, "columns")
    for tab in range(side.count()):
        side.setCurrentIndex(tab)
        columns.setSizes([220, 2_000, 1])
        desk.qtbot.waitUntil(partial(_is_whole, side))


@pytest.mark.parametrize("percent", [200, pytest.param(100, marks=pytest.mark.slow)])
def test_inspector_at_first_start_has_its_default_width(desk: Desk, percent: int) -> None:
    """With large text the inspector had its minimum width."""
    window = desk.ready(Settings(text_percent=percent))
    window.resize(1600, 1000)
    columns = named(window, QSplitter, "columns")
    desk.qtbot.waitUntil(lambda: columns.sizes()[2] == desk.theme.scaled(COLUMNS_PX[2]))


def _is_whole(side: QTabWidget) -> bool:
    arrows = [each for each in side.tabBar().findChildren(QToolButton) if each.isVisible()]
    rooms = side.currentWidget().findChildren(ScrollColumn)
    return not arrows and all(room.horizontalScrollBar().maximum() == 0 for room in rooms)


def test_known_widths_of_hidden_columns_stay() -> None:
    assert known_widths((200, 600, 250), ()) == (200, 600, 250)
    assert known_widths((0, 800, 250), (200, 600, 250)) == (200, 800, 250)
    assert known_widths((0, 800, 250), ()) == ()


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
