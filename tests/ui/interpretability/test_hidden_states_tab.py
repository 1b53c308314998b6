"""Hidden states: figures, the matrix of the selected layer, and the sentence about a loop."""

import pytest
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from app.engine.types import EmbeddingNeighbor, ExactPrompt, HiddenStates, LayerState, RepetitionLoop
from app.ui.interpretability.hidden_states_tab import HiddenStatesTab, describe_loop
from app.ui.interpretability.picture import MatrixPicture
from app.ui.look.theme import Theme
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
    rows = [[table.model().index(row, at).data() for at in range(4)] for row in range(2)]
    assert rows == [["0", "1,234", "–", "–"], ["1", "20.0", "1.50", "−0.25"]]
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
