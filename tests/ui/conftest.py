"""Fixtures of tests of widgets and features."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor, QGuiApplication
from pytestqt.qtbot import QtBot

from app.bridge.playground import Playground
from app.engine.echo.engine import EchoEngine
from app.engine.types import LoadRequest
from app.state import Phase
from app.ui.look.theme import Theme
from tests.ui.alone import Alone
from tests.ui.desk import QUICK
from tests.ui.room import Rooms


@pytest.fixture(autouse=True)
def pointer_in_the_corner() -> None:
    """Move the pointer away from where an earlier test left it: Qt ignores a move to the same place."""
    if QGuiApplication.instance() is not None:
        QCursor.setPos(0, 0)


@pytest.fixture
def rooms(qtbot: QtBot, theme: Theme) -> Iterator[Rooms]:
    """The rooms of a test, which are closed at its end."""
    made = Rooms(qtbot, theme)
    yield made
    made.close()


def go_dark(theme: Theme) -> None:
    theme.prefer(Qt.ColorScheme.Dark)
    assert theme.dark


@pytest.fixture
def engine() -> Callable[[], EchoEngine]:
    """Return a function that makes the playground's engine; a test may parametrize it."""
    return partial(EchoEngine, QUICK)


@pytest.fixture
def playground(qtbot: QtBot, engine: Callable[[], EchoEngine]) -> Iterator[Playground]:
    """A playground on the echo engine, with its model open."""
    made = Playground(lambda _collect: engine())
    made.open()
    made.load(LoadRequest("echo"))
    qtbot.waitUntil(lambda: made.state.phase is Phase.READY)
    yield made
    made.close()


@pytest.fixture
def alone(qtbot: QtBot, playground: Playground) -> Iterator[Alone]:
    """An empty window for a feature."""
    made = Alone(qtbot, playground)
    yield made
    made.leave()
