"""The window of prompt sets by itself: its foot has the room that there is."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.sets.view import SetsView


@pytest.mark.parametrize("percent", [100, 200])
def test_the_button_that_starts_is_in_sight_whatever_size_the_text_had_first(
    qtbot: QtBot, theme: Theme, percent: int
) -> None:
    """Opened in large text it was half outside; made larger later it stayed as small as before."""
    theme.resize(300 - percent)
    behind = QWidget()
    qtbot.addWidget(behind)
    view = SetsView(theme, behind)
    theme.resize(percent)
    view.show()
    start = view.findChild(QAbstractButton, "sets_start")
    assert start is not None
    for width, most in ((1000, 340 * percent // 100), (1600, 340 * percent // 100)):
        view.resize(width, 700)
        qtbot.waitUntil(lambda width=width: view.width() == width)  # type: ignore[misc]
        assert view.rect().contains(view.foot.geometry()) and view.foot.width() <= most
    assert view.foot.width() == most, "where there is room"
    view.close()
