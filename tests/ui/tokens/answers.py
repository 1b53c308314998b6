"""Prompts and answers as tokens."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from app.engine.meter.trace import Origin, Trace
from app.engine.stop_strings import Markers, ReplyReader
from app.engine.types import (
    Alternative,
    ConstraintStats,
    ExactPrompt,
    PromptPart,
    PromptSpan,
    Token,
    TokenLogprobs,
    VisibleText,
)

THINK = Markers.reasoning("<think>", "</think>")
FAMILY = ["👩", "\u200d", "👩", "\u200d", "👧"]


def prompt_of(pieces: Sequence[str]) -> ExactPrompt:
    """Return a user's prompt with a token for each piece. Equal pieces have equal ids."""
    ends = [0, *accumulate(map(len, pieces))]
    span = PromptSpan(PromptPart.USER, 0, ends[-1])
    return ExactPrompt("".join(pieces), tuple(map(hash, pieces)), tuple(pairwise(ends)), (span,))


def observed(probability: float, entropy: float = 0.0) -> TokenLogprobs:
    """Logprobs of a token with this probability."""
    chosen = Alternative(1, "a", math.log(probability), 0.0)
    return TokenLogprobs(chosen, 1, (chosen,), entropy, 0.0, 1 - probability)


def forbidding(removed: float, wish: float, forced: bool = False) -> TokenLogprobs:
    """Logprobs of a certain token after the output format removed others; `wish`: the most probable of these."""
    formed = ConstraintStats(removed, forced, (Alternative(9, " no", math.log(wish), 1.0),))
    return replace(observed(1.0), formed=formed)


def traced(
    texts: Sequence[str], stops: tuple[str, ...] = (), sure: Sequence[float] = (), origin: Origin | None = None
) -> tuple[Trace, tuple[VisibleText, ...]]:
    """Return a finished run of these tokens, and its visible text; `sure`: their probabilities, if recorded."""
    reader, trace = ReplyReader(stops, THINK), Trace()
    trace.begin_run()
    shown: list[VisibleText] = []
    for index, text in enumerate(texts):
        pieces = reader.read(text)
        choice = observed(sure[index]) if sure else None
        trace.extend([Token(index, 100 + index, text, pieces, 0.1 + 0.01 * index, False, choice)], origin)
        trace.show(pieces)
        shown += pieces
    rest = reader.finish()
    trace.show(rest)
    return trace, (*shown, *rest)
