"""Each prompt of the gallery, on the bundled model: it shows what its card says."""

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from app.controls import Mode
from app.engine.structured_output.grammar import has_format
from app.engine.types import ANIMAL, Reason
from app.state import Run
from app.ui.document.turns import AnswerView
from app.ui.guide.controller_gallery import ITEMS
from tests.journeys.journey import Journey

pytestmark = pytest.mark.slow

PROMPTS = {item.name: item.prompt for item in ITEMS if item.prompt}


def use(user: Journey, name: str) -> None:
    """From a new page."""
    if user.state.turns:
        user.act("new_session")
    user.act("gallery")
    user.press(f"use_{name}")
    user.until(lambda: typed(user) == PROMPTS[name])


def typed(user: Journey) -> str:
    return user.find(QPlainTextEdit, "prompt").toPlainText()


def tried(user: Journey, name: str) -> Run:
    use(user, name)
    user.press("send")
    return user.last()


def again(user: Journey) -> Run:
    user.act("regenerate")
    return user.last()


def test_gallery_prompts_on_seeds_and_endings_show_what_they_say(demo: Journey) -> None:
    assert tried(demo, "twice").ids == again(demo).ids
    first = tried(demo, "seed")
    assert (first.seed, first.ids) == (7, again(demo).ids)
    stopped = tried(demo, "stop")
    assert (stopped.finish.reason, stopped.text) == (Reason.STOP_STRING, "1, 2, 3, 4, ")
    assert demo.button("step_step_by_step").isVisible()
    cut = tried(demo, "limit")
    assert cut.finish.reason is Reason.LENGTH
    demo.act("continue_run")
    assert demo.last().text


def test_gallery_prompts_on_sampling_show_what_they_say(demo: Journey) -> None:
    assert "." in tried(demo, "top_p").text
    assert not tried(demo, "penalty").text.startswith("1, 2, 3, 4, 5, 6")
    banned = tried(demo, "bias")
    assert "5" not in banned.text
    assert banned.text.startswith("1, 2, 3, 4, ")
    tried(demo, "candidates")
    assert demo.state.controls.observe
    assert demo.find(QWidget, "inspector").isVisible()


def test_gallery_prompt_on_structured_output_gives_valid_json(demo: Journey) -> None:
    held = tried(demo, "form")
    assert has_format(ANIMAL, held.text) and held.request.form == ANIMAL
    said = demo.find(QLabel, "form_expected")
    demo.until(lambda: said.isVisible() and said.text().startswith("Expected here: "))
    assert demo.find(QLabel, "form_tree").text().startswith("  answer: ")
    use(demo, "twice")
    assert not demo.state.controls.form


def test_gallery_prompts_on_views_show_what_they_say(demo: Journey) -> None:
    pieces = tried(demo, "pieces")
    assert len(pieces.ids) > len(pieces.text)
    assert demo.window._parts.transcript.view is AnswerView.TOKENS
    use(demo, "surprise")
    demo.until(lambda: demo.button("exact_prompt_surprise").isEnabled())
    raw = tried(demo, "raw")
    assert (raw.finish.reason, raw.mode) == (Reason.LENGTH, Mode.RAW)
    assert demo.button("step_use_the_chat_template").isVisible()


@pytest.mark.parametrize("name", ["stop", "raw"])
def test_undo_after_a_gallery_prompt_restores_prompt_and_controls(demo: Journey, name: str) -> None:
    demo.type("half a thought")
    demo.limit(77)
    before = demo.state.controls
    use(demo, name)
    words = demo.find(QLabel, "try_words").text()
    assert "Max tokens" in words
    demo.press("try_undo")
    demo.until(lambda: typed(demo) == "half a thought")
    assert demo.state.controls == before
    assert not demo.find(QWidget, "try_hint").isVisible()
