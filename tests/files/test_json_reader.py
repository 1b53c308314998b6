"""JSON from outside: the same as Python's own reader finds, within limits, and in pieces."""

import gc
import io
import json
import re
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.files import json_reader
from app.files.json_reader import DEEPEST, Bounds, UnfitError, parse, read

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=40,
)
STRICT = Bounds(only_once=True, finite=True)


@pytest.fixture(params=[1 << 17, 7], ids=["in one piece", "in many"])
def piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """How much is read at one go."""
    monkeypatch.setattr(json_reader, "PIECE", request.param)
    yield


def small(content: bytes, bounds: Bounds = json_reader.USUAL, characters: int = 7) -> Any:
    """With a window so small that it descends into nearly everything."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_reader, "PIECE", characters)
        return parse(content, bounds)


@pytest.mark.slow
@given(VALUES, st.sampled_from([None, 1]), st.booleans(), st.integers(1, 40))
@example([{"a": "},{"}, {"b": ",", "c": [{}, {}]}], None, False, 9)
def test_it_says_the_same_in_pieces(value: Any, indent: int | None, plain: bool, characters: int) -> None:
    said = json.dumps(value, indent=indent, ensure_ascii=plain).encode("utf-8", "surrogatepass")
    assert small(said, characters=characters) == value == parse(said) == read(io.BytesIO(said))


@given(st.binary(max_size=60))
@example(b"\xef\xbb\xbf[1]")
@example(b"\xff")
@example(b"[" * 200 + b"]" * 200)
@example(b"[" + b"1" * 200 + b"]")
def test_what_is_short_is_read_at_one_go_and_says_the_same(said: bytes) -> None:
    try:
        wanted = read(io.BytesIO(said))
    except ValueError as refused:
        with pytest.raises(ValueError, match=re.escape(str(refused))):
            parse(said)
    else:
        assert json.dumps(parse(said)) == json.dumps(wanted)


SIGNS = ["[", "]", "{", "}", ",", ":", '"', "\\", "1", "-", "e", ".", "null", "true", " ", "\n", "é", "NaN", "Infinity"]


@given(st.lists(st.sampled_from(SIGNS), max_size=30).map("".join), st.integers(1, 12))
@example('{"a"', 1)
@example("[1,,2]", 3)
@example("[1, ,2]", 3)
@example("[1 ]x", 2)
def test_what_is_no_json_is_none_in_pieces(said: str, characters: int) -> None:
    try:
        wanted = json.dumps(json.loads(said))
    except ValueError:
        with pytest.raises(ValueError):
            small(said.encode(), characters=characters)
    else:
        assert json.dumps(small(said.encode(), characters=characters)) == wanted


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("[" * 65 + "]" * 65, "it is nested too deeply"),
        ("[" * 1_000_000, "it is nested too deeply"),
        ('{"a":' * 65 + "1" + "}" * 65, "it is nested too deeply"),
        ("[" + "1" * 101 + "]", "it has a number that is too long"),
        ("[" + "1" * 1_000_000 + "]", "it has a number that is too long"),
        ("[NaN]", "NaN is no number"),
        ('[1, {"a": 1, "b": [2, 2, 2, 2, 2], "a": 3}]', "it says something twice"),
        ("[" + "[]," * 1_000 + "[]]", "it says too much"),
        ("[1,\n2,\n3,\n\n\n}", "it is no JSON at line 6"),
        ("", "it is no JSON at line 1"),
        ('"' + "a" * 1_000, "it is no JSON at line 1"),
        ("[1] [2]", "it is no JSON at line 1"),
    ],
    ids=lambda said: said[:12],
)
def test_what_is_beyond_a_limit_is_said(said: str, why: str) -> None:
    with pytest.raises(UnfitError, match=f"^{why}$"):
        parse(said, STRICT._replace(most=1_500))


@pytest.mark.usefixtures("piece")
def test_what_stands_at_the_limit_is_read() -> None:
    deep = "[" * DEEPEST + "]" * DEEPEST
    assert json.dumps(parse(deep)) == deep
    assert parse('"' + "a\\n" * 100_000 + '"') == "a\n" * 100_000
    assert parse("\ufeff[1]") == [1]
    assert len(parse("[" + "1," * 999 + "1]", Bounds(most=2_002))) == 1_000
    assert parse('{"[[[[": "' + "[" * 1_000 + '"}') == {"[[[[": "[" * 1_000}


class Endless(io.RawIOBase):
    """As /dev/zero would be, in letters."""

    def __init__(self) -> None:
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        self.given += size
        return b"[" + b'"a",' * (size // 4) if self.given == size else b'"a",' * (size // 4)


def test_no_more_is_taken_than_the_limit() -> None:
    endless = Endless()
    with pytest.raises(UnfitError, match="it is too large"):
        read(endless, Bounds(1_000_000))  # type: ignore[arg-type]
    assert endless.given < 1_400_000


@pytest.mark.slow
def test_names_that_come_again_are_kept_once() -> None:
    many = parse(json.dumps([{"a name": number} for number in range(100_000)]).encode())
    assert len({id(name) for each in many for name in each}) == 1


def test_nothing_of_it_waits_for_a_collection() -> None:
    """A window of megabytes in a cycle would stay until there is one."""
    gc.collect()
    gc.disable()
    try:
        parse("[1, 2]")
        assert gc.collect() == 0
    finally:
        gc.enable()


class Clock:
    """Goes on by a moment whenever somebody looks, and takes note of who lies down."""

    def __init__(self) -> None:
        self.now, self.rests = 0.0, 0

    def monotonic(self) -> float:
        self.now += 2 * json_reader.WORKS_S
        return self.now

    def sleep(self, seconds: float) -> None:
        self.rests += 1


@pytest.mark.parametrize(("brackets", "refused"), [(100, False), (50_000, False), (50_000, True)])
def test_others_have_their_turn_while_it_is_read(brackets: int, refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small one is read at once. What was read of a refused one goes with a rest for every so many."""
    clock, pieces = Clock(), brackets * 3 // json_reader.PIECE
    monkeypatch.setattr(json_reader, "time", clock)
    said = b"[" + b"[]," * brackets + b"[]]"
    with pytest.raises(UnfitError) if refused else nullcontext():
        parse(said, Bounds(lists=brackets if refused else brackets * 2))
    assert pieces <= clock.rests - refused * (brackets // json_reader.FREED) <= pieces + 2
