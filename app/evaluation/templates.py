"""Templates of prompts: each `{column}` is replaced by the row's value, without recursion. Counts of their tokens."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from app.engine.types import ChatPrompt, Message, RawPrompt, Role
from app.evaluation.types import EXPECTED, PROMPT, SYSTEM, PromptSet, Template
from app.files import json_reader
from app.files.json_reader import Json
from app.i18n import tr

MESSAGES, CHOICES = "messages", "choices"
"""Columns with a fixed meaning: earlier turns, and the possible answers."""
EXAMPLES = "examples"
"""The place of the few-shot examples in a prompt. Without it, or with a column of this name, they come first."""
LONGEST_CHOICES = 10_000
"""The longest `choices` in characters, since an answer is searched for them at each position."""
PROMPTS = (PROMPT, "question", "instruction", "input", "text", "query", "problem", "user")
ANSWERS = (EXPECTED, "answer", "target", "output", "label", "completion", "response")
SYSTEMS = (SYSTEM, "system_prompt")
"""Names of columns with a system prompt, also those of other programs."""
BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def prompt_of(template: Template, values: Mapping[str, str]) -> ChatPrompt | RawPrompt:
    """Return the prompt of a row; a chat begins with the turns of its column `messages`."""
    examples = template.examples.text if template.examples else ""
    if EXAMPLES in values or EXAMPLES not in variables_of(template.prompt):
        asked = examples + filled(template.prompt, values)
    else:
        asked = filled(template.prompt, {**values, EXAMPLES: examples})
    if template.raw:
        return RawPrompt(asked)
    system = filled(template.system, values)
    before = turns_of(values.get(MESSAGES, "")) or ()
    opening = (Message(Role.SYSTEM, system),) if system else ()
    return ChatPrompt((*opening, *before, Message(Role.USER, asked)))


def expected_of(template: Template, values: Mapping[str, str]) -> str:
    return filled(template.expected, values)


def choices_of(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the choices of the column `choices`: a JSON list, or separated by |."""
    text = values.get(CHOICES, "").strip()
    if len(text) > LONGEST_CHOICES:
        return ()
    if text.startswith("["):
        try:
            return tuple(each if isinstance(each, str) else str(each) for each in json_reader.parse(text))
        except ValueError:
            pass
    return tuple(each.strip() for each in text.split("|") if each.strip())


def filled(text: str, values: Mapping[str, str]) -> str:
    """Replace each `{column}` by its value; braces in values stay. Doubled braces become single ones."""

    def put(found: re.Match[str]) -> str:
        return found[0][0] if found[1] is None else values.get(found[1].strip(), found[0])

    return BRACES.sub(put, text)


def missing(template: Template, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the variables that aren't columns of the set, each once."""
    others = variables_of("" if template.raw else template.system) + variables_of(template.expected)
    names = [name for name in variables_of(template.prompt) if name != EXAMPLES] + others
    return tuple(dict.fromkeys(name for name in names if name not in columns))


def variables_of(text: str) -> list[str]:
    return [found[1].strip() for found in BRACES.finditer(text) if found[1] is not None]


def why_missing(names: Sequence[str]) -> str:
    told = ", ".join(f"{{{name[:40]}}}" for name in names[:5])
    words = tr("The set has no column {names}. Write literal braces twice.")
    return words.format(names=told) if names else ""


def suggested(columns: Sequence[str]) -> Template:
    """Return the template for columns with known names; without one, the first column is the prompt."""
    known = {name.lower(): name for name in reversed(columns)}

    def first(names: Sequence[str], other: str = "") -> str:
        return next((f"{{{known[name]}}}" for name in names if name in known), other)

    return Template(first(PROMPTS, f"{{{columns[0]}}}"), first(SYSTEMS), first(ANSWERS))


def turns_of(cell: str) -> tuple[Message, ...] | None:
    """Parse a JSON list of objects with `role` and `text` (or `content`) as turns; None if it isn't one."""
    if not cell.strip():
        return ()
    try:
        found = json_reader.parse(cell)
        return tuple(_turn(each) for each in found) if isinstance(found, list) else None
    except (ValueError, KeyError, TypeError):
        return None


def _turn(data: Json) -> Message:
    text = data["text"] if "text" in data else data["content"]
    if not isinstance(text, str):
        raise TypeError
    return Message(Role(data["role"]), text)


CHUNK_S = 0.005
"""Seconds per chunk. Work on the same thread, and maybe the UI, waits meanwhile: a thread that releases the interpreter
only briefly, but often, lets no other thread run.
"""


Count = TypeVar("Count")


def counts(
    prompts: PromptSet,
    template: Template,
    count: Callable[[ChatPrompt | RawPrompt, Mapping[str, str]], Count],
    start: int = 0,
) -> tuple[Count, ...]:
    """Count the tokens of the next rows, beginning at `start`; at least one row.

    `count` gets the prompt and the values of a row. The caller continues with the first row that was not counted.
    """
    found: list[Count] = []
    ends = time.monotonic() + CHUNK_S
    for row in range(start, len(prompts.rows)):
        values = prompts.values(row)
        found.append(count(prompt_of(template, values), values))
        if time.monotonic() >= ends:
            break
    return tuple(found)
