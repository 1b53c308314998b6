"""The prompts of the empty page."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.controls import Controls, Mode
from app.engine.types import Capabilities, Model
from app.ui.conversation import first_prompts
from app.ui.conversation.first_prompts import FirstPrompt

OPEN = Model("some", Path("/models/some"), "llama", 1, 1, 2048, 2048, ())

KEPT = {
    "title": "Count",
    "prompt": "Count to 5.",
    "mode": "raw",
    "max_tokens": 24,
    "temperature": 0,
    "shows": "a clean stop",
}


def test_read_keeps_the_order(tmp_path: Path) -> None:
    (tmp_path / first_prompts.FILE).write_text(json.dumps([KEPT, KEPT | {"mode": "chat"}]))
    assert first_prompts.read(tmp_path) == (
        FirstPrompt("Count", "Count to 5.", "a clean stop", Mode.RAW, 24, 0.0),
        FirstPrompt("Count", "Count to 5.", "a clean stop", Mode.CHAT, 24, 0.0),
    )


@pytest.mark.parametrize("content", [None, "{", "[{}]", '[{"title": 1}]', "3", pytest.param("[" * 100_000, id="deep")])
def test_read_without_a_file_is_empty(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / first_prompts.FILE).write_text(content)
    assert first_prompts.read(tmp_path) == ()


def test_read_translates_only_bundled_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_prompts, "tr", lambda text: f"<{text}>")
    monkeypatch.setattr(first_prompts, "BUNDLED_TEXTS", ("<a clean stop>",))
    (tmp_path / first_prompts.FILE).write_text(json.dumps([KEPT]))
    (read,) = first_prompts.read(tmp_path)
    assert (read.title, read.shows) == ("Count", "<a clean stop>")


def test_read_of_the_demo_model_returns_three_translated_prompts(demo_model: Path) -> None:
    brought = first_prompts.read(demo_model)
    assert len(brought) == 3
    assert {words for each in brought for words in (each.title, each.shows)} == set(first_prompts.BUNDLED_TEXTS)


@pytest.mark.parametrize(
    ("model", "modes"),
    [
        (replace(OPEN, can=Capabilities(chat=False)), {Mode.RAW}),
        (OPEN, {Mode.CHAT}),
        (replace(OPEN, reasoning=("<think>", "</think>")), {Mode.CHAT}),
    ],
)
def test_prompts_for_a_model_without_its_own_match_its_kind(model: Model, modes: set[Mode]) -> None:
    offered = first_prompts.prompts_for(model)
    assert len(offered) == 3
    assert {each.mode for each in offered} == modes
    assert (first_prompts.THINKING in offered) is bool(model.reasoning)


def test_apply_to_keeps_other_settings() -> None:
    controls = Controls()
    assert replace(first_prompts.CHAT[0], mode=controls.mode).apply_to(controls) == controls
    assert first_prompts.COMPLETION[0].apply_to(controls).limits.max_tokens == 120
