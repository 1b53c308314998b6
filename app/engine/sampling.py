"""What a request may ask for: one table of ranges, and the check that every request passes before it reaches mlx.

Values out of range poison the generator of random numbers, crash the process or pass in silence as something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from app.engine.types import AT_THE_END, ENDLESS, Failure, Request, TokenPrompt
from app.words import tr

KIND = "setting"
LARGEST_SEED = 2**63 - 1
"""mlx takes twice as many, but a column of SQLite and most of what reads JSON hold no more."""


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
        least, most = number(self.minimum), number(self.maximum)
        if self.besides is None:
            return tr("from {least} to {most}").format(least=least, most=most)
        return tr("{besides} or from {least} to {most}").format(besides=f"{self.besides:g}", least=least, most=most)


_WINDOW = tr("How many of the last tokens the penalty looks at; 0 looks at all of them.")

RANGES: Mapping[str, Range] = MappingProxyType(
    {
        "temperature": Range(
            tr("Temperature"), 0.01, 10, 1, tr("How boldly it chooses; 0 always takes the likeliest token."), besides=0
        ),
        "top_p": Range(tr("Top-p"), 0.01, 1, 1, tr("Keeps the likeliest tokens that together reach this probability.")),
        "top_k": Range(
            tr("Top-k"), 0, 1_000_000, 0, tr("Keeps this many of the likeliest tokens; 0 keeps all."), whole=True
        ),
        "min_p": Range(tr("Min-p"), 0, 1, 0, tr("Drops tokens less likely than this share of the likeliest one.")),
        "min_tokens_to_keep": Range(
            tr("Tokens to keep"), 1, 1_000, 1, tr("How many tokens min-p leaves at least."), whole=True
        ),
        "xtc_probability": Range(tr("XTC probability"), 0, 1, 0, tr("How often the likeliest tokens are passed over.")),
        "xtc_threshold": Range(
            tr("XTC threshold"), 0, 0.5, 0.1, tr("From which probability on XTC passes tokens over.")
        ),
        "repetition_penalty": Range(
            tr("Repetition penalty"),
            0.1,
            10,
            1,
            tr("Above 1 makes tokens that occurred less likely, below 1 likelier."),
        ),
        "repetition_window": Range(tr("Repetition window"), 0, 1_000_000, 20, _WINDOW, whole=True),
        "presence_penalty": Range(
            tr("Presence penalty"), -10, 10, 0, tr("Taken once from the logit of a token that occurred.")
        ),
        "presence_window": Range(tr("Presence window"), 0, 1_000_000, 20, _WINDOW, whole=True),
        "frequency_penalty": Range(
            tr("Frequency penalty"), -10, 10, 0, tr("Taken from the logit for each time it occurred.")
        ),
        "frequency_window": Range(tr("Frequency window"), 0, 1_000_000, 20, _WINDOW, whole=True),
        "logit_bias": Range(tr("Logit bias"), -100, 100, 0, tr("Added to the logit of one token.")),
        "seed": Range(
            tr("Seed"), 0, LARGEST_SEED, 0, tr("The same seed and settings give the same tokens."), whole=True
        ),
        "max_tokens": Range(
            tr("Max tokens"),
            1,
            1_000_000,
            256,
            tr("After how many tokens to end; -1 goes on."),
            whole=True,
            besides=ENDLESS,
        ),
        "observe": Range(tr("Candidates"), 0, 20, 0, tr("How many candidates to record for each token."), whole=True),
        "draft_tokens": Range(
            tr("Draft tokens"), 0, 16, 0, tr("How many tokens the draft model proposes a step."), whole=True
        ),
        "interval": Range(
            tr("Stream interval"), AT_THE_END, 10_000, 1, tr("Hands tokens over every so many."), whole=True
        ),
        "kv_quantized_start": Range(
            tr("KV quantisation start"), 0, 10_000_000, 0, tr("After which token it begins."), whole=True
        ),
        "kv_max_size": Range(
            tr("KV cache size"), 16, 10_000_000, 16, tr("How many tokens the cache keeps."), whole=True
        ),
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
            what = tr("{name} must be {limits}, and is {value}.")
            if limits.whole:
                what = tr("{name} must be a whole number {limits}, and is {value}.")
            todo = tr("Set it within these limits. {explanation}").format(explanation=limits.explanation)
            yield Failure(what.format(name=limits.name, limits=limits, value=value), todo, kind=KIND)
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
    for name, value, choices in (
        (tr("KV bits"), kv.bits, KV_BITS),
        (tr("KV group size"), kv.group_size, KV_GROUP_SIZES),
    ):
        if value is not None and value not in choices:
            what = tr("{name} must be one of {choices}, and is {value}.")
            what = what.format(name=name, choices=", ".join(map(str, choices)), value=value)
            yield Failure(what, tr("Choose one of these."), kind=KIND)


def _small_vocabulary_failures(request: Request, vocabulary: int) -> Iterator[Failure]:
    """These count tokens, so the vocabulary is a limit too: mlx fails at it, and not before the first token."""
    counts = {
        "top_k": request.sampling.top_k,
        "min_tokens_to_keep": request.sampling.min_tokens_to_keep,
        "observe": request.observe,
    }
    for key, value in counts.items():
        if value >= vocabulary:
            what = tr("{name} must be below the model's {vocabulary} tokens, and is {value}.")
            what = what.format(name=RANGES[key].name, vocabulary=number(vocabulary), value=number(value))
            yield Failure(what, tr("Set it to {most} or less.").format(most=number(vocabulary - 1)), kind=KIND)


def _id_failures(request: Request, vocabulary: int) -> Iterator[Failure]:
    ids = {
        tr("Logit bias"): tuple(token_id for token_id, _ in request.sampling.logit_bias),
        tr("Stop ids"): request.limits.stop_ids,
        tr("The prompt"): request.prompt.ids if isinstance(request.prompt, TokenPrompt) else (),
    }
    for name, asked in ids.items():
        unknown = [token_id for token_id in asked if not _is_id(token_id, vocabulary)]
        if unknown:
            what = tr("{name} names the token {token}, which this model does not have.")
            todo = tr("Use token ids from 0 to {most}.").format(most=number(vocabulary - 1))
            yield Failure(what.format(name=name, token=unknown[0]), todo, kind=KIND)


def _is_id(token_id: object, vocabulary: int) -> bool:
    return isinstance(token_id, int) and not isinstance(token_id, bool) and 0 <= token_id < vocabulary
