import io
import json
import sys
import threading
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.files import json_reader
from app.files.json_reader import MAX_DEPTH, InvalidJsonError, JsonLimits, parse, read
from tests.examples import at_most

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=40,
)
STRICT = JsonLimits(only_once=True, finite=True)


@at_most(40)
@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_parse_valid_json_returns_its_value(value: Any, indent: int | None, plain: bool) -> None:
    content = json.dumps(value, indent=indent, ensure_ascii=plain).encode("utf-8", "surrogatepass")
    assert parse(content) == value == parse(content, STRICT) == read(io.BytesIO(content))


SIGNS = ["[", "]", "{", "}", ",", ":", '"', "\\", "1", "-", "e", ".", "null", "true", " ", "\n", "é", "NaN", "Infinity"]


@given(st.lists(st.sampled_from(SIGNS), max_size=30).map("".join))
@example('{"a"')
@example("[1,,2]")
@example("[1 ]x")
def test_parse_any_text_agrees_with_json_loads(text: str) -> None:
    try:
        wanted = json.dumps(json.loads(text))
    except ValueError:
        with pytest.raises(ValueError):
            parse(text)
    else:
        assert json.dumps(parse(text)) == wanted


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 65 + "]" * 65, "it is nested too deeply"),
        ("[" * 10_000, "it is nested too deeply"),
        ('{"a":' * 65 + "1" + "}" * 65, "it is nested too deeply"),
        ("[" + "1" * 101 + "]", "a number is too long"),
        ("[" + "1" * 30_000 + "]", "a number is too long"),
        ("[NaN]", "NaN is not a number"),
        ('[1, {"a": 1, "b": [2, 2, 2, 2, 2], "a": 3}]', "an object has the same name twice"),
        ("[" + "[]," * 10_000 + "[]]", "it has too many values"),
        ("[1,\n2,\n3,\n\n\n4 5]", "it is not valid JSON at line 6"),
        ("", "it is not valid JSON at line 1"),
        ('"' + "a" * 1_000, "it is not valid JSON at line 1"),
        ("[1] [2]", "it is not valid JSON at line 1"),
        (" " * 40_001, "it is too large"),
    ],
    ids=lambda text: text[:12],
)
def test_parse_beyond_a_limit_says_which(text: str, why: str) -> None:
    with pytest.raises(InvalidJsonError, match=f"^{why}$"):
        parse(text, STRICT._replace(largest=40_000, most=15_000))


def test_parse_at_the_limit_is_accepted() -> None:
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert json.dumps(parse(deep)) == deep
    assert parse("\ufeff[1]") == [1]
    assert len(parse("[" + "1," * 999 + "1]", JsonLimits(most=1_000))) == 1_000
    assert parse("1" * json_reader.MAX_DIGITS) == int("1" * json_reader.MAX_DIGITS)


def test_parse_signs_inside_strings_are_not_counted() -> None:
    assert parse('{"[[[[": "' + "[," * 1_000 + '\\"["}', JsonLimits(most=2, lists=1)) == {"[[[[": "[," * 1_000 + '"['}
    assert parse('{"[[[[": "' + "[" * 1_000 + '"}') == {"[[[[": "[" * 1_000}


class Endless(io.RawIOBase):
    """As /dev/zero would be, in letters."""

    taken = 0

    def read(self, size: int = -1) -> bytes:
        self.taken += size
        return b"a" * size


def test_read_endless_file_stops_at_the_limit() -> None:
    endless = Endless()
    with pytest.raises(InvalidJsonError, match="it is too large"):
        read(endless, JsonLimits(1_000_000))  # type: ignore[arg-type]
    assert endless.taken == 1_000_001


def test_parse_beyond_the_lists_with_an_endless_string_is_refused_in_linear_time() -> None:
    """With backtracking over each quote it would take hours."""
    with pytest.raises(InvalidJsonError, match="too many values"):
        parse("[" * 60 + '"' + '\\"' * 500_000, JsonLimits(lists=50))


def test_parse_lets_other_threads_run() -> None:
    """While it works through one list, a thread that only counts makes progress."""
    counted, over = [0], threading.Event()

    def count() -> None:
        while not over.is_set():
            counted[0] += 1
            time.sleep(0)

    before, other = sys.getswitchinterval(), threading.Thread(target=count)
    sys.setswitchinterval(1e-5)
    other.start()
    try:
        start = counted[0]
        parse("[" + "1," * 200_000 + "1]")
        assert counted[0] > start + 1
    finally:
        over.set()
        other.join()
        sys.setswitchinterval(before)
