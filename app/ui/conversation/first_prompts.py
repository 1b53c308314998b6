"""The prompts that an empty page offers: those that come with a model, else what a model of its kind can do."""

from dataclasses import dataclass, replace
from pathlib import Path

from app.controls import Controls, Mode
from app.engine.types import Model
from app.files import json_reader, regular_files
from app.files.json_values import UNFIT, read_plain
from app.i18n import tr

FILE = "first_prompts.json"
LARGEST_BYTES = 100_000
SAID = (
    *(tr("A story"), tr("A sum, as raw text"), tr("Korean and emoji")),
    tr("Long enough to watch the speed. It ends with EOS."),
    tr("Without the chat template it doesn't generate EOS, and runs until max tokens."),
    tr("Characters of several tokens: each appears with its last token."),
)
"""What the file says of its prompts, in the user's language. The prompts stay as they are: the model reads English."""


@dataclass(frozen=True, slots=True)
class FirstPrompt:
    """One prompt to try, and what is asked for it alone; None: as it is set. `shows` says what is to be seen."""

    title: str
    prompt: str
    shows: str
    mode: Mode = Mode.CHAT
    max_tokens: int | None = None
    temperature: float | None = None

    def over(self, controls: Controls) -> Controls:
        """These controls, with what this prompt asks for itself."""
        limits, sampling = controls.limits, controls.sampling
        return replace(
            controls,
            mode=self.mode,
            limits=limits if self.max_tokens is None else replace(limits, max_tokens=self.max_tokens),
            sampling=sampling if self.temperature is None else replace(sampling, temperature=self.temperature),
        )


THINKING = FirstPrompt(
    tr("Think"),
    tr("A bat and a ball cost 11 together, and the bat costs 10 more than the ball. What does the ball cost?"),
    tr("It thinks before it answers; both count as tokens."),
)
TALKING = (
    FirstPrompt(
        tr("Explain"),
        tr("Why is the sky blue? Explain it in three sentences."),
        tr("How fast it writes, and how it ends by itself."),
    ),
    FirstPrompt(
        tr("Invent"),
        tr("Write four lines about the sea in winter."),
        tr("At temperature 1: ask again, and it is another one."),
        temperature=1.0,
    ),
    FirstPrompt(
        tr("Write code"),
        tr("Write a Python function that tells whether a word is a palindrome."),
        tr("At temperature 0: ask again, and the answer is the same, up to rounding."),
        temperature=0.0,
    ),
)
GOING_ON = (
    FirstPrompt(
        tr("A story goes on"),
        tr("Once upon a time, on an island without a harbour,"),
        tr("It writes on from these words, up to 120 tokens."),
        Mode.RAW,
        120,
        0.8,
    ),
    FirstPrompt(
        tr("A list goes on"),
        tr("The planets, from the sun outwards, are Mercury, Venus,"),
        tr("What it knows, without being asked: the likeliest words."),
        Mode.RAW,
        40,
        0.0,
    ),
    FirstPrompt(
        tr("Code goes on"),
        "def is_palindrome(word): return",
        tr("Such a model completes; it has no end of an answer."),
        Mode.RAW,
        60,
        0.0,
    ),
)


def of_kind(model: Model) -> tuple[FirstPrompt, ...]:
    """Three for a model that brings none: one without a chat template goes on, one that can think is asked to."""
    if not model.can.chat:
        return GOING_ON
    return (THINKING, *TALKING[1:]) if model.reasoning else TALKING


def read(model: Path) -> tuple[FirstPrompt, ...]:
    """The prompts of the model in this folder; none where it brings none."""
    try:
        kept = json_reader.parse(regular_files.read(model / FILE, LARGEST_BYTES))
        found = [read_plain(FirstPrompt, each) for each in kept]
    except UNFIT:
        return ()
    return tuple(replace(each, title=_said(each.title), shows=_said(each.shows)) for each in found)


def _said(words: str) -> str:
    """Only what is of SAID: a stranger's words stay as they are, also where the window has the same."""
    said = tr(words)
    return said if said in SAID else words
