"""Errands: done elsewhere, answered here, and only the newest of a kind counts."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bridge.errands import Errands, Wire
from app.engine.types import Failure


@pytest.fixture
def errands(qapp: QApplication) -> Iterator[Errands]:
    made = Errands()
    yield made
    made.close()


def test_work_is_done_elsewhere_and_answered_here(errands: Errands, qtbot: QtBot) -> None:
    answers: list[tuple[object, bool]] = []
    here = threading.current_thread()
    errands.run(
        "look",
        lambda: threading.current_thread() is here,
        lambda answer: answers.append((answer, threading.current_thread() is here)),
    )
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == [(False, True)]
    assert not errands.waiting("look")


def test_an_older_answer_of_the_same_kind_is_dropped(errands: Errands, qtbot: QtBot) -> None:
    go_on, answers = threading.Event(), list[object]()

    def slow() -> str:
        assert go_on.wait(10)
        return "old"

    errands.run("search", slow, answers.append)
    errands.run("search", lambda: "new", answers.append)
    errands.run("other", lambda: "other", answers.append)
    qtbot.waitUntil(lambda: len(answers) == 2)
    go_on.set()
    errands.run("end", lambda: "end", answers.append)
    qtbot.waitUntil(lambda: "end" in answers)
    assert sorted(map(str, answers)) == ["end", "new", "other"]


def test_what_is_raised_becomes_a_failure(errands: Errands, qtbot: QtBot) -> None:
    answers: list[object] = []

    def fail() -> None:
        raise ValueError("loud")

    errands.run("fail", fail, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    failure = answers[0]
    assert isinstance(failure, Failure)
    assert "loud" in failure.details


def test_after_the_end_nothing_arrives(errands: Errands, qtbot: QtBot) -> None:
    go_on, done, answers = threading.Event(), threading.Event(), list[object]()

    def slow() -> str:
        assert go_on.wait(10)
        done.set()
        return "late"

    errands.run("search", slow, answers.append)
    errands.close()
    go_on.set()
    assert done.wait(10)
    QApplication.processEvents()
    assert answers == []


def test_what_was_given_up_is_not_told(errands: Errands, qtbot: QtBot) -> None:
    answers: list[object] = []
    errands.run("search", lambda: "unwanted", answers.append)
    errands.drop("search")
    errands.run("end", lambda: "end", answers.append)
    qtbot.waitUntil(lambda: "end" in answers)
    assert answers == ["end"]


def test_a_wire_that_is_cut_says_nothing() -> None:
    said: list[object] = []
    wire = Wire()
    wire.send("nobody listens")
    wire.connect(said.append)
    wire.send("one")
    wire.cut()
    wire.send("two")
    assert said == ["one"]
