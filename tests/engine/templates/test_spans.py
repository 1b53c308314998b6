"""Whose text a stretch of a prompt is: found by comparison with the same prompt around stand-ins."""

from hypothesis import given
from hypothesis import strategies as st

from app.engine.templates.template import MessageSpan, cover, find_words
from app.engine.types import Part, PromptSpan
from tests.examples import at_most

USER, MODEL, SYSTEM, TEMPLATE, SPECIAL = Part.USER, Part.MODEL, Part.SYSTEM, Part.TEMPLATE, Part.SPECIAL
MARKS = ["@0@", "@1@", "@2@"]


def found(text: str, said: list[MessageSpan], skeleton: str = "") -> list[tuple[Part, str]]:
    marks = MARKS[: len(said)] if skeleton else []
    return [(span.part, text[span.start : span.end]) for span in find_words(text, said, skeleton, marks)]


def test_words_that_equal_the_template_s_own_are_told_apart() -> None:
    said = [MessageSpan(USER, "user"), MessageSpan(MODEL, "model")]
    text, skeleton = "<user>user<end><model>model<end>", "<user>@0@<end><model>@1@<end>"
    spans = find_words(text, said, skeleton, MARKS[:2])
    assert spans == (PromptSpan(USER, 6, 10), PromptSpan(MODEL, 22, 27))


def test_words_that_hold_the_template_s_own_pieces() -> None:
    said = [MessageSpan(USER, "a<end><model>b"), MessageSpan(MODEL, "c")]
    text, skeleton = "<user>a<end><model>b<end><model>c", "<user>@0@<end><model>@1@"
    assert found(text, said, skeleton) == [(USER, "a<end><model>b"), (MODEL, "c")]


def test_trimmed_words_are_what_is_left_of_them() -> None:
    said = [MessageSpan(USER, "\n  hello "), MessageSpan(MODEL, " yes\n")]
    assert found("<u>hello<e><m> yes<e>", said, "<u>@0@<e><m>@1@<e>") == [(USER, "hello"), (MODEL, " yes")]


def test_altered_words_are_what_stands_between_the_template_s_pieces() -> None:
    said = [MessageSpan(USER, "shout"), MessageSpan(MODEL, "<think>hm</think>yes")]
    assert found("<u>SHOUT<e><m>yes<e>", said, "<u>@0@<e><m>@1@<e>") == [(USER, "SHOUT"), (MODEL, "yes")]


def test_the_order_is_the_template_s() -> None:
    said = [MessageSpan(SYSTEM, "brief"), MessageSpan(USER, "one"), MessageSpan(USER, "two")]
    skeleton = "[@1@][@0@ @2@]"
    assert found("[one][brief two]", said, skeleton) == [(USER, "one"), (SYSTEM, "brief"), (USER, "two")]


def test_words_that_the_template_repeats_are_found_twice() -> None:
    assert found("(hi)(hi)", [MessageSpan(USER, "hi")], "(@0@)(@0@)") == [(USER, "hi"), (USER, "hi")]


def test_searches_in_order_where_the_skeleton_does_not_fit() -> None:
    said = [MessageSpan(USER, " one "), MessageSpan(MODEL, "gone"), MessageSpan(USER, "two")]
    assert found("today: one, then two", said, "yesterday: @0@ @1@ @2@") == [(USER, "one"), (USER, "two")]
    assert found("one two", said) == [(USER, "one"), (USER, "two")]


words = st.text("ab<>@ \n", max_size=8)
pieces = st.text("ab<>", min_size=1, max_size=4)


@given(st.lists(st.tuples(pieces, words), min_size=1, max_size=3), pieces)
@at_most(150)
def test_finds_untouched_words_wherever_the_whole_fits(turns: list[tuple[str, str]], last: str) -> None:
    """Where several readings fit, any will do: the spans must be made of the template's pieces and words in order."""
    said = [MessageSpan(USER, text) for _, text in turns]
    marks = [mark if words.text.strip() else words.text for mark, words in zip(MARKS, said, strict=False)]
    text = "".join(piece + words for piece, words in turns) + last
    skeleton = "".join(piece + mark for (piece, _), mark in zip(turns, marks, strict=True)) + last
    spans = find_words(text, said, skeleton, marks)
    expected = [words for _, words in turns if words.strip()]
    assert [text[span.start : span.end] for span in spans] == expected
    start = 0
    for span in spans:
        assert span.start >= start
        start = span.end


def test_covers_the_text_without_gaps() -> None:
    spans = cover(10, [PromptSpan(USER, 2, 8)], [(0, 1), (4, 6)])
    assert spans == (
        PromptSpan(SPECIAL, 0, 1),
        PromptSpan(TEMPLATE, 1, 2),
        PromptSpan(USER, 2, 4),
        PromptSpan(SPECIAL, 4, 6),
        PromptSpan(USER, 6, 8),
        PromptSpan(TEMPLATE, 8, 10),
    )
    assert cover(0, [], []) == ()
