"""Prompts on the empty page: those bundled with the model, or prompts for its kind of model."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from app.controls import Controls, Mode
from app.engine.types import Model
from app.files import json_reader, regular_files
from app.files.json_values import UNFIT, read_plain
from app.i18n import tr

FILE = "first_prompts.json"
MAX_BYTES = 100_000
BUNDLED_TEXTS = (
    *(tr("A story"), tr("Addition in raw mode"), tr("Korean and emoji")),
    tr("Long enough to watch the speed. It ends with EOS."),
    tr("Without the chat template it doesn't generate EOS, and runs until max tokens."),
    tr("Characters of several tokens: each appears with its last token."),
)
"""Titles and explanations in the bundled files, to be translated. The prompts stay English, as the model does."""


@dataclass(frozen=True, slots=True)
class FirstPrompt:
    """A prompt to try, and the settings that it changes; None keeps the user's setting."""

    title: str
    prompt: str
    shows: str
    mode: Mode = Mode.CHAT
    max_tokens: int | None = None
    temperature: float | None = None

    def apply_to(self, controls: Controls) -> Controls:
        limits, sampling = controls.limits, controls.sampling
        return replace(
            controls,
            mode=self.mode,
            limits=limits if self.max_tokens is None else replace(limits, max_tokens=self.max_tokens),
            sampling=sampling if self.temperature is None else replace(sampling, temperature=self.temperature),
        )

    def describe_changes(self, before: Controls) -> str:
        """Return a sentence about the settings that it changes; empty if there are none."""
        parts = []
        if self.max_tokens not in (None, before.limits.max_tokens):
            parts.append(tr("max tokens {count}").format(count=self.max_tokens))
        if self.temperature not in (None, before.sampling.temperature):
            parts.append(tr("temperature {value}").format(value=f"{self.temperature:g}"))
        return tr("This example has set {settings}.").format(settings=", ".join(parts)) if parts else ""


Bundled = Mapping[Path, tuple[FirstPrompt, ...]]
"""First prompts by the folder of the model that they are bundled with."""
THINKING = FirstPrompt(
    tr("Think"),
    tr("A bat and a ball cost 11 together, and the bat costs 10 more than the ball. What does the ball cost?"),
    tr("Reasoning comes before the answer. Both count as tokens."),
)
CHAT = (
    FirstPrompt(
        tr("Explain"),
        tr("Why is the sky blue? Explain it in three sentences."),
        tr("Shows the decode speed, and EOS at the end."),
    ),
    FirstPrompt(
        tr("Invent"),
        tr("Write four lines about the sea in winter."),
        tr("Temperature 1: regenerating gives a different answer."),
        temperature=1.0,
    ),
    FirstPrompt(
        tr("Write code"),
        tr("Write a Python function that tells whether a word is a palindrome."),
        tr("Temperature 0: regenerating gives the same answer, except for rounding errors."),
        temperature=0.0,
    ),
)
COMPLETION = (
    FirstPrompt(
        tr("Continue a story"),
        tr("Once upon a time, on an island without a harbour,"),
        tr("Continues this text for up to 120 tokens."),
        Mode.RAW,
        120,
        0.8,
    ),
    FirstPrompt(
        tr("Continue a list"),
        tr("The planets, from the sun outwards, are Mercury, Venus,"),
        tr("Greedy completion: the most probable tokens."),
        Mode.RAW,
        40,
        0.0,
    ),
    FirstPrompt(
        tr("Continue code"),
        "def is_palindrome(word): return",
        tr("A base model completes text. It seldom generates EOS."),
        Mode.RAW,
        60,
        0.0,
    ),
)


def prompts_for(model: Model) -> tuple[FirstPrompt, ...]:
    """Return three prompts for a model without bundled ones."""
    if not model.can.chat:
        return COMPLETION
    return (THINKING, *CHAT[1:]) if model.reasoning else CHAT


def read(model: Path) -> tuple[FirstPrompt, ...]:
    """Return the prompts bundled with the model in this folder."""
    try:
        items = json_reader.parse(regular_files.read(model / FILE, MAX_BYTES))
        prompts = [read_plain(FirstPrompt, each) for each in items]
    except UNFIT:
        return ()
    return tuple(replace(each, title=_translate(each.title), shows=_translate(each.shows)) for each in prompts)


def _translate(words: str) -> str:
    """Translate BUNDLED_TEXTS only. Other texts of a file stay unchanged, even if the program has a translation."""
    translation = tr(words)
    return translation if translation in BUNDLED_TEXTS else words
