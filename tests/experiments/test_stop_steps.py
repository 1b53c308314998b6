"""Step by step: what a token completes, what is let out, what is held back."""

from app.engine.stops import Markers, ReplyReader
from app.engine.text import ByteStream
from app.experiments.stop_steps import Reading, readings

PIECES = (b"H", "안".encode()[:1], "안".encode()[1:2], "안".encode()[2:], b"EN", b"D!", b"EN", b"D")


def read(count: int, *strings: str) -> tuple[Reading, ...]:
    """The pieces as a tokenizer's stream hands them out."""
    stream = ByteStream(PIECES.__getitem__)
    return readings(((at, stream.add(at)) for at in range(count)), ReplyReader(strings))


def test_a_character_of_three_tokens() -> None:
    steps = read(4)
    assert [(step.text, step.shown, step.unfinished) for step in steps] == [
        ("H", "H", 0),
        ("", "", 1),
        ("", "", 2),
        ("안", "안", 0),
    ]


def test_what_may_be_a_stop_string_is_held_and_let_out_when_it_is_none() -> None:
    steps = read(6, "ENDE")
    assert [(step.shown, step.held) for step in steps[4:]] == [("", "EN"), ("END!", "")]
    assert not any(step.stop for step in steps)


def test_a_complete_stop_string_ends_it() -> None:
    steps = read(8, "!END")
    assert [(step.shown, step.held, step.stop) for step in steps[4:]] == [
        ("EN", "", ""),
        ("D", "!", ""),
        ("", "!EN", ""),
        ("", "", "!END"),
    ]


def test_the_end_of_the_reply_lets_out_what_was_held() -> None:
    steps = read(5, "ENDE")
    assert steps[-2:] == (Reading(5, 4, "EN", "", "EN", 0, "", ("ENDE",)), Reading(6, None, "", "EN", "", 0, ""))


def test_markers_are_held_too() -> None:
    reader = ReplyReader((), Markers.reasoning("<t>", "</t>"))
    steps = readings(enumerate(("<", "t", ">", "hm", "</t>", "yes")), reader)
    assert [(step.shown, step.held) for step in steps] == [
        ("", "<"),
        ("", "<t"),
        ("", ""),
        ("hm", ""),
        ("", ""),
        ("yes", ""),
    ]


def test_everything_let_out_is_the_text() -> None:
    assert "".join(step.shown for step in read(8, "ENDE")) == b"".join(PIECES).decode()


def test_which_stop_strings_may_have_begun() -> None:
    assert [step.begins for step in read(8, "!END", "D!x", "안녕")[3:]] == [
        ("안녕",),
        (),
        ("!END", "D!x"),
        ("!END",),
        (),
    ]


def test_the_bytes_of_a_character_on_the_way() -> None:
    stream = ByteStream(PIECES.__getitem__)
    steps = readings(((at, stream.add(at)) for at in range(5)), ReplyReader(()), PIECES)
    assert [step.piece for step in steps] == list(PIECES[:5])
    assert [step.waiting.hex() for step in steps] == ["", "ec", "ec95", "", ""]
