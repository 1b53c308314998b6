"""Whose word is whose in a drafted run."""

from app.engine.types import Drafted, Rejected
from app.experiments.drafted_text import Stretch, Whose, marked, stretches
from tests.experiments.making import even, result

RUN = result(
    0,
    1,
    even(5, 10),
    texts=("a ", "red ", "fox ", "ran ", "off"),
    from_draft=(True, True, False, False, True),
    drafted=Drafted(6, 3, 2, (Rejected(2, (7, 8), ("hen ", "sat ")), Rejected(3, (9,), ("sat ",)))),
)


def test_stretches_in_reading_order() -> None:
    assert stretches(RUN) == (
        Stretch(Whose.DRAFT, "a red "),
        Stretch(Whose.REJECTED, "hen sat "),
        Stretch(Whose.MODEL, "fox "),
        Stretch(Whose.REJECTED, "sat "),
        Stretch(Whose.MODEL, "ran "),
        Stretch(Whose.DRAFT, "off"),
    )


def test_without_what_was_rejected_it_is_the_text() -> None:
    assert "".join(each.text for each in stretches(RUN) if each.whose is not Whose.REJECTED) == RUN.text


def test_as_plain_text() -> None:
    assert marked(RUN) == "a red ⟨hen sat ⟩fox ⟨sat ⟩ran off"


def test_tokens_without_text_make_no_stretch() -> None:
    assert stretches(result(0, 1, even(2, 10), texts=("", "안"))) == (Stretch(Whose.MODEL, "안"),)
