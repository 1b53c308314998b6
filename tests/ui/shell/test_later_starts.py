import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QLabel

from app.platform import single_instance
from app.state import Phase
from app.ui.shell.later_starts import LaterStarts
from tests.ui.desk import Desk, named

HOLD = """
import socket, sys
listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
listening.listen()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def later(desk: Desk, tmp_path: Path) -> LaterStarts:
    made = LaterStarts(tmp_path)
    made.serve(desk.ready())
    return made


def calling(data: Path, said: bytes = b"") -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.connect(str(single_instance.socket_path(data)))
    line.sendall(said)
    line.setblocking(False)
    return line


def hung_up(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionResetError:  # where the other end hadn't read all that was sent
        return True
    except BlockingIOError:
        return False


@pytest.mark.slow
def test_second_start_raises_the_window_with_its_file(desk: Desk, later: LaterStarts, tmp_path: Path) -> None:
    window = desk.windows[-1]
    window.showMinimized()
    (tmp_path / "a.sluice").write_text("no session", "utf-8")
    second = subprocess.Popen(
        [sys.executable, "-m", "app", "--data-dir", str(tmp_path), str(tmp_path / "a.sluice")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"SLUICE_STARTED_OVER": "1"},
    )
    notice = named(window, QLabel, "notice_what")
    desk.qtbot.waitUntil(lambda: "“a.sluice” can't be opened" in notice.text())
    said = b"Sluice is already running with this data folder. Its window is in front now.\n"
    assert second.communicate() == (said, b"")
    assert second.returncode == 0
    assert not window.isMinimized()


@pytest.mark.parametrize("is_folder", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_later_start_before_the_window_exists_opens_its_model_then(desk: Desk, tmp_path: Path, is_folder: bool) -> None:
    made, window = LaterStarts(tmp_path), desk.ready()
    model = str(tmp_path) if is_folder else "org/model"
    with calling(tmp_path, json.dumps({"model": model}).encode() + b"\n") as line:
        made.serve(window)
        desk.qtbot.waitUntil(lambda: window.playground.state.wanted == model)
        assert line.recv(100) == single_instance.RECEIVED
    desk.until(window, Phase.READY)


@pytest.mark.usefixtures("later")
def test_later_start_with_an_invalid_message_is_disconnected(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ui.shell.later_starts.bring_up", pytest.fail)
    for said in (b"[1]\n", b"x" * (single_instance.LONGEST_BYTES + 1)):
        with calling(tmp_path, said) as line:
            desk.qtbot.waitUntil(lambda: hung_up(line))


def test_later_start_among_silent_ones_is_answered(desk: Desk, later: LaterStarts, tmp_path: Path) -> None:
    window = desk.windows[-1]
    silent = [calling(tmp_path, b"{") for _ in range(20)]
    window.showMinimized()
    with calling(tmp_path, b'{"path": ""}\n'):
        desk.qtbot.waitUntil(lambda: not window.isMinimized())
    for each in silent:
        each.close()


def test_later_start_after_closing_is_the_first_again(desk: Desk, later: LaterStarts, tmp_path: Path) -> None:
    with calling(tmp_path, b"{") as line:
        desk.qtbot.waitUntil(lambda: bool(later.findChildren(QLocalSocket)))
        desk.windows[-1].close()
        assert hung_up(line), "it would wait for an answer"
    assert not single_instance.is_served(tmp_path)
    assert LaterStarts(tmp_path)._server.isListening()


def test_later_starts_listen_after_a_crash_and_not_beside_another_process(tmp_path: Path) -> None:
    path = str(single_instance.socket_path(tmp_path))
    child = subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        assert not LaterStarts(tmp_path)._server.isListening()
        assert single_instance.is_served(tmp_path), "its socket is untouched"
        child.send_signal(signal.SIGKILL)
    assert Path(path).exists()
    assert LaterStarts(tmp_path)._server.isListening()


@pytest.mark.parametrize("folder", ["absent/deeper", "d" * 120])
def test_later_starts_without_a_folder_for_the_socket_do_not_listen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / folder))
    assert not LaterStarts(tmp_path)._server.isListening()
