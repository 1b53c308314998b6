import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.records.text_index import EXCERPT_LENGTH, TITLE_LENGTH, excerpt, fold, query, title_of


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("  One\n two\tthree ", "One two three"),
        ("", ""),
        ("word " * 30, "word " * 10 + "word…"),
        ("x" * 100, "x" * (TITLE_LENGTH - 1) + "…"),
    ],
)
def test_title_of_first_words(text: str, title: str) -> None:
    assert title_of(text) == title
    assert len(title) <= TITLE_LENGTH


@pytest.mark.parametrize(
    ("question", "answer", "title"),
    [
        ("hi", "Hello!\nHow can I help?", "hi: Hello! How can I help?"),
        ("", "Once upon a time", "Once upon a time"),
        ("안녕?", "반가워요", "안녕?: 반가워요"),
        ("why?", " \n", "why?"),
        ("Why is the sky blue?", "It scatters.", "Why is the sky blue?"),
        ("hi", "word " * 30, "hi: " + "word " * 10 + "word…"),
        ("`a.txt`:\n```\nits text\n```\n\nSum it up for me", "", "Sum it up for me"),
        ("`a.txt`:\n```\nits text\n```\n\n`b.txt`:\n```\nx\n```\n\n", "", "a.txt, b.txt"),
    ],
)
def test_title_of_a_short_question_has_the_answer(question: str, answer: str, title: str) -> None:
    assert title_of(question, answer) == title


def test_query_quotes_words() -> None:
    assert query("big riv") == '"big" * "riv" *'
    assert query('"; -- *') == ""
    assert query("big\0river") == '"big" * "river" *'
    assert query("川は") == '" 川  は " *'


def test_excerpt_surrounds_the_first_match() -> None:
    text = "x " * 200 + "the Crème\nbrûlée " + "y " * 200
    found, marks = excerpt(text, "brulee creme")
    assert len(found) == EXCERPT_LENGTH
    assert [found[start:end] for start, end in marks] == ["Crème", "brûlée"]
    assert "\n" not in found


def test_excerpt_folds_case_and_accents() -> None:
    assert excerpt("Straße", "strasse") == ("Straße", ())


@given(st.text(max_size=30))
def test_fold_keeps_the_length(text: str) -> None:
    assert len(fold(text)) == len(text)


@given(st.text(max_size=30), st.text(max_size=8))
def test_excerpt_marks_are_inside(text: str, words: str) -> None:
    found, marks = excerpt(text, words)
    assert all(0 <= start < end <= len(found) for start, end in marks)
