import csv
import io
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDialog, QLabel, QLineEdit, QMenu, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.bridge.session_store import Opener
from app.controls import Controls
from app.engine.echo.engine import EchoOptions
from app.engine.types import Limits, Sampling
from app.files.settings import Settings
from app.i18n import tr
from app.records.journal import open_journal
from app.records.journal_file import FILE
from app.records.types import RunId, Versions
from app.state import Phase, State
from app.ui.comparison import view
from app.ui.look.theme import Theme
from app.ui.runs.controller import RunsController
from app.ui.runs.controller_replay import ELSEWHERE
from app.ui.runs.receipt_page import ReceiptPage
from app.ui.runs.table import RunsTable
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import named
from tests.ui.file_dialogs import answer, saved
from tests.ui.room import QUICK, Room, Rooms
from tests.ui.runs.rows import row

COLD = Settings(controls=Controls(sampling=Sampling(temperature=0.0)))
SLOW = replace(ENDLESS_TEXT, tokens_per_second=60)


class RunsRoom(Room):
    """The window of runs, beside an empty one."""

    def __init__(
        self, rooms: Rooms, knobs: EchoOptions = QUICK, settings: Settings | None = None, opener: Opener | None = None
    ) -> None:
        super().__init__(rooms, knobs, settings, opener=opener)
        self.runs = RunsController(self.playground, self.notice, self.theme, Path(), self)
        self.furnish((), (self.runs,))

    @property
    def table(self) -> RunsTable:
        return self.part(RunsTable, "runs")

    @property
    def listed(self) -> list[RunId]:
        return [row.id for row in self.table.rows]

    def show_table(self, rows: int) -> RunsTable:
        self.act("show_runs").trigger()
        self.until(lambda: len(self.table.rows) == rows)
        return self.table

    def choose(self, name: str) -> None:
        """Trigger an action of the window's menu."""
        action = self.findChild(QAction, name)
        assert isinstance(action, QAction), name
        action.trigger()

    def outcome(self) -> str:
        """The outcome of the rerun of the displayed run, which may be known before its receipt is read."""
        label = self.part(QLabel, "replay_outcome")
        self.until(lambda: label.isVisible() and label.text().endswith("."))
        return label.text()

    def replay(self, run: RunId) -> str:
        self.table.pick((run,))
        button = self.part(QAbstractButton, "replay_run")
        self.until(button.isVisible)
        button.click()
        return self.outcome()


def enter(rooms: Rooms, *texts: str, knobs: EchoOptions = QUICK, settings: Settings | None = None) -> RunsRoom:
    """Open the room, and say these texts one after the other."""
    room = RunsRoom(rooms, knobs, settings)
    room.enter()
    for text in texts:
        room.send(text)
    return room


def test_table_follows_runs_and_sessions(rooms: Rooms) -> None:
    room = enter(rooms)
    table = room.show_table(0)
    assert any("will appear here" in label.text() and label.isVisible() for label in room.findChildren(QLabel))
    assert not table.isVisible()
    room.part(QAbstractButton, "runs_empty_sample").click()
    room.until(lambda: [row.reason for row in table.rows] == ["stop"])
    room.playground.new_session()
    room.until(lambda: table.rows == ())
    room.part(QComboBox, "runs_scope").activated.emit(1)
    room.until(lambda: len(table.rows) == 1)
    table.pick((table.rows[0].id,))
    QTest.keyClick(table, Qt.Key.Key_Return)
    room.until(lambda: len(room.state.turns) == 2)
    assert room.part(QDialog, "runs_window").isVisible()


def test_unreadable_run_has_no_receipt(rooms: Rooms, tmp_path: Path) -> None:
    room = RunsRoom(rooms, opener=partial(open_journal, tmp_path))
    room.enter()
    room.send("One")
    room.send("Two")
    assert room.journal.flush(), "what is changed here is not written over"
    with closing(sqlite3.connect(tmp_path / FILE)) as journal:
        journal.execute("UPDATE detail SET request = x'00' WHERE run = 1")
        journal.commit()
    table = room.show_table(2)
    copy, unread = room.part(QAbstractButton, "copy_receipt"), room.part(QLabel, "run_unread")
    table.pick((2,))
    room.until(copy.isVisible)
    table.pick((1,))
    room.until(unread.isVisible)
    assert not copy.isVisible()


def test_comparison_follows_a_running_run(rooms: Rooms) -> None:
    room = enter(rooms, "One", knobs=SLOW, settings=Settings(controls=Controls(limits=Limits(5))))
    room.playground.set_controls(Controls(limits=Limits(10_000)))
    room.playground.send("Two")
    room.until_phase(Phase.GENERATING)
    room.show_table(2).pick((1, 2))
    diff, overlay = room.part(QPlainTextEdit, "runs_diff"), room.part(QWidget, "runs_overlay")
    room.until(lambda: bool(diff.accessibleDescription()))
    before = overlay.accessibleDescription()
    room.playground.stop()
    room.until_phase(Phase.READY)
    words = room.state.turns[-1].text.split()
    room.until(lambda: diff.toPlainText().split() == words)
    room.until(lambda: overlay.accessibleDescription() != before)


@pytest.mark.in_korean
@pytest.mark.parametrize("by_menu", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_removed_runs_come_back_and_their_answers_stay(rooms: Rooms, by_menu: bool) -> None:
    room = enter(rooms, "One", "Two", "Three")
    turns = room.state.turns
    table = room.show_table(3)
    three, two, one = room.listed
    assert not table.undoable
    table.pick((three, two))
    if by_menu:
        room.choose("remove_runs")
    else:
        QTest.keyClick(table, Qt.Key.Key_Delete)
    room.until(lambda: room.listed == [one])
    assert [row.id for row in table.picked_rows] == [one], "the next one is picked"
    said = room.part(QLabel, "run_deleted")
    assert said.isVisible() and said.accessibleName() == tr(
        "Removed %n runs; their answers stay.", "Removed %n run; its answer stays.", 2
    )
    assert table.undoable and room.state.turns is turns
    session = room.state.session
    room.playground.new_session()
    room.playground.open_session(session)
    room.until(lambda: bool(room.state.turns))
    assert [len(turn.runs) for turn in room.state.turns] == [0, 1] * 3
    room.until(lambda: room.listed == [one])
    if by_menu:
        room.press("run_undo")
    else:
        QTest.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    room.until(lambda: room.listed == [three, two, one])
    assert not said.isVisible() and not table.undoable
    table.pick((one,))
    room.choose("remove_runs")
    assert said.isVisible() and table.undoable
    room.runs.forget_all()
    assert not said.isVisible() and not table.undoable, "deleted for good, nothing comes back"


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


def test_show_last_shows_the_receipt_of_the_last_run(rooms: Rooms) -> None:
    room = enter(rooms, "One")
    room.runs.show_last()
    copy = room.part(QAbstractButton, "copy_receipt")
    room.until(copy.isVisible)
    copy.click()
    assert "Model: echo" in QGuiApplication.clipboard().text()
    assert [row.id for row in room.table.picked_rows] == [1]


def test_rerun_is_identical_or_names_the_first_difference(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    room = enter(rooms, settings=COLD)
    assert not room.act("replay").isEnabled()
    for text in ("One", "Two", "Three"):
        room.send(text)
    turns = room.state.turns
    room.show_table(3)
    first, second, third = (turns[at].runs[-1] for at in (1, 3, 5))
    count = len(first.ids)
    assert room.replay(first.id) == f"Identical, {count} of {count} tokens."
    # The script goes by the number of questions, which bare ids don't tell.
    monkeypatch.setattr("app.ui.runs.controller_replay.versions", lambda: Versions(mlx="99.9"))
    differs = room.replay(second.id)
    assert differs.startswith("First difference at token 1: “#” became “I” (50 %)")
    assert re.search(r"A likely cause: mlx was \S+, now 99\.9\.$", differs)
    monkeypatch.undo()
    assert room.replay(third.id).endswith(f" {ELSEWHERE}"), "no cause is known"
    assert room.state.turns is turns
    room.table.pick((first.id,))
    assert room.outcome().startswith("Identical"), "it is remembered"


def test_rerun_from_the_menu_reruns_the_last_run(rooms: Rooms) -> None:
    room = enter(rooms, "One", settings=COLD)
    room.act("replay").trigger()
    assert room.outcome().startswith("Identical")


def test_different_runs_name_a_known_cause(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.roofline.measurement_store.sameness", lambda *_: "Batches change it.")
    room = enter(rooms, "One", "Two", settings=COLD)
    table = room.show_table(2)
    runs = [turn.runs[-1].id for turn in room.state.turns if turn.runs]
    assert room.replay(runs[1]).endswith(" Batches change it.")
    table.pick(tuple(runs))
    known = room.part(QLabel, "diff_known")
    room.until(lambda: known.text() == "Batches change it." and known.isVisible())
    opened: list[str] = []
    room.runs.comparison_wanted.connect(lambda found, known: opened.append(known))
    room.choose("compare_runs")
    assert opened == ["Batches change it."]
    model = room.state.model
    assert model is not None
    assert view._read(room.journal, model, [runs[0]] * 2)[1] == "", "they are the same"
    other = replace(model, folder=Path("other"))
    assert view._read(room.journal, other, runs)[1] == "", "another one wrote them"


def test_rerun_that_is_stopped_compares_what_it_generated(rooms: Rooms) -> None:
    room = enter(rooms, "Go", knobs=SLOW, settings=Settings(controls=Controls(limits=Limits(60), seed=0)))
    room.show_table(1).pick((1,))
    button = room.part(QAbstractButton, "replay_run")
    room.until(button.isVisible)
    names: list[str] = []

    def stop(old: State, new: State) -> None:
        if new.phase is Phase.GENERATING:
            names.append(button.accessibleName())
            button.click()

    room.playground.changed.connect(stop)
    button.click()
    assert room.outcome().startswith("Stopped by you. Identical up to the end of the rerun, ")
    assert (names, button.accessibleName()) == (["Stop the rerun"], "Rerun")


def test_rerun_on_another_model_names_the_right_one(rooms: Rooms) -> None:
    room = enter(rooms, "One")
    room.load("other")
    room.show_table(1)
    assert room.replay(1).startswith("Open echo first")
    room.playground.unload()
    room.until_phase(Phase.EMPTY)
    assert room.replay(1) == "Open the model of this run first."


def test_exports_save_a_run_and_its_tokens(rooms: Rooms, tmp_path: Path) -> None:
    room = enter(rooms, "One", "Two")
    table = room.show_table(2)
    tokens = room.findChild(QAction, "export_run_tokens")
    assert isinstance(tokens, QAction)
    assert not tokens.isEnabled(), "it is for one run"
    table.pick((1,))
    count = len(room.state.turns[1].runs[-1].ids)
    room.press("export_run")
    assert len(json.loads(saved(room, tmp_path / "run.json"))["tokens"]) == count
    room.press("export_run")
    assert len(list(csv.reader(io.StringIO(saved(room, tmp_path / "run.csv"))))) == count + 1
    room.press("export_tokens")
    said = json.loads(saved(room, tmp_path / "tokens.json"))
    assert (said["format"], len(said["tokens"])) == ("sluice tokens", count)
    tokens.trigger()
    rows = list(csv.DictReader(io.StringIO(saved(room, tmp_path / "tokens.csv"))))
    assert [row["place"] for row in rows] == [str(index) for index in range(count)]
    table.pick((1, 2))
    assert not tokens.isEnabled()


def test_exports_save_and_copy_the_table_or_show_the_failure(rooms: Rooms, tmp_path: Path) -> None:
    room = enter(rooms, "One", "Two")
    table = room.show_table(2)
    room.choose("save_table")
    text = saved(room, tmp_path / "table.csv")
    assert next(csv.DictReader(io.StringIO(text)))["model"] == "echo"
    clipboard = QGuiApplication.clipboard()
    for name, picked in (("copy_table", (1,)), ("copy_rows", (2, 1))):
        table.pick(picked)
        clipboard.setText("")
        room.choose(name)
        room.until(lambda: clipboard.text().splitlines() == text.splitlines())
    room.choose("save_table")
    answer(room, tmp_path / "gone" / "table.csv")
    trouble = room.part(QLabel, "runs_trouble")
    room.until(lambda: trouble.isVisible() and "“table.csv” could not be saved" in trouble.text())


def test_export_last_tokens_saves_them_or_shows_the_failure(rooms: Rooms, tmp_path: Path) -> None:
    room = enter(rooms, "One")
    room.runs.export_last_tokens()
    count = len(room.state.turns[-1].runs[-1].ids)
    assert len(json.loads(saved(room, tmp_path / "tokens.json"))["tokens"]) == count
    room.runs.export_last_tokens()
    answer(room, tmp_path / "gone" / "tokens.json")
    notice = room.part(QLabel, "notice_what")
    room.until(lambda: "“tokens.json” could not be saved" in notice.text())


def test_window_sorts_by_menu_and_compares_no_more_runs_than_have_letters(rooms: Rooms) -> None:
    room = enter(rooms)
    table = room.show_table(0)
    table.show_rows(tuple(row(number) for number in range(1, 10)), True)
    speed = next(each for each in room.part(QMenu, "runs_sort").actions() if each.text() == "Tok/s")
    speed.trigger()
    assert room.listed == list(range(9, 0, -1))
    table.selectAll()
    assert room.part(QLabel, "runs_tally").text() == "9 runs · 9 selected, the first 6 compared"


def test_filter_is_reached_and_left_with_keys(rooms: Rooms) -> None:
    room = enter(rooms, "One")
    room.show_table(1)
    shown = room.part(QDialog, "runs_window")
    shown.activateWindow()
    QTest.keyClick(shown, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    line = room.part(QLineEdit, "runs_filter")
    QTest.keyClicks(line, "nowhere")
    assert room.part(QLabel, "runs_tally").text() == "0 runs"
    room.runs.show_last()
    room.until(lambda: line.text() == "" and len(room.table.picked_rows) == 1)
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()
