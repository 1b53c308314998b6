"""The prompts of the bundled model."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.controls import Controls, Mode
from app.engine.types import Capabilities, Model
from app.ui.conversation import first_prompts
from app.ui.conversation.first_prompts import FirstPrompt

OPEN = Model("some", Path("/models/some"), "llama", 1, 1, None, 2048, 2048, ())

KEPT = {
    "title": "Count",
    "prompt": "Count to 5.",
    "mode": "raw",
    "max_tokens": 24,
    "temperature": 0,
    "shows": "a clean stop",
}


def test_they_are_read_in_order(tmp_path: Path) -> None:
    (tmp_path / first_prompts.FILE).write_text(json.dumps([KEPT, KEPT | {"mode": "chat"}]))
    assert first_prompts.read(tmp_path) == (
        FirstPrompt("Count", "Count to 5.", "a clean stop", Mode.RAW, 24, 0.0),
        FirstPrompt("Count", "Count to 5.", "a clean stop", Mode.CHAT, 24, 0.0),
    )


@pytest.mark.parametrize("content", [None, "{", "[{}]", '[{"title": 1}]', "3", pytest.param("[" * 100_000, id="deep")])
def test_a_model_without_any_offers_none(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / first_prompts.FILE).write_text(content)
    assert first_prompts.read(tmp_path) == ()


def test_a_stranger_s_words_are_not_said_in_another_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_prompts, "tr", lambda text: f"<{text}>")
    monkeypatch.setattr(first_prompts, "SAID", ("<a clean stop>",))
    (tmp_path / first_prompts.FILE).write_text(json.dumps([KEPT]))
    (read,) = first_prompts.read(tmp_path)
    assert (read.title, read.shows) == ("Count", "<a clean stop>")


def test_the_bundled_model_brings_three(demo_model: Path) -> None:
    assert len(first_prompts.read(demo_model)) == 3


def test_what_the_bundled_model_s_prompts_say_can_be_said_in_other_languages(demo_model: Path) -> None:
    brought = first_prompts.read(demo_model)
    assert {words for each in brought for words in (each.title, each.shows)} == set(first_prompts.SAID)


@pytest.mark.parametrize(
    ("model", "modes"),
    [
        (replace(OPEN, can=Capabilities(chat=False)), {Mode.RAW}),
        (OPEN, {Mode.CHAT}),
        (replace(OPEN, reasoning=("<think>", "</think>")), {Mode.CHAT}),
    ],
)
def test_a_model_that_brings_none_is_offered_what_its_kind_can_do(model: Model, modes: set[Mode]) -> None:
    offered = first_prompts.of_kind(model)
    assert len(offered) == 3
    assert {each.mode for each in offered} == modes
    assert (first_prompts.THINKING in offered) is bool(model.reasoning)


def test_what_a_prompt_leaves_open_is_as_it_was_set() -> None:
    controls = Controls()
    assert replace(first_prompts.TALKING[0], mode=controls.mode).over(controls) == controls
    assert first_prompts.GOING_ON[0].over(controls).limits.max_tokens == 120
