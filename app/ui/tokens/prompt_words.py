"""A prompt that goes to the model, and each of its tokens, in words."""

from app.engine.types import ExactPrompt
from app.i18n import tr

SPOKEN_CHARACTERS = 2000
"""So much of its text is read out."""


def told_token(prompt: ExactPrompt, token: int, told: str) -> str:
    """Its place, its id and its text; `told` is what else is known."""
    start, end = prompt.offsets[token]
    return tr("{number} of {count}: id {id}, {text}, {told}").format(
        number=f"{token + 1:,}",
        count=f"{len(prompt.ids):,}",
        id=prompt.ids[token],
        text=repr(prompt.text[start:end]),
        told=told,
    )


def told_prompt(prompt: ExactPrompt | None, reused: int) -> str:
    """How many tokens it has, how many of them are in the cache, and what it says."""
    if prompt is None:
        return tr("Nothing to show yet.")
    words = tr(
        "%n tokens, {reused} of them in the cache: {text}",
        "%n token, {reused} of them in the cache: {text}",
        len(prompt.ids),
    )
    return words.format(reused=f"{reused:,}", text=prompt.text[:SPOKEN_CHARACTERS])
