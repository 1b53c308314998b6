import os
import signal
from collections.abc import Callable, Iterator

import pytest

from app.platform.child_process import ChildProcess

Start = Callable[[str], ChildProcess]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a shell's script."""
    children: list[ChildProcess] = []

    def started(script: str) -> ChildProcess:
        children.append(ChildProcess(["/bin/sh", "-c", script], os.environ))
        return children[-1]

    yield started
    for child in children:
        child.end()


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_child_ignoring_sigterm_is_killed_and_reaped(start: Start) -> None:
    child = start("trap '' TERM; echo ready; sleep 99")
    assert child.stdout.readline() == b"ready\n"
    os.kill(child.pid, signal.SIGTERM)
    assert child.end() == -signal.SIGKILL
    assert is_gone(child.pid)
    assert child.stdin.closed and child.stdout.closed


def test_child_filling_its_pipe_is_killed_and_reaped(start: Start) -> None:
    child = start("yes")
    assert child.stdout.readline() == b"y\n", "it writes, and has more to write than the pipe takes"
    assert child.end() == -signal.SIGKILL


def test_child_not_reading_its_input_is_killed_and_its_pipe_closed(start: Start) -> None:
    child = start("sleep 99")
    child.stdin.write(b"no reader")  # kept in the buffer, which is flushed when the pipe is closed
    assert child.end() == -signal.SIGKILL
    assert child.stdin.closed


def test_grandchild_goes_with_its_parent() -> None:
    """Reading ends when no process has the other end of the pipe any more."""
    reading, writing = os.pipe()
    child = ChildProcess(["/bin/sh", "-c", "sleep 99 & echo $!; wait"], os.environ, stderr=writing)
    os.close(writing)
    assert int(child.stdout.readline()) != child.pid
    child.end()
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_grandchild_outliving_its_parent_is_killed_all_the_same() -> None:
    reading, writing = os.pipe()
    child = ChildProcess(["/bin/sh", "-c", "sleep 99 >&2 & exit 3"], os.environ, stderr=writing)
    os.close(writing)
    assert child.stdout.read() == b"", "the parent has ended"
    assert child.end() == 3
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_child_that_ended_before_it_was_asked_tells_its_own_exit_code(start: Start) -> None:
    child = start("exit 7")
    assert child.stdout.read() == b""
    assert child.end() == 7
    assert child.end() == 7, "however often it is asked"
    child.kill()


def test_child_ended_by_a_signal_tells_that_signal(start: Start) -> None:
    child = start("kill -ABRT $$")
    assert child.stdout.read() == b""
    assert child.end() == -signal.SIGABRT


def test_reaped_child_is_not_signalled_again(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its id may be another process's by then."""
    child = start("exit")
    child.end()
    monkeypatch.setattr(os, "killpg", lambda *signalled: pytest.fail(f"{signalled} was signalled"))
    child.kill()
    child.end()


def test_child_has_the_environment_and_the_folder_that_it_is_given() -> None:
    child = ChildProcess(["/bin/sh", "-c", "echo $GIVEN; pwd"], {"GIVEN": "a value"}, folder="/")
    assert child.stdout.read() == b"a value\n/\n"
    child.end()


def test_absent_program_raises_an_error() -> None:
    with pytest.raises(OSError, match="No such file"):
        ChildProcess(["/no/such/program"], os.environ)
