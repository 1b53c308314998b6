import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QMessageBox

from app.__main__ import main as sluice
from app.engine.ranges import MOST_ITEMS
from app.engine.types import KV, Failure, Limits, Sampling
from app.presets import BUILT_IN
from app.presets import file as preset_file
from app.records.journal import Journal, open_journal
from app.records.listing import LONGEST_TITLE
from app.records.session_file import read_session, session_text
from app.records.types import WholeSession
from app.ui.conversation.transcript import Transcript
from tests.faults.full import times
from tests.faults.mutations.mutation import with_anything_hostile
from tests.faults.windows import part, scene
from tests.records import builders

PROJECT = Path(__file__).parents[2]
DANGEROUS = re.compile(
    r"""(?<![\w.])(eval|exec|compile|__import__)\("""
    r"""|^\s*(?:from|import) (pickle|marshal|shelve|dill|joblib|torch|code|runpy)\b"""
    r"""|\b(trust_remote_code|shell|allow_pickle)(?:=|": )(\w+)""",
    re.MULTILINE,
)
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
        said = with_anything_hostile(json.loads(exported), Random(seed))
        outcome = read_session(json.dumps(said).encode(), "“x.sluice”")
        if isinstance(outcome, Failure):
            assert outcome.what.endswith(".") and "\n" not in outcome.what and len(outcome.what) < 500, seed
        else:
            session = memory.sessions.add(outcome)
            assert memory.flush()
            again = memory.sessions.whole(session)
            assert again is not None and session_text(again)
            kept += 1
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


def test_presets_of_anybody_are_data() -> None:
    written = preset_file.written(BUILT_IN)
    for seed in range(MUTATIONS):
        said = with_anything_hostile(json.loads(written), Random(seed))
        outcome = preset_file.read(json.dumps(said).encode())
        assert isinstance(outcome, tuple) or outcome.endswith("."), seed
