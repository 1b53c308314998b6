import pytest

from app.engine.meter.trace import Origin, Trace
from app.engine.types import Token
from app.ui.tokens.words import describe_token, legible
from tests.ui.tokens.answers import forbidding, traced


def test_describe_token_shows_known_values() -> None:
    trace, _ = traced(["One", " two"], sure=[0.123, 0.5])
    assert describe_token(trace, 0) == "“One”, probability 12 %"
    assert describe_token(trace, 1) == "“␣two”, probability 50 %, latency 10 ms"
    bare, _ = traced(["One", "\n\n"])
    assert describe_token(bare, 1) == "“⏎⏎”, latency 10 ms"


def test_describe_token_names_its_origin() -> None:
    trace, _ = traced(["One"], origin=Origin.USER)
    assert describe_token(trace, 0) == "“One”, inserted by you"
    trace, _ = traced(["One"], origin=Origin.DRAFT)
    assert describe_token(trace, 0) == "“One”, accepted draft token"


def test_describe_token_of_a_part_names_the_character() -> None:
    trace, _ = traced(["", "", "한", ""])
    assert [describe_token(trace, position).partition(", ")[0] for position in range(4)] == [
        "part 1 of 3 of “한”",
        "part 2 of 3 of “한”",
        "part 3 of 3 of “한”",
        "a token without text",
    ]
    ended, _ = traced(["One", ""], sure=[0.5, 0.5])
    assert describe_token(ended, 1).startswith("“a”, probability 50 %"), "as the alternatives have it"


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
def test_legible_shows_invisible_characters(text: str, shown: str) -> None:
    assert legible(text) == shown


def test_describe_token_names_the_output_format() -> None:
    trace = Trace()
    trace.begin_run()
    looks = (forbidding(0.9, 0.6, forced=True), forbidding(0.3, 0.2))
    trace.extend([Token(at, at, "{", (), 0.1, False, seen) for at, seen in enumerate(looks)])
    assert describe_token(trace, 0) == (
        "“{”, probability 100 %, forced by the output format, in place of “␣no”, which the output format ruled out"
    )
    assert "format" not in describe_token(trace, 1), "its own first choice was allowed"
