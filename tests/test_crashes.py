import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from app.controls import AT_FIRST
from app.engine.crash_guard import FILE, EngineStep, unfinished
from app.files import settings
from app.files.settings import Settings
from app.records.journal import open_journal
from tests.crashing import SLOW

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]
PATIENCE_S = 300
DRAFT = "Which Questions are Quick?"


def started(folder: Path, step: str, *switches: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.crashing", str(folder), step, *switches]
    return subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def seen(folder: Path, step: str, *switches: str) -> dict[str, str]:
    """What a start showed that came to its end."""
    child = started(folder, step, *switches)
    told, errors = child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, errors) == (0, "")
    return dict(json.loads(told.splitlines()[-1]))


def crashed(folder: Path, *switches: str) -> None:
    child = started(folder, "read", *switches)
    told, _ = child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, told) == (-signal.SIGABRT, "")


def growing(model: Path, folder: Path, sign: str) -> Path:
    """The same model with a tokenizer that ends the process at a text with this sign in it."""
    shutil.copytree(model, folder)
    content = json.loads((model / "tokenizer.json").read_text("utf-8"))
    part = {"type": "Replace", "pattern": {"String": sign}, "content": sign * 1_000}
    content["normalizer"] = {"type": "Sequence", "normalizers": [part] * 9}
    (folder / "tokenizer.json").write_text(json.dumps(content), "utf-8")
    return folder


def left_open(data: Path, model: Path, draft: str = "") -> None:
    """As a program that was closed in order leaves it: this model, and a session with a draft in it."""
    session = 0
    if draft:
        with closing(open_journal(data)) as journal:
            session = journal.sessions.new(AT_FIRST)
            journal.sessions.set_draft(session, draft)
    settings.save(Settings(model=str(model), session=session, toured=True), data)


def test_model_that_crashed_is_not_reopened(demo_model: Path, tmp_path: Path) -> None:
    data, hostile = tmp_path / "data", growing(demo_model, tmp_path / "Hostile", "a")
    left_open(data, hostile)
    crashed(data, "mlx")
    assert unfinished(data) is not None
    told = seen(data, "tell", "mlx")
    assert told["model"] == str(demo_model)
    assert "Sluice crashed while it loaded Hostile." in told["notice"]
    assert told["offer"] == "Try Again"
    assert not (data / FILE).exists(), "it is said once"


def test_draft_that_crashed_is_kept_and_not_rendered(demo_model: Path, tmp_path: Path) -> None:
    data, hostile = tmp_path / "data", growing(demo_model, tmp_path / "Hostile", "Q")
    left_open(data, hostile, DRAFT)
    crashed(data, "mlx")
    told = seen(data, "read", "mlx")
    assert (told["model"], told["draft"], told["count"]) == (str(demo_model), DRAFT, "")
    assert "while it processed the draft for Hostile" in told["notice"]


def test_program_killed_while_loading_offers_to_try_again(
    tmp_path: Path,
) -> None:
    data, slow = tmp_path / "data", tmp_path / SLOW
    slow.mkdir()
    left_open(data, slow)
    child = started(data, "tell")
    assert child.stdout is not None
    assert json.loads(child.stdout.readline()) == {"opening": str(slow)}
    os.kill(child.pid, signal.SIGKILL)
    child.communicate(timeout=PATIENCE_S)
    found = unfinished(data)
    assert found is not None
    assert (found.act, found.model) == (EngineStep.OPENING, str(slow))
    slow.rename(quick := tmp_path / "quick")
    (data / FILE).write_text((data / FILE).read_text().replace(str(slow), str(quick)))
    told = seen(data, "try again")
    assert (told["model"], told["offer"]) == (str(quick), ""), told
    assert unfinished(data) is None


def test_program_killed_at_rest_reopens_normally(tmp_path: Path) -> None:
    data = tmp_path / "data"
    child = started(data, "stay")
    assert child.stdout is not None
    child.stdout.readline()
    os.kill(child.pid, signal.SIGKILL)
    child.communicate(timeout=PATIENCE_S)
    assert unfinished(data) is None
    assert seen(data, "tell")["offer"] == ""


def test_program_terminated_while_loading_reopens_normally(tmp_path: Path) -> None:
    data, slow = tmp_path / "data", tmp_path / SLOW
    slow.mkdir()
    left_open(data, slow)
    child = started(data, "tell")
    assert child.stdout is not None
    child.stdout.readline()
    child.terminate()
    child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, unfinished(data)) == (0, None)
