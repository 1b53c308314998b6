"""Disk and files: full, gone, slow or closed to us while the program runs; the text stays, and one sentence says it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.cli import arguments
from app.engine.types import LoadRequest, Reason, Role
from app.files import settings
from app.records.database import Database
from app.records.journal_file import FILE
from app.state import Phase
from app.ui.sessions.controller_journal import JournalController
from tests.journeys.journey import Journey, journey
from tests.journeys.journey import started as opened
from tests.late import held_back

slow = pytest.mark.slow
NOBODY = 65534
LONG = "Tell me of rivers and lakes. " * 150


@contextmanager
def started(qtbot: QtBot, folder: Path) -> Iterator[Journey]:
    """The program on the scripted engine, with its journal open."""
    with opened(qtbot, folder, "--engine", "echo") as user:
        user.limit(8)
        yield user


def told(user: Journey) -> str:
    """What the notice says; empty where there is none."""
    return user.find(QLabel, "notice_what").text() if user.find(QWidget, "notice").isVisible() else ""


def answers(user: Journey) -> list[str]:
    """What the model has said in the open session."""
    return [turn.text for turn in user.state.turns if turn.role is Role.ASSISTANT]


def fill(disk: Path) -> Path:
    """To the last byte."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return filler


@slow
def test_on_a_full_disk_the_text_waits_and_is_written_when_there_is_room(qtbot: QtBot, small_disk: Path) -> None:
    with started(qtbot, small_disk) as user:
        first = user.send("One")
        filler = fill(small_disk)
        second = user.send(LONG)
        user.until(lambda: "disk is full" in told(user))
        assert answers(user) == [first.text, second.text]
        filler.unlink()
        user.until(lambda: not told(user))
    with started(qtbot, small_disk) as user:
        user.until(lambda: answers(user) == [first.text, second.text])


@slow
def test_on_a_disk_that_stays_full_the_program_ends_and_begins(qtbot: QtBot, small_disk: Path) -> None:
    with started(qtbot, small_disk) as user:
        first = user.send("One")
        assert user.journal.flush()
        filler = fill(small_disk)
        user.send(LONG)
        user.until(lambda: "disk is full" in told(user))
    filler.unlink()
    kept = settings.load(small_disk)
    assert kept[1] is None
    with started(qtbot, small_disk) as user:
        user.until(lambda: answers(user)[:1] == [first.text])


@slow
def test_a_data_folder_that_is_gone_is_told_and_the_text_can_be_saved(qtbot: QtBot, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with started(qtbot, data) as user:
        first = user.send("One")
        assert user.journal.flush()
        shutil.rmtree(data)
        second = user.send("Two")
        user.until(lambda: str(data) in told(user))
        assert answers(user) == [first.text, second.text]
        (notice,) = user.window.findChildren(JournalController)
        notice.save_elsewhere(tmp_path / "there")
        user.until(lambda: "--data-dir" in told(user))
    with started(qtbot, tmp_path / "there") as user:
        (session,) = user.journal.sessions.rows()
        assert [turn.text for turn in user.journal.sessions.turns(session.id)][1::2] == [first.text, second.text]


@slow
def test_a_file_in_the_place_of_the_data_folder_is_told_and_left_alone(qtbot: QtBot, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with started(qtbot, data) as user:
        first = user.send("One")
        assert user.journal.flush()
        data.rename(tmp_path / "moved")
        data.write_text("a file of somebody's")
        second = user.send("Two")
        user.until(lambda: str(data) in told(user))
        assert answers(user) == [first.text, second.text]
    assert data.read_text() == "a file of somebody's"
    with started(qtbot, tmp_path / "moved") as user:
        user.until(lambda: answers(user)[:1] == [first.text])


@slow
def test_a_journal_that_is_cut_short_meanwhile_is_told_and_another_begins(qtbot: QtBot, tmp_path: Path) -> None:
    with started(qtbot, tmp_path) as user:
        user.send("One")
        assert user.journal.flush()
        for name in (FILE, f"{FILE}-wal"):
            os.truncate(tmp_path / name, 100)
        assert user.send("Two").text
    with started(qtbot, tmp_path) as user:
        # What is sent while the session of last time is looked for is meant for that one, which is gone.
        user.until(lambda: "damaged" in told(user) and not user.state.opening)
        third = user.send("Three")
    with started(qtbot, tmp_path) as user:
        user.until(lambda: answers(user) == [third.text])


@slow
def test_settings_that_can_not_be_written_leave_the_program_alone(qtbot: QtBot, tmp_path: Path) -> None:
    with started(qtbot, tmp_path) as user:
        (tmp_path / settings.FILE).unlink(missing_ok=True)
        (tmp_path / settings.FILE).mkdir()
        user.limit(7)
        user.act("high_contrast")  # is kept at once
        user.until(lambda: "could not be saved" in user.find(QLabel, "notice_what").text())
        assert user.send("One").text
    assert list(tmp_path.glob("*.new")) == []


def test_a_data_folder_that_is_not_ours_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    user = os.geteuid()
    try:
        if user == 0:  # who may write anywhere
            os.seteuid(NOBODY)
        with pytest.raises(SystemExit) as left:
            arguments.parse(["--data-dir", str(folder)])
    finally:
        os.seteuid(user)
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@slow
def test_a_disk_that_does_not_answer_holds_up_nobody(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering, write = held_back(Database.write)
    answering.set()
    monkeypatch.setattr(Database, "write", write)
    with started(qtbot, tmp_path) as user:
        first = user.send("One")
        answering.clear()
        try:
            second = user.send("Two")
            assert user.state.phase is Phase.READY
            assert answers(user) == [first.text, second.text]
        finally:
            answering.set()
    with started(qtbot, tmp_path) as user:
        user.until(lambda: answers(user) == [first.text, second.text])


@slow
def test_a_model_that_is_gone_from_the_disk_stays_in_memory(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(demo_model, tmp_path / "model"))
    with journey(qtbot, ["--data-dir", str(tmp_path / "data"), "--model", str(folder)]) as user:
        user.until_ready()
        user.limit(40)
        user.type("Tell me a story")
        user.press("send")
        user.until(lambda: user.state.phase is Phase.GENERATING)
        shutil.rmtree(folder)
        assert user.last().finish.reason in (Reason.LENGTH, Reason.STOP)
        assert user.send("Count 1 to 3").finish.failure is None
        user.window.playground.load(LoadRequest(str(folder)))
        user.until(lambda: user.state.failure is not None and user.state.phase is Phase.READY)
        assert str(folder) in told(user)
        assert user.send("Count 1 to 3").finish.failure is None
    with journey(qtbot, ["--data-dir", str(tmp_path / "data")]) as user:
        user.until_ready()
        assert user.send("Count 1 to 3").finish.failure is None
