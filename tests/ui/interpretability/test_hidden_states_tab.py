"""Hidden states: figures, the heat map of the selected layer, and the sentence about a loop."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from app.engine.types import EmbeddingNeighbor, ExactPrompt, HiddenStates, LayerState, RepetitionLoop
from app.ui.interpretability.hidden_states_tab import HiddenStatesTab, describe_loop
from app.ui.interpretability.picture import COPIED_PX, MatrixPicture
from app.ui.look import Color
from app.ui.look.theme import Theme
from app.ui.tokens.colors import likely_ground
from app.ui.widgets import Announcer
from tests.ui.cells import cells
from tests.ui.desk import named

PROMPT = ExactPrompt("abc", (1, 2, 3), ((0, 1), (1, 2), (2, 3)), ())
LAYERS = (LayerState(1234.5, None, None), LayerState(20.0, 1.5, -0.25))
ALIKE = (1.0, 0.5, 0.2, 0.5, 1.0, 0.4, 0.2, 0.4, 1.0)


def states(loop: RepetitionLoop | None = None) -> HiddenStates:
    return HiddenStates(1, LAYERS, (EmbeddingNeighbor(5, "=1", 0.7),), 0, 3, (ALIKE, (1.0,) * 9), loop)


def test_states_tab_shows_figures_matrix_and_csv(qtbot: QtBot, theme: Theme) -> None:
    part = HiddenStatesTab(theme)
    qtbot.addWidget(part)
    part.resize(300, 600)
    part.show_states(PROMPT, states(), 0)
    part.show()
    table = named(part, QTableView, "inside_states")
    assert cells(table) == [["0", "1,234", "–", "–"], ["1", "20.0", "1.50", "−0.25"]]
    told = named(part, QLabel, "inside_cosine")
    assert named(part, QLabel, "inside_near").text() == "Nearest in the embedding: “=1” 0.70"
    assert told.text() == "Layer 1: cosine similarity of 3 tokens"
    table.setCurrentIndex(table.model().index(0, 0))
    assert told.text().startswith("Layer 0")
    named(part, MatrixPicture, "inside_alike")._go(0, 2)
    assert told.text() == "“a” (0) and “c” (2): cosine 0.20"
    assert part.as_csv() == "layer,norm,change,cosine\r\n0,1234.5,,\r\n1,20.0,1.5,-0.25\r\n"


@pytest.mark.parametrize(
    ("loop", "start", "words"),
    [
        (None, 0, ""),
        (RepetitionLoop(0, 4, 20), 30, ""),
        (RepetitionLoop(40, 4, 60), 30, "From token 11 of the answer on, the same 4 tokens repeat 5 times."),
        (RepetitionLoop(40, 1, 60), 30, "From token 11 of the answer on, the same token repeats 20 times."),
    ],
)
def test_describe_loop_counts_repetitions(loop: RepetitionLoop | None, start: int, words: str) -> None:
    assert describe_loop(states(loop), start) == words


def test_describe_loop_with_equal_states_says_so() -> None:
    said = describe_loop(HiddenStates(1, LAYERS, None, 0, 3, ((1.0,) * 9,), RepetitionLoop(0, 1, 12)), 0)
    assert said.endswith("From token 1 on, the last layer's states are equal in each repetition.")


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
    blank, (low, high) = theme.color(Color.SURFACE), (likely_ground(share, theme) for share in (0, 1))
    assert seen == [each.name() for each in (low, blank, high, low)]


def test_picture_announces_only_cells_of_the_keyboard(picture: MatrixPicture, monkeypatch: pytest.MonkeyPatch) -> None:
    said = list[str]()
    monkeypatch.setattr(Announcer, "say", lambda self, words, urgent=False: said.append(words))
    picture.show_values([0.0, 0.5, 1.0, 0.2], 2, told, "")
    QTest.mouseMove(picture, QPoint(75, 25))
    QTest.keyClick(picture, Qt.Key.Key_Down)
    assert said == ["1 0"]
