"""File names within sentences."""

import pytest

from app.engine.errors import LONGEST_NAME, named


@pytest.mark.parametrize("name", ["model.safetensors", "모델 – größe 🌊.json", "a\u00a0b"])
def test_named_usual_name_stays(name: str) -> None:
    assert named(name) == name


@pytest.mark.parametrize("sign", ["\n", "\x1b", "\u2028", "\u202e", "\u200b", "\udcff"])
def test_named_replaces_control_characters(sign: str) -> None:
    assert named(f"a{sign}b") == "a\ufffdb"


def test_named_long_name_keeps_both_ends() -> None:
    short = named("a" * 250 + ".json")
    assert len(short) == LONGEST_NAME + 1
    assert short.startswith("aaa") and short.endswith("aaa.json")
