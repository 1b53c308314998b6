"""Checks that each number of a request is in its range before it reaches mlx.

mlx accepts some values out of range without an error. They damage the random state, crash the process or are read as
another setting.
"""

from collections.abc import Iterator
from dataclasses import fields

from app.engine.catalogue import SETTINGS
from app.engine.ranges import KV_BITS, KV_GROUP_SIZES, RANGES, number
from app.engine.types import Failure, Request, TokenPrompt
from app.i18n import tr

KIND = "setting"
OWN_NUMBERS = ("observe", "draft_tokens", "lookup_tokens", "interval", "prefill_step")


def check(request: Request, vocabulary: int) -> Failure | None:
    """Return a failure for the first invalid setting; None if all are valid."""
    return next(_failures(request, vocabulary), None)


def _failures(request: Request, vocabulary: int) -> Iterator[Failure]:
    for key, value in _values(request):
        limits, setting = RANGES[key], SETTINGS[key]
        if not limits.allows(value):
            what = tr("{name} must be {limits}, and is {value}.")
            if limits.whole:
                what = tr("{name} must be a whole number {limits}, and is {value}.")
            todo = tr("Set it within these limits. {explanation}").format(explanation=setting.meaning)
            yield Failure(what.format(name=setting.words, limits=limits, value=value), todo, kind=KIND)
    yield from _kv_failures(request)
    yield from _small_vocabulary_failures(request, vocabulary)
    yield from _id_failures(request, vocabulary)


def _values(request: Request) -> Iterator[tuple[str, object]]:
    """Yield every number of a request with its name in `app.engine.ranges`."""
    sampling, kv = request.sampling, request.kv
    yield from ((field.name, getattr(sampling, field.name)) for field in fields(sampling) if field.name != "logit_bias")
    yield from (("logit_bias", bias) for _, bias in sampling.logit_bias)
    yield from ((name, getattr(request.limits, name)) for name in ("max_tokens", "think_budget"))
    yield from ((name, getattr(request, name)) for name in OWN_NUMBERS)
    yield "kv_quantized_start", kv.quantized_start
    if kv.max_size is not None:
        yield "kv_max_size", kv.max_size


def _kv_failures(request: Request) -> Iterator[Failure]:
    kv = request.kv
    for name, value, choices in (
        (SETTINGS["kv_bits"].words, kv.bits, KV_BITS),
        (SETTINGS["kv_group_size"].words, kv.group_size, KV_GROUP_SIZES),
    ):
        if value is not None and value not in choices:
            what = tr("{name} must be one of {choices}, and is {value}.")
            what = what.format(name=name, choices=", ".join(map(str, choices)), value=value)
            yield Failure(what, tr("Choose one of these."), kind=KIND)


def _small_vocabulary_failures(request: Request, vocabulary: int) -> Iterator[Failure]:
    """Check settings that count tokens against the vocabulary: mlx fails at larger values after the first token."""
    for key, value in _values(request):
        if RANGES[key].is_token_count and isinstance(value, int) and value >= vocabulary:
            what = tr("{name} must be below the model's {vocabulary} tokens, and is {value}.")
            what = what.format(name=SETTINGS[key].words, vocabulary=number(vocabulary), value=number(value))
            yield Failure(what, tr("Set it to {most} or less.").format(most=number(vocabulary - 1)), kind=KIND)


def _id_failures(request: Request, vocabulary: int) -> Iterator[Failure]:
    ids = {
        SETTINGS["logit_bias"].words: tuple(token_id for token_id, _ in request.sampling.logit_bias),
        SETTINGS["stop_ids"].words: request.limits.stop_ids,
        tr("The prompt"): request.prompt.ids if isinstance(request.prompt, TokenPrompt) else (),
    }
    for name, asked in ids.items():
        if not _are_ids(asked, vocabulary):
            unknown = [token_id for token_id in asked if not _are_ids((token_id,), vocabulary)]
            what = tr("{name} contains token {token}, which this model does not have.")
            todo = tr("Use token ids from 0 to {most}.").format(most=number(vocabulary - 1))
            yield Failure(what.format(name=name, token=unknown[0]), todo, kind=KIND)


def _are_ids(asked: tuple[int, ...], vocabulary: int) -> bool:
    """Return whether these are valid ids. All are checked at once with C functions, since a prompt may be long."""
    return not asked or (set(map(type, asked)) == {int} and min(asked) >= 0 and max(asked) < vocabulary)
