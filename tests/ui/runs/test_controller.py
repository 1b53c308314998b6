"""The runs' window on the scripted engine: it follows the journal, explains, replays and saves."""

import csv
import io
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDialog, QLabel, QPlainTextEdit, QWidget

from app.controls import Controls
from app.engine.types import Limits, LoadRequest, Sampling
from app.records.opening import FILE
from app.records.types import Versions
from app.settings import Settings
from app.state import Phase, State
from app.ui.runs import controller
from app.ui.runs.controller_replay import ELSEWHERE
from app.ui.runs.table import RunsTable
from app.ui.shell.main_window import MainWindow
from app.words import tr
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import Desk, act, named
from tests.ui.file_dialogs import file_dialog, saved
from tests.ui.program import Program

COLD = Settings(controls=Controls(sampling=Sampling(temperature=0.0)))


def opened(desk: Desk, window: MainWindow, rows: int) -> RunsTable:
    act(window, "show_runs").trigger()
    table = named(window, RunsTable, "runs")
    desk.qtbot.waitUntil(lambda: len(table.rows) == rows)
    return table


def outcome(desk: Desk, window: MainWindow) -> str:
    """What the replay of the run that is shown found in the end; it may be known before its receipt is there."""
    label = named(window, QLabel, "replay_outcome")
    desk.qtbot.waitUntil(lambda: label.isVisible() and label.text().endswith("."))
    return label.text()


def replay(desk: Desk, window: MainWindow, run: int) -> str:
    named(window, RunsTable, "runs").pick((run,))
    button = named(window, QAbstractButton, "replay_run")
    desk.qtbot.waitUntil(button.isVisible)
    button.click()
    return outcome(desk, window)


def choose(window: MainWindow, name: str) -> None:
    """From the menu of the runs' window."""
    action = window.findChild(QAction, name)
    assert isinstance(action, QAction), name
    action.trigger()


def test_the_table_follows_the_runs_and_the_sessions(desk: Desk) -> None:
    window = desk.ready()
    table = opened(desk, window, 0)
    desk.send(window, "One")
    desk.qtbot.waitUntil(lambda: [row.reason for row in table.rows] == ["stop"])
    act(window, "new_session").trigger()
    desk.qtbot.waitUntil(lambda: table.rows == ())
    scope = named(window, QComboBox, "runs_scope")
    scope.setCurrentIndex(1)
    scope.activated.emit(1)
    desk.qtbot.waitUntil(lambda: len(table.rows) == 1)
    table.pick((table.rows[0].id,))
    QTest.keyClick(table, Qt.Key.Key_Return)
    desk.qtbot.waitUntil(lambda: len(window.playground.state.turns) == 2)
    assert named(window, QDialog, "runs_window").isVisible()


def test_a_run_that_nobody_can_read_has_no_receipt(program: Program) -> None:
    program.start()
    program.send("One")
    program.send("Two")
    assert program.journal.flush(), "what is changed here is not written over"
    with closing(sqlite3.connect(program.folder / FILE)) as journal:
        journal.execute("UPDATE detail SET request = x'00' WHERE run = 1")
        journal.commit()
    program.act("show_runs")
    table = program.find(RunsTable, "runs")
    program.until(lambda: len(table.rows) == 2)
    copy, unread = program.find(QAbstractButton, "copy_receipt"), program.find(QLabel, "run_unread")
    table.pick((2,))
    program.until(copy.isVisible)
    table.pick((1,))
    program.until(unread.isVisible)
    assert not copy.isVisible()


def test_compared_runs_follow_one_that_goes_on(desk: Desk) -> None:
    window = desk.ready(knobs=replace(ENDLESS_TEXT, tokens_per_second=300))
    window.playground.set_controls(Controls(limits=Limits(5)))
    desk.send(window, "One")
    window.playground.set_controls(Controls())
    named(window, QPlainTextEdit, "prompt").setPlainText("Two")
    named(window, QAbstractButton, "send").click()
    desk.until(window, Phase.GENERATING)
    opened(desk, window, 2).pick((1, 2))
    diff, overlay = named(window, QPlainTextEdit, "runs_diff"), named(window, QWidget, "runs_overlay")
    desk.qtbot.waitUntil(lambda: bool(diff.accessibleDescription()))
    before = overlay.accessibleDescription()
    window.playground.stop()
    desk.until(window, Phase.READY)
    words = window.playground.state.turns[-1].text.split()
    desk.qtbot.waitUntil(lambda: diff.toPlainText().split() == words)
    desk.qtbot.waitUntil(lambda: overlay.accessibleDescription() != before)


@pytest.mark.in_korean
@pytest.mark.parametrize("by_menu", [True, False])
def test_several_are_removed_and_come_back_and_their_answers_stay(desk: Desk, by_menu: bool) -> None:
    window = desk.ready()
    for words in ("One", "Two", "Three"):
        desk.send(window, words)
    turns = window.playground.state.turns
    table = opened(desk, window, 3)
    three, two, one = (row.id for row in table.rows)
    assert not table.undoable
    table.pick((three, two))
    if by_menu:
        choose(window, "remove_runs")
    else:
        QTest.keyClick(table, Qt.Key.Key_Delete)
    desk.qtbot.waitUntil(lambda: [row.id for row in table.rows] == [one])
    assert [row.id for row in table.picked_rows] == [one], "whoever removes several goes on with the next one"
    said = named(window, QLabel, "run_deleted")
    assert said.isVisible() and said.accessibleName() == tr(
        "Removed %n runs; their answers stay.", "Removed %n run; its answer stays.", 2
    )
    assert table.undoable and window.playground.state.turns is turns
    session = window.playground.state.session
    act(window, "new_session").trigger()
    window.playground.open_session(session)
    desk.qtbot.waitUntil(lambda: bool(window.playground.state.turns))
    assert [len(turn.runs) for turn in window.playground.state.turns] == [0, 1] * 3
    desk.qtbot.waitUntil(lambda: [row.id for row in table.rows] == [one])
    if by_menu:
        named(window, QAbstractButton, "run_undo").click()
    else:
        QTest.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    desk.qtbot.waitUntil(lambda: [row.id for row in table.rows] == [three, two, one])
    assert not said.isVisible() and not table.undoable


def test_the_ending_leads_to_the_receipt(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "One")
    named(window, QAbstractButton, "more_about_run").click()
    named(window, QAbstractButton, "receipt_of_run").click()
    copy = named(window, QAbstractButton, "copy_receipt")
    desk.qtbot.waitUntil(copy.isVisible)
    copy.click()
    assert "Model: echo" in QGuiApplication.clipboard().text()
    assert [row.id for row in named(window, RunsTable, "runs").picked_rows] == [1]


def test_a_replay_says_identical_or_where_it_differs(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    window = desk.ready(COLD)
    desk.send(window, "One")
    desk.send(window, "Two")
    desk.send(window, "Three")
    turns = window.playground.state.turns
    opened(desk, window, 3)
    first, second, third = (turns[at].runs[-1] for at in (1, 3, 5))
    count = len(first.ids)
    assert replay(desk, window, first.id) == f"Identical, {count} of {count} tokens."
    # The script goes by the number of questions, which bare ids don't tell.
    monkeypatch.setattr("app.ui.runs.controller_replay.versions", lambda: Versions(mlx="99.9"))
    differs = replay(desk, window, second.id)
    assert differs.startswith("First difference at token 1: “#” became “I” (50 %)")
    assert re.search(r"A likely cause: mlx was \S+, now 99\.9\.$", differs)
    monkeypatch.undo()
    assert replay(desk, window, third.id).endswith(f" {ELSEWHERE}"), "with nothing to lay it on"
    assert window.playground.state.turns is turns
    named(window, RunsTable, "runs").pick((first.id,))
    assert outcome(desk, window).startswith("Identical"), "it is remembered"


def test_what_is_known_to_change_the_tokens_is_told_where_runs_differ(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ceiling.kept.sameness", lambda *_: "Batches change it.")
    window = desk.ready(COLD)
    for text in ("One", "Two"):
        desk.send(window, text)
    table = opened(desk, window, 2)
    runs = [turn.runs[-1].id for turn in window.playground.state.turns if turn.runs]
    assert replay(desk, window, runs[1]).endswith(" Batches change it.")
    table.pick(tuple(runs))
    known = named(window, QLabel, "diff_known")
    desk.qtbot.waitUntil(lambda: known.text() == "Batches change it." and known.isVisible())
    model, journal = window.playground.state.model, window.playground.book.journal
    assert model is not None and journal is not None
    assert controller._diff(journal, model, runs[0], runs[0])[1] == "", "they are the same"
    assert controller._diff(journal, replace(model, folder=Path("other")), *runs)[1] == "", "another one wrote them"


def test_the_last_run_is_replayed_from_the_menu(desk: Desk) -> None:
    window = desk.ready(COLD)
    assert not act(window, "replay").isEnabled()
    desk.send(window, "One")
    act(window, "replay").trigger()
    assert outcome(desk, window).startswith("Identical")


def test_a_replay_is_stopped(desk: Desk) -> None:
    window = desk.ready(
        Settings(controls=Controls(limits=Limits(60), seed=0)), knobs=replace(ENDLESS_TEXT, tokens_per_second=300)
    )
    desk.send(window, "Go")
    opened(desk, window, 1).pick((1,))
    button = named(window, QAbstractButton, "replay_run")
    desk.qtbot.waitUntil(button.isVisible)
    names: list[str] = []

    def stop(old: State, new: State) -> None:
        if new.phase is Phase.GENERATING:
            names.append(button.accessibleName())
            button.click()

    window.playground.changed.connect(stop)
    button.click()
    assert outcome(desk, window).startswith("Stopped by you. The same as far as both go: the replay ended after ")
    assert (names, button.accessibleName()) == (["Stop the replay"], "Replay")


def test_on_another_model_it_says_which_to_open(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "One")
    window.playground.load(LoadRequest("other"))
    desk.until(window, Phase.LOADING)
    desk.until(window, Phase.READY)
    opened(desk, window, 1)
    assert replay(desk, window, 1).startswith("Open echo first")
    window.playground.unload()
    desk.until(window, Phase.EMPTY)
    assert replay(desk, window, 1) == "Open the model of this run first."


def test_a_run_and_the_table_are_saved(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    desk.send(window, "One")
    table = opened(desk, window, 1)
    table.pick((1,))
    count = len(window.playground.state.turns[-1].runs[-1].ids)
    named(window, QAbstractButton, "export_run").click()
    assert len(json.loads(saved(desk, window, tmp_path / "run.json"))["tokens"]) == count
    named(window, QAbstractButton, "export_run").click()
    assert len(list(csv.reader(io.StringIO(saved(desk, window, tmp_path / "run.csv"))))) == count + 1
    choose(window, "save_table")
    text = saved(desk, window, tmp_path / "table.csv")
    assert next(csv.DictReader(io.StringIO(text)))["model"] == "echo"
    choose(window, "copy_table")
    clipboard = QGuiApplication.clipboard()
    desk.qtbot.waitUntil(lambda: clipboard.text().splitlines() == text.splitlines())


def test_the_tokens_of_a_run_are_saved(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    desk.send(window, "One")
    desk.send(window, "Two")
    table = opened(desk, window, 2)
    action = window.findChild(QAction, "export_run_tokens")
    assert isinstance(action, QAction)
    assert not action.isEnabled(), "it is for one run"
    table.pick((1,))
    count = len(window.playground.state.turns[1].runs[-1].ids)
    named(window, QAbstractButton, "export_tokens").click()
    said = json.loads(saved(desk, window, tmp_path / "tokens.json"))
    assert (said["format"], len(said["tokens"])) == ("sluice tokens", count)
    choose(window, "export_run_tokens")
    rows = list(csv.DictReader(io.StringIO(saved(desk, window, tmp_path / "tokens.csv"))))
    assert [row["place"] for row in rows] == [str(place) for place in range(count)]
    table.pick((1, 2))
    assert not action.isEnabled()


def test_the_tokens_of_the_last_run_are_saved_from_its_ending(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    desk.send(window, "One")
    named(window, QAbstractButton, "more_about_run").click()
    button = named(window, QAbstractButton, "export_last_tokens")
    assert button.isVisible()
    button.click()
    count = len(window.playground.state.turns[-1].runs[-1].ids)
    assert len(json.loads(saved(desk, window, tmp_path / "tokens.json"))["tokens"]) == count
    button.click()
    dialog = file_dialog(window)
    dialog.fileSelected.emit(str(tmp_path / "gone" / "tokens.json"))
    dialog.done(0)
    notice = named(window, QLabel, "notice_what")
    desk.qtbot.waitUntil(notice.isVisible)
    assert "“tokens.json” could not be saved" in notice.text()


def test_what_can_not_be_saved_is_said_there(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    desk.send(window, "One")
    opened(desk, window, 1)
    choose(window, "save_table")
    dialog = file_dialog(window)
    dialog.fileSelected.emit(str(tmp_path / "gone" / "table.csv"))
    dialog.done(0)
    trouble = named(window, QLabel, "runs_trouble")
    desk.qtbot.waitUntil(trouble.isVisible)
    assert "“table.csv” could not be saved" in trouble.text()


def test_runs_that_are_deleted_for_good_are_not_on_offer(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "One")
    table = opened(desk, window, 1)
    table.pick((table.rows[0].id,))
    choose(window, "remove_runs")
    assert named(window, QLabel, "run_deleted").isVisible() and table.undoable
    window._features.settings.privacy._erase()  # which is asked for in a window of its own
    assert not named(window, QLabel, "run_deleted").isVisible() and not table.undoable
