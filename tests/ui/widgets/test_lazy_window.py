"""A window that is made when it is first wanted: once, in front, and gone when it is closed."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.lazy_window import LazyWindow


def test_nothing_is_made_before_somebody_wants_it(qtbot: QtBot) -> None:
    made: list[QWidget] = []

    def make() -> QWidget:
        made.append(QWidget())
        qtbot.addWidget(made[-1])
        return made[-1]

    lazy = LazyWindow(make)
    lazy.close()
    assert lazy.made is None and lazy.seen is None and made == []
    lazy.bring_up()
    assert lazy.made is lazy.seen is lazy.window is made[0]
    lazy.close()
    assert lazy.seen is None and not made[0].isVisible()
    lazy.bring_up()
    assert lazy.seen is made[0] and len(made) == 1


def test_it_comes_up_in_front_of_the_others(qtbot: QtBot) -> None:
    first, second = LazyWindow(QWidget), LazyWindow(QWidget)
    for lazy in (first, second, first):
        lazy.bring_up()
        qtbot.addWidget(lazy.window)
        qtbot.waitUntil(lazy.window.isActiveWindow)
