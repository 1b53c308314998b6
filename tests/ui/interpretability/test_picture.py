"""The heat map: its cells are read with pointer and keys, and its copy is large."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.ui.interpretability.picture import COPIED_PX, MatrixPicture
from app.ui.look import Colour
from app.ui.look.theme import Theme
from app.ui.tokens.colours import likely_ground
from app.ui.widgets import Announcer


@pytest.fixture
def picture(qtbot: QtBot, theme: Theme) -> MatrixPicture:
    made = MatrixPicture(theme, "some", "Some numbers", 100)
    qtbot.addWidget(made)
    made.resize(140, 100)
    made.show()
    return made


def told(row: int, column: int) -> str:
    return f"{row} {column}"


def test_picture_by_pointer_and_keys_describes_its_cells(picture: MatrixPicture) -> None:
    said, picked = list[str](), list[tuple[int, int]]()
    picture.pointed.connect(said.append)
    picture.picked.connect(lambda *cell: picked.append(cell))
    picture.show_values([0.0, 0.5, 1.0, 0.2], 2, told, "all of it")
    assert picture.accessibleDescription() == "all of it"
    QTest.mouseMove(picture, QPoint(75, 25))
    QTest.mouseMove(picture, QPoint(120, 25))
    assert said == ["0 1", ""]
    QTest.mouseClick(picture, Qt.MouseButton.LeftButton, pos=QPoint(25, 75))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up):
        QTest.keyClick(picture, key)
    assert picked == [(1, 0), (1, 1), (1, 1), (0, 1)]
    assert said[2:] == ["1 0", "1 1", "1 1", "0 1"]


def test_picture_when_copied_is_large_with_blank_nan(picture: MatrixPicture, theme: Theme) -> None:
    picture.show_values([0.0, float("nan"), 1.0, 0.0], 2, told, "")
    image = picture.picture().toImage()
    assert image.width() == image.height() == COPIED_PX
    seen = [QColor(image.pixel(x, y)).name() for y in (10, 1000) for x in (10, 1000)]
    blank, (low, high) = theme.colour(Colour.SURFACE), (likely_ground(share, theme) for share in (0, 1))
    assert seen == [each.name() for each in (low, blank, high, low)]


def test_picture_announces_only_cells_of_the_keyboard(picture: MatrixPicture, monkeypatch: pytest.MonkeyPatch) -> None:
    said = list[str]()
    monkeypatch.setattr(Announcer, "say", lambda self, words, urgent=False: said.append(words))
    picture.show_values([0.0, 0.5, 1.0, 0.2], 2, told, "")
    QTest.mouseMove(picture, QPoint(75, 25))
    QTest.keyClick(picture, Qt.Key.Key_Down)
    assert said == ["1 0"]
