import pytest

from app.engine.errors import LONGEST_NAME, printable_name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *((name, name) for name in ("model.safetensors", "모델 – größe 🌊.json", "a\u00a0b")),
        *((f"a{sign}b", "a\ufffdb") for sign in ("\n", "\x1b", "\u2028", "\u202e", "\u200b", "\udcff")),
        ("a" * 250 + ".json", f"{'a' * (LONGEST_NAME // 2)}…{'a' * (LONGEST_NAME // 2 - 5)}.json"),
    ],
)
def test_named_is_short_and_has_no_control_characters(name: str, shown: str) -> None:
    assert printable_name(name) == shown
