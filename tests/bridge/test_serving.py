import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.bridge import serving
from app.bridge.serving import ServerProcess
from app.bridge.tasks import Tasks
from app.platform.shutdown import deadline
from app.serving import hosts
from app.serving.types import ServerStage, ServerStatus
from tests.patience import WAIT_S
from tests.ports import free_port
from tests.serving import fake

SOON = (0.01, 0.01)
NEVER = (3600.0,)


class Watched:
    """A process, and its signals."""

    def __init__(self, qtbot: QtBot, file: Path) -> None:
        self.qtbot = qtbot
        self.file = file
        self.port = free_port()
        self.process = ServerProcess(delays_s=SOON)
        self.seen: list[ServerStatus] = []
        self.lines: list[str] = []
        self.process.changed.connect(self.seen.append)
        self.process.logged.connect(self.lines.append)

    def start(self, mode: str = fake.WELL) -> None:
        command = fake.command(self.port, self.file, mode)
        self.process.start(command, dict(os.environ), f"http://127.0.0.1:{self.port}/v1")

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition)

    def until_stage(self, *stages: ServerStage) -> None:
        """Wait for these stages; earlier ones are ignored."""
        count = len(self.seen)
        self.until(lambda: tuple(each.stage for each in self.seen[count:])[-len(stages) :] == stages)

    def ready(self) -> None:
        self.start()
        self.until(lambda: self.process.condition.stage is ServerStage.READY)

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)

    def is_reaped(self) -> bool:
        """Wait as the main window does."""
        tasks = self.process.findChild(Tasks)
        return tasks is not None and tasks.wait_for_writes(deadline(WAIT_S))


@pytest.fixture
def watched(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setattr(serving, "POLL_MS", 20)
    monkeypatch.setattr(serving, "WATCH_MS", 20)
    made = Watched(qtbot, tmp_path / "mode")
    yield made
    made.process.close()
    assert made.is_reaped()


def test_server_process_that_answers_is_ready_and_logs_no_health_checks(watched: Watched) -> None:
    watched.ready()
    assert [each.stage for each in watched.seen] == [ServerStage.STARTING, ServerStage.READY]
    assert watched.lines == ["[WARN] 한 줄", "starting"], "whole lines, no colours, and nothing of the watching"


def test_server_process_that_crashes_is_restarted(watched: Watched) -> None:
    watched.ready()
    watched.kill()
    watched.until_stage(ServerStage.WAITING, ServerStage.STARTING, ServerStage.READY)
    waiting = watched.seen[-3]
    assert (waiting.message, waiting.wait_s) == ("starting", SOON[0])


@pytest.mark.slow
def test_server_process_that_crashes_too_often_fails(watched: Watched) -> None:
    watched.ready()
    watched.file.write_text(fake.DIES)
    watched.kill()
    watched.until(lambda: watched.process.condition.stage is ServerStage.FAILED)
    assert watched.process.condition.message == "no such model"
    assert [each.stage for each in watched.seen].count(ServerStage.WAITING) == len(SOON)
    watched.ready()


def test_server_process_that_never_answered_is_not_restarted(watched: Watched) -> None:
    watched.start(fake.DIES)
    watched.until(lambda: watched.process.condition.stage is ServerStage.FAILED)
    assert watched.process.condition.message == "no such model"
    assert ServerStage.WAITING not in [each.stage for each in watched.seen]


@pytest.mark.slow
def test_ring_whose_processes_missed_each_other_is_restarted(watched: Watched) -> None:
    watched.start(fake.MISSES)
    watched.until_stage(ServerStage.WAITING, ServerStage.STARTING, ServerStage.READY)
    assert watched.seen[-3].message == "[WARN] Node with rank 1 exited with code 1"


@pytest.mark.slow
def test_server_process_without_crash_for_long_resets_its_delays(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "STEADY_S", 0.0)
    watched.ready()
    for _ in range(len(SOON) + 1):
        watched.kill()
        watched.until_stage(ServerStage.WAITING, ServerStage.STARTING, ServerStage.READY)


@pytest.mark.slow
def test_server_process_that_reports_a_dead_thread_is_restarted(watched: Watched) -> None:
    watched.ready()
    watched.process.delays_s = NEVER
    watched.file.write_text(fake.SICK)
    watched.until(lambda: watched.process.condition.stage is ServerStage.WAITING)
    assert watched.process.condition.wait_s == NEVER[0]


@pytest.mark.slow
def test_server_process_that_hangs_is_silent(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its port stays open, and it may come back."""
    monkeypatch.setattr(serving, "PATIENCE_S", 0.2)
    watched.ready()
    os.kill(watched.process.pid, signal.SIGSTOP)
    watched.until(lambda: watched.process.condition.stage is ServerStage.SILENT)
    assert watched.process.condition.is_on
    os.kill(watched.process.pid, signal.SIGCONT)
    watched.until(lambda: watched.process.condition.stage is ServerStage.READY)
    os.kill(watched.process.pid, signal.SIGSTOP)
    watched.until(lambda: watched.process.condition.stage is ServerStage.SILENT)
    watched.kill()
    watched.until_stage(ServerStage.WAITING, ServerStage.STARTING, ServerStage.READY)


def test_server_process_stop_ends_it_for_good(watched: Watched) -> None:
    watched.ready()
    watched.process.stop()
    assert watched.process.condition == ServerStatus()
    watched.until(lambda: watched.process.pid == 0)
    assert hosts.is_free(watched.port)
    watched.ready()


@pytest.mark.slow
def test_server_process_stop_during_the_delay_cancels_the_restart(watched: Watched) -> None:
    watched.process.delays_s = NEVER
    watched.ready()
    watched.kill()
    watched.until(lambda: watched.process.condition.stage is ServerStage.WAITING)
    watched.process.stop()
    watched.until(lambda: watched.process.pid == 0)
    assert watched.process.condition == ServerStatus()


def test_server_process_with_an_invalid_command_fails(watched: Watched) -> None:
    watched.process.start(["/no/such/program"], {}, "http://127.0.0.1:1/v1")
    watched.until(lambda: watched.process.condition.stage is ServerStage.FAILED)
    assert watched.process.condition.message


def test_server_process_closed_when_its_end_is_not_yet_heard_starts_nothing(watched: Watched) -> None:
    watched.ready()
    watched.kill()
    assert watched.is_reaped()  # its last line waits for the event loop
    watched.process.close()
    count = len(watched.seen)
    QCoreApplication.processEvents()
    assert not watched.process._again.isActive() and len(watched.seen) == count


def test_server_process_with_a_long_line_logs_its_beginning(watched: Watched) -> None:
    watched.start(fake.LONG)
    watched.until(lambda: watched.process.condition.stage is ServerStage.FAILED)
    assert watched.lines[-2:] == ["1" * serving.LINE_BYTES, "a line after it"]


@pytest.mark.slow
def test_server_process_close_leaves_no_process(watched: Watched) -> None:
    watched.ready()
    pid = watched.process.pid
    watched.process.close()
    assert watched.is_reaped()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert hosts.is_free(watched.port)
