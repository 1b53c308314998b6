"""The runs' window, with rows and words fed by hand."""

from collections.abc import Iterator
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.engine.meter.frame import Point
from app.records.comparison import word_diff
from app.ui.look.palette import DARK, LIGHT, Colour
from app.ui.look.theme import Theme
from app.ui.runs.table import RunsTable
from app.ui.runs.view import RunsView
from app.ui.widgets.plots import overlay_plot  # noqa: F401  (so that no test waits for it)
from app.ui.widgets.plots.compared import LETTERS, Compared
from tests.ui.conftest import go_dark
from tests.ui.runs.rows import row

LINES = (("Run", "2, at noon"), ("Settings", "temperature 0.7, <b>seed</b> 7"))
POINTS = tuple(Point(number / 10, number * 3, 100.0 + number) for number in range(1, 30))
Widget = TypeVar("Widget", bound=QWidget)


class Heard:
    """What the view asked for."""

    def __init__(self, view: RunsView) -> None:
        self.said: list[tuple[object, ...]] = []
        for name in ("scope_changed", "picked", "pair_picked", "replay_wanted", "stop_wanted", "export_wanted"):
            getattr(view, name).connect(self._note(name))
        for name in ("copy_wanted", "save_wanted"):
            getattr(view, name).connect(lambda rows, name=name: self.said.append((name, [each.id for each in rows])))

    def _note(self, name: str) -> object:
        return lambda *values: self.said.append((name, *values))


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> Iterator[RunsView]:
    made = RunsView(theme)
    qtbot.addWidget(made)
    made.show_rows((row(1), row(2), row(3)), False)
    made.show()
    yield made
    made.leave()


def named(view: RunsView, kind: type[Widget], name: str) -> Widget:
    found = view.findChild(kind, name)
    assert found is not None, name
    return found


def pick(view: RunsView, *runs: int) -> None:
    named(view, RunsTable, "runs").pick(runs)


def act(view: RunsView, name: str) -> None:
    found = view.findChild(QAction, name)
    assert found is not None, name
    found.trigger()


def test_one_run_is_shown_by_its_receipt(view: RunsView) -> None:
    heard = Heard(view)
    view.pick(2)
    assert heard.said == [("picked", (2,))]
    view.show_receipt(1, (("Run", "of another"),))
    view.show_receipt(2, LINES)
    words = [label.text() for label in named(view, QWidget, "run_receipt").findChildren(QLabel)]
    assert words == ["Run", "2, at noon", "Settings", "temperature 0.7, <b>seed</b> 7"]
    named(view, QAbstractButton, "replay_run").click()
    named(view, QAbstractButton, "export_run").click()
    assert heard.said[1:] == [("replay_wanted", 2), ("export_wanted", 2)]


def test_a_replay_is_told_where_its_run_is_shown_and_copied_with_the_receipt(view: RunsView) -> None:
    heard = Heard(view)
    view.pick(2)
    view.show_receipt(2, LINES)
    view.receipt.show_running(True)
    button = named(view, QAbstractButton, "replay_run")
    assert button.accessibleName() == "Stop the rerun"
    button.click()
    assert heard.said[-1] == ("stop_wanted",)
    view.receipt.show_running(False)
    view.show_replay(1, "Of another.")
    view.show_replay(2, "identical, 14 of 14 tokens")
    assert named(view, QLabel, "replay_outcome").text() == "identical, 14 of 14 tokens"
    named(view, QAbstractButton, "copy_receipt").click()
    copied = QGuiApplication.clipboard().text()
    assert copied == ("Run: 2, at noon\nSettings: temperature 0.7, <b>seed</b> 7\nRerun: identical, 14 of 14 tokens\n")
    view.pick(1)
    assert not named(view, QLabel, "replay_outcome").isVisible()


def test_several_runs_are_compared(view: RunsView, qtbot: QtBot) -> None:
    heard = Heard(view)
    pick(view, 1, 2, 3)
    assert heard.said == [("pair_picked", 3, 2), ("picked", (3, 2, 1))]
    view.comparison.show_curves([Compared(run, POINTS) for run in (3, 2, 1)])
    overlay = named(view, QWidget, "runs_overlay")
    assert "mean 149 tokens per second" in overlay.accessibleDescription()
    assert [told[0] for told in overlay.accessibleDescription().split("; ")] == ["A", "B", "C"]
    named(view, QAbstractButton, "overlay_over_tokens").click()
    named(view, QComboBox, "diff_second").setCurrentIndex(2)
    assert heard.said[-1] == ("pair_picked", 3, 1)
    diff = named(view, QPlainTextEdit, "runs_diff")
    view.comparison.show_diff((3, 2), word_diff("too", "late"))
    assert "late" not in diff.toPlainText()
    view.comparison.show_diff((3, 1), word_diff("The river is wide.", "The river was wide."))
    assert diff.toPlainText() == "The river iswas wide."
    assert diff.accessibleDescription() == "3 words in both, 1 only in the first, 1 only in the second."
    named(view, QAbstractButton, "copy_diff").click()
    assert QGuiApplication.clipboard().text() == "The river [-is-]{+was+} wide."


def test_curves_have_the_mean_of_the_table(view: RunsView) -> None:
    view.show_rows((row(1), row(2, speed_mean=None, pieces=True)), False)
    pick(view, 1, 2)
    view.comparison.show_curves([Compared(run, POINTS) for run in (2, 1)])
    first, second = named(view, QWidget, "runs_overlay").accessibleDescription().split("; ")
    assert first.endswith("mean not defined yet") and second.endswith("mean 149 tokens per second")


def looks(view: RunsView) -> dict[str, tuple[bool, bool, str]]:
    block = named(view, QPlainTextEdit, "runs_diff").document().firstBlock()
    found = {}
    fragments = block.begin()
    while not fragments.atEnd():
        fragment = fragments.fragment()
        look = fragment.charFormat()
        colour = QColor(look.foreground().color()).name()
        found[fragment.text()] = (look.fontStrikeOut(), look.fontUnderline(), colour)
        fragments += 1
    return found


def test_what_differs_is_told_by_shape_and_colour(view: RunsView, theme: Theme) -> None:
    pick(view, 1, 2)
    view.comparison.show_diff((2, 1), word_diff("one two", "one three"))
    for palette in (LIGHT, DARK):
        assert looks(view)["two"] == (True, False, palette[Colour.ERROR])
        assert looks(view)["three"] == (False, True, palette[Colour.DRAFT_ACCEPTED])
        go_dark(theme)


def test_no_more_runs_are_compared_than_can_be_told_apart(view: RunsView) -> None:
    heard = Heard(view)
    view.show_rows(tuple(row(number) for number in range(1, 10)), True)
    named(view, RunsTable, "runs").selectAll()
    assert heard.said[-1] == ("picked", tuple(range(9, 9 - len(LETTERS), -1)))
    assert named(view, QLabel, "runs_tally").text() == "9 runs · 9 selected, the first 6 compared"


def test_the_filter_is_reached_and_left_with_keys(view: RunsView) -> None:
    view.activateWindow()
    QTest.keyClick(view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    line = named(view, QLineEdit, "runs_filter")
    QTest.keyClicks(line, "nowhere")
    assert named(view, QLabel, "runs_tally").text() == "0 runs"
    view.pick(2)
    assert line.text() == ""
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.isVisible()


def test_the_table_is_sorted_copied_and_saved_from_the_menu(view: RunsView) -> None:
    heard = Heard(view)
    sorts = named(view, QMenu, "runs_sort")
    next(action for action in sorts.actions() if action.text() == "Tok/s").trigger()
    act(view, "copy_table")
    assert heard.said == [("copy_wanted", [3, 2, 1])]
    pick(view, 1, 3)
    act(view, "copy_rows")
    act(view, "save_table")
    act(view, "save_rows")
    assert heard.said[-3:] == [("copy_wanted", [3, 1]), ("save_wanted", [3, 2, 1]), ("save_wanted", [3, 1])]


def test_the_scope_is_asked_for_once(view: RunsView) -> None:
    heard = Heard(view)
    box = named(view, QComboBox, "runs_scope")
    box.activated.emit(1)
    box.activated.emit(1)
    assert heard.said == [("scope_changed", True)]


def test_without_runs_it_says_what_will_come(view: RunsView) -> None:
    view.show_rows((), False)
    assert any("will appear here" in label.text() and label.isVisible() for label in view.findChildren(QLabel))
