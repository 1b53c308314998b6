"""Comparison of two runs: their tokens, with the likely causes of a difference, and their texts by words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from difflib import SequenceMatcher
from enum import StrEnum
from math import log

from app import number_format
from app.engine.text import common_prefix
from app.engine.types import Request, TokenLogprobs
from app.i18n import tr
from app.records.types import TokenRecord, Versions

STEPS = {"bfloat16": 0.126, "float16": 0.016}
"""Tolerance of logits: slightly more than one ULP of a logit between 16 and 32."""
ROUNDING = 0.001
"""Tolerance for other precisions: more than another summation order changes a logit."""
NAMES = {
    "app": "Sluice",
    "mlx": "mlx",
    "mlx_lm": "mlx-lm",
    "python": "Python",
    "system": tr("system", "the operating system"),
    "chip": tr("chip"),
}


@dataclass(frozen=True, slots=True)
class RerunComparison:
    """Result of the comparison. `at`: the first different token, from 0; None if there is none in the shorter run."""

    sentence: str
    identical: bool
    at: int | None = None
    causes: tuple[str, ...] = ()
    """Differences between the two runs' environments, as sentences."""


def near_tie(request: Request, precision: str, has_tf32: bool = False) -> float:
    """Return the logit difference up to which rounding can decide; 0.0 if tokens are sampled."""
    usual = STEPS["float16"] if has_tf32 else ROUNDING  # TF32 has as many mantissa bits as float16
    return 0.0 if request.sampling.temperature > 0 else STEPS.get(precision, usual)


def compare(
    first: Sequence[TokenRecord],
    second: Sequence[TokenRecord],
    versions: tuple[Versions, Versions] | None = None,
    near: float = 0.0,
) -> RerunComparison:
    """Compare two token sequences; the sentence includes the probabilities at the first difference, if recorded.

    Logits that differ by less than `near` are a near tie.
    """
    causes = _causes(*versions) if versions else ()
    at = common_prefix(*([token.id for token in run] for run in (first, second)))
    if at == min(len(first), len(second)):
        return _same_so_far(len(first), len(second), causes)
    pair = (first[at], second[at])
    ours, theirs = (_probability(token, pair[0].observed) or _probability(token, pair[1].observed) for token in pair)
    words = tr("first difference at token {number}: {before} became {after}")
    if ours and theirs and abs(log(ours / theirs)) < near:
        words = tr("first difference at token {number}: {before} became {after}; near tie: rounding alone can flip it")
    sentence = words.format(number=at + 1, before=token_text(pair[0], ours), after=token_text(pair[1], theirs))
    return RerunComparison(_because(sentence, causes), False, at, causes)


def _same_so_far(first: int, second: int, causes: tuple[str, ...]) -> RerunComparison:
    if first == second:
        return RerunComparison(tr("identical, {count} of {count} tokens").format(count=first), True, causes=causes)
    words = tr("identical up to the end of the first run, {count} of {all} tokens")
    if second < first:
        words = tr("identical up to the end of the rerun, {count} of {all} tokens")
    return RerunComparison(words.format(count=min(first, second), all=max(first, second)), False, causes=causes)


def _probability(token: TokenRecord, observed: TokenLogprobs | None) -> float | None:
    """Return the token's probability in `observed`; None if it wasn't recorded."""
    if observed is None:
        return None
    for candidate in (observed.chosen, *observed.top):
        if candidate.id == token.id:
            return candidate.probability
    return None


def token_text(token: TokenRecord, probability: float | None = None) -> str:
    """Return a token's text in quotation marks, with its probability in brackets.

    EOS and parts of a character have no text.
    """
    text = "“" + token.text.replace("\n", "⏎") + "”" if token.text else tr("a token without text")
    return text if probability is None else f"{text} ({number_format.chance(probability)})"


def _causes(first: Versions, second: Versions) -> tuple[str, ...]:
    pairs = ((field.name, getattr(first, field.name), getattr(second, field.name)) for field in fields(Versions))
    words = tr("{what} was {before}, now {after}")
    return tuple(words.format(what=NAMES[name], before=a, after=b) for name, a, b in pairs if a and b and a != b)


def _because(sentence: str, causes: tuple[str, ...]) -> str:
    if not causes:
        return sentence
    return tr("{sentence}. A likely cause: {causes}").format(sentence=sentence, causes="; ".join(causes))


_WORD = re.compile(r"\s+|\w+|[^\w\s]")
LONGEST = 20_000
"""The most words that are compared; others count as different, since the time grows quadratically."""


class DiffSide(StrEnum):
    """The text that contains a segment: the first, the second, or both."""

    BOTH = "both"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """Consecutive words and whitespace on the same side."""

    side: DiffSide
    text: str


def word_diff(first: str, second: str) -> tuple[DiffSegment, ...]:
    """Return the segments in reading order. BOTH and FIRST make the first text, BOTH and SECOND the second."""
    return tuple(_joined(_stretches(first, second)))


def _stretches(first: str, second: str) -> Iterator[DiffSegment]:
    left, right = _WORD.findall(first), _WORD.findall(second)
    head = common_prefix(left, right)
    tail = common_prefix(left[head:][::-1], right[head:][::-1])
    yield DiffSegment(DiffSide.BOTH, "".join(left[:head]))
    yield from _differing(left[head : len(left) - tail], right[head : len(right) - tail])
    yield DiffSegment(DiffSide.BOTH, "".join(left[len(left) - tail :]))


def _differing(left: list[str], right: list[str]) -> Iterator[DiffSegment]:
    matcher = SequenceMatcher(None, left[:LONGEST], right[:LONGEST], autojunk=len(left) + len(right) > LONGEST // 10)
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if tag == "equal":
            yield DiffSegment(DiffSide.BOTH, "".join(left[start:end]))
        else:
            yield DiffSegment(DiffSide.FIRST, "".join(left[start:end]))
            yield DiffSegment(DiffSide.SECOND, "".join(right[other_start:other_end]))
    yield DiffSegment(DiffSide.FIRST, "".join(left[LONGEST:]))
    yield DiffSegment(DiffSide.SECOND, "".join(right[LONGEST:]))


def _joined(stretches: Iterator[DiffSegment]) -> Iterator[DiffSegment]:
    """Drop empty segments and join adjacent ones of the same side."""
    held: DiffSegment | None = None
    for stretch in stretches:
        if not stretch.text:
            continue
        if held is not None and held.side is stretch.side:
            held = DiffSegment(held.side, held.text + stretch.text)
        else:
            if held is not None:
                yield held
            held = stretch
    if held is not None:
        yield held
