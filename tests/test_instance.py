"""One Sluice for each folder of data: the first holds it, later ones are heard, a crash leaves nothing in the way."""

import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from app import __main__ as program
from app import arguments, instance
from app.instance import Claim

HOLD = """
import sys, time
from pathlib import Path
from app import __main__ as program
from app import arguments, instance
claim = instance.claim(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may hear nobody for seconds."""
    monkeypatch.setattr(instance, "PATIENCE_S", 60.0)


def held(data: Path) -> Claim:
    claim = instance.claim(data)
    assert claim is not None
    return claim


def heard(claim: Claim, into: list[instance.Word | None]) -> threading.Thread:
    """Hear one caller meanwhile."""
    assert claim.listening is not None
    listening = claim.listening

    def hear() -> None:
        select.select([listening], [], [])
        line = instance.answer(listening)
        assert line is not None
        into.append(instance.hear(line))

    thread = threading.Thread(target=hear)
    thread.start()
    return thread


def calling(data: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.connect(str(instance.path_of(data)))
    return line


def test_the_second_is_heard_by_the_first(tmp_path: Path) -> None:
    first, words = held(tmp_path), list[instance.Word | None]()
    thread = heard(first, words)
    assert instance.claim(tmp_path) is None
    assert instance.call(tmp_path, {"path": "/a b.sluice"})
    thread.join()
    assert words == [{"path": "/a b.sluice", "model": "", "XDG_ACTIVATION_TOKEN": "", "DESKTOP_STARTUP_ID": ""}]
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


SENSELESS = [
    *(b"\xff\n", b"[1]\n", b"{", b"", b"null\n", b'{"path": 1}\n', b"[" * 60_000 + b"\n"),
    *(b'{"path": "a\\u0000b"}\n', b'{"path": "\\ud800"}\n', b'{"DESKTOP_STARTUP_ID": "\\u0000"}\n'),
    b"x" * instance.LONGEST_BYTES,
]


@pytest.mark.parametrize("said", SENSELESS, ids=lambda said: said[:20])
def test_a_caller_that_makes_no_sense_is_not_listened_to(tmp_path: Path, said: bytes) -> None:
    claim, words = held(tmp_path), list[instance.Word | None]()
    thread = heard(claim, words)
    with calling(tmp_path) as line:
        line.sendall(said)
    thread.join()
    assert words == [None]
    claim.close()


def test_all_bytes_together_have_one_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller who says a little again and again is not listened to for ever."""
    monkeypatch.setattr(instance, "PATIENCE_S", 0.2)
    claim, words = held(tmp_path), list[instance.Word | None]()
    thread = heard(claim, words)
    with calling(tmp_path) as line, suppress(BrokenPipeError):
        while thread.is_alive():
            line.sendall(b" ")
            thread.join(0.01)
    assert words == [None]
    claim.close()


def test_nobody_is_waited_for(tmp_path: Path) -> None:
    claim = held(tmp_path)
    assert claim.listening is not None
    assert instance.answer(claim.listening) is None
    claim.close()


def test_without_a_place_for_it_the_program_starts_all_the_same(
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
    assert instance.word(Path("/a.sluice")) == {"XDG_ACTIVATION_TOKEN": "token", "path": "/a.sluice", "model": ""}
    assert instance.word(None)["path"] == ""


def test_a_mac_is_one_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS sees to it for the app alone: a second copy, or what a shell starts, would keep its journal nowhere."""
    monkeypatch.setattr(sys, "platform", "darwin")
    given = arguments.parse(["--data-dir", str(tmp_path)])
    first = program._claim(given)
    assert first is not None and first.lock is not None
    words = list[instance.Word | None]()
    thread = heard(first, words)
    assert program._claim(given) is None
    thread.join()
    assert [word and word["path"] for word in words] == [""]
    first.close()


@pytest.mark.parametrize("model", ["org/model", "http://127.0.0.1:8080/v1#model"])
def test_a_model_is_told_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    """A second window would have no journal, and the first would not hear of the model."""
    first, said, file = held(tmp_path), list[instance.Word](), tmp_path / "a.sluice"
    file.touch()

    def call(_: Path, word: instance.Word) -> bool:
        said.append(word)
        return True

    monkeypatch.setattr(instance, "call", call)
    assert program._claim(arguments.parse(["--data-dir", str(tmp_path), "--model", model, str(file)])) is None
    assert [(word["path"], word["model"]) for word in said] == [(str(file), model)]
    first.close()


def test_a_proof_is_no_word_for_another(tmp_path: Path) -> None:
    """Its caller would take the silence of one that is open for a proof."""
    first = held(tmp_path)
    thread = heard(first, [])
    given = arguments.parse(["--self-test", str(tmp_path / "report"), "--data-dir", str(tmp_path)])
    assert program._claim(given) == Claim(None, None)
    assert instance.call(tmp_path, {})
    thread.join()
    first.close()


def test_where_the_first_leaves_without_a_word_the_second_is_the_first(tmp_path: Path) -> None:
    """Or a third one would be it beside the second."""
    given = arguments.parse(["--data-dir", str(tmp_path)])
    first = program._claim(given)
    assert first is not None and first.listening is not None
    listening = first.listening

    def leave() -> None:
        select.select([listening], [], [])
        first.close()

    thread = threading.Thread(target=leave)
    thread.start()
    second = program._claim(given)
    thread.join()
    assert second is not None and second.lock is not None
    second.close()


def test_the_socket_s_path_is_short_enough_for_a_mac(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """104 bytes, with the end: its folder for such things has a long name."""
    usual = "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T"
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    place = instance.path_of(tmp_path).relative_to(tmp_path)
    assert len(f"{usual}/{place}") < 104
