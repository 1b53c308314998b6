import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.tokens.colors import DEFINITIONS, Coloring, Scale
from app.ui.tokens.scale import TokenLegend
from tests.ui.desk import named


@pytest.fixture
def legend(qtbot: QtBot, theme: Theme) -> TokenLegend:
    legend = TokenLegend(theme)
    qtbot.addWidget(legend)
    legend.resize(480, 40)
    legend.show()
    return legend


def test_legend_by_keyboard_emits_the_coloring(legend: TokenLegend) -> None:
    chosen: list[Coloring] = []
    legend.chosen.connect(chosen.append)
    choice = named(legend, QComboBox, "token_colouring")
    assert choice.accessibleName() == "Token color"
    QTest.keyClick(choice, Qt.Key.Key_Down)
    QTest.keyClick(choice, Qt.Key.Key_Down)
    assert chosen == [Coloring.SURPRISE, Coloring.ENTROPY]
    legend.show_scale(Scale(Coloring.GAP, 0.05))
    assert chosen == [Coloring.SURPRISE, Coloring.ENTROPY], "what is shown is no wish"
    assert legend.coloring is Coloring.GAP
    assert choice.toolTip() == DEFINITIONS[Coloring.GAP]


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        (Scale(Coloring.PROBABILITY), "Scale: from faint (100 %, certain) to strong (0 %, unlikely)"),
        (Scale(Coloring.SURPRISE), "Scale: from faint (0 bits, expected) to strong (≥ 10 bits, surprising)"),
        (Scale(Coloring.ENTROPY), "Scale: from faint (0 bits, one option) to strong (≥ 8 bits, many options)"),
        (Scale(Coloring.GAP, 0.05), "Scale: from faint (0 ms, fast) to strong (≥ 50 ms, slow)"),
        (Scale(Coloring.GAP), "Scale: No latencies yet"),
        (
            Scale(Coloring.ENTROPY, observed=False),
            "Scale: No alternatives recorded: turn on “Record alternatives”",
        ),
        (Scale(Coloring.NONE), "Scale: Each token has its own background"),
        (
            Scale(Coloring.ORIGIN, observed=False),
            "Scale: the model's tokens are plain, accepted draft tokens have a bar below, yours one above and below, "
            "and a corner is marked where drafts were rejected",
        ),
    ],
)
def test_scale_has_an_accessible_text(legend: TokenLegend, scale: Scale, words: str) -> None:
    legend.show_scale(scale)
    assert named(legend, QWidget, "token_scale").accessibleName() == words
