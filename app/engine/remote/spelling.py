"""Names of tokens as a vocabulary has them, read as text: only where all of them together spell the whole answer."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import replace

from app.engine.remote.chunk import Choice
from app.engine.spelling import Rule
from app.engine.text import named
from app.engine.types import Candidate

RULES = (
    Rule(),
    Rule(byte_level=True),
    Rule(replaced=(("▁", " "),), byte_fallback=True),
    Rule(replaced=(("▁", " "),), byte_fallback=True, dropped_first=True),
)


def spelt(choices: Sequence[Choice], text: str) -> tuple[list[str], list[Choice]] | None:
    """The text that becomes whole with each token, and the tokens with readable names.

    The last one may be an end, which is no text, and mlx_lm.server leaves out a space at the beginning. None where no
    way of reading them gives the answer.
    """
    for rule in RULES:
        pieces = [rule.spell(each.text) for each in choices]
        for count in dict.fromkeys((len(pieces), max(0, len(pieces) - 1))):
            texts = _texts(rule, pieces[:count])
            whole = "".join(texts)
            if text in (whole, whole.removeprefix(" ")):
                return [*texts, *[""] * (len(pieces) - count)], [_read(each, rule) for each in choices]
    return None


def _texts(rule: Rule, pieces: list[bytes]) -> list[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    texts = [decoder.decode(piece) for piece in pieces]
    first = next((place for place, text in enumerate(texts) if text), None)
    if first is not None:
        texts[first] = rule.begin(texts[first])
    return texts


def _read(choice: Choice, rule: Rule) -> Choice:
    def read(name: str) -> str:
        return named(rule.spell(name))

    top = tuple(Candidate(each.id, read(each.text), each.logprob, each.raw_logit) for each in choice.top)
    return replace(choice, text=read(choice.text), top=top)
