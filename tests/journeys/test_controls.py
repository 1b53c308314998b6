from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QPlainTextEdit, QSpinBox
from pytestqt.qtbot import QtBot

from app.engine.types import Reason
from tests.journeys.journey import journey

pytestmark = pytest.mark.slow


def test_controls_after_a_restart_have_their_values(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    switches = ["--data-dir", str(tmp_path)]
    with journey(qtbot, switches) as user:
        user.until_ready()
        user.choose("preset", "Greedy")
        user.limit(300)
        user.type("Tell me a story")
        user.press("send")
        user.until_tokens(5)
        user.find(QDoubleSpinBox, "temperature").setValue(1.5)
        user.limit(1)
        under_way = user.last()
        assert (under_way.request.sampling.temperature, under_way.request.limits.max_tokens) == (0.0, 300)
        assert under_way.finish.tokens > 1
        assert user.send("And another").finish.reason is Reason.LENGTH
        user.find(QPlainTextEdit, "stop_strings").setPlainText("3\n\\n\\n")
        user.press("more_controls")
        user.button("fold_draft").click()
        user.until(lambda: user.find(QComboBox, "draft_model").count() > 2)
        user.choose("draft_model", "demo-draft")
        user.until(lambda: user.state.model is not None and user.state.model.draft is not None)
        user.until_ready()
        user.choose("preset", "Greedy")
        user.limit(64)
        user.find(QSpinBox, "draft_tokens").setValue(2)
        counted = user.send("Count 1 to 5")
        assert counted.finish.reason is Reason.STOP_STRING
        assert counted.finish.drafted is not None
        assert counted.request.draft_tokens == 2
    with journey(qtbot, switches) as again:
        again.until_ready()
        assert again.find(QComboBox, "preset").currentText() == "Greedy"
        assert again.find(QDoubleSpinBox, "temperature").value() == 0.0
        assert not again.find(QDoubleSpinBox, "top_p").isEnabled()
        assert again.find(QPlainTextEdit, "stop_strings").toPlainText() == "3\n\\n\\n"
        assert again.find(QComboBox, "draft_model").currentText() == "demo-draft"
        assert again.state.controls.draft_tokens == 2
        assert again.state.controls.limits.max_tokens == 64
