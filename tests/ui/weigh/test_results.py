"""What was found out of a text, where large text leaves little room for it."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.weigh.results import WeighResults
from app.ui.weigh.words import findings
from app.ui.widgets.word_table import WordTable
from tests.ui.weigh.made import result

NAMES = ("Llama-3.2-3B-Instruct-4bit", "Llama-3.2-3B-Instruct-8bit")


@pytest.mark.parametrize("names", [("demo", "demo-draft"), NAMES])
@pytest.mark.parametrize("page", [0, 1])
def test_the_values_that_are_compared_are_seen_side_by_side(
    qtbot: QtBot, theme: Theme, names: tuple[str, str], page: int
) -> None:
    """At 1000×700 and 200 % two of three columns were behind “+2”."""
    theme.resize(200)
    shown = WeighResults(theme)
    qtbot.addWidget(shown)
    shown.show_findings(findings(result(200), names, whole=True))
    shown._tabs.setCurrentIndex(page)
    shown.resize(540, 676)
    shown.show()
    table = shown._tabs.currentWidget()
    assert isinstance(table, WordTable)
    columns = range(table.model().columnCount())
    assert len(columns) == (2, 3)[page]
    assert not [place for place in columns if table.isColumnHidden(place)]
    assert table.horizontalHeader().length() <= table.viewport().width()
