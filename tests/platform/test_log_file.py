import faulthandler
import logging
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

import pytest

from app.platform import log_file

SECRET = "the words of the user"
FAILING = f"""
import sys, threading
from pathlib import Path
from app.platform import log_file
log_file.begin(Path(sys.argv[1]))
def fail(): raise ValueError({SECRET!r})
thread = threading.Thread(target=fail, name="worker")
thread.start(); thread.join()
log_file.warn("Qt: a warning")
open("/nowhere/at all")
"""


@pytest.fixture
def clean_log(monkeypatch: pytest.MonkeyPatch) -> Iterator[logging.Logger]:
    """The log, without the hooks that it sets for the whole process."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(faulthandler, "enable", lambda file: file.close())
    log, before = logging.getLogger("sluice"), list(logging.getLogger("sluice").handlers)
    yield log
    for handler in [handler for handler in log.handlers if handler not in before]:
        handler.close()
        log.removeHandler(handler)


def test_log_unhandled_error_is_logged_and_shown(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAILING, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    told = (tmp_path / log_file.FILE).read_text("utf-8")
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 2
    assert "INFO MainThread Sluice" in told
    assert re.search(r"ERROR worker unhandled ValueError\n(  .*\n)*  <string>:\d in fail\n", told)
    assert "Qt: a warning" in told
    assert "unhandled FileNotFoundError: [Errno 2]" in told
    assert SECRET not in told


@pytest.mark.parametrize(
    ("system", "variables", "place"),
    [
        ("darwin", {}, "Library/Logs/Sluice"),
        ("linux", {}, ".local/state/sluice"),
        ("linux", {"XDG_STATE_HOME": "/s"}, "/s/sluice"),
    ],
)
def test_user_folder_follows_the_system(
    monkeypatch: pytest.MonkeyPatch, system: str, variables: dict[str, str], place: str
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(sys, "platform", system)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert log_file.user_folder() == Path.home() / place


def test_log_old_lines_are_rotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean_log: logging.Logger) -> None:
    monkeypatch.setattr(log_file, "LARGEST_BYTES", 1000)
    monkeypatch.setattr(logging, "raiseExceptions", True)
    log_file.begin(tmp_path)
    for number in range(200):
        log_file.warn(f"line {number}")
    log_file.end()
    assert len(list(tmp_path.glob(f"{log_file.FILE}*"))) == log_file.OLD_FILES + 1
    assert sum(file.stat().st_size for file in tmp_path.glob(f"{log_file.FILE}*")) <= 1000 * (log_file.OLD_FILES + 1)


def test_log_hanging_disk_does_not_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clean_log: logging.Logger
) -> None:
    """Neither who has something to tell nor who leaves; what came by then is written when it answers."""
    answers, begun = threading.Event(), threading.Event()
    emit = RotatingFileHandler.emit

    def slowly(self: RotatingFileHandler, record: logging.LogRecord) -> None:
        begun.set()
        answers.wait()
        emit(self, record)

    monkeypatch.setattr(RotatingFileHandler, "emit", slowly)
    monkeypatch.setattr(log_file, "MOST_LINES", 3)
    log_file.begin(tmp_path)
    assert begun.wait(20)
    for number in range(10):
        log_file.warn(f"line {number}")
    log_file.end()
    answers.set()
    while not (told := (tmp_path / log_file.FILE).read_text("utf-8")).endswith("line 2\n"):
        pass
    assert "line 0" in told and "line 3" not in told


def test_log_without_a_writable_folder_is_off(clean_log: logging.Logger) -> None:
    before = list(clean_log.handlers)
    log_file.begin(Path("/proc/nowhere"))
    assert clean_log.handlers == before


def test_folder_beside_other_data_is_the_data_folder(tmp_path: Path) -> None:
    assert log_file.folder_beside(tmp_path, tmp_path) == log_file.user_folder()
    assert log_file.folder_beside(tmp_path, tmp_path / "own") == tmp_path
    assert log_file.size_of(tmp_path) == 0
    for name in ("sluice.log", "sluice.log.1", "crash.log", "other"):
        (tmp_path / name).write_bytes(bytes(10))
    assert log_file.size_of(tmp_path) == 30
