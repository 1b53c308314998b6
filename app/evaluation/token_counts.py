"""Counts of tokens in a prompt set, a few rows at a time."""

import time
from collections.abc import Callable

from app.engine.types import ChatPrompt, RawPrompt
from app.evaluation.templates import prompt_of
from app.evaluation.types import PromptSet, Template

CHUNK_S = 0.005
"""Seconds per chunk. Work on the same thread, and maybe the UI, waits meanwhile: a thread that releases the interpreter
only briefly, but often, lets no other thread run.
"""

Count = Callable[[ChatPrompt | RawPrompt], int]
"""Function that counts the tokens of a prompt; -1 if the model can't process it."""


def counts(prompts: PromptSet, template: Template, count: Count, start: int = 0) -> tuple[int, ...]:
    """Count the tokens of the next rows, beginning at `start`; at least one row.

    The caller continues with the first row that was not counted.
    """
    found: list[int] = []
    ends = time.monotonic() + CHUNK_S
    for row in range(start, len(prompts.rows)):
        found.append(count(prompt_of(template, prompts.values(row))))
        if time.monotonic() >= ends:
            break
    return tuple(found)
