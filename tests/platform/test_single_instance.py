"""What a second start sends to the first one, and where to. `tests/ui/shell/test_later_starts.py` has both ends."""

import json
import os
import socket
import sys
import tempfile
from pathlib import Path

import pytest

from app import __main__ as program
from app.cli import arguments
from app.platform import single_instance

WORDLESS = {"XDG_ACTIVATION_TOKEN": "", "DESKTOP_STARTUP_ID": "", "path": "", "model": ""}


@pytest.mark.parametrize(
    "line",
    [
        *(b"\xff\n", b"[1]\n", b"{", b"", b"null\n", b'{"path": 1}\n', b"[" * 60_000 + b"\n"),
        *(b'{"path": "a\\u0000b"}\n', b'{"path": "\\ud800"}\n', b'{"DESKTOP_STARTUP_ID": "\\u0000"}\n'),
    ],
    ids=lambda line: line[:20],
)
def test_read_message_invalid_line_is_none(line: bytes) -> None:
    assert single_instance.read_message(line) is None


def test_read_message_ignores_unknown_names() -> None:
    known = {"path": "/ä b.sluice", "model": "“m”"}
    assert single_instance.read_message(json.dumps(known | {"other": 1}).encode() + b"\n") == WORDLESS | known


def test_message_has_file_model_and_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DESKTOP_STARTUP_ID", raising=False)
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "token")
    message = single_instance.message_of(Path("/a.sluice"), "org/model")
    assert message == {"XDG_ACTIVATION_TOKEN": "token", "path": "/a.sluice", "model": "org/model"}
    assert single_instance.message_of(None)["path"] == ""


def test_send_without_a_first_one_is_false(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not single_instance.send_to_first(tmp_path, {})
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "absent" / "deeper"))
    assert not single_instance.send_to_first(tmp_path, {})


def test_send_to_a_first_one_that_does_not_answer_is_false(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may hang, or be closing: then this start says that it waits, and opens a window of its own."""
    waits = list[bool]()
    monkeypatch.setattr(single_instance, "TIMEOUT_S", 0.01)
    monkeypatch.setattr(single_instance, "BUSY_TIMEOUT_S", 0.01)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(single_instance.socket_path(tmp_path)))
        listening.listen()
        assert single_instance.is_served(tmp_path)
        assert not single_instance.send_to_first(tmp_path, {}, lambda: waits.append(True))
    assert waits == [True]


@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize("model", ["org/model", "http://127.0.0.1:8080/v1#model"])
def test_second_start_sends_its_model_and_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, platform: str
) -> None:
    """On a Mac too: there the system sees to it for the app bundle alone."""
    sent, file = list[dict[str, str]](), tmp_path / "a.sluice"
    file.touch()

    def send(_: Path, message: dict[str, str], _on_busy: object) -> bool:
        sent.append(message)
        return True

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(single_instance, "send_to_first", send)
    assert program._is_second(arguments.parse(["--data-dir", str(tmp_path), "--model", model, str(file)]))
    assert [(message["path"], message["model"]) for message in sent] == [(str(file), model)]


def test_self_test_is_never_a_second_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The silence of a window that is open would count as a passed test."""
    monkeypatch.setattr(single_instance, "send_to_first", lambda *_: True)
    given = arguments.parse(["--self-test", str(tmp_path / "report"), "--data-dir", str(tmp_path)])
    assert not program._is_second(given)


def test_socket_path_without_a_runtime_folder_is_in_one_of_the_user_s_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a Mac the whole path must be shorter than 104 bytes."""
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = single_instance.socket_path(tmp_path)
    folder = tmp_path / f"sluice-{os.getuid()}"
    assert path.parent == folder and folder.stat().st_mode & 0o777 == 0o700
    usual = "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T"
    assert len(f"{usual}/{path.relative_to(tmp_path)}") < 104
    assert single_instance.socket_path(tmp_path / "other") != path


def test_socket_path_in_another_user_s_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    with pytest.raises(PermissionError):
        single_instance.socket_path(tmp_path)
