"""A page that is made when it is first wanted: once, filled, in its place in the Tab key's way, before any paint."""

from functools import partial

from PySide6.QtWidgets import QLineEdit, QStackedWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.lazy_page import LazyPage
from app.ui.widgets.lazy_window import LazyWindow


class Field(QLineEdit):
    """Counts how many of it there are."""

    count = 0

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        type(self).count += 1
        self.setObjectName(name)


class Stack(QWidget):
    """Two pages between two fields."""

    def __init__(self) -> None:
        super().__init__()
        Field.count = 0
        self.pages = QStackedWidget()
        self.first, self.second = (LazyPage(partial(Field, name)) for name in ("first", "second"))
        for late in (self.first, self.second):
            self.pages.addWidget(late)
        column = QVBoxLayout(self)
        column.addWidget(Field("above", self))
        column.addWidget(self.pages)
        column.addWidget(Field("below", self))


def shown(qtbot: QtBot) -> Stack:
    stack = Stack()
    qtbot.addWidget(stack)
    with qtbot.waitExposed(stack):
        stack.show()
    return stack


def test_a_page_is_made_once_and_only_when_it_is_shown(qtbot: QtBot) -> None:
    stack = shown(qtbot)
    assert (stack.first.made is None, stack.second.made, Field.count) == (False, None, 3)
    for page in (1, 0, 1):
        stack.pages.setCurrentIndex(page)
    assert Field.count == 4
    assert stack.second.page is stack.second.made


def test_who_waits_for_a_page_gets_it_before_it_is_seen_and_at_once_when_it_is_there(qtbot: QtBot) -> None:
    stack = shown(qtbot)
    got: list[tuple[str, bool]] = []
    for late in (stack.first, stack.second):
        late.then(lambda page: got.append((page.objectName(), page.isVisible())))
    assert got == [("first", True)]
    stack.pages.setCurrentIndex(1)
    stack.second.make()
    assert got == [("first", True), ("second", False)]


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
