"""Counts the tokens of a prompt set, a few rows at a time."""

import time
from collections.abc import Callable

from app.engine.types import ChatPrompt, RawPrompt
from app.evaluation.templates import prompt_of
from app.evaluation.types import PromptSet, Template

CHUNK_S = 0.005
"""For so long they are counted at one go. Others wait for the same thread, and the window's own may too: where a thread
lets go of the interpreter often, and briefly each time, no other gets hold of it before this is over."""

Count = Callable[[ChatPrompt | RawPrompt], int]
"""The tokens of a prompt; -1: the model can't be asked it."""


def counts(prompts: PromptSet, template: Template, count: Count, start: int = 0) -> tuple[int, ...]:
    """Of the rows from `start` on, one at least: whoever wants the others asks again from where these end."""
    found: list[int] = []
    ends = time.monotonic() + CHUNK_S
    for row in range(start, len(prompts.rows)):
        found.append(count(prompt_of(template, prompts.values(row))))
        if time.monotonic() >= ends:
            break
    return tuple(found)
