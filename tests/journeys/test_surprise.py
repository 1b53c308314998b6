"""How surprising a prompt is, asked in the pane before Send: the numbers are the model's, and nothing else changes."""

import math

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel

from app.engine.types import Weighed
from app.state import Phase
from app.ui.prompt.exact_prompt import ExactPromptPane
from tests.journeys.journey import Journey


def test_the_prompt_is_coloured_by_surprise_and_the_cache_stays(demo: Journey) -> None:
    demo.cold()
    demo.limit(8)
    demo.act("toggle_exact_prompt")
    pane = demo.find(ExactPromptPane, "exact_prompt")
    button = demo.find(QAbstractButton, "exact_prompt_surprise")
    first = demo.send("Count 1 to 5")
    demo.type("And now count 1, 2, 3, 4, xylophone")
    demo.until(lambda: pane.tokens.prompt is not None and "xylophone" in pane.tokens.prompt.text and button.isEnabled())
    prompt, reused = pane.tokens.prompt, pane.tokens.reused
    assert prompt is not None
    assert reused > 0

    found: list[object] = []
    demo.window.playground.weighed.connect(found.append)
    demo.press("exact_prompt_surprise")
    summary = demo.find(QLabel, "exact_prompt_surprise_summary")
    demo.until(summary.isVisible)
    demo.until(lambda: demo.state.phase is Phase.READY)
    demo.picture("surprise")
    (weighed,) = found
    assert isinstance(weighed, Weighed)
    assert weighed.ids == prompt.ids
    assert all(weight is not None and math.isfinite(weight.surprise) for weight in weighed.weights[1:])
    pane.tokens.setFocus()
    for _ in range(3):
        QTest.keyClick(pane.tokens, Qt.Key.Key_Right)
    third = weighed.weights[2]
    assert third is not None
    assert f"surprise {third.surprise:.2f} bits" in demo.find(QLabel, "exact_prompt_legend").text()

    demo.press("send")
    second = demo.last()
    assert second.prompt is not None
    assert second.prompt.ids == prompt.ids
    assert second.finish.reused == reused > first.finish.reused
