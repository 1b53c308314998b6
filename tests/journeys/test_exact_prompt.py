from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QTextBlock
from PySide6.QtWidgets import QDoubleSpinBox, QLabel, QListWidget, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.engine.types import ExactPrompt, PromptPart
from app.state import Run
from app.ui.look.palette import DARK, LIGHT, Color
from app.ui.prompt.editor import WarningsRow
from app.ui.prompt.exact_prompt import ExactPromptPane
from tests.journeys.journey import Journey, started

pytestmark = pytest.mark.slow


def pane(user: Journey) -> ExactPromptPane:
    return user.find(ExactPromptPane, "exact_prompt")


def foresee(user: Journey, text: str) -> tuple[ExactPrompt, int]:
    """Type, and read the pane when it has this text."""
    user.type(text)
    tokens = pane(user).tokens
    user.until(lambda: tokens.prompt is not None and text in tokens.prompt.text and pane(user).source == "next")
    prompt = tokens.prompt
    assert prompt is not None
    return prompt, tokens.reused


def sent(user: Journey) -> Run:
    user.press("send")
    return user.last()


def said(prompt: ExactPrompt, part: PromptPart) -> list[str]:
    return [prompt.text[span.start : span.end] for span in prompt.spans if span.part is part]


def test_exact_prompt_pane_equals_the_prompt_sent(demo: Journey) -> None:
    demo.cold()
    demo.act("toggle_exact_prompt")
    for text in ("Count 1 to 5", "And now to 7", "Say hello in Korean with emoji. 🌊"):
        prompt, reused = foresee(demo, text)
        lit = demo.find(WarningsRow, "lights").warnings
        run = sent(demo)
        assert run.prompt is not None
        assert run.prompt.ids == prompt.ids
        assert run.finish.reused == reused
        assert lit == ()
        demo.until(lambda: pane(demo).source == "sent")
        assert pane(demo).tokens.prompt == run.prompt
        assert pane(demo).tokens.reused == run.finish.reused
    assert reused > 0


def test_exact_prompt_contains_system_prompt_and_reply_start(demo: Journey) -> None:
    demo.cold()
    demo.press("more_controls")
    demo.act("toggle_exact_prompt")
    demo.find(QPlainTextEdit, "system_prompt").setPlainText("You are brief.")
    demo.find(QPlainTextEdit, "reply_start").setPlainText("1, 2,")
    prompt, _ = foresee(demo, "Count 1 to 5")
    assert said(prompt, PromptPart.SYSTEM) == ["You are brief."]
    assert said(prompt, PromptPart.USER) == ["Count 1 to 5"]
    assert said(prompt, PromptPart.MODEL) == ["1, 2,"]
    assert prompt.text.endswith("<|im_start|>assistant\n1, 2,")
    run = sent(demo)
    assert run.prompt is not None
    assert run.prompt.ids == prompt.ids


def test_raw_page_continues_in_place_and_undo_restores_the_prompt(demo: Journey) -> None:
    demo.cold()
    demo.limit(24)
    demo.act("toggle_exact_prompt")
    demo.press("mode_raw")
    page = demo.find(QPlainTextEdit, "prompt")
    prompt, _ = foresee(demo, "Once upon a time")
    assert prompt.text == "Once upon a time"
    assert "chat model" in demo.find(WarningsRow, "lights").accessibleName()
    run = sent(demo)
    assert run.prompt is not None
    assert run.prompt.ids == prompt.ids
    assert page.toPlainText() == "Once upon a time" + run.text
    assert run.text.strip() in demo.page
    formats = [each for block in _blocks(page) for each in block.layout().formats()]
    assert {each.format.foreground().color().name() for each in formats} <= {LIGHT[Color.MODEL], DARK[Color.MODEL]}
    assert sum(each.length for each in formats) == len(run.text.replace("\n", ""))
    page.undo()
    assert page.toPlainText() == "Once upon a time"
    page.redo()
    _, reused = foresee(demo, page.toPlainText() + " And")
    assert reused >= run.finish.new


def _blocks(page: QPlainTextEdit) -> list[QTextBlock]:
    blocks, block = [], page.document().begin()
    while block.isValid():
        blocks.append(block)
        block = block.next()
    return blocks


def test_cached_prefix_is_announced_before_and_measured_after_a_run(demo: Journey) -> None:
    demo.cold()
    demo.limit(16)
    demo.act("toggle_exact_prompt")
    foresee(demo, "Count 1 to 5")
    words = demo.find(QLabel, "cache_words")
    assert words.text().startswith("The cache is empty")
    demo.send("Count 1 to 5")
    _, reused = foresee(demo, "And now to 7")
    assert words.text().startswith(f"The first {reused} of ")
    assert "will be processed" in words.text()
    controls = demo.state.controls
    demo.window.playground.set_controls(replace(controls, system="Be brief."))
    demo.until(lambda: words.text().endswith("(the system prompt was changed)."))
    assert "differs: “" in words.text()
    demo.window.playground.set_controls(controls)
    demo.until(lambda: "will be processed" in words.text())
    run = sent(demo)
    assert run.finish.reused == reused
    demo.until(lambda: words.text().startswith(f"{reused} of "))
    page = demo.page
    demo.press("compare_reuse")
    demo.until(lambda: words.text().startswith("Time to first token: "))
    assert words.text().endswith("the text is identical.")
    assert demo.page == page
    assert len(demo.runs) == 2
    demo.press("measure_reuse")
    assert demo.window.findChild(QWidget, "experiment_window") is not None


def test_cached_prefix_names_the_session_that_computed_it(demo: Journey) -> None:
    """Three sessions in turn: coming back to the first one, only what is new is read, and a third shares its start."""
    demo.cold()
    demo.limit(24)
    demo.act("toggle_exact_prompt")
    first, session = demo.send("Count 1 to 5"), demo.state.session
    demo.act("new_session")
    demo.send("Tell me a story about a fox.")
    line = demo.find(QLabel, "cache_words")
    demo.act("new_session")
    _, reused = foresee(demo, "Count 1 to 5 and back")
    assert reused > 5
    assert line.text().endswith("The cached prefix is from “Count 1 to 5”.")
    assert sent(demo).finish.reused == reused
    demo.until(lambda: pane(demo).source == "sent")
    assert line.text().endswith("The cached prefix is from “Count 1 to 5”.")
    assert demo.window.playground.open_session(session)
    demo.until(lambda: demo.state.session == session and not demo.state.opening)
    _, reused = foresee(demo, "And then?")
    assert first.prompt is not None
    assert reused >= len(first.prompt.ids) + len(first.ids) - 1
    assert "was read for" not in line.text(), "its own"
    assert sent(demo).finish.reused == reused


def test_session_after_a_restart_reuses_its_saved_cache(qtbot: QtBot, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with started(qtbot, data) as user:
        user.cold()
        user.limit(24)
        user.act("settings")
        user.find(QListWidget, "settings_pages").setCurrentRow(4)
        user.find(QDoubleSpinBox, "settings_saved").setValue(1.0)
        first = user.send("Tell me a story about a fox. " * 8)
        session = user.state.session
    assert len(list((data / "caches").iterdir())) == 1
    with started(qtbot, data) as user:
        user.until(lambda: user.state.session == session and not user.state.opening)
        again = user.send("Why?")
        assert first.prompt is not None
        assert again.finish.reused >= len(first.prompt.ids) + len(first.ids) - 1
        user.window.playground.forget(session)
        user.until(lambda: list((data / "caches").iterdir()) == [])
