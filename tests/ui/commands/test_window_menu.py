"""The windows that are open stand in a menu of their own, under the names that they have at the top."""

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named

pytestmark = pytest.mark.in_korean


def listed(window: MainWindow) -> list[QAction]:
    """What stands below the actions of the table, when the menu is open."""
    menu = next(each for each in window.menuBar().findChildren(QMenu) if act(window, "minimise") in each.actions())
    menu.aboutToShow.emit()
    acts = menu.actions()
    return acts[next(at for at, each in enumerate(acts) if each.isSeparator()) + 1 :]


def test_each_is_brought_to_the_front_and_the_front_one_is_ticked(desk: Desk) -> None:
    window = desk.ready()
    window.activateWindow()
    desk.send(window, "salt & pepper [*]")
    desk.qtbot.waitUntil(lambda: "salt" in window.windowTitle())  # named when it is in the list
    assert [(each.text(), each.isChecked()) for each in listed(window)] == [("salt && pepper [*] — echo", True)]
    act(window, "show_runs").trigger()
    runs = named(window, QWidget, "runs_window")
    desk.qtbot.waitUntil(runs.isActiveWindow)
    assert {each.text(): each.isChecked() for each in listed(window)} == {
        "salt && pepper [*] — echo": False,
        runs.windowTitle(): True,
    }
    window.showMinimized()
    next(each for each in listed(window) if not each.isChecked()).trigger()
    desk.qtbot.waitUntil(window.isActiveWindow)
    assert not window.isMinimized()
    runs.close()
    assert len(listed(window)) == 1
