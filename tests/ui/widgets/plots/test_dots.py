"""The numbers of arms beside each other: each dot lies on the scale, and the zero with it."""

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.ui.look import GAP_PX, Colour, Theme
from app.ui.widgets.plots.dots import ROW_PX, DotPlot, Dots

SIZE = (600, 120)
WORDS_PX = 40
ABOVE_PX = 4
"""Of its middle, a dot is wider than what marks a single round."""


@pytest.mark.parametrize("values", [(-0.4, -8.8), (3.0, 9.0), (-2.0, 5.0)])
def test_the_dots_lie_on_the_scale_in_the_order_of_their_numbers(
    qtbot: QtBot, theme: Theme, values: tuple[float, float]
) -> None:
    plot = DotPlot(theme, "dots")
    qtbot.addWidget(plot)
    plot.resize(*SIZE)
    rows = [Dots("an arm", (value, value * 1.1), value, f"{value:.1f}") for value in values]
    told: list[float] = []

    def say(number: float) -> str:
        told.append(number)
        return f"{number:.1f}"

    plot.show_rows("Number", rows, say)
    image = plot.grab().toImage()
    dots = [_middle(image, row, theme) for row in range(2)]
    assert (dots[0] < dots[1]) is (values[0] < values[1])
    assert told[0] == min(0.0, *(1.1 * value for value in values)), "the zero is on the scale"
    assert told[-1] == max(0.0, *(1.1 * value for value in values))
    assert max(dots) < SIZE[0] - WORDS_PX, "none among the words"


def _middle(image: QImage, row: int, theme: Theme) -> float:
    """Where the dot of a row is."""
    y = GAP_PX + row * ROW_PX + ROW_PX // 2 - ABOVE_PX
    found = [x for x in range(SIZE[0]) if image.pixelColor(x, y) == theme.colour(Colour.DECODE)]
    return sum(found) / len(found)
