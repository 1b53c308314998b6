"""One token in words."""

import pytest

from app.engine.meter.trace import Origin, Trace
from app.engine.types import Token
from app.ui.tokens.words import legible, tell
from tests.ui.tokens.answers import forbidding, traced


def test_tells_what_is_known() -> None:
    trace, _ = traced(["One", " two"], sure=[0.123, 0.5])
    assert tell(trace, 0) == "“One”, 12 % likely"
    assert tell(trace, 1) == "“␣two”, 50 % likely, 10 ms after the last token"
    bare, _ = traced(["One", "\n\n"])
    assert tell(bare, 1) == "“⏎⏎”, 10 ms after the last token"


def test_tells_who_put_it_there() -> None:
    trace, _ = traced(["One"], origin=Origin.USER)
    assert tell(trace, 0) == "“One”, put there by you"
    trace, _ = traced(["One"], origin=Origin.DRAFT)
    assert tell(trace, 0) == "“One”, from the draft model"


def test_parts_of_a_character_are_told_by_it() -> None:
    trace, _ = traced(["", "", "한", ""])
    assert [tell(trace, place).partition(", ")[0] for place in range(4)] == [
        "part 1 of 3 of “한”",
        "part 2 of 3 of “한”",
        "part 3 of 3 of “한”",
        "a token without text",
    ]
    ended, _ = traced(["One", ""], sure=[0.5, 0.5])
    assert tell(ended, 1).startswith("“a”, 50 % likely"), "as the alternatives have it"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b", "a␣b"),
        ("\ufe0f", "U+FE0F"),
        ("é", "é"),
        ("e\u0301", "e\u0301"),
        ("\u0301", "U+0301"),
        ("\u200b\t", "U+200B⇥"),
        ("🌊", "🌊"),
    ],
)
def test_nothing_in_a_text_is_missed(text: str, shown: str) -> None:
    assert legible(text) == shown


def test_tells_what_the_form_did() -> None:
    trace = Trace()
    trace.begin_run()
    looks = (forbidding(0.9, 0.6, forced=True), forbidding(0.3, 0.2))
    trace.extend([Token(at, at, "{", (), 0.1, False, seen) for at, seen in enumerate(looks)])
    assert tell(trace, 0) == "“{”, 100 % likely, forced by the form, in place of “␣no”, which the form forbade"
    assert "form" not in tell(trace, 1), "its own first choice was allowed"
