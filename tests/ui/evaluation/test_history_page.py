"""Earlier evaluations on the echo engine: listed, opened without their file, resumed, deleted, restored."""

import threading
import time
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTableView, QWidget

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Finish, Reason, Request
from app.evaluation.journal_entries import reopened
from app.evaluation.types import EvaluationOutcome
from app.ui.evaluation import window as evaluation_window
from app.ui.evaluation.controller import EvaluationController
from app.ui.evaluation.results_page import EvaluationResult, summarize
from app.ui.evaluation.window import HISTORY, RESULTS
from tests.late import held_back
from tests.patience import WAIT_S
from tests.ui.desk import QUICK, Desk, named
from tests.ui.evaluation.room import Room


class Failing(EchoEngine):
    """It fails at what is hard."""

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        if "hard" in str(request.prompt):
            raise RuntimeError
        return super().generate(request, emit, stop)


def ask(room: Room, tmp_path: Path) -> Room:
    """One study was asked, its file is gone, and another set is open."""
    for name in ("first", "second"):
        file = tmp_path / f"{name}.csv"
        room.take(file, f"prompt,expected\nWhat is {name}?,{name}\n")
        file.unlink()
        if name == "first":
            room.add("sampling.temperature", "1.5")
            room.run()
    select_last(room)
    return room


@pytest.fixture
def asked(room: Room, tmp_path: Path) -> Room:
    return ask(room, tmp_path)


def studies(room: Room) -> list[list[str]]:
    return [[row[0], *row[2:]] for row in room.cells("sets_studies")]


def select_last(room: Room) -> None:
    room.view.tabs.setCurrentIndex(HISTORY)
    room.until(lambda: bool(studies(room)))
    named(room.view, QTableView, "sets_studies").selectRow(0)


def open_last(room: Room) -> None:
    select_last(room)
    room.button("sets_study_open").click()


def test_open_shows_the_results_of_an_earlier_evaluation(asked: Room) -> None:
    assert studies(asked) == [["first", "2 of 2", "temperature 0, temperature 1.5"]]
    asked.button("sets_study_open").click()
    asked.until(lambda: asked.label("sets_title").startswith("first"))
    asked.until(lambda: bool(asked.label("sets_verdict")))
    assert asked.view.tabs.currentIndex() == RESULTS
    assert [row[0] for row in asked.cells("sets_rates")] == ["temperature 0", "temperature 1.5"]
    assert asked.button("sets_start").text() == "Rerun" and asked.button("sets_export").isEnabled()
    asked.button("sets_command").click()
    assert "needs a file" in asked.label("sets_trouble"), "the command has none to name"


@pytest.mark.parametrize("engine", [partial(Failing, QUICK)])
def test_resume_runs_failed_answers_again(room: Room, tmp_path: Path) -> None:
    room.take(tmp_path / "two.csv", "prompt,expected\nWhat is hard?,1\nWhat is easy?,2\n")
    first = room.run()
    assert [each.reason is Reason.ERROR for each in first.answers] == [True, False]
    assert room.button("sets_start").text() == "Resume"
    open_last(room)
    room.until(lambda: room.view.tabs.currentIndex() == RESULTS)
    room.until(lambda: "1 answer failed" in room.label("sets_verdict_rest"))
    assert room.button("sets_start").text() == "Resume"
    again, kept = zip(first.answers, room.run().answers, strict=True)
    assert again[0].run != again[1].run and kept[0].run == kept[1].run
    assert room.button("sets_start").text() == "Rerun", "it fails for good"
    anew = room.run().answers
    assert not {each.run for each in anew} & {each.run for each in (*first.answers, *again, *kept)}
    assert room.button("sets_start").text() == "Resume", "which may have been chance"


@pytest.mark.parametrize("engine", [partial(Failing, QUICK)])
def test_open_during_a_new_evaluation_changes_nothing(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.take(tmp_path / "one.csv", "prompt\nWhat is hard?\nWhat is easy?\n")
    room.run()
    may_be_read, read = held_back(reopened)
    monkeypatch.setattr(evaluation_window, "reopened", read)
    open_last(room)
    room.run()
    assert room.button("sets_start").text() == "Rerun", "it failed twice"
    may_be_read.set()
    tasks = room.view.tasks
    room.until(lambda: tasks.wait(time.monotonic() + WAIT_S) and not tasks.count)
    assert room.button("sets_start").text() == "Rerun", "as before: nothing has come up"


def test_results_of_the_last_set_do_not_appear_over_another(
    asked: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out = list[EvaluationOutcome]()

    def looked_at(outcome: EvaluationOutcome, is_over: bool) -> EvaluationResult:
        worked_out.append(outcome)
        assert let.wait(WAIT_S)
        return summarize(outcome, is_over)

    let = threading.Event()
    monkeypatch.setattr(evaluation_window, "summarize", looked_at)
    asked.run()
    asked.until(lambda: bool(worked_out))
    asked.take(tmp_path / "third.csv", "prompt\nWhat is third?\n")
    let.set()
    asked.until(lambda: not asked.view.tasks.count)
    assert asked.label("sets_verdict") == "" and not asked.button("sets_export").isEnabled()


def test_history_lists_a_database_that_opens_later(asked: Room) -> None:
    """As where somebody was at this page before."""
    asked.view.history.show_summaries(())
    assert not studies(asked)
    asked.playground.book.ready.emit()
    asked.until(lambda: len(studies(asked)) == 1)


def test_delete_can_be_undone_until_everything_is_forgotten(asked: Room) -> None:
    journal, controller = asked.playground.book.journal, asked.window.findChild(EvaluationController)
    assert journal is not None and controller is not None
    controller.session_deleted.connect(journal.sessions.delete)
    asked.button("sets_study_delete").click()
    asked.until(lambda: not studies(asked))
    assert not named(asked.view, QWidget, "sets_study_delete").isVisible()
    assert all("first" not in each.title for each in journal.sessions.rows())
    asked.button("sets_study_undo").click()
    asked.until(lambda: len(studies(asked)) == 1)
    assert any("first" in each.title for each in journal.sessions.rows())
    named(asked.view, QTableView, "sets_studies").selectRow(0)
    asked.button("sets_study_delete").click()
    asked.until(lambda: not studies(asked))
    assert asked.button("sets_study_undo").isVisible()
    controller.forget_all()
    assert not asked.button("sets_study_undo").isVisible()


@pytest.mark.slow
def test_delete_closes_the_open_session(desk: Desk, tmp_path: Path) -> None:
    room = ask(Room(desk.qtbot, desk.ready()), tmp_path)
    playground = room.playground
    journal = playground.book.journal
    assert journal is not None
    (session,) = (each.id for each in journal.sessions.rows() if "first" in each.title)
    playground.open_session(session)
    room.until(lambda: playground.state.session == session)
    room.button("sets_study_delete").click()
    room.until(lambda: playground.state.session != session)
