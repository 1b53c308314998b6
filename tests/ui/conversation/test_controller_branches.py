"""Branches in the window: the inspector's wishes, the headers' switcher, the actions and the tree."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from app.controls import Controls
from app.records.types import Fork
from app.settings import Settings
from app.state import Phase
from app.ui.conversation.branches_dialog import BranchesDialog
from app.ui.conversation.controller_branches import told
from app.ui.conversation.run_details import RunDetails
from app.ui.conversation.transcript import Transcript
from app.ui.inspector import InspectorPanel
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import QUICK, Desk, act, named

KNOBS = replace(QUICK, replies=("One two three four.",))


@pytest.fixture
def window(desk: Desk) -> MainWindow:
    """A question, and an answer that was recorded."""
    made = desk.ready(Settings(controls=Controls(observe=3)), KNOBS)
    desk.send(made, "Count")
    return made


def page(window: MainWindow) -> str:
    return named(window, Transcript, "transcript").toPlainText()


def fork(desk: Desk, window: MainWindow, text: str) -> None:
    named(window, InspectorPanel, "inspector").text_taken.emit(1, 2, text)
    desk.until(window, Phase.READY)


def test_a_candidate_and_words_of_one_s_own_are_gone_on_from(desk: Desk, window: MainWindow) -> None:
    trace = window.playground.traces.of(window.playground.state.turns[1].id)
    observed = trace.observed_at(1) if trace is not None else None
    assert observed is not None
    named(window, InspectorPanel, "inspector").candidate_taken.emit(1, 1, observed.top[1].id)
    desk.until(window, Phase.READY)
    assert "One two1 three four." in page(window)
    assert "Model  ‹ 2/2 ›  ⋯" in page(window)
    fork(desk, window, " 3")
    assert "One two1 3 four." in page(window)
    assert "‹ 3/3 ›" in page(window)
    details = named(window, RunDetails, "run_details").findChildren(QLabel)
    assert any(" reused, " in each.accessibleName() for each in details), "the details say what was cached"


def test_the_switcher_and_the_actions_show_other_branches(desk: Desk, window: MainWindow) -> None:
    assert not act(window, "previous_branch").isEnabled()
    assert not act(window, "show_branches").isEnabled()
    fork(desk, window, " 3")
    transcript = named(window, Transcript, "transcript")
    transcript.branch_wanted.emit(1, -1)
    assert "One two three four." in page(window) and "‹ 1/2 ›" in page(window)
    transcript.branch_wanted.emit(1, -1)
    assert "‹ 1/2 ›" in page(window), "there is none before the first"
    act(window, "next_branch").trigger()
    assert "One two 3 four." in page(window)
    act(window, "previous_branch").trigger()
    assert "One two three four." in page(window)


@pytest.mark.parametrize("where", ["transcript", "prompt"])
def test_the_shortcuts_reach_the_actions_wherever_the_keyboard_is(desk: Desk, window: MainWindow, where: str) -> None:
    fork(desk, window, " 3")
    with desk.qtbot.waitActive(window):
        window.activateWindow()
    field = named(window, QWidget, where)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert "‹ 1/2 ›" in page(window)
    QTest.keyClick(field, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert "‹ 2/2 ›" in page(window)


def test_the_tree_shows_each_turn_and_what_differs(desk: Desk, window: MainWindow) -> None:
    fork(desk, window, " 3")
    old, new = window.playground.state.turns[1].siblings
    act(window, "show_branches").trigger()
    dialog = named(window, BranchesDialog, "branches_dialog")
    assert dialog.tree.current == new
    dialog.tree.select(old)
    diff = named(window, QPlainTextEdit, "branches_diff")
    assert diff.toPlainText() == "One two 3three four."
    assert named(window, QLabel, "branches_legend").isVisible()
    dialog.chosen.emit(old)
    assert window.playground.state.turns[1].id == old
    assert dialog.tree.current == old
    dialog.tree.select(new)
    assert dialog.tree.currentIndex().siblingAtColumn(1).data() == "at token 3: “␣3” instead of “␣three”"
    dialog.close()


def test_a_fork_is_told_as_far_as_it_is_known() -> None:
    assert told(Fork(1, 16, " the", " a")) == "at token 17: “␣the” instead of “␣a”"
    assert told(Fork(1, 16, "\n")) == "at token 17: “⏎”"
    assert told(Fork(1, 1016)) == "at token 1,017"
