"""Answers are judged right, wrong or not at all, and nothing that a set or a user says takes long."""

import time

import pytest

from app.engine.types import Reason
from app.evaluation.checks import NUMBERS, complaint, judge, suggested
from app.evaluation.templates import suggested as template_of
from app.evaluation.types import Check, CheckKind, PromptSet

SCHEMA = (
    '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false}'
)
COLOURS = ("red", "blue", "light blue")
EVIL = "(a+)+b"


def verdict(kind: str, text: str, expected: str = "", argument: str = "", choices: tuple[str, ...] = ()) -> bool | None:
    return judge(Check(CheckKind(kind), argument), text, expected, 3, Reason.STOP, choices)[0]


@pytest.fixture(scope="module", autouse=True)
def schema_checked_once() -> None:
    """The first check of a schema imports llguidance and builds its tokenizer: no test is charged for that."""
    verdict("schema", "{}", SCHEMA)


@pytest.mark.parametrize(
    ("kind", "text", "expected", "right"),
    [
        ("equal", " Paris\n", "Paris", True),
        ("equal", "paris", "Paris", False),
        ("equal", "Paris.", "Paris", False),
        ("contains", "It is Paris.", "Paris", True),
        ("contains", "It is paris.", "Paris", False),
        ("number", "3 + 4 = 7", "7", True),
        ("number", "7, no: 8", "7", False),
        ("number", "It is 1,234.50.", "1234.5", True),
        ("number", "about 1.5e3 m", "1500", True),
        ("number", "5-3", "3", True),
        ("number", "it is -3", "-3", True),
        ("number", "it is −3", "-3", True),
        ("number", "1,2,3", "3", True),
        ("number", "100000000000000000001", "100000000000000000000", False),
        ("number", "none at all", "7", False),
        ("number", "9" * 100_000, "9", False),
        ("number", "7", "seven", None),
        ("regex", "there are 12 of them", r"\d+", True),
        ("regex", "there are 12 of them", r"^\d+$", False),
        ("regex", "12", r"^\d+$", True),
        ("regex", "x12", r"\d+$", True),
        ("regex", "costs 3$!", r"3\$", True),
        ("regex", "b", "a|b", True),
        ("regex", "a", "(", None),
        ("schema", '{"a": 3}', SCHEMA, True),
        ("schema", '{"a": "3"}', SCHEMA, False),
        ("schema", "three", SCHEMA, False),
        ("schema", "{}", '{"if": {}}', None),
        ("shorter", "x", "4", True),
        ("shorter", "x", "3", False),
        ("shorter", "x", "many", None),
        ("equal", "x", " ", None),
        ("by hand", "x", "x", None),
    ],
)
def test_judge_of_each_check_returns_right_wrong_or_none(
    kind: str, text: str, expected: str, right: bool | None
) -> None:
    assert verdict(kind, text, expected) is right


def test_number_check_with_a_tolerance_accepts_numbers_within_it() -> None:
    assert verdict("number", "0.3", "0.1", "0.2") is True
    assert verdict("number", "0.31", "0.1", "0.2") is False


@pytest.mark.parametrize(
    ("text", "expected", "right"),
    [
        ("Blue.", "blue", True),
        ("I choose blue", "blue", True),
        ("light blue it is", "blue", False),
        ("light blue it is", "light blue", True),
        ("red or blue", "blue", False),
        ("bluebell", "blue", False),
        ("green", "blue", False),
        ("blue", "green", None),
    ],
)
def test_choice_check_of_an_answer_accepts_exactly_one_choice(text: str, expected: str, right: bool | None) -> None:
    assert verdict("choice", text, expected, choices=COLOURS) is right
    assert verdict("choice", text, expected, argument="|".join(COLOURS)) is right


@pytest.mark.parametrize("reason", list(Reason))
def test_ended_check_of_each_finish_reason_accepts_eos_only(reason: Reason) -> None:
    right = judge(Check(CheckKind.ENDED), "x", "", 3, reason)[0]
    assert right is (None if reason is Reason.STOPPED else reason is Reason.STOP)
    cut = judge(Check(CheckKind.ENDED), "x", "", 3, Reason.LENGTH)
    assert cut == (False, "Its finish reason is max tokens (length), not EOS.")


def test_judge_of_a_failed_answer_returns_wrong_with_the_reason() -> None:
    assert judge(Check(CheckKind.EQUAL), "x", "x", 1, Reason.ERROR) == (False, "It failed.")
    assert judge(Check(CheckKind.EQUAL), "x", "x", 1, Reason.STOPPED)[0] is None


def test_check_with_an_argument_ignores_the_expected_value() -> None:
    assert verdict("contains", "a b", "z", "b") is True
    assert verdict("regex", "12", "z", r"\d") is True


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("regex", "a" * 200_000),
        ("choice", "a " * 200_000),
        ("number", "1," * 200_000),
        ("number", "1" + ",111" * 100_000 + "2"),
    ],
)
def test_judge_of_a_long_answer_takes_limited_time(kind: str, text: str) -> None:
    began = time.process_time()
    verdict(kind, text, EVIL if kind == "regex" else "7", choices=("7", "8"))
    assert time.process_time() - began < 20


def test_regex_check_of_an_exploding_pattern_returns_none() -> None:
    assert verdict("regex", "a" * 5_000, "^.*a.{1000}b(x{900}){900}$") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "argument", "fits"),
    [
        ("number", "0", True),
        ("number", "-1", False),
        ("number", "some", False),
        ("shorter", "12", True),
        ("shorter", "many", False),
        ("regex", r"^\d+$", True),
        ("regex", "(", False),
        ("regex", "a)|(?:b", False),
        ("regex", "a|b", True),
        ("regex", r"^((a|b)[c|d]\|)+$", True),
        ("schema", SCHEMA, True),
        ("schema", "{", False),
        ("schema", '{"if": {}}', False),
        ("equal", "anything", True),
    ],
)
def test_complaint_of_an_invalid_argument_is_not_empty(kind: str, argument: str, fits: bool) -> None:
    assert (complaint(Check(CheckKind(kind), argument)) == "") is fits


def test_numbers_pattern_of_mixed_notations_finds_each_number() -> None:
    assert NUMBERS.findall("1,234.5, 7-2, (3)-4, −.5, v1.2.3 and 1,2345") == [
        *("1,234.5", "7", "2", "3", "4", "−.5", "1.2", "3", "1", "2345")
    ]


@pytest.mark.parametrize(
    ("columns", "rows", "kind"),
    [
        (("prompt",), [("a",)], CheckKind.BY_HAND),
        (("prompt", "expected"), [("a", "1"), ("b", "-2.5"), ("c", "")], CheckKind.NUMBER),
        (("prompt", "expected"), [("a", "1"), ("b", "two")], CheckKind.EQUAL),
        (("prompt", "expected", "choices"), [("a", "x", "x|y")], CheckKind.CHOICE),
    ],
)
def test_suggested_check_of_a_set_fits_its_expected_values(
    columns: tuple[str, ...], rows: list[tuple[str, ...]], kind: CheckKind
) -> None:
    assert suggested(PromptSet("", columns, rows, template_of(columns), "")) == Check(kind)


@pytest.mark.parametrize("pattern", ["^a|b$", "^a|b", "a|b$", r"^(a)|[|]$|c"])
def test_regex_check_with_an_anchor_in_one_alternative_is_refused(pattern: str) -> None:
    assert "parentheses" in complaint(Check(CheckKind.REGEX, pattern))
    assert judge(Check(CheckKind.REGEX), "apple", pattern, 3, Reason.STOP)[0] is None
