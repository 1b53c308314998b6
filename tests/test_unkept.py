"""What could not be kept is said once, whatever lies in the place of the note."""

from pathlib import Path

import pytest

from app import instance, unkept
from app.unkept import FILES, JOURNAL, SETTINGS, Unkept, sentences


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return instance.path_of(tmp_path / "data").with_suffix(".unkept")


def test_it_is_said_at_the_next_start_and_not_again(note: Path, tmp_path: Path) -> None:
    Unkept(tmp_path / "data").note({SETTINGS, JOURNAL})
    assert Unkept(tmp_path / "other").take() == ()
    assert set(Unkept(tmp_path / "data").take()) == {SETTINGS, JOURNAL}
    assert Unkept(tmp_path / "data").take() == ()
    assert not note.exists()


def test_where_all_was_kept_there_is_no_note(note: Path, tmp_path: Path) -> None:
    Unkept(tmp_path / "data").note(())
    assert not note.exists()
    assert sentences(()) == ""


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 5_000, b'{"journal": 1}', b"unheard of"])
def test_what_is_no_note_says_nothing(note: Path, tmp_path: Path, content: bytes) -> None:
    note.write_bytes(content)
    assert sentences(Unkept(tmp_path / "data").take()) == ""


def test_each_has_a_sentence() -> None:
    every = {unkept.JOURNAL, unkept.UNOPENED, unkept.SETTINGS, unkept.FILES, unkept.KEYS, unkept.ALL}
    assert all(sentences({what}) for what in every)
    assert sentences({FILES, SETTINGS}).count(".") == 2


def test_where_nothing_can_be_written_nothing_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "file" / "there"))
    nowhere = Unkept(tmp_path)
    nowhere.note({JOURNAL})
    assert nowhere.take() == ()
