import math

import pytest

from app.engine.ranges import (
    LONGEST_FORM,
    LONGEST_STRING,
    MOST_ITEMS,
    clamped_arguments,
    clamped_format,
    clamped_kv,
    clamped_limits,
    clamped_number,
    clamped_sampling,
    clamped_seed,
)
from app.engine.types import ENDLESS, KV, FormatKind, Limits, OutputFormat, Sampling


def test_clamped_values_in_range_stay() -> None:
    sampling = Sampling(temperature=0, top_k=40, logit_bias=((3, -1.5), (9, 100.0)), seed=2**63 - 1)
    limits = Limits(ENDLESS, ("\n\n", "end"), (7,))
    kv = KV(bits=4, group_size=32, max_size=64)
    assert (clamped_sampling(sampling), clamped_limits(limits), clamped_kv(kv)) == (sampling, limits, kv)
    assert (clamped_seed(None), clamped_seed(5), clamped_number("observe", 20, 0)) == (None, 5, 20)


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(temperature=-5.0, top_p=math.nan, min_p=math.inf, repetition_penalty=0.0),
        Sampling(top_k=2**63 - 1, seed=-1, logit_bias=((-1, 1.0), (1, 1e308), (2, math.nan))),
    ],
)
def test_clamped_sampling_out_of_range_is_the_default(sampling: Sampling) -> None:
    assert clamped_sampling(sampling) == Sampling()


def test_clamped_values_out_of_range_are_defaults() -> None:
    assert clamped_limits(Limits(2**62, ("", "a" * (LONGEST_STRING + 1)), (-1,))) == Limits()
    assert clamped_kv(KV(bits=7)) == clamped_kv(KV(max_size=-4)) == KV()
    assert clamped_sampling(Sampling(seed=2**63)).seed == 0
    assert clamped_seed(2**63) is None
    endless = (("deep", True), ("a", math.nan), ("b", -math.inf), ("c", 2), ("d", 0.5))
    assert clamped_arguments(endless) == (("deep", True), ("c", 2), ("d", 0.5))
    assert (clamped_seed(-1), clamped_number("draft_tokens", 10**9, 3)) == (None, 3)


def test_clamped_form_drops_only_a_long_text() -> None:
    kept = OutputFormat(FormatKind.CHOICES, choices="yes", schema="a" * (LONGEST_FORM + 1))
    assert clamped_format(kept) == OutputFormat(FormatKind.CHOICES, choices="yes")


def test_clamped_lists_are_cut() -> None:
    assert len(clamped_sampling(Sampling(logit_bias=((1, 1.0),) * 30_000)).logit_bias) == MOST_ITEMS
    limits = clamped_limits(Limits(stop_strings=("a",) * 30_000, stop_ids=(1,) * 30_000))
    assert len(limits.stop_strings) == len(limits.stop_ids) == MOST_ITEMS
