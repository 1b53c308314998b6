"""Long lines are cut, and characters are counted as Qt does."""

from hypothesis import given
from hypothesis import strategies as st

from app.ui.document.soft_breaks import LATEST, WANTED, SoftBreaks, TextUnits

PORTIONS = st.lists(st.text(alphabet=st.sampled_from("ab \n한é\u0301👩\u200d"), max_size=3_000), max_size=5)


def _cut(portions: list[str]) -> list[str]:
    """Return the parts of the lines."""
    breaks = SoftBreaks()
    parts = [""]
    for portion in portions:
        first, *others = breaks.split(portion)
        parts[-1] += first
        parts += others
    return parts


@given(PORTIONS)
def test_split_keeps_the_text_and_cuts_long_lines(portions: list[str]) -> None:
    parts = _cut(portions)
    assert "".join(parts) == "".join(portions)
    assert max(len(line) for part in parts for line in part.split("\n")) <= 2 * LATEST + 1


def test_split_of_short_lines_cuts_nothing() -> None:
    text = ("word " * 300 + "\n") * 20
    assert _cut([text[at : at + 7] for at in range(0, len(text), 7)]) == [text]


def test_split_cuts_after_a_space() -> None:
    parts = _cut(["x" * (WANTED - 10), " yyyyyyyyyyyyyyyyy", " zz" * 10])
    assert [len(part) for part in parts] == [WANTED - 10 + 19, 29]
    assert parts[0].endswith("y ")


def test_split_without_a_space_cuts_at_the_limit() -> None:
    assert [len(part) for part in _cut(["x" * 5_000])] == [LATEST, LATEST, 800]


def test_split_keeps_graphemes_whole() -> None:
    family = "👩\u200d👩\u200d👧"
    assert all(part.startswith("👩") for part in _cut(["a" * (LATEST - 1), family * 2_000])[1:])
    assert not any(part.startswith("\u0301") for part in _cut(["e\u0301" * 5_000])[1:])


def test_split_counts_from_a_cut_of_the_caller() -> None:
    breaks = SoftBreaks()
    breaks.split("x" * 1_900)
    breaks.cut_made(100)
    assert breaks.split("x" * 1_000) == ["x" * 1_000]


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
