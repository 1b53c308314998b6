"""Rows become prompts, also in other words; variants that are ready made."""

from dataclasses import replace

import pytest

from app.engine.types import ENDLESS, ChatPrompt, Message, RawPrompt, Role
from app.evaluation.templates import (
    choices_of,
    expected_of,
    filled,
    missing,
    prompt_of,
    suggested,
    turns_of,
    why_missing,
)
from app.evaluation.types import PromptSet, Template, Wording
from app.evaluation.verdict import verdict
from app.evaluation.wordings import budget_variants, reworded, wording_variants
from tests.evaluation.builders import REQUEST, outcome


def test_a_value_is_put_in_once_and_never_looked_into() -> None:
    values = {"a": "{b} {{x}} {a}", "b": "never"}
    assert filled("say {a} and { a }", values) == "say {b} {{x}} {a} and {b} {{x}} {a}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{a}}", "{a}"),
        ("{{{a}}}", "{A}"),
        ('{{"k": {a}}}', '{"k": A}'),
        ("{", "{"),
        ("a } b", "a } b"),
        ("{no}", "{no}"),
    ],
)
def test_doubled_braces_are_braces(text: str, shown: str) -> None:
    assert filled(text, {"a": "A"}) == shown


def test_a_row_is_a_chat_with_what_was_said_before() -> None:
    before = '[{"role": "user", "text": "I am Mira."}, {"role": "assistant", "content": "Hi, Mira!"}]'
    prompt = prompt_of(Template("{q}?", "Be {how}."), {"q": "Who am I", "how": "short", "messages": before})
    said = [
        (Role.SYSTEM, "Be short."),
        (Role.USER, "I am Mira."),
        (Role.ASSISTANT, "Hi, Mira!"),
        (Role.USER, "Who am I?"),
    ]
    assert prompt == ChatPrompt(tuple(Message(*each) for each in said))


def test_a_raw_prompt_is_its_text_alone() -> None:
    assert prompt_of(Template("{q}", "{s}"), {"q": "x", "s": ""}) == ChatPrompt((Message(Role.USER, "x"),))
    assert prompt_of(Template("{q}", "{s}", raw=True), {"q": "x", "s": "S", "messages": "[]"}) == RawPrompt("x")


def test_what_is_expected_is_filled_too() -> None:
    assert expected_of(Template(expected="{a}-{b}"), {"a": "1", "b": "2"}) == "1-2"
    assert expected_of(Template(), {"a": "1"}) == ""


def test_variables_that_are_no_columns_are_told() -> None:
    template = Template("{a} {{no}} {b}", "{c}", "{a}")
    assert missing(template, ("a", "c")) == ("b",)
    assert why_missing(("b",)).startswith("The set has no column {b}.")
    assert why_missing(()) == ""
    assert missing(Template("{a}", "{c}", raw=True), ("a",)) == (), "a raw prompt has no system prompt"


@pytest.mark.parametrize(
    ("columns", "template"),
    [
        (("id", "Question", "answer"), Template("{Question}", "", "{answer}")),
        (("expected", "text", "prompt", "system"), Template("{prompt}", "{system}", "{expected}")),
        (("input", "output"), Template("{input}", "", "{output}")),
        (("something", "else"), Template("{something}")),
    ],
)
def test_columns_suggest_a_template(columns: tuple[str, ...], template: Template) -> None:
    assert suggested(columns) == template


@pytest.mark.parametrize(
    ("cell", "choices"),
    [("red | blue|", ("red", "blue")), ('["a|b", 3]', ("a|b", "3")), ("[1,", ("[1,",)), ("", ()), ("x|" * 5_001, ())],
)
def test_choices_are_a_list_or_have_bars_between(cell: str, choices: tuple[str, ...]) -> None:
    assert choices_of({"choices": cell}) == choices


@pytest.mark.parametrize(
    "cell",
    ["5", "x", '{"role": "user"}', '[{"role": "king", "text": ""}]', '[{"role": "user", "text": 3}]', "[[]]", '["x"]'],
)
def test_what_is_no_conversation_is_none(cell: str) -> None:
    assert turns_of(cell) is None


ASKED = "Which one? A) red B) light red"


@pytest.mark.parametrize(
    ("wording", "text", "other"),
    [
        (Wording.AS_WRITTEN, "Hi", "Hi"),
        (Wording.TRAILING_SPACE, "Hi", "Hi "),
        (Wording.LOWER_CASE, "Hi", "hi"),
        (Wording.UPPER_CASE, "Hi", "HI"),
        (Wording.LOWER_CASE, "3 + 4", None),
        (Wording.OTHER_ORDER, "Hi", None),
    ],
)
def test_a_prompt_is_reworded(wording: Wording, text: str, other: str | None) -> None:
    assert reworded(wording, text) == other


@pytest.mark.parametrize(
    ("expected", "choices", "other"),
    [("Mira", (), None), ("mira", (), "SAY MIRA"), ("Mira", ("Mira", "Bo"), "SAY MIRA")],
)
def test_what_is_to_be_repeated_keeps_its_case(expected: str, choices: tuple[str, ...], other: str | None) -> None:
    assert reworded(Wording.UPPER_CASE, "Say Mira", choices, expected) == other


def test_choices_change_places_and_their_letters_stay() -> None:
    choices = ("red", "light red")
    assert reworded(Wording.OTHER_ORDER, ASKED, choices, "red") == "Which one? A) light red B) red"


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        (ASKED, ("red", "light red"), "A"),  # the letter would name another one
        (ASKED, ("A", "B"), "A"),
        ("Is red or blue better than red?", ("red", "blue"), "red"),
        ("red?", ("red", "blue"), "red"),
        ("red", ("red",), "red"),
    ],
)
def test_an_order_that_would_change_the_meaning_is_left(text: str, choices: tuple[str, ...], expected: str) -> None:
    assert reworded(Wording.OTHER_ORDER, text, choices, expected) is None


def test_each_arm_thinks_as_much_as_it_says() -> None:
    made = budget_variants(REQUEST, (0, 1, 32, ENDLESS))
    assert [arm.request.limits.think_budget for arm in made] == [0, 1, 32, ENDLESS]
    assert [arm.name for arm in made] == [
        "no reasoning",
        "1 token of reasoning",
        "32 tokens of reasoning",
        "unlimited reasoning",
    ]
    assert (
        all(replace(arm.request, limits=REQUEST.limits) == REQUEST for arm in made)
        and len(budget_variants(REQUEST)) == 4
    )


def test_the_wording_alone_differs() -> None:
    rows = (("Red or blue?", "Red|blue"), ("3 + 4 =", ""))
    prompts = PromptSet("Few", ("prompt", "choices"), rows, Template(), "few")
    made = wording_variants(REQUEST, prompts.template, prompts)
    assert {arm.wording for arm in made} == set(Wording) and made[0].wording is Wording.AS_WRITTEN
    assert all(arm.request == REQUEST for arm in made) and len({arm.name for arm in made}) == len(made)


def test_a_wording_that_no_row_has_is_no_arm() -> None:
    prompts = PromptSet("Few", ("prompt",), (("3 + 4 =",), ("red?",)), Template(), "few")
    made = wording_variants(REQUEST, prompts.template, prompts)
    assert [arm.wording for arm in made] == [Wording.AS_WRITTEN, Wording.TRAILING_SPACE, Wording.UPPER_CASE]


def test_what_it_is_worth_has_its_price() -> None:
    made = outcome("+" * 8 + "--", "+" * 8 + "--")
    study = replace(made.study, arms=budget_variants(REQUEST, (0, ENDLESS)))
    assert verdict(replace(made, study=study)).sentences[1:] == (
        "“no reasoning”: 80 % of 10 rows right (95 % CI 49 to 94); an answer takes 4 tokens and 500 ms.",
        "“unlimited reasoning”: 80 % of 10 rows right (95 % CI 49 to 94); an answer takes 4 tokens and 500 ms.",
    )
