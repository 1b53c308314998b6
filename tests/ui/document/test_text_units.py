"""Characters as Python and as Qt count them."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.document.text_units import TextUnits


@given(st.lists(st.text(alphabet=st.sampled_from("ab\n한é🌊👩\u200d\U0010ffff"))))
def test_text_units_count_as_utf_16_does(portions: list[str]) -> None:
    units = TextUnits()
    for portion in portions:
        units.add(portion)
    text, at = "".join(portions), 0
    for number, character in enumerate(text):
        assert units.unit(number) == at
        for within in range(len(character.encode("utf-16-le")) // 2):
            assert units.character(at + within) == number
        at += len(character.encode("utf-16-le")) // 2
    assert units.unit(len(text)) == at
    assert units.character(at) == len(text)
