"""A second start: the window that is there comes forward and opens what was asked for."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from app import instance
from app.state import Phase
from app.ui.shell.later_starts import MOST_CALLERS, LaterStarts
from app.ui.widgets.lazy_window import bring_up
from tests.ui.desk import Desk, named


def test_a_second_start_brings_the_window_forward_with_its_file(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    window.showMinimized()
    claim = instance.claim(tmp_path)
    assert claim is not None
    assert claim.listening is not None
    callers = LaterStarts(claim, claim.listening, window)
    (tmp_path / "a.sluice").write_text("no session", "utf-8")
    second = subprocess.Popen(
        [sys.executable, "-m", "app", "--data-dir", str(tmp_path), str(tmp_path / "a.sluice")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    notice = named(window, QLabel, "notice_what")
    desk.qtbot.waitUntil(lambda: "“a.sluice” can't be opened" in notice.text())
    assert second.communicate() == (b"", b"")
    assert second.returncode == 0
    assert not window.isMinimized()
    callers.close()


@pytest.fixture
def callers(desk: Desk, tmp_path: Path) -> Iterator[LaterStarts]:
    claim = instance.claim(tmp_path)
    assert claim is not None
    assert claim.listening is not None
    made = LaterStarts(claim, claim.listening, desk.ready())
    yield made
    made.close()


def calling(data: Path, said: bytes = b"") -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.connect(str(instance.path_of(data)))
    line.sendall(said)
    return line


def hung_up(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False


def test_what_makes_no_sense_moves_nothing(
    desk: Desk, callers: LaterStarts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ui.shell.later_starts.bring_up", pytest.fail)
    with calling(tmp_path, b"[1]\n") as line:
        line.setblocking(False)
        desk.qtbot.waitUntil(lambda: hung_up(line))
    desk.qtbot.waitUntil(lambda: not callers._lines)


def test_silent_callers_keep_nobody_from_being_heard(desk: Desk, callers: LaterStarts, tmp_path: Path) -> None:
    """Meanwhile the window lives, and all of them are let go when it closes."""
    window = desk.windows[-1]
    silent = [calling(tmp_path) for _ in range(3 * MOST_CALLERS)]
    desk.qtbot.waitUntil(lambda: len(callers._lines) == MOST_CALLERS)
    window.showMinimized()
    with calling(tmp_path, b'{"path": ""}\n') as line:
        desk.qtbot.waitUntil(lambda: not window.isMinimized())
        assert line.recv(100) == instance.HEARD
    for each in silent:
        each.close()


@pytest.mark.parametrize("named_by_id", [False, True])
def test_a_second_start_opens_its_model(
    desk: Desk, callers: LaterStarts, tmp_path: Path, demo_model: Path, named_by_id: bool
) -> None:
    window, model = desk.windows[-1], "org/model" if named_by_id else str(demo_model)
    with calling(tmp_path, json.dumps(instance.word(None, model)).encode() + b"\n") as line:
        desk.qtbot.waitUntil(lambda: window.playground.state.wanted == model)
        assert line.recv(100) == instance.HEARD
    desk.until(window, Phase.READY)


def test_a_window_that_is_there_stays_as_it_is(desk: Desk) -> None:
    window = desk.ready()
    bring_up(window)
    assert window.isVisible()
    assert not window.isMinimized()
