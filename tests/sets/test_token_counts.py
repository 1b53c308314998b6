"""Prompts are counted a few at a time, so that nobody waits for ten thousand."""

import pytest

from app.engine.types import ChatPrompt, RawPrompt
from app.sets import token_counts
from app.sets.token_counts import counts
from app.sets.types import PromptSet, Template

ROWS = PromptSet("", ("prompt",), [("x" * at,) for at in range(10)], Template(raw=True), "")


def length(prompt: ChatPrompt | RawPrompt) -> int:
    assert isinstance(prompt, RawPrompt)
    return len(prompt.text)


def test_the_rows_are_counted() -> None:
    assert counts(ROWS, ROWS.template, length) == tuple(range(10))
    assert counts(ROWS, ROWS.template, length, 10) == ()


def test_what_takes_long_is_counted_in_several_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_counts, "CHUNK_S", 0.0)
    assert counts(ROWS, ROWS.template, length, 4) == (4,)
