"""The prompts that a first start offers: kept beside the bundled model, since they are what it can do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from app import json_reader, ordinary_files
from app.controls import Mode
from app.json_values import UNFIT, read_plain
from app.words import tr

FILE = "first_prompts.json"
LARGEST_BYTES = 100_000
SAID = {
    "Count to five": tr("Count to five"),
    "The same, raw": tr("The same, raw"),
    "Emoji and Korean": tr("Emoji and Korean"),
    "A clean stop: the model ends its answer by itself.": tr("A clean stop: the model ends its answer by itself."),
    "A length stop: without the chat template the model doesn't know where to end and runs to the limit.": tr(
        "A length stop: without the chat template the model doesn't know where to end and runs to the limit."
    ),
    "Characters made of several tokens: some tokens show nothing until the next ones complete the character.": tr(
        "Characters made of several tokens: some tokens show nothing until the next ones complete the character."
    ),
}
"""What the file says of its prompts, in the user's language. The prompts stay as they are: the model reads English."""


@dataclass(frozen=True, slots=True)
class FirstPrompt:
    """One prompt to try. `shows` says what is to be seen when it runs."""

    title: str
    prompt: str
    mode: Mode
    max_tokens: int
    temperature: float
    shows: str


def read(model: Path) -> tuple[FirstPrompt, ...]:
    """The prompts of the model in this folder; none where it brings none."""
    try:
        kept = json_reader.parse(ordinary_files.read(model / FILE, LARGEST_BYTES))
        found = [read_plain(FirstPrompt, each) for each in kept]
    except UNFIT:
        return ()
    return tuple(
        replace(each, title=SAID.get(each.title, each.title), shows=SAID.get(each.shows, each.shows)) for each in found
    )
