"""The catalogue has every setting, and says each in a line as well as at length."""

from dataclasses import fields

import pytest

from app.controls import Controls
from app.engine.catalogue import SETTINGS, Setting, setting_name
from app.engine.ranges import RANGES
from app.engine.types import KV, Form, Limits, Sampling


def test_every_setting_is_in_it() -> None:
    parts = {"sampling", "limits", "kv", "form"}
    names = {each.name for kind in (Controls, Sampling, Limits) for each in fields(kind)} - parts
    names |= {f"kv_{each.name}" for each in fields(KV)} | {f"form_{each.name}" for each in fields(Form)}
    assert names | RANGES.keys() <= SETTINGS.keys()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sampling.top_p", "top-p"),
        ("sampling.xtc_probability", "XTC probability"),
        ("kv.max_size", "KV cache size"),
        ("form.kind", "output format"),
        ("observe", "alternatives"),
        ("limits.of_the_future", "of the future"),
    ],
)
def test_a_setting_in_a_line(name: str, said: str) -> None:
    assert setting_name(name) == said


def test_all_that_is_said_of_one() -> None:
    assert Setting("Seed", "It begins.", "Left empty, it differs.").text == "It begins. Left empty, it differs."
    assert Setting("Seed", "It begins.").text == "It begins."
