"""Every value out of range is refused in one sentence that names its control; every other one passes."""

import math
from dataclasses import fields, replace

import pytest

from app.engine.catalogue import SETTINGS
from app.engine.ranges import KV_BITS, KV_GROUP_SIZES, RANGES, Range
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
IN_REQUEST = ("observe", "draft_tokens", "interval")


def with_value(key: str, value: object) -> Request:
    """A request that is all right but for one control."""
    if key in ("max_tokens", "think_budget"):
        return replace(PLAIN, limits=replace(Limits(), **{key: value}))  # type: ignore[arg-type]
    if key == "logit_bias":
        return replace(PLAIN, sampling=Sampling(logit_bias=((7, 0.5), (8, value))))  # type: ignore[arg-type]
    if key.startswith("kv_"):
        return replace(PLAIN, kv=replace(KV(), **{key.removeprefix("kv_"): value}))  # type: ignore[arg-type]
    if key in IN_REQUEST:
        return replace(PLAIN, **{key: value})  # type: ignore[arg-type]
    return replace(PLAIN, sampling=replace(Sampling(), **{key: value}))  # type: ignore[arg-type]


def outside(limits: Range) -> list[object]:
    step = 1 if limits.whole else 0.001
    below = [value for value in (limits.minimum - step,) if value != limits.besides]
    return [*below, limits.maximum + step, math.nan, math.inf, -math.inf, "1", None, True]


def test_the_defaults_pass() -> None:
    assert check(PLAIN, VOCABULARY) is None


@pytest.mark.parametrize("key", [key for key in RANGES if key != "kv_max_size"])
def test_refuses_what_is_outside_and_names_the_control(key: str) -> None:
    for value in outside(RANGES[key]):
        failure = check(with_value(key, value), VOCABULARY)
        assert failure is not None, value
        assert failure.what.startswith(f"{SETTINGS[key].words} must be ")
        assert failure.kind == "setting"


@pytest.mark.parametrize("key", RANGES)
def test_allows_the_limits_and_the_neutral_value(key: str) -> None:
    limits = RANGES[key]
    top = min(limits.maximum, VOCABULARY - 1) if key in ("top_k", "min_tokens_to_keep") else limits.maximum
    for value in (limits.minimum, top, limits.neutral, *(() if limits.besides is None else (limits.besides,))):
        assert check(with_value(key, value), VOCABULARY) is None, value


def test_refuses_a_fraction_where_a_whole_number_is_wanted() -> None:
    for key in (key for key, limits in RANGES.items() if limits.whole):
        assert check(with_value(key, 16.5), VOCABULARY) is not None, key


def test_the_table_covers_every_number_of_the_sampling() -> None:
    assert {field.name for field in fields(Sampling)} <= set(RANGES)


@pytest.mark.parametrize("key", ["top_k", "min_tokens_to_keep"])
def test_counts_of_tokens_stay_below_the_vocabulary(key: str) -> None:
    assert check(with_value(key, VOCABULARY - 1), VOCABULARY) is None
    failure = check(with_value(key, VOCABULARY), VOCABULARY)
    assert failure is not None
    assert "300 tokens" in failure.what


def test_says_both_limits_and_the_value_of_its_own() -> None:
    failure = check(with_value("temperature", -0.5), VOCABULARY)
    assert failure is not None
    assert failure.what == "Temperature must be 0 or from 0.01 to 10, and is -0.5."


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
def test_no_id_beyond_the_vocabulary_passes(request_: Request, name: str) -> None:
    failure = check(request_, VOCABULARY)
    assert failure is not None
    assert failure.what.startswith(name)


def test_the_last_id_passes_everywhere() -> None:
    last = VOCABULARY - 1
    request = Request(
        TokenPrompt((0, last)), Sampling(logit_bias=((last, -100.0),)), Limits(max_tokens=ENDLESS, stop_ids=(last,))
    )
    assert check(replace(request, interval=AT_THE_END), VOCABULARY) is None


def test_quantisation_takes_the_sizes_that_mlx_has() -> None:
    for bits in KV_BITS:
        for group_size in KV_GROUP_SIZES:
            assert check(replace(PLAIN, kv=KV(bits=bits, group_size=group_size)), VOCABULARY) is None
    for kv, name in ((KV(bits=7), "KV bits"), (KV(bits=4, group_size=16), "KV group size")):
        failure = check(replace(PLAIN, kv=kv), VOCABULARY)
        assert failure is not None
        assert failure.what.startswith(name)
