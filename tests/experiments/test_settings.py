"""Settings by name, as they stand on a command line."""

from dataclasses import replace

import pytest

from app.engine.types import Failure
from app.experiments.settings import full_name, kinds, put, read_axis, told
from app.experiments.types import Axis
from app.records.settings_of import settings_of
from tests.experiments.making import REQUEST


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("temperature=0,0.7", Axis("sampling.temperature", (0.0, 0.7))),
        ("top-k=40", Axis("sampling.top_k", (40,))),
        ("kv.bits=none,8,4", Axis("kv.bits", (None, 8, 4))),
        ("bits=none", Axis("kv.bits", (None,))),
        ("reuse=on,off", Axis("kv.reuse", (True, False))),
        ("draft_tokens=0,3", Axis("draft_tokens", (0, 3))),
        ("max_tokens=20", Axis("limits.max_tokens", (20,))),
    ],
)
def test_an_axis_in_words(text: str, axis: Axis) -> None:
    assert read_axis(text) == axis


@pytest.mark.parametrize("text", ["heat=1", "temperature", "temperature=warm", "top_k=1.5", "reuse=maybe", "prompt=x"])
def test_what_is_none_is_refused(text: str) -> None:
    refused = read_axis(text)
    assert isinstance(refused, Failure)
    assert refused.what and refused.todo


def test_every_setting_can_be_put_and_is_the_one_that_runs_are_compared_by() -> None:
    known = dict(settings_of(REQUEST))
    for name, allowed in kinds().items():
        assert name in known and full_name(name) == name
        value = next(value for kind, value in ((bool, False), (int, 7), (float, 0.5)) if kind in allowed)
        assert dict(settings_of(put(REQUEST, name, value)))[name] == value
    changed = put(REQUEST, "sampling.top_p", 0.5)
    assert changed == replace(REQUEST, sampling=replace(REQUEST.sampling, top_p=0.5))


def test_values_in_words() -> None:
    assert [told(value) for value in (0.30000000000000004, 1.0, 7, None, True, "x")] == [
        "0.3",
        "1",
        "7",
        "none",
        "on",
        "x",
    ]
