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
from app.files import json_values
from app.files.json_reader import InvalidJsonError
from tests.examples import at_most
from tests.records.wholes import of

REQUEST = Request(ChatPrompt((Message(Role.USER, "Hi"),), arguments=(("deep", True),)), Sampling(temperature=0))


@at_most(40)
@given(st.sampled_from((Request, Failure, Limits, KV)).flatmap(lambda kind: st.tuples(st.just(kind), of(kind))))
def test_read_after_write_returns_the_value(pair: tuple[Any, Any]) -> None:
    kind, value = pair
    assert json_values.read(kind, json_values.write(kind, value)) == value
    assert json_values.recall(kind, json_values.write(kind, value)) == value


def test_write_number_keeps_the_declared_type() -> None:
    said = json_values.write(Request, REQUEST)
    assert repr(said["sampling"]["temperature"]) == "0.0"
    assert said["prompt"]["kind"] == "chat"
    assert said["prompt"]["arguments"] == [["deep", True]]


@pytest.mark.parametrize("number", [math.inf, -math.inf])
def test_read_infinite_number_is_a_word(number: float) -> None:
    assert json_values.read(Sampling, json_values.write(Sampling, Sampling(temperature=number))).temperature == number


def test_read_prompt_restores_its_class() -> None:
    for prompt in (RawPrompt("x"), TokenPrompt((1, 2)), ChatPrompt(())):
        assert json_values.read(Request, json_values.write(Request, Request(prompt))).prompt == prompt


def test_recall_unknown_field_is_ignored() -> None:
    said = json_values.write(Request, REQUEST)
    said["invented_later"] = 1
    del said["kv"]
    with pytest.raises(InvalidJsonError, match="invented_later"):
        json_values.read(Request, said)
    assert json_values.recall(Request, said) == REQUEST


def test_read_finish_without_observing_has_the_default() -> None:
    said = json_values.write(Finish, Finish(Reason.STOP, observing=0.5))
    assert json_values.read(Finish, said).observing == 0.5
    del said["observing"]
    assert json_values.read(Finish, said) == json_values.recall(Finish, said) == Finish(Reason.STOP)


def test_clean_unpaired_surrogate_is_replaced() -> None:
    assert json_values.clean("a\ud800b") == "a\ufffdb"
    assert json_values.clean("\U0001f600") == "\U0001f600"


def test_read_plain_accepts_pythons_json() -> None:
    said = {"temperature": math.inf, "top_p": 1, "invented_later": "a\ud800b"}
    assert json_values.read_plain(Sampling, said) == Sampling(temperature=math.inf, top_p=1.0)
    assert json_values.read_plain(Message, {"role": "user", "text": "a\ud800b"}) == Message(Role.USER, "a\ud800b")


@pytest.mark.parametrize("said", [{"temperature": "inf"}, {"temperature": True}, {"temperature": None}, [], None])
def test_read_plain_word_as_number_is_refused(said: Any) -> None:
    with pytest.raises(InvalidJsonError):
        json_values.read_plain(Sampling, said)


@pytest.mark.parametrize("said", ["[]", "nonsense", b"\xff", "[" * 100_000, "null"])
def test_json_object_of_anything_else_is_empty(said: str | bytes) -> None:
    assert json_values.json_object(said) == {}
    assert json_values.json_object('{"a": 1}') == {"a": 1}


def test_dumps_strict_number_that_is_not_finite_is_null() -> None:
    data = {"a": [math.nan, math.inf, 1.5], "b": "NaN"}
    assert json_values.dumps_strict(data) == '{"a": [null, null, 1.5], "b": "NaN"}'
