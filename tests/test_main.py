import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.__main__ import build
from app.__main__ import main as sluice
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.protocol import Collect
from app.files import settings
from app.files.settings import Settings
from app.i18n import tr
from app.state import Phase

QUICK = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)
PATIENCE_S = 300


def program(switches: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "app", *switches]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.mark.slow
def test_self_test_passes(demo_model: Path, tmp_path: Path) -> None:
    done = program(["--self-test", str(tmp_path)])
    report = json.loads((tmp_path / "report.json").read_text())
    assert (done.returncode, done.stderr) == (0, ""), report
    assert report["pass"]
    checks = {"loaded", "streamed", "shown", "stopped midway", "device", "formula"}
    assert {check["name"] for check in report["checks"]} == checks
    assert (tmp_path / "PASS").exists()
    assert (tmp_path / "window.png").stat().st_size > 10_000


@pytest.mark.slow
def test_self_test_with_an_unusable_model_fails(tmp_path: Path) -> None:
    (tmp_path / "no_model").mkdir()
    (tmp_path / "PASS").touch()
    done = program(["--self-test", str(tmp_path), "--model", str(tmp_path / "no_model")])
    report = json.loads((tmp_path / "report.json").read_text())
    assert done.returncode == 1
    assert not report["pass"]
    assert not (tmp_path / "PASS").exists(), "left from an earlier proof"


def test_program_with_a_wrong_argument_prints_one_sentence() -> None:
    """`test_arguments.py` has the others, without a process."""
    done = program(["--model", "/nowhere"])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_build_with_an_engine_uses_it(qtbot: QtBot, tmp_path: Path) -> None:
    made: list[EchoEngine] = []

    def engine(_collect: Collect) -> EchoEngine:
        made.append(EchoEngine(QUICK))
        return made[0]

    window = build(["--data-dir", str(tmp_path)], engine)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: len(made) == 1, timeout=PATIENCE_S * 1000)
    window.close()


def test_build_with_an_invalid_file_shows_a_notice(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a.sluice"
    path.write_text("no session", "utf-8")
    window = build(["--data-dir", str(tmp_path), "--engine", "echo", str(path)])
    qtbot.addWidget(window)
    window.show()
    notice = window.findChild(QLabel, "notice_what")
    assert isinstance(notice, QLabel)
    qtbot.waitUntil(lambda: notice.text() == "“a.sluice” can't be opened: it is not valid JSON at line 1.")
    window.close()


@pytest.mark.slow
def test_build_opens_the_last_model_if_it_exists(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    for expected in (str(tmp_path / "model"), "echo"):
        switches = ["--data-dir", str(tmp_path), "--engine", "echo"]
        if not (tmp_path / "settings.json").exists():
            switches += ["--model", str(tmp_path / "model")]
        window = build(switches)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitUntil(lambda: window.playground.state.phase is Phase.READY, timeout=PATIENCE_S * 1000)  # noqa: B023
        assert window.playground.state.wanted == expected
        window.close()
        if expected != "echo":
            (tmp_path / "model").rmdir()


@pytest.mark.slow
def test_build_with_an_unreadable_model_opens_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    """Its disk may have gone from under it; a name that is too long is refused by the system alike."""
    (tmp_path / "model").mkdir()
    unseen = "/" + "a" * 300
    for kept in (Settings(model=unseen), Settings(model=str(tmp_path / "model"), adapter=unseen, draft=unseen)):
        settings.save(kept, tmp_path)
        window = build(["--data-dir", str(tmp_path), "--engine", "echo"])
        qtbot.addWidget(window)
        window.show()
        qtbot.waitUntil(lambda: window.playground.state.phase is Phase.READY, timeout=PATIENCE_S * 1000)  # noqa: B023
        notice = window.findChild(QLabel, "notice_what")
        assert isinstance(notice, QLabel)
        gone = tr("“{model}” no longer exists.").format(model=unseen)
        assert notice.text().startswith(gone if kept.model == unseen else "")
        window.close()


@pytest.mark.slow
def test_build_finds_a_renewed_cached_model_by_id(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    repository = tmp_path / "hub" / "models--author--name"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("new")
    (repository / "snapshots" / "new").mkdir(parents=True)
    (repository / "snapshots" / "new" / "config.json").touch()
    (tmp_path / "data").mkdir()
    settings.save(Settings(model=str(repository / "snapshots" / "old")), tmp_path / "data")
    window = build(["--data-dir", str(tmp_path / "data"), "--engine", "echo"])
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.playground.state.phase is Phase.READY, timeout=PATIENCE_S * 1000)
    assert window.playground.state.wanted == "author/name"
    window.close()


RESTARTED = """
import os, sys
import app.__main__ as program
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton

def leave(window):
    window._actions["settings"].trigger()
    QTimer.singleShot(0, window.findChild(QAbstractButton, "settings_restart_language").click)

program._settle = leave
program.restart = lambda *given: print(*given, os.environ["HF_HUB_CACHE"])
sys.exit(program.main())
"""


@pytest.mark.slow
def test_restart_has_the_same_arguments_and_environment(tmp_path: Path) -> None:
    settings.save(Settings(cache=str(tmp_path / "hub"), language="en"), tmp_path)
    command = [sys.executable, "-c", RESTARTED, "--data-dir", str(tmp_path), "--engine", "echo"]
    environment = os.environ | {"HF_HUB_CACHE": "/usual", "SLUICE_STARTED_OVER": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, env=environment)
    assert (done.returncode, done.stdout) == (0, f"None {{'HF_HUB_CACHE': '/usual'}} {tmp_path / 'hub'}\n"), done.stderr


CANT = tr("Sluice can't start.")
BOXED = """
import sys
import app.__main__ as program
from PySide6.QtWidgets import QMessageBox

QMessageBox.exec = lambda box: print(box.textFormat().name, box.text(), box.informativeText(), sep="|")
if "unseen" in sys.argv:
    sys.argv.remove("unseen")
    program._needs_message_box = lambda: True
if "broken" in sys.argv:
    sys.argv.remove("broken")
    program.single_instance.send_to_first = lambda *_: 1 / 0
sys.exit(program.main())
"""


@pytest.mark.slow
@pytest.mark.in_korean
@pytest.mark.parametrize(
    ("switches", "code", "said"),
    [
        (("unseen", "--engine", "none"), 2, f"PlainText|{CANT}|Argument --engine: invalid choice"),
        (("unseen", "broken"), 1, f"PlainText|{CANT}|ZeroDivisionError: division by zero\n"),
        (("--engine", "none"), 2, ""),
        (("unseen", "--version"), 0, "Sluice "),
    ],
)
def test_startup_error_is_shown_in_a_message_box(
    tmp_path: Path, switches: tuple[str, ...], code: int, said: str
) -> None:
    command = [sys.executable, "-c", BOXED, *switches, "--data-dir", str(tmp_path)]
    environment = os.environ | {"SLUICE_STARTED_OVER": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, env=environment)
    assert done.returncode == code
    assert done.stdout.startswith(said) and bool(said) == bool(done.stdout)
    assert bool(done.stderr) == bool(code), "the line stays"


@pytest.mark.parametrize(("value", "expected"), [("", "0"), ("1", "1")])
def test_main_turns_tf32_off_unless_the_environment_sets_it(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: str
) -> None:
    monkeypatch.delenv("MLX_ENABLE_TF32")
    if value:
        monkeypatch.setenv("MLX_ENABLE_TF32", value)
    monkeypatch.setattr(sys, "argv", ["sluice", "--help"])
    with pytest.raises(SystemExit):
        sluice()
    assert os.environ["MLX_ENABLE_TF32"] == expected
