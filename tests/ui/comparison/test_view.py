"""The view of a comparison, its window, and the ways to it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QPlainTextEdit,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.bridge.tasks import Tasks
from app.comparison.comparison import compare
from app.engine.types import Role
from app.ui.comparison.aligned_tokens import AlignedTokens
from app.ui.comparison.controller import ComparisonController
from app.ui.comparison.view import ComparisonView
from app.ui.document.turns import Branch, PageTurn, TurnAction
from app.ui.look.palette import DARK, LIGHT, Color
from app.ui.look.theme import Theme
from app.ui.widgets.plots import overlay_plot  # noqa: F401  (so that no test waits for it)
from tests.comparison.columns import column, tokens
from tests.experiments.builders import at_speeds
from tests.ui.cells import cells
from tests.ui.conftest import go_dark
from tests.ui.desk import named
from tests.ui.file_dialogs import answer
from tests.ui.room import Room, Rooms

FIRST = column("The", " river", " is", " wide", ".")
SECOND = column("The", " river", " was", " wide", ".", name="two")


@pytest.fixture
def view(qapp: QApplication, theme: Theme) -> Iterator[ComparisonView]:
    tasks = Tasks(None)
    made = ComparisonView(theme, tasks, "runs")
    made.resize(900, 500)
    made.show()
    made.show_comparison(compare((FIRST, SECOND, replace(FIRST, name="three"))))
    yield made
    tasks.close()  # before the view is deleted, since the diff is computed on a thread
    made.close()
    made.deleteLater()


def rows_of(view: ComparisonView) -> dict[str, list[str]]:
    return {name: rest for name, *rest in cells(named(view, QTableView, "runs_differences"))}


def test_view_folds_equal_rows(view: ComparisonView) -> None:
    assert "Answer" in rows_of(view) and "temperature" not in rows_of(view)
    button = named(view, QAbstractButton, "runs_equal_rows")
    assert button.text().startswith("Show ") and button.text().endswith(" equal rows")
    button.click()
    assert rows_of(view)["temperature"] == ["1.0"] * 3


def test_view_diffs_the_chosen_pair(view: ComparisonView, qtbot: QtBot) -> None:
    diff, second = named(view, QPlainTextEdit, "runs_diff"), named(view, QComboBox, "diff_second")
    qtbot.waitUntil(lambda: diff.toPlainText() == "The river iswas wide.")
    assert diff.accessibleDescription() == "3 words in both, 1 only in the first, 1 only in the second."
    named(view, QAbstractButton, "copy_diff").click()
    assert QGuiApplication.clipboard().text() == "The river [-is-]{+was+} wide."
    second.setCurrentIndex(2)
    qtbot.waitUntil(lambda: diff.accessibleDescription() == "The two texts are the same.")


def test_diff_marks_changes_by_shape_and_color(view: ComparisonView, qtbot: QtBot, theme: Theme) -> None:
    diff = named(view, QPlainTextEdit, "runs_diff")
    qtbot.waitUntil(lambda: diff.toPlainText() == "The river iswas wide.")
    for palette in (LIGHT, DARK):
        looks, fragments = {}, diff.document().firstBlock().begin()
        while not fragments.atEnd():
            look = fragments.fragment().charFormat()
            color = look.foreground().color().name()
            looks[fragments.fragment().text()] = (look.fontStrikeOut(), look.fontUnderline(), color)
            fragments += 1
        assert looks["is"] == (True, False, palette[Color.ERROR])
        assert looks["was"] == (False, True, palette[Color.DRAFT_ACCEPTED])
        go_dark(theme)


def test_curves_have_the_mean_of_the_table(view: ComparisonView) -> None:
    overlay = named(view, QWidget, "runs_overlay")
    first, *others = overlay.accessibleDescription().split("; ")
    assert first == "A, one: mean 10.0 tokens per second" and len(others) == 2
    named(view, QComboBox, "runs_curve_quantity").setCurrentIndex(1)
    assert overlay.accessibleDescription().startswith("A, one: mean 1.00 bits; B, two: mean 1.00 bits")


def test_aligned_tokens_go_to_the_difference_and_describe_both_tokens(view: ComparisonView) -> None:
    named(view, QWidget, "runs_compared").setCurrentIndex(1)  # type: ignore[attr-defined]
    aligned, pointed = named(view, AlignedTokens, "runs_aligned"), named(view, QLabel, "runs_token_pointed")
    named(view, QAbstractButton, "runs_next_difference").click()
    assert pointed.text() == "B, token 3: “␣was”, 50 %, 1.00 bits. A, token 3: “␣is”, 50 %, 1.00 bits"
    QTest.keyClick(aligned, Qt.Key.Key_Up)
    QTest.keyClick(aligned, Qt.Key.Key_Right)
    assert pointed.text() == "A, token 4: “␣wide”, 50 %, 1.00 bits"
    assert named(view, QLabel, "runs_first_differences").text().splitlines() == [
        "A and B differ from token 3 on: “ is” (50 %) and “ was” (50 %).",
        "A and C have the same tokens.",
    ]


def test_aligned_tokens_have_one_scale_for_all_columns(view: ComparisonView) -> None:
    aligned = named(view, AlignedTokens, "runs_aligned")
    likely = tokens([token.text for token in SECOND.tokens], 0.99)
    view.show_comparison(compare((FIRST, SECOND, replace(SECOND, tokens=tuple(likely)))))
    assert [aligned._tone(column.tokens[0]) for column in (FIRST, SECOND)] == [6, 6]
    assert aligned._tone(likely[0]) == 0, "the same color means the same probability in each row"


def test_aligned_tokens_wrap_so_that_nothing_scrolls_sideways(view: ComparisonView) -> None:
    named(view, QWidget, "runs_compared").setCurrentIndex(1)  # type: ignore[attr-defined]
    aligned = named(view, AlignedTokens, "runs_aligned")
    long = column(*(f" word{at}" for at in range(200)))
    view.show_comparison(compare((long, SECOND)))
    blocks = [aligned._slots_of(at) for at in range(len(aligned._begins))]
    assert [slot for block in blocks for slot in block] == list(range(200))
    room = aligned.viewport().width() - aligned._gutter()
    assert all(sum(aligned._widths[slot] for slot in block) <= room for block in blocks)
    assert aligned.verticalScrollBar().maximum() > 0


def test_view_exports_by_suffix_and_shows_a_failure(view: ComparisonView, qtbot: QtBot, tmp_path: Path) -> None:
    for suffix, begin in ((".html", "<!DOCTYPE html>"), (".md", "# Comparison"), (".csv", "Value,")):
        named(view, QAbstractButton, "runs_comparison_export").click()
        answer(view, path := tmp_path / f"one{suffix}")
        qtbot.waitUntil(path.exists)
        assert path.read_text("utf-8").startswith(begin)
    named(view, QAbstractButton, "runs_comparison_export").click()
    answer(view, tmp_path / "nowhere" / "one.md")
    trouble = named(view, QLabel, "runs_comparison_trouble")
    qtbot.waitUntil(lambda: "could not be saved" in trouble.text())


class ComparisonRoom(Room):
    """The window of comparisons, beside an empty one."""

    def __init__(self, rooms: Rooms) -> None:
        super().__init__(rooms)
        self.comparison = ComparisonController(self.playground, self.theme, self)
        self.furnish((), (self.comparison,))

    def titles(self) -> list[str]:
        box = self.part(QComboBox, "diff_first")
        return [box.itemText(at) for at in range(box.count())]


def test_menu_of_an_answer_compares_its_branches(rooms: Rooms) -> None:
    room = ComparisonRoom(rooms)
    room.enter()
    room.send("One")
    room.playground.edit(1, "By hand")
    refused: list[str] = []
    room.comparison.refused.connect(refused.append)
    room.comparison.run_turn_action(TurnAction.COMPARE, 1)
    assert len(refused) == 1 and not room.findChildren(QDialog)
    room.playground.regenerate(1)
    room.until(lambda: len(room.state.others) == 2 and bool(room.state.turns[-1].runs))
    room.comparison.run_turn_action(TurnAction.COMPARE, 1)
    room.until(lambda: len(room.titles()) == 2)
    assert room.part(QDialog, "comparison_window").isVisible()
    alone, branch = (PageTurn(1, Role.ASSISTANT, False, Branch(1, count)) for count in (1, 2))
    assert TurnAction.COMPARE in branch.actions and TurnAction.COMPARE not in alone.actions
    room.comparison.forget_all()
    assert room.titles() == [] and not room.part(QDialog, "comparison_window").isVisible()


def test_variants_of_an_experiment_are_compared(rooms: Rooms) -> None:
    room = ComparisonRoom(rooms)
    room.enter()
    room.comparison.compare_variants(at_speeds(("plain", "drafted"), ((10.0,), (20.0,))))
    room.until(lambda: room.findChild(QComboBox, "diff_first") is not None and bool(room.titles()))
    assert room.titles() == ["A  plain", "B  drafted"]


def test_view_of_fewer_than_two_runs_says_so(view: ComparisonView) -> None:
    view.show_comparison(None)
    assert named(view, QLabel, "runs_comparison_trouble").text().startswith("Fewer than two")
    assert rows_of(view) == {} and not named(view, QAbstractButton, "runs_comparison_export").isEnabled()
