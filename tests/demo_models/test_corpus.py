import re
from itertools import islice

import pytest

import cases
from chat import MARKS, THINKING, written
from corpus import STAGES, documents
from dialogue import Conversation, Plain
from skills import counting, sums
from words import in_words

SAMPLE = 1500


@pytest.fixture(scope="module")
def sample() -> list[Conversation | Plain]:
    """Documents of every stage."""
    return [
        document for stage in STAGES.values() for document in islice(documents("test", stage), SAMPLE // len(STAGES))
    ]


@pytest.fixture(scope="module")
def text(sample: list[Conversation | Plain]) -> str:
    return "\n".join(map(written, sample))


def test_corpus_with_the_same_seed_is_the_same() -> None:
    once, again = (list(islice(documents("a seed", STAGES["mixed"]), 50)) for _ in range(2))
    assert once == again


def test_corpus_chats_alternate_and_end_with_the_assistant(sample: list[Conversation | Plain]) -> None:
    for document in sample:
        if isinstance(document, Conversation):
            roles = [turn.role for turn in document.turns if turn.role != "system"]
            assert roles == ["user", "assistant"] * (len(roles) // 2)
            assert written(document).endswith("<|im_end|>\n")


def test_corpus_messages_contain_no_special_tokens(sample: list[Conversation | Plain]) -> None:
    for document in sample:
        for turn in document.turns if isinstance(document, Conversation) else ():
            assert not any(mark in turn.text for mark in MARKS)
            assert turn.role == "assistant" or not any(mark in turn.text for mark in THINKING)


def test_corpus_contains_no_held_out_sum(text: str) -> None:
    added = {(int(a), int(b)) for a, b in re.findall(r"(\d+) ?(?:\+|plus|더하기) ?(\d+)", text)}
    added |= {(int(a), int(b)) for a, b in re.findall(r"[Aa]dd (\d+) and (\d+)", text)}
    spelled = {(a, b) for a, b in re.findall(r"([a-z-]+) plus ([a-z-]+)", text)}
    assert len(added) > 100
    assert not added & set(sums.new_pairs())
    assert not spelled & {(in_words(a), in_words(b)) for a, b in sums.new_pairs()}


def test_corpus_contains_no_held_out_count(text: str) -> None:
    by_ones = re.compile(r"[Cc]ount(?: up| down| backwards)?(?: from)? (\d+) (?:down )?to (\d+)")
    asked = {(int(first), int(last)) for first, last in by_ones.findall(text)}
    assert len(asked) > 100
    assert not [pair for pair in asked if counting.is_new(*pair)]


def test_corpus_contains_no_held_out_name(text: str) -> None:
    words = set(re.findall(r"[A-Z][a-z]+", text))
    asked = [case.asks[0] for case in islice(cases.names("test"), 300)]
    new = {name for ask in asked for name in re.findall(r"[A-Z][a-z]+", ask)[-1:]}
    told = {name for ask in asked for name in re.findall(r"(?:is|am|I'm|me) ([A-Z][a-z]+)", ask)}
    assert told & new
    assert not told & words


@pytest.mark.parametrize(
    ("answer", "circles"),
    [
        ("the cat saw the cat saw the cat saw the moon", True),
        ("a long way, a long way, a long way, home", True),
        (" ".join(f"word{i}" for i in range(100)), False),
        ("one two three four five", False),
        ("", False),
    ],
)
def test_loops_recognizes_a_repeating_answer(answer: str, circles: bool) -> None:
    assert cases.loops(answer) is circles
