"""A page that is made when it is first wanted: once, filled, in its place in the Tab key's way, before any paint."""

from functools import partial

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.lazy_page import LazyPage


class Field(QLineEdit):
    """Counts how many of it there are."""

    count = 0

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        type(self).count += 1
        self.setObjectName(name)


class Painted(QObject):
    """Whether the page was there, as wide as its place, when that was painted first."""

    def __init__(self, late: LazyPage[Field]) -> None:
        super().__init__()
        self._late = late
        self.whole: bool | None = None
        late.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self.whole is None:
            made = self._late.made
            self.whole = made is not None and made.isVisible() and made.width() == self._late.width()
        return False


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


def test_it_is_whole_when_it_is_painted_first(qtbot: QtBot) -> None:
    stack = Stack()
    qtbot.addWidget(stack)
    watching = [Painted(stack.first), Painted(stack.second)]
    stack.show()
    qtbot.waitUntil(lambda: watching[0].whole is not None)
    stack.pages.setCurrentIndex(1)
    qtbot.waitUntil(lambda: watching[1].whole is not None)
    assert [each.whole for each in watching] == [True, True]


def test_who_waits_for_a_page_gets_it_before_it_is_seen_and_at_once_when_it_is_there(qtbot: QtBot) -> None:
    stack = shown(qtbot)
    got: list[tuple[str, bool]] = []
    for late in (stack.first, stack.second):
        late.then(lambda page: got.append((page.objectName(), page.isVisible())))
    assert got == [("first", True)]
    stack.pages.setCurrentIndex(1)
    stack.second.make()
    assert got == [("first", True), ("second", False)]


def test_the_tab_key_comes_by_it_where_it_stands(qtbot: QtBot) -> None:
    stack = shown(qtbot)
    stack.pages.setCurrentIndex(1)
    way, now = [], stack.nextInFocusChain()
    while now is not None and now is not stack:
        way += [now.objectName()] if isinstance(now, Field) else []
        now = now.nextInFocusChain()
    assert way == ["above", "first", "second", "below"]
