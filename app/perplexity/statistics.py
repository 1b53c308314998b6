"""Statistics of a scored text, of its parts, and of the differences of two models."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.engine.meter.speeds import percentile
from app.engine.types import ExactPrompt, TokenDifference

STRETCH = 64
"""Size of the smallest block of tokens. A block counts as one observation, since adjacent surprisals are correlated."""
LONGEST_BLOCK = 256
LEAST_BLOCKS = 8
"""A block of a longer text is an eighth of it, up to LONGEST_BLOCK: the surprisals of a topic are correlated, too."""
LN_2 = math.log(2)
NINETY_FIVE = 1.959964


@dataclass(frozen=True, slots=True)
class PerplexityMetrics:
    tokens: int
    nats_per_token: float
    standard_error: float | None
    """None if the text is one block."""
    perplexity: float
    bits_per_byte: float
    perplexity_standard_error: float | None
    bits_per_byte_standard_error: float | None
    each: tuple[float, ...]
    """Surprisal of each counted token in nats, in order."""


@dataclass(frozen=True, slots=True)
class ModelDifference:
    """Differences of two models on one text, in nats. `kl_bounds`: bounds of `kl_mean`."""

    kl_mean: float
    kl_standard_error: float | None
    kl_bounds: tuple[float, float]
    kl_p99: float
    kl_each: tuple[float, ...]
    kl_back: float | None
    jensen_shannon: float | None
    same_first: float
    same_ten: float
    own_difference: float | None
    """The second model's mean surprisal minus the first one's, in nats."""
    kl_back_standard_error: float | None
    jensen_shannon_standard_error: float | None
    same_first_standard_error: float | None
    same_ten_standard_error: float | None
    own_difference_standard_error: float | None


def perplexity_metrics(nats: Sequence[float], size: int) -> PerplexityMetrics:
    """Compute the statistics of at least one token; `size` is in bytes."""
    mean, error = _mean(nats), standard_error(nats)
    perplexity = math.exp(mean) if mean < math.log(1e300) else math.inf
    per_byte = len(nats) / LN_2 / size if size else math.inf
    return PerplexityMetrics(
        len(nats),
        mean,
        error,
        perplexity,
        mean * per_byte,
        None if error is None else perplexity * error,
        None if error is None else per_byte * error,
        tuple(nats),
    )


def model_difference(found: Sequence[TokenDifference], own: Sequence[float] = ()) -> ModelDifference:
    """Compute the differences of two models. If only bounds are known, the values of tokens are lower bounds.

    `own`: the second model's surprisal minus the first one's, for each token.
    """
    low = [each.lowest for each in found]
    back, between = _all_or_none([each.back for each in found]), _all_or_none([each.between for each in found])
    first, ten = [float(each.same_first) for each in found], [each.same_ten for each in found]
    means = [_mean(values) if values else None for values in (back, between, own)]
    return ModelDifference(
        _mean(low),
        standard_error(low),
        (_mean(low), _mean([each.highest for each in found])),
        percentile(sorted(low), 99),
        tuple(low),
        means[0],
        means[1],
        _mean(first),
        _mean(ten),
        means[2],
        *(standard_error(values) if values else None for values in (back, between, first, ten, own)),
    )


def standard_error(values: Sequence[float], positions: Sequence[int] | None = None) -> float | None:
    """Return the standard error of the mean, from blocks and the covariance of adjacent ones; None for one block.

    `positions`: the positions of the values in the text, unless they are all positions.
    """
    mean, off = _mean(values), dict[int, float]()
    positions = range(len(values)) if positions is None else positions
    size = _block_size(positions[-1] + 1)
    for value, position in zip(values, positions, strict=True):
        block = position // size
        off[block] = off.get(block, 0.0) + value - mean
    if len(off) < 2:
        return None
    alone = math.fsum(each * each for each in off.values())
    common = 2 * math.fsum(each * off.get(block + 1, 0.0) for block, each in off.items())
    return math.sqrt((alone + max(0.0, common)) * len(off) / (len(off) - 1)) / len(values)


def margin(error: float, tokens: int) -> float:
    """Return the half-width of the 95 % confidence interval; wider for few blocks."""
    free, z = max(1, -(-tokens // _block_size(tokens)) - 1), NINETY_FIVE
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return error * (z + first / free + second / free**2 + third / free**3)


def _block_size(tokens: int) -> int:
    return min(LONGEST_BLOCK, max(STRETCH, -(-tokens // LEAST_BLOCKS)))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _all_or_none(values: Sequence[float | None]) -> list[float]:
    """Return all values; empty if any is None."""
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else []


LEAST_CONTEXT = 16
CODE = re.compile(r"^```.*?(?:^```|\Z)|^(?: {4}|\t)[^\n]*", re.MULTILINE | re.DOTALL)
"""Markdown code blocks: fenced or indented."""


class TokenKind(StrEnum):
    """The kind of most of a token's characters."""

    WORDS = "words"
    DIGITS = "digits"
    PUNCTUATION = "punctuation"
    CODE = "code"
    BLANKS = "blanks"


@dataclass(frozen=True, slots=True)
class TokenGroup:
    """Mean values of a group of tokens. `start`: the group's first token, as an index into the counted tokens."""

    name: str | int
    start: int
    tokens: int
    nats_per_token: float
    standard_error: float | None
    kl_mean: float | None


def by_kind(
    prompt: ExactPrompt, positions: Sequence[int], nats: Sequence[float], kl: Sequence[float]
) -> list[TokenGroup]:
    """Group the tokens by kind, the most frequent kind first."""
    found = _token_groups([str(each) for each in kinds(prompt, positions)], nats, kl)
    return sorted(found, key=lambda each: -each.tokens)


def by_stretch(nats: Sequence[float], kl: Sequence[float]) -> list[TokenGroup]:
    """Group the tokens by blocks of `STRETCH`, in the order of the text; a name is the block's number."""
    return _token_groups([position // STRETCH for position in range(len(nats))], nats, kl)


def by_context(before: Sequence[int], nats: Sequence[float], kl: Sequence[float]) -> list[TokenGroup]:
    """Group the tokens by the length of their context.

    A name n means n to 2n - 1 tokens of context; 0: fewer than LEAST_CONTEXT.
    """
    names = [1 << (each.bit_length() - 1) if each >= LEAST_CONTEXT else 0 for each in before]
    found = _token_groups(names, nats, kl)
    return sorted(found, key=lambda each: int(each.name))


def kinds(prompt: ExactPrompt, positions: Sequence[int]) -> list[TokenKind]:
    code = bytearray(len(prompt.text))
    for found in CODE.finditer(prompt.text):
        code[found.start() : found.end()] = b"\1" * (found.end() - found.start())
    return [_kind(prompt.text[slice(*prompt.offsets[at])], any(code[slice(*prompt.offsets[at])])) for at in positions]


def _kind(text: str, in_code: bool) -> TokenKind:
    if in_code:
        return TokenKind.CODE
    if not text.strip():
        return TokenKind.BLANKS
    if any(map(str.isalpha, text)):
        return TokenKind.WORDS
    return TokenKind.DIGITS if any(map(str.isdigit, text)) else TokenKind.PUNCTUATION


def _token_groups(names: Sequence[str | int], nats: Sequence[float], kl: Sequence[float]) -> list[TokenGroup]:
    positions: dict[str | int, list[int]] = {}
    for position, name in enumerate(names):
        positions.setdefault(name, []).append(position)
    found = []
    for name, at in positions.items():
        own = [nats[position] for position in at]
        known_kl = [kl[position] for position in at if position < len(kl)]
        found.append(
            TokenGroup(
                name,
                at[0],
                len(own),
                _mean(own),
                standard_error(own, at),
                _mean(known_kl) if known_kl else None,
            )
        )
    return found
