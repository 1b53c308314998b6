"""Stop strings step by step, and the origin of each token in a drafted run."""

from app.engine.stop_strings import Markers, ReplyReader
from app.engine.text import ByteStream
from app.engine.types import Drafted, Rejected
from app.experiments.questions.draft import DraftedSpan, Whose, stretches, text_with_rejected
from app.experiments.questions.stops import StopTraceStep, readings
from tests.experiments.builders import even, result

PIECES = (b"H", "안".encode()[:1], "안".encode()[1:2], "안".encode()[2:], b"EN", b"D!", b"EN", b"D")


def read(count: int, *strings: str) -> tuple[StopTraceStep, ...]:
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
    assert steps[-2:] == (
        StopTraceStep(5, 4, "EN", "", "EN", 0, "", ("ENDE",)),
        StopTraceStep(6, None, "", "EN", "", 0, ""),
    )


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


RUN = result(
    0,
    1,
    even(5, 10),
    texts=("a ", "red ", "fox ", "ran ", "off"),
    from_draft=(True, True, False, False, True),
    drafted=Drafted(6, 3, 2, (Rejected(2, (7, 8), ("hen ", "sat ")), Rejected(3, (9,), ("sat ",)))),
)


def test_stretches_are_in_reading_order_and_without_rejected_ones_the_text() -> None:
    assert stretches(RUN) == (
        DraftedSpan(Whose.DRAFT, "a red "),
        DraftedSpan(Whose.REJECTED, "hen sat "),
        DraftedSpan(Whose.MODEL, "fox "),
        DraftedSpan(Whose.REJECTED, "sat "),
        DraftedSpan(Whose.MODEL, "ran "),
        DraftedSpan(Whose.DRAFT, "off"),
    )
    assert "".join(each.text for each in stretches(RUN) if each.whose is not Whose.REJECTED) == RUN.text
    assert text_with_rejected(RUN) == "a red ⟨hen sat ⟩fox ⟨sat ⟩ran off"
    assert stretches(result(0, 1, even(2, 10), texts=("", "안"))) == (DraftedSpan(Whose.MODEL, "안"),)
