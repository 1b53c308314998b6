from dataclasses import fields

import pytest

from app.controls import Controls
from app.engine.catalogue import SETTINGS, PanelSection, names_in, needed_by, setting_name
from app.engine.ranges import RANGES
from app.engine.types import KV, Limits, OutputFormat, Sampling


def test_catalogue_has_every_setting() -> None:
    parts = {"sampling", "limits", "kv", "form"}
    names = {each.name for kind in (Controls, Sampling, Limits) for each in fields(kind)} - parts
    names |= {f"kv_{each.name}" for each in fields(KV)} | {f"form_{each.name}" for each in fields(OutputFormat)}
    assert names | RANGES.keys() <= SETTINGS.keys()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sampling.top_p", "top-p"),
        ("sampling.xtc_probability", "XTC probability"),
        ("sampling.top_n_sigma", "top-nσ"),
        ("kv.max_size", "KV cache size"),
        ("form.kind", "output format"),
        ("observe", "alternatives"),
        ("limits.of_the_future", "of the future"),
    ],
)
def test_setting_name_within_a_sentence(name: str, said: str) -> None:
    assert setting_name(name) == said


def test_needed_by_a_threshold_names_its_setting_and_the_temperature() -> None:
    assert needed_by("xtc_threshold") == ("xtc_probability", "temperature")
    assert needed_by("top_n_sigma") == ("temperature",)
    assert needed_by("repetition_window") == ("repetition_penalty",)


def test_names_in_the_panel_are_all_numbers_of_sampling_but_the_seed() -> None:
    numbers = {each.name for each in fields(Sampling)} - {"seed", "logit_bias"}
    assert set(names_in(*PanelSection)) == numbers
