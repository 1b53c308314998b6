"""What can be said aloud of a text that is being written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.shell.announcements import LONGEST, Sentences


@pytest.mark.parametrize(
    ("pieces", "said", "rest"),
    [
        (("Hel", "lo. Wor", "ld"), ["Hello."], "World"),
        (("One.", " Two! “Three?” Four"), ["One.", "Two!", "“Three?”"], "Four"),
        (("Pi is 3.14 or so. And",), ["Pi is 3.14 or so."], "And"),
        (("1. First\n2. Second\n",), ["1. First", "2. Second"], ""),
        (("안녕하세요. 반가워요.",), ["안녕하세요."], "반가워요."),
        (("你好。再见。",), ["你好。", "再见。"], ""),
        (("\n\n\n",), [], ""),
    ],
)
def test_whole_sentences_come_as_soon_as_they_are_whole(pieces: tuple[str, ...], said: list[str], rest: str) -> None:
    sentences = Sentences()
    assert [sentence for piece in pieces for sentence in sentences.take(piece)] == said
    assert sentences.rest() == rest
    assert sentences.rest() == ""


def test_what_never_ends_is_said_at_a_blank() -> None:
    sentences = Sentences()
    said = sentences.take("word " * (LONGEST // 5) + "unfinish")
    assert said == (("word " * (LONGEST // 5)).strip(),)
    assert sentences.rest() == "unfinish"


@given(st.lists(st.text(alphabet="ab1 .!?\n。”", max_size=30)))
def test_nothing_is_lost_or_said_twice(pieces: list[str]) -> None:
    sentences = Sentences()
    said = [sentence for piece in pieces for sentence in sentences.take(piece)]
    said.append(sentences.rest())
    assert "".join("".join(said).split()) == "".join("".join(pieces).split())
