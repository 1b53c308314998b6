import pytest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.ui.look import Color
from app.ui.look.theme import Theme
from app.ui.widgets import empty_page
from app.ui.widgets.empty_page import Draw, EmptyPage
from tests.ui.desk import named


@pytest.mark.parametrize(
    "draw", [empty_page.draw_cells, empty_page.draw_dots, empty_page.draw_table, empty_page.draw_words]
)
def test_empty_page_draws_a_result_and_offers_a_sample(qtbot: QtBot, theme: Theme, draw: Draw) -> None:
    page = EmptyPage(theme, "some", "It will appear here.", draw, "Run it")
    qtbot.addWidget(page)
    page.resize(500, 400)
    with qtbot.waitSignal(page.sample_wanted):
        named(page, QAbstractButton, "some_sample").click()
    drawing = page.findChild(empty_page.Drawing)
    assert isinstance(drawing, empty_page.Drawing)
    image = drawing.grab().toImage()
    colors = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert len(colors) > 2 and theme.color(Color.TEXT).name() not in colors


def test_empty_page_without_a_sample_has_no_button(qtbot: QtBot, theme: Theme) -> None:
    page = EmptyPage(theme, "some", "It will appear here.", empty_page.draw_dots)
    qtbot.addWidget(page)
    assert page.findChildren(QAbstractButton) == []
