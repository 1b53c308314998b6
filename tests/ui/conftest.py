"""Fixtures and functions for tests of widgets: rooms without the main window, and a system that turns dark."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from tests.ui.room import Rooms


@pytest.fixture
def rooms(qtbot: QtBot, theme: Theme) -> Iterator[Rooms]:
    """What a Room is made with; those that are open at the end of the test are closed."""
    made = Rooms(qtbot, theme)
    yield made
    made.close()


def go_dark(theme: Theme) -> None:
    """What happens when the system turns dark while the program runs."""
    theme.prefer(Qt.ColorScheme.Dark)
    assert theme.dark
