from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.controls import Mode
from app.engine.types import Reason
from app.state import Phase
from tests.journeys.journey import Journey, journey

pytestmark = pytest.mark.slow


def test_first_start_opens_the_bundled_model(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    with journey(qtbot, ["--data-dir", str(tmp_path)]) as user:
        user.until(lambda: user.state.phase is Phase.LOADING)
        assert user.button("stop").isEnabled()
        user.until_ready()
        assert user.find(QToolButton, "model_button").text().startswith("demo")
        assert user.button("offer_1").isEnabled()


def test_first_prompts_show_a_stop_a_limit_and_an_emoji(demo: Journey) -> None:
    before = demo.state.controls
    demo.press("offer_1")
    run = demo.last()
    assert run.finish.reason is Reason.STOP
    assert demo.reason.startswith("stop, ")
    assert "You" in demo.page
    assert demo.state.controls.limits == run.request.limits != before.limits
    demo.press("notice_offer")
    assert demo.state.controls == before

    demo.act("new_session")
    demo.press("offer_2")
    assert demo.last().finish.reason is Reason.LENGTH
    assert demo.state.controls.mode is Mode.RAW
    assert demo.reason.startswith("length, ")
    assert "chat template" in demo.reason

    demo.act("new_session")
    assert demo.state.controls.mode.value == "chat"
    demo.press("offer_3")
    tokens = demo.last()
    assert "\ufffd" not in demo.page
    assert any(ord(character) > 0xFFFF for character in tokens.text)
