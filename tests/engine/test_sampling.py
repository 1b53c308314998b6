import math
from dataclasses import replace
from itertools import product

import pytest

from app.engine.catalogue import SETTINGS
from app.engine.ranges import KV_BITS, KV_GROUP_SIZES, RANGES, NumberRange
from app.engine.sampling import check
from app.engine.types import (
    AT_THE_END,
    ENDLESS,
    KV,
    Limits,
    RawPrompt,
    Request,
    Sampling,
    TokenPrompt,
)

VOCABULARY = 300
PLAIN = Request(RawPrompt("Once"))
IN_REQUEST = ("observe", "draft_tokens", "lookup_tokens", "interval", "prefill_step")


def with_value(key: str, value: object) -> Request:
    if key in ("max_tokens", "think_budget"):
        return replace(PLAIN, limits=replace(Limits(), **{key: value}))  # type: ignore[arg-type]
    if key == "logit_bias":
        return replace(PLAIN, sampling=Sampling(logit_bias=((7, 0.5), (8, value))))  # type: ignore[arg-type]
    if key.startswith("kv_"):
        return replace(PLAIN, kv=replace(KV(), **{key.removeprefix("kv_"): value}))  # type: ignore[arg-type]
    if key in IN_REQUEST:
        return replace(PLAIN, **{key: value})  # type: ignore[arg-type]
    return replace(PLAIN, sampling=replace(Sampling(), **{key: value}))  # type: ignore[arg-type]


def outside(limits: NumberRange) -> list[object]:
    step = 1 if limits.whole else 0.001
    below = [value for value in (limits.minimum - step,) if value != limits.besides]
    return [*below, limits.maximum + step, math.nan, math.inf, -math.inf, "1", None, True]


@pytest.mark.parametrize("key", [key for key in RANGES if key != "kv_max_size"])
def test_check_value_out_of_range_names_the_setting(key: str) -> None:
    for value in outside(RANGES[key]):
        failure = check(with_value(key, value), VOCABULARY)
        assert failure is not None, value
        assert failure.what.startswith(f"{SETTINGS[key].words} must be ")
        assert failure.kind == "setting"


@pytest.mark.parametrize("key", RANGES)
def test_check_limits_and_neutral_value_pass(key: str) -> None:
    limits = RANGES[key]
    top = min(limits.maximum, VOCABULARY - 1) if key in ("top_k", "min_tokens_to_keep") else limits.maximum
    for value in (limits.minimum, top, limits.neutral, *(() if limits.besides is None else (limits.besides,))):
        assert check(with_value(key, value), VOCABULARY) is None, value


def test_check_fraction_or_value_out_of_range_names_the_limits() -> None:
    for key in (key for key, limits in RANGES.items() if limits.whole):
        assert check(with_value(key, 16.5), VOCABULARY) is not None, key
    failure = check(with_value("temperature", -0.5), VOCABULARY)
    assert failure is not None and failure.what == "Temperature must be 0 or from 0.01 to 10, and is -0.5."


@pytest.mark.parametrize("key", ["top_k", "min_tokens_to_keep"])
def test_check_token_counts_stay_below_the_vocabulary(key: str) -> None:
    failure = check(with_value(key, VOCABULARY), VOCABULARY)
    assert failure is not None and "300 tokens" in failure.what


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        (replace(PLAIN, prompt=TokenPrompt((1, VOCABULARY))), "The prompt"),
        (replace(PLAIN, prompt=TokenPrompt((1, -1))), "The prompt"),
        (replace(PLAIN, limits=Limits(stop_ids=(VOCABULARY,))), "Stop tokens"),
        (replace(PLAIN, sampling=Sampling(logit_bias=((VOCABULARY, 1.0),))), "Logit bias"),
        (replace(PLAIN, sampling=Sampling(logit_bias=(("7", 1.0),))), "Logit bias"),  # type: ignore[arg-type]
    ],
)
def test_check_id_beyond_the_vocabulary_is_refused(request_: Request, name: str) -> None:
    failure = check(request_, VOCABULARY)
    assert failure is not None and failure.what.startswith(name)


def test_check_last_id_passes() -> None:
    last = VOCABULARY - 1
    request = Request(
        TokenPrompt((0, last)), Sampling(logit_bias=((last, -100.0),)), Limits(max_tokens=ENDLESS, stop_ids=(last,))
    )
    assert check(replace(request, interval=AT_THE_END), VOCABULARY) is None


def test_check_kv_sizes_are_those_of_mlx() -> None:
    for bits, group_size in product(KV_BITS, KV_GROUP_SIZES):
        assert check(replace(PLAIN, kv=KV(bits=bits, group_size=group_size)), VOCABULARY) is None
    for kv, name in ((KV(bits=7), "KV bits"), (KV(bits=4, group_size=16), "KV group size")):
        failure = check(replace(PLAIN, kv=kv), VOCABULARY)
        assert failure is not None and failure.what.startswith(name)
