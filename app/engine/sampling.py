"""What a request may ask for: one table of ranges, and the check that every request passes before it reaches mlx.

Values out of range poison the generator of random numbers, crash the process or pass in silence as something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from app.engine.types import AT_THE_END, ENDLESS, Failure, Request, TokenPrompt

KIND = "setting"


@dataclass(frozen=True, slots=True)
class Range:
    """One control: its name as the window shows it, its limits, and the value that changes nothing."""

    name: str
    minimum: float
    maximum: float
    neutral: float
    explanation: str
    whole: bool = False
    besides: float | None = None
    """One value outside the limits that has a meaning of its own."""

    def allows(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int if self.whole else (int, float)):
            return False
        return value == self.besides or self.minimum <= value <= self.maximum

    def __str__(self) -> str:
        besides = "" if self.besides is None else f"{self.besides:g} or "
        return f"{besides}from {number(self.minimum)} to {number(self.maximum)}"


_WINDOW = "How many of the last tokens the penalty looks at; 0 looks at all of them."

RANGES: Mapping[str, Range] = MappingProxyType(
    {
        "temperature": Range(
            "Temperature", 0.01, 10, 1, "How boldly it chooses; 0 always takes the likeliest token.", besides=0
        ),
        "top_p": Range("Top-p", 0.01, 1, 1, "Keeps the likeliest tokens that together reach this probability."),
        "top_k": Range("Top-k", 0, 1_000_000, 0, "Keeps this many of the likeliest tokens; 0 keeps all.", whole=True),
        "min_p": Range("Min-p", 0, 1, 0, "Drops tokens less likely than this share of the likeliest one."),
        "min_tokens_to_keep": Range(
            "Tokens to keep", 1, 1_000, 1, "How many tokens min-p leaves at least.", whole=True
        ),
        "xtc_probability": Range("XTC probability", 0, 1, 0, "How often the likeliest tokens are passed over."),
        "xtc_threshold": Range("XTC threshold", 0, 0.5, 0.1, "From which probability on XTC passes tokens over."),
        "repetition_penalty": Range(
            "Repetition penalty", 0.1, 10, 1, "Above 1 makes tokens that occurred less likely, below 1 likelier."
        ),
        "repetition_window": Range("Repetition window", 0, 1_000_000, 20, _WINDOW, whole=True),
        "presence_penalty": Range(
            "Presence penalty", -10, 10, 0, "Taken once from the logit of a token that occurred."
        ),
        "presence_window": Range("Presence window", 0, 1_000_000, 20, _WINDOW, whole=True),
        "frequency_penalty": Range("Frequency penalty", -10, 10, 0, "Taken from the logit for each time it occurred."),
        "frequency_window": Range("Frequency window", 0, 1_000_000, 20, _WINDOW, whole=True),
        "logit_bias": Range("Logit bias", -100, 100, 0, "Added to the logit of one token."),
        "seed": Range("Seed", 0, 2**64 - 1, 0, "The same seed and settings give the same tokens.", whole=True),
        "max_tokens": Range(
            "Max tokens", 1, 1_000_000, 256, "After how many tokens to end; -1 goes on.", whole=True, besides=ENDLESS
        ),
        "observe": Range("Candidates", 0, 20, 0, "How many candidates to record for each token.", whole=True),
        "draft_tokens": Range("Draft tokens", 0, 16, 0, "How many tokens the draft model proposes a step.", whole=True),
        "interval": Range("Stream interval", AT_THE_END, 10_000, 1, "Hands tokens over every so many.", whole=True),
        "kv_quantized_start": Range(
            "KV quantisation start", 0, 10_000_000, 0, "After which token it begins.", whole=True
        ),
        "kv_max_size": Range("KV cache size", 16, 10_000_000, 16, "How many tokens the cache keeps.", whole=True),
    }
)
KV_BITS = (2, 3, 4, 5, 6, 8)
KV_GROUP_SIZES = (32, 64, 128)


def check(request: Request, vocabulary: int) -> Failure | None:
    """The first value that must not reach the model, in a sentence that names its control; None if all may."""
    return next(_failures(request, vocabulary), None)


def number(value: float) -> str:
    """A limit as a person writes it."""
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _failures(request: Request, vocabulary: int) -> Iterator[Failure]:
    for key, value in _values(request):
        limits = RANGES[key]
        if not limits.allows(value):
            whole = "a whole number " if limits.whole else ""
            what = f"{limits.name} must be {whole}{limits}, and is {value}."
            yield Failure(what, f"Set it within these limits. {limits.explanation}", kind=KIND)
    yield from _kv_failures(request)
    yield from _small_vocabulary_failures(request, vocabulary)
    yield from _id_failures(request, vocabulary)


def _values(request: Request) -> Iterator[tuple[str, object]]:
    """Every number of a request under its name in the table."""
    sampling, kv = request.sampling, request.kv
    yield from ((field.name, getattr(sampling, field.name)) for field in fields(sampling) if field.name != "logit_bias")
    yield from (("logit_bias", bias) for _, bias in sampling.logit_bias)
    yield "max_tokens", request.limits.max_tokens
    yield from ((name, getattr(request, name)) for name in ("observe", "draft_tokens", "interval"))
    yield "kv_quantized_start", kv.quantized_start
    if kv.max_size is not None:
        yield "kv_max_size", kv.max_size


def _kv_failures(request: Request) -> Iterator[Failure]:
    kv = request.kv
    for name, value, choices in (("KV bits", kv.bits, KV_BITS), ("KV group size", kv.group_size, KV_GROUP_SIZES)):
        if value is not None and value not in choices:
            listed = ", ".join(map(str, choices))
            yield Failure(f"{name} must be one of {listed}, and is {value}.", "Choose one of these.", kind=KIND)


def _small_vocabulary_failures(request: Request, vocabulary: int) -> Iterator[Failure]:
    """These count tokens, so the vocabulary is a limit too: mlx fails at it, and not before the first token."""
    counts = {
        "top_k": request.sampling.top_k,
        "min_tokens_to_keep": request.sampling.min_tokens_to_keep,
        "observe": request.observe,
    }
    for key, value in counts.items():
        if value >= vocabulary:
            what = f"{RANGES[key].name} must be below the model's {number(vocabulary)} tokens, and is {number(value)}."
            yield Failure(what, f"Set it to {number(vocabulary - 1)} or less.", kind=KIND)


def _id_failures(request: Request, vocabulary: int) -> Iterator[Failure]:
    ids = {
        "Logit bias": tuple(token_id for token_id, _ in request.sampling.logit_bias),
        "Stop ids": request.limits.stop_ids,
        "The prompt": request.prompt.ids if isinstance(request.prompt, TokenPrompt) else (),
    }
    for name, asked in ids.items():
        unknown = [token_id for token_id in asked if not _is_id(token_id, vocabulary)]
        if unknown:
            what = f"{name} names the token {unknown[0]}, which this model does not have."
            yield Failure(what, f"Use token ids from 0 to {number(vocabulary - 1)}.", kind=KIND)


def _is_id(token_id: object, vocabulary: int) -> bool:
    return isinstance(token_id, int) and not isinstance(token_id, bool) and 0 <= token_id < vocabulary
