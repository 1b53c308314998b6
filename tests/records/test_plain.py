"""What JSON says for a value is read back by declared types; strictly from a stranger, kindly from ourselves."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.types import (
    KV,
    ChatPrompt,
    Failure,
    Finish,
    Limits,
    Message,
    RawPrompt,
    Reason,
    Request,
    Role,
    Sampling,
    TokenPrompt,
)
from app.records import plain
from app.records.plain import UnfitError
from tests.records.wholes import of

REQUEST = Request(ChatPrompt((Message(Role.USER, "Hi"),), arguments=(("deep", True),)), Sampling(temperature=0))


@given(st.sampled_from((Request, Failure, Limits, KV)).flatmap(lambda kind: st.tuples(st.just(kind), of(kind))))
def test_there_and_back(pair: tuple[Any, Any]) -> None:
    kind, value = pair
    assert plain.read(kind, plain.write(kind, value)) == value
    assert plain.recall(kind, plain.write(kind, value)) == value


def test_numbers_are_written_as_they_were_declared() -> None:
    said = plain.write(Request, REQUEST)
    assert repr(said["sampling"]["temperature"]) == "0.0"
    assert said["prompt"]["kind"] == "chat"
    assert said["prompt"]["arguments"] == [["deep", True]]


@pytest.mark.parametrize("number", [math.inf, -math.inf])
def test_numbers_without_end_have_words(number: float) -> None:
    assert plain.read(Sampling, plain.write(Sampling, Sampling(temperature=number))).temperature == number


def test_which_prompt_it_is() -> None:
    for prompt in (RawPrompt("x"), TokenPrompt((1, 2)), ChatPrompt(())):
        assert plain.read(Request, plain.write(Request, Request(prompt))).prompt == prompt


def test_our_own_of_another_time_is_read_kindly() -> None:
    said = plain.write(Request, REQUEST)
    said["invented_later"] = 1
    del said["kv"]
    with pytest.raises(UnfitError, match="invented_later"):
        plain.read(Request, said)
    assert plain.recall(Request, said) == REQUEST


def test_an_ending_from_before_the_cost_of_observing_was_told() -> None:
    said = plain.write(Finish, Finish(Reason.STOP, observing=0.5))
    assert plain.read(Finish, said).observing == 0.5
    del said["observing"]
    assert plain.read(Finish, said) == plain.recall(Finish, said) == Finish(Reason.STOP)


def test_half_characters_become_a_sign() -> None:
    assert plain.clean("a\ud800b") == "a\ufffdb"
    assert plain.clean("\U0001f600") == "\U0001f600"
