import asyncio
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEventLoop, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bridge.tasks import CrossThreadCallback, Tasks
from app.engine.types import Failure
from app.platform.shutdown import deadline


@pytest.fixture
def tasks(qapp: QApplication) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


class Gate:
    """Work that hangs until it is released."""

    def __init__(self) -> None:
        self.may_go_on, self.begun, self.done = threading.Event(), threading.Event(), threading.Event()

    def work(self) -> str:
        self.begun.set()
        assert self.may_go_on.wait(60)
        self.done.set()
        return "late"

    async def hold(self, tasks: Tasks) -> None:
        """Hang in a thread of these tasks."""
        await tasks.in_thread(self.work)


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.may_go_on.set()


def test_in_thread_runs_on_another_thread(tasks: Tasks, qtbot: QtBot) -> None:
    answers: list[tuple[object, bool]] = []
    here = threading.current_thread()

    async def ask() -> None:
        elsewhere = await tasks.in_thread(lambda: threading.current_thread() is not here)
        answers.append((elsewhere, threading.current_thread() is here))

    tasks.start(ask(), "look")
    assert tasks.is_running("look")
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == [(True, True)]
    assert not tasks.is_running("look")


def test_start_runs_to_the_first_await(tasks: Tasks, gate: Gate) -> None:
    tasks.start(gate.hold(tasks))
    assert gate.begun.wait(10)


def test_start_of_the_same_kind_cancels_the_older_task(tasks: Tasks, gate: Gate, qtbot: QtBot) -> None:
    answers, cancelled = list[str](), list[bool]()

    async def ask(*answer: str) -> None:
        try:
            answers.append(await tasks.in_thread("".join, answer) if answer else await tasks.in_thread(gate.work))
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    tasks.start(ask(), "search")
    tasks.start(ask("new"), "search")
    tasks.start(ask("other"), "other")
    qtbot.waitUntil(lambda: len(answers) == 2)
    gate.may_go_on.set()
    assert gate.done.wait(10)
    tasks.start(ask("end"))
    qtbot.waitUntil(lambda: "end" in answers)
    assert sorted(answers) == ["end", "new", "other"]
    assert cancelled == [True]


def test_cancel_drops_a_result_that_has_arrived(tasks: Tasks, gate: Gate, qtbot: QtBot) -> None:
    answers: list[str] = []

    async def ask(answer: str) -> None:
        answers.append(await tasks.in_thread(str, answer))

    tasks.start(ask("unwanted"), "search")
    for thread in threading.enumerate():
        if thread.name == "task":
            thread.join(10)
    tasks.cancel("search")
    assert not tasks.is_running("search")
    tasks.start(ask("end"))
    qtbot.waitUntil(lambda: "end" in answers)
    assert answers == ["end"]


def test_in_thread_raises_and_tried_returns_a_failure(tasks: Tasks, qtbot: QtBot) -> None:
    found: list[object] = []

    def fail(error: BaseException) -> None:
        raise error

    async def ask() -> None:
        with pytest.raises(ValueError, match="loud"):
            await tasks.in_thread(fail, ValueError("loud"))
        found.append(await tasks.try_in_thread(fail, ValueError("loud")))
        for error in (SystemExit(1), StopIteration()):
            found.append(await tasks.try_in_thread(fail, error))  # noqa: PERF401

    tasks.start(ask())
    qtbot.waitUntil(lambda: len(found) == 3)
    assert all(isinstance(each, Failure) for each in found)
    assert isinstance(found[0], Failure)
    assert "loud" in found[0].details


class Owner(QObject):
    """Shows failures."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[Failure] = []

    def show_failure(self, failure: Failure) -> None:
        self.shown.append(failure)


@pytest.mark.parametrize("later", [False, True])
def test_task_that_raises_is_logged_and_shown(later: bool, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    logged: list[BaseException] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: logged.append(error))
    owner = Owner()
    tasks = Tasks(QObject(owner))

    async def fail() -> None:
        if later:
            await tasks.in_thread(int)
        raise LookupError("lost?")

    tasks.start(fail())
    qtbot.waitUntil(lambda: bool(owner.shown))
    assert [type(error) for error in logged] == [LookupError]
    assert "lost?" in owner.shown[0].details
    tasks.close()


def test_close_drops_later_results(tasks: Tasks, gate: Gate, qtbot: QtBot) -> None:
    told: list[str] = []

    async def ask() -> None:
        try:
            told.append(await tasks.in_thread(gate.work))
        finally:
            told.append("over")

    tasks.start(ask())
    tasks.close()
    assert told == ["over"], "a hanging thread keeps nobody from leaving, and what must end has ended"
    gate.may_go_on.set()
    assert gate.done.wait(10)
    tasks.start(ask())
    QApplication.processEvents()
    assert told == ["over"]


def test_close_waits_for_kept_work(tasks: Tasks, gate: Gate) -> None:
    tasks.start(gate.hold(tasks))
    timer = threading.Timer(0.01, gate.may_go_on.set)
    timer.start()
    tasks.close()
    assert tasks.wait(deadline(10.0))
    assert gate.done.is_set()
    timer.join()


def test_close_waits_no_longer_than_asked(tasks: Tasks, gate: Gate) -> None:
    tasks.start(gate.hold(tasks))
    tasks.close()
    assert not tasks.wait(deadline(0.05))
    assert not gate.done.is_set()


def test_task_can_close_its_owner(tasks: Tasks, qtbot: QtBot) -> None:
    told: list[str] = []

    async def leave() -> None:
        await tasks.in_thread(int)
        tasks.close()
        told.append("left")
        await tasks.in_thread(int)
        told.append("came back")

    tasks.start(leave())
    qtbot.waitUntil(lambda: not tasks.count)
    assert told == ["left"]


def test_tasks_run_inside_a_nested_loop(tasks: Tasks, qtbot: QtBot) -> None:
    """As with a dialog; asyncio alone would refuse to enter a task inside another."""
    told: list[str] = []
    other = Tasks()

    async def ask(whose: Tasks, then: object) -> None:
        told.append(await whose.in_thread(str, then))
        tasks.start(stay())

    async def stay() -> None:
        told.append(await tasks.in_thread(str, "third"))
        nested.quit()

    async def spin() -> None:
        other.start(ask(tasks, "first"))
        tasks.start(ask(tasks, "second"))
        nested.exec()
        told.append(await tasks.in_thread(str, "last"))

    nested = QEventLoop()
    tasks.start(spin())
    qtbot.waitUntil(lambda: set(told) == {"first", "second", "third", "last"})
    other.close()


def test_thread_that_hangs_blocks_no_other(tasks: Tasks, gate: Gate, qtbot: QtBot) -> None:
    done: list[str] = []

    async def ask() -> None:
        done.append(await tasks.in_thread(str, "done"))

    for _ in range(40):
        tasks.start(gate.hold(tasks), "search")
    tasks.start(ask(), "scan")
    qtbot.waitUntil(lambda: done == ["done"])
    gate.may_go_on.set()
    tasks.close()
    assert tasks.wait(deadline(10.0))


def test_callback_after_cut_does_nothing() -> None:
    said: list[object] = []
    wire = CrossThreadCallback(said.append)
    wire.send("one")
    wire.cut()
    wire.send("two")
    assert said == ["one"]
