"""Which tokens of a text count, and in which windows a long one is read."""

from hypothesis import given
from hypothesis import strategies as st

from app.engine.types import ExactPrompt, Part, PromptSpan
from app.weighing.passage import passage, windows


def exact(*tokens: tuple[str, Part], raw: bool = False) -> ExactPrompt:
    """Each token is a stretch of its own."""
    spans, offsets, at = [], [], 0
    for text, part in tokens:
        offsets.append((at, at + len(text)))
        spans.append(PromptSpan(part, at, at + len(text)))
        at += len(text)
    return ExactPrompt(
        "".join(text for text, _ in tokens), tuple(range(len(tokens))), tuple(offsets), tuple(spans), raw=raw
    )


def test_of_a_page_everything_counts_but_what_has_nothing_before_it() -> None:
    found = passage(exact(("Ünd", Part.USER), (" so", Part.USER), (" weiter", Part.USER), raw=True))
    assert (found.counted, found.bytes) == ((1, 2), 10)


def test_a_token_before_any_text_does_not_count() -> None:
    found = passage(exact(("<s>", Part.SPECIAL), ("Ünd", Part.USER), raw=True))
    assert (found.counted, found.bytes) == ((1,), 4)


def test_of_a_conversation_the_answers_count() -> None:
    asked = exact(
        ("<u>", Part.TEMPLATE), ("Hi", Part.USER), ("<a>", Part.TEMPLATE), ("Ho", Part.MODEL), ("!", Part.MODEL)
    )
    found = passage(asked)
    assert (found.counted, found.bytes) == ((3, 4), 3)


def test_a_letter_of_several_tokens_is_counted_once_in_bytes() -> None:
    prompt = ExactPrompt(
        "a🌊", (1, 2, 3, 4), ((0, 1), (1, 2), (1, 2), (1, 2)), (PromptSpan(Part.USER, 0, 2),), raw=True
    )
    assert (passage(prompt).counted, passage(prompt).bytes) == ((1, 2, 3), 4)


@given(st.integers(1, 3_000), st.integers(2, 700))
def test_each_place_is_read_once_and_with_half_a_context_before_it(length: int, context: int) -> None:
    parts = windows(length, context)
    fresh = [place for part in parts for place in range(part.fresh, part.end)]
    assert fresh == list(range(length))
    assert all(part.end - part.start <= context for part in parts)
    assert all(part.fresh - part.start >= (context + 1) // 2 for part in parts[1:])


def test_where_no_context_is_known_there_is_one_window() -> None:
    assert len(windows(1_000_000, None)) == 1
