"""One Sluice for each folder of data: the first holds it, later ones are heard, a crash leaves nothing in the way."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app import instance
from app.instance import Claim

HOLD = """
import sys, time
from pathlib import Path
from app import instance
claim = instance.claim(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def held(data: Path) -> Claim:
    claim = instance.claim(data)
    assert claim is not None
    return claim


def heard(claim: Claim, into: list[instance.Word | None]) -> threading.Thread:
    """Hear one caller meanwhile."""
    assert claim.listening is not None
    listening = claim.listening
    thread = threading.Thread(target=lambda: into.append(instance.hear(listening)))
    thread.start()
    return thread


def test_the_second_is_heard_by_the_first(tmp_path: Path) -> None:
    first, words = held(tmp_path), list[instance.Word | None]()
    thread = heard(first, words)
    assert instance.claim(tmp_path) is None
    assert instance.call(tmp_path, {"path": "/a b.sluice"})
    thread.join()
    assert words == [{"path": "/a b.sluice"}]
    first.close()


def test_another_folder_of_data_is_another_program(tmp_path: Path) -> None:
    first, second = held(tmp_path / "a"), held(tmp_path / "b")
    assert not instance.call(tmp_path / "c", {})
    first.close()
    second.close()


def test_the_next_one_is_first_again(tmp_path: Path) -> None:
    held(tmp_path).close()
    assert not instance.call(tmp_path, {})
    held(tmp_path).close()


def test_what_a_crash_leaves_is_in_nobodys_way(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        assert instance.claim(tmp_path) is None
        child.send_signal(signal.SIGKILL)
    claim = held(tmp_path)
    words = list[instance.Word | None]()
    thread = heard(claim, words)
    assert instance.call(tmp_path, {"path": ""})
    thread.join()
    claim.close()


@pytest.mark.parametrize("said", [b"\xff\n", b"[1]\n", b"{", b""])
def test_a_caller_that_makes_no_sense_is_not_listened_to(tmp_path: Path, said: bytes) -> None:
    claim, words = held(tmp_path), list[instance.Word | None]()
    thread = heard(claim, words)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(instance.path_of(tmp_path)))
        line.sendall(said)
    thread.join()
    assert words == [None]
    claim.close()


def test_without_apath_of_for_it_the_program_starts_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "absent" / "deeper"))
    assert held(tmp_path) == Claim(None, None)
    assert not instance.call(tmp_path, {})


def test_a_path_too_long_for_a_socket_leaves_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    claim = held(tmp_path)
    assert (claim.lock is not None, claim.listening) == (True, None)
    claim.close()


def test_without_a_runtime_folder_it_is_one_of_the_user_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    held(tmp_path).close()
    folder = tmp_path / f"sluice-{os.getuid()}"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_what_there_is_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DESKTOP_STARTUP_ID", raising=False)
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "token")
    assert instance.word(Path("/a.sluice")) == {"XDG_ACTIVATION_TOKEN": "token", "path": "/a.sluice"}
    assert instance.word(None)["path"] == ""
