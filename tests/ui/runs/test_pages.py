"""The pages below the table of runs, with rows and texts made by hand."""

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.engine.meter.speeds import Point
from app.records.comparison import word_diff
from app.ui.look.palette import DARK, LIGHT, Color
from app.ui.look.theme import Theme
from app.ui.runs.pages import ComparisonPage, ReceiptPage
from app.ui.widgets.plots import overlay_plot  # noqa: F401  (so that no test waits for it)
from app.ui.widgets.plots.speed_curve import PlottedRun
from tests.ui.conftest import go_dark
from tests.ui.desk import named
from tests.ui.runs.rows import row

POINTS = tuple(Point(number / 10, number * 3, 100.0 + number) for number in range(1, 30))
PAIRS: list[tuple[int, int]] = []
"""The pairs of runs that the page wants to compare."""


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> ComparisonPage:
    PAIRS.clear()
    made = ComparisonPage(theme, lambda *pair: PAIRS.append(pair))
    qtbot.addWidget(made)
    made.show()
    return made


def test_receipt_is_copied_with_the_outcome_of_a_rerun(qtbot: QtBot, theme: Theme) -> None:
    page = ReceiptPage(theme, *[lambda: None] * 5)
    qtbot.addWidget(page)
    page.show_lines((("Run", "2, at noon"), ("Settings", "temperature 0.7, <b>seed</b> 7")))
    words = [label.text() for label in named(page, QWidget, "run_receipt").findChildren(QLabel)]
    assert words == ["Run", "2, at noon", "Settings", "temperature 0.7, <b>seed</b> 7"]
    page.show_outcome("identical, 14 of 14 tokens")
    named(page, QAbstractButton, "copy_receipt").click()
    copied = QGuiApplication.clipboard().text()
    assert copied == "Run: 2, at noon\nSettings: temperature 0.7, <b>seed</b> 7\nRerun: identical, 14 of 14 tokens\n"


def test_comparison_overlays_curves_and_diffs_the_chosen_pair(page: ComparisonPage) -> None:
    page.show_rows((row(3), row(2), row(1)))
    assert PAIRS[-1] == (3, 2)
    page.show_curves([PlottedRun(run, POINTS) for run in (3, 2, 1)])
    overlay = named(page, QWidget, "runs_overlay")
    assert "mean 149 tokens per second" in overlay.accessibleDescription()
    assert [each[0] for each in overlay.accessibleDescription().split("; ")] == ["A", "B", "C"]
    named(page, QComboBox, "diff_second").setCurrentIndex(2)
    assert PAIRS[-1] == (3, 1)
    diff = named(page, QPlainTextEdit, "runs_diff")
    page.show_diff((3, 2), word_diff("too", "late"))
    assert "late" not in diff.toPlainText()
    page.show_diff((3, 1), word_diff("The river is wide.", "The river was wide."))
    assert diff.toPlainText() == "The river iswas wide."
    assert diff.accessibleDescription() == "3 words in both, 1 only in the first, 1 only in the second."
    named(page, QAbstractButton, "copy_diff").click()
    assert QGuiApplication.clipboard().text() == "The river [-is-]{+was+} wide."


def test_curves_have_the_mean_of_the_table(page: ComparisonPage) -> None:
    page.show_rows((row(2, speed_mean=None, pieces=True), row(1)))
    page.show_curves([PlottedRun(run, POINTS) for run in (2, 1)])
    first, second = named(page, QWidget, "runs_overlay").accessibleDescription().split("; ")
    assert first.endswith("mean not defined yet") and second.endswith("mean 149 tokens per second")


def test_diff_marks_changes_by_shape_and_color(page: ComparisonPage, theme: Theme) -> None:
    page.show_rows((row(2), row(1)))
    page.show_diff((2, 1), word_diff("one two", "one three"))
    for palette in (LIGHT, DARK):
        looks, fragments = {}, named(page, QPlainTextEdit, "runs_diff").document().firstBlock().begin()
        while not fragments.atEnd():
            look = fragments.fragment().charFormat()
            color = look.foreground().color().name()
            looks[fragments.fragment().text()] = (look.fontStrikeOut(), look.fontUnderline(), color)
            fragments += 1
        assert looks["two"] == (True, False, palette[Color.ERROR])
        assert looks["three"] == (False, True, palette[Color.DRAFT_ACCEPTED])
        go_dark(theme)
