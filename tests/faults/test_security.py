import io
import json
import logging
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app.__main__ import build
from app.__main__ import main as sluice
from app.engine.echo.engine import EchoEngine
from app.engine.engines import Engines
from app.engine.protocol import Collect
from app.engine.ranges import MOST_ITEMS
from app.engine.remote.address import reference, server_model
from app.engine.remote.engine import RemoteEngine
from app.engine.types import KV, Failure, Finish, Limits, LoadRequest, Sampling
from app.platform import log_file
from app.presets import BUILT_IN
from app.presets import file as preset_file
from app.records.journal import Journal, open_journal
from app.records.listing import LONGEST_TITLE
from app.records.session_file import read_session, session_text
from app.records.types import WholeSession
from app.ui.conversation.transcript import Transcript
from tests.engine.remote.faults import JSON, Asked, Line, serving
from tests.faults.full import times
from tests.faults.mutations.mutation import HOSTILE, drop, places, put
from tests.faults.windows import part, scene
from tests.journeys.journey import Journey
from tests.records import builders

PROJECT = Path(__file__).parents[2]
DANGEROUS = re.compile(
    r"""(?<![\w.])(eval|exec|compile|__import__)\("""
    r"""|^\s*(?:from|import) (pickle|marshal|shelve|dill|joblib|torch|code|runpy)\b"""
    r"""|\b(trust_remote_code|shell|allow_pickle)(?:=|": )(\w+)""",
    re.MULTILINE,
)
SECRET = "sk-a-very-secret-key-of-nobody-4711"
MUTATIONS = times(60, 400)
TEXT = '<img src="https://192.0.2.1/x.png"><script>alert(1)</script> [here](file:///etc/passwd) ![](//192.0.2.1/y)'
LINK = "https://example.invalid/a?b=c"
TITLE = "../../../etc/passwd\0<b>"


@pytest.fixture
def memory() -> Iterator[Journal]:
    journal = open_journal(None)
    yield journal
    journal.close()


@pytest.fixture
def exported(memory: Journal) -> str:
    session, _, _ = builders.answered(memory)
    assert memory.flush()
    whole = memory.sessions.whole(session)
    assert whole is not None
    return session_text(whole)


@pytest.mark.slow
def test_app_runs_no_text_unpickles_nothing_and_trusts_no_remote_code() -> None:
    found = [
        (file.name, *filter(None, match))
        for file in sorted((PROJECT / "app").rglob("*.py"))
        for match in DANGEROUS.findall(file.read_text("utf-8"))
    ]
    assert found == [("load.py", "trust_remote_code", "False")]


@pytest.mark.slow
def test_the_program_reaches_for_nothing(tmp_path: Path) -> None:
    """From its start over an answer to its end. Asking the system for its processor's name is no secret."""
    command = [sys.executable, "-m", "tests.faults.starting", str(tmp_path)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["answer"]
    assert [each for each in told["reached"] if "uname" not in each] == []


def test_the_hub_is_told_nothing_about_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_DISABLE_TELEMETRY")
    monkeypatch.setattr(sys, "argv", ["sluice", "--version"])
    with pytest.raises(SystemExit):
        sluice()
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"


def test_a_session_of_anybody_is_data(memory: Journal, exported: str) -> None:
    """A value of another kind somewhere, again and again: a whole session that can be kept, or one sentence."""
    kept = 0
    for seed in range(MUTATIONS):
        luck, said = Random(seed), json.loads(exported)
        way = luck.choice(places(said))
        said = drop(said, way) if luck.random() < 0.3 else put(said, way, luck.choice(HOSTILE))
        outcome = read_session(json.dumps(said).encode(), "“x.sluice”")
        if isinstance(outcome, Failure):
            assert outcome.what.endswith(".") and "\n" not in outcome.what and len(outcome.what) < 500, seed
        else:
            kept += _takes_in(memory, outcome)
    assert 0 < kept < MUTATIONS


def test_html_and_paths_in_a_session_are_words(memory: Journal, exported: str) -> None:
    said: dict[str, Any] = json.loads(exported)
    said["title"] = TITLE
    said["turns"][0]["text"] = TEXT
    whole = read_session(json.dumps(said).encode())
    assert isinstance(whole, WholeSession)
    session = memory.sessions.add(whole)
    assert memory.flush()
    assert [row.title for row in memory.sessions.rows()][:1] == [TITLE]
    assert memory.sessions.turns(session)[0].text == TEXT


@pytest.mark.slow
@pytest.mark.usefixtures("qapp")
def test_settings_that_no_control_can_show_do_not_come_with_a_session(tmp_path: Path, exported: str) -> None:
    said: dict[str, Any] = json.loads(exported)
    said["settings"]["sampling"] |= {"temperature": "nan", "top_k": 2**63 - 1, "logit_bias": [[1, 1e308]] * 30_000}
    said["settings"]["limits"] |= {"max_tokens": 2**62, "stop_strings": ["", *map(str, range(20_000))]}
    said["settings"] |= {"seed": -1, "observe": 10**9, "draft_tokens": -1, "mode": "evil", "kv": {"bits": 7}}
    (tmp_path / "x.sluice").write_text(json.dumps(said))
    with scene(tmp_path / "data") as made:
        made.window.open_path(str(tmp_path / "x.sluice"))
        made.until(lambda: bool(made.state.turns))
        controls = made.state.controls
        assert (controls.sampling, controls.kv, controls.seed) == (Sampling(), KV(), None)
        assert controls.limits.max_tokens == Limits().max_tokens and len(controls.limits.stop_strings) == MOST_ITEMS
        assert made.say("And now?")


@pytest.mark.slow
@pytest.mark.usefixtures("qapp")
def test_a_link_is_opened_once_its_address_was_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))

    def followed(address: str, button: QMessageBox.StandardButton) -> str:
        part(made.window, Transcript, "transcript").anchorClicked.emit(QUrl(address))
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox) and opened == []
        assert box.height() < made.window.height()
        pressed = box.button(button)
        assert pressed is not None
        said = box.informativeText()
        pressed.click()
        return said

    buttons = QMessageBox.StandardButton
    with scene(tmp_path) as made:
        assert followed(LINK, buttons.Cancel) == LINK and opened == []
        assert len(followed(LINK + "a" * 1_000_000, buttons.Close)) < 1_000 and opened == []
        assert followed(LINK, buttons.Open) == LINK and opened == [LINK]


def test_a_title_of_megabytes_is_listed_short_and_kept_whole(memory: Journal, exported: str) -> None:
    title = "title " * 200_000
    whole = read_session(json.dumps(json.loads(exported) | {"title": title}).encode())
    assert isinstance(whole, WholeSession)
    session = memory.sessions.add(whole)
    assert memory.flush()
    assert len(memory.sessions.rows()[0].title) == LONGEST_TITLE
    again = memory.sessions.whole(session)
    assert again is not None and again.title == title


def test_a_bomb_is_no_session_and_no_preset() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("x", bytes(10_000_000))
    for content in (packed.getvalue(), b"[" * 1_000_000, b'{"a":' * 100_000, b"9" * 1_000_000, b"\xff\xfe" * 1000):
        assert isinstance(read_session(content), Failure)
        assert isinstance(preset_file.read(content), str)


def test_presets_of_anybody_are_data() -> None:
    written = preset_file.written(BUILT_IN)
    for seed in range(MUTATIONS):
        luck, said = Random(seed), json.loads(written)
        way = luck.choice(places(said))
        said = drop(said, way) if luck.random() < 0.3 else put(said, way, luck.choice(HOSTILE))
        outcome = preset_file.read(json.dumps(said).encode())
        assert isinstance(outcome, tuple) or outcome.endswith("."), seed


@pytest.mark.slow
def test_a_server_s_key_is_written_nowhere(qtbot: QtBot, tmp_path: Path) -> None:
    """Though the server quotes it in a refusal, and the session is exported afterwards."""

    def refuse(asked: Asked, line: Line) -> None:
        line.head("401 Unauthorized", JSON)
        line.send(json.dumps({"error": {"message": f"Bad key: {asked.headers['authorization']}"}}).encode())

    def engine(collect: Collect) -> Engines:
        return Engines(EchoEngine(), lambda: RemoteEngine(lambda _: SECRET), lambda name: bool(server_model(name)))

    data = tmp_path / "data"
    with serving() as server, _logging(data):
        window = build(["--data-dir", str(data), "--engine", "echo"], engine)
        qtbot.addWidget(window)
        user = Journey(qtbot, window)
        window.show()
        user.until_ready()
        assert window.playground.load(LoadRequest(reference(server.address, "one")))
        user.until_ready()
        assert user.state.model is not None and user.state.model.server, user.state.failure
        server.answer = refuse
        finish: Finish = user.send("Hello").finish
        assert finish.failure is not None and SECRET not in repr(finish)
        assert any(SECRET in asked.headers.get("authorization", "") for asked in server.asked)
        journal = window.playground.book.journal
        assert journal is not None and journal.flush()
        whole = journal.sessions.whole(user.state.session)
        assert whole is not None
        (data / "export.sluice").write_text(session_text(whole), "utf-8")
        window.close()
        vars(user).clear()
    files = [file for file in data.rglob("*") if file.is_file()]
    assert {"export.sluice", "journal.sqlite", "settings.json", log_file.FILE} <= {file.name for file in files}
    assert [file.name for file in files if SECRET.encode() in file.read_bytes()] == []


def _takes_in(memory: Journal, whole: WholeSession) -> bool:
    session = memory.sessions.add(whole)
    assert memory.flush()
    again = memory.sessions.whole(session)
    assert again is not None and session_text(again)
    return True


@contextmanager
def _logging(folder: Path) -> Iterator[None]:
    """The program's log, in this folder for a while."""
    folder.mkdir()
    log, handler = logging.getLogger("sluice"), logging.FileHandler(folder / log_file.FILE, encoding="utf-8")
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        handler.close()
