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
from app.evaluation.types import FewShotExamples, PromptSet, Template, Wording
from app.evaluation.verdict import verdict
from app.evaluation.wordings import budget_variants, reworded, wording_variants
from tests.evaluation.builders import REQUEST, outcome


def test_template_filled_with_braces_in_a_value_keeps_them() -> None:
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
def test_template_with_doubled_braces_has_single_ones(text: str, shown: str) -> None:
    assert filled(text, {"a": "A"}) == shown


def test_prompt_of_a_row_with_messages_is_a_chat_with_them() -> None:
    before = '[{"role": "user", "text": "I am Mira."}, {"role": "assistant", "content": "Hi, Mira!"}]'
    prompt = prompt_of(Template("{q}?", "Be {how}."), {"q": "Who am I", "how": "short", "messages": before})
    said = [
        (Role.SYSTEM, "Be short."),
        (Role.USER, "I am Mira."),
        (Role.ASSISTANT, "Hi, Mira!"),
        (Role.USER, "Who am I?"),
    ]
    assert prompt == ChatPrompt(tuple(Message(*each) for each in said))


def test_prompt_of_a_raw_template_is_its_text_only() -> None:
    assert prompt_of(Template("{q}", "{s}"), {"q": "x", "s": ""}) == ChatPrompt((Message(Role.USER, "x"),))
    assert prompt_of(Template("{q}", "{s}", raw=True), {"q": "x", "s": "S", "messages": "[]"}) == RawPrompt("x")


def test_expected_value_of_a_template_is_filled_in() -> None:
    assert expected_of(Template(expected="{a}-{b}"), {"a": "1", "b": "2"}) == "1-2"
    assert expected_of(Template(), {"a": "1"}) == ""


def test_template_variables_without_a_column_are_missing() -> None:
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
def test_suggested_template_of_columns_uses_their_names(columns: tuple[str, ...], template: Template) -> None:
    assert suggested(columns) == template


@pytest.mark.parametrize(
    ("cell", "choices"),
    [("red | blue|", ("red", "blue")), ('["a|b", 3]', ("a|b", "3")), ("[1,", ("[1,",)), ("", ()), ("x|" * 5_001, ())],
)
def test_choices_of_a_cell_are_a_json_list_or_separated_by_bars(cell: str, choices: tuple[str, ...]) -> None:
    assert choices_of({"choices": cell}) == choices


@pytest.mark.parametrize(
    "cell",
    ["5", "x", '{"role": "user"}', '[{"role": "king", "text": ""}]', '[{"role": "user", "text": 3}]', "[[]]", '["x"]'],
)
def test_turns_of_an_invalid_cell_are_none(cell: str) -> None:
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
def test_reworded_prompt_has_the_change_of_its_wording(wording: Wording, text: str, other: str | None) -> None:
    assert reworded(wording, text) == other


@pytest.mark.parametrize(
    ("expected", "choices", "other"),
    [("Mira", (), None), ("mira", (), "SAY MIRA"), ("Mira", ("Mira", "Bo"), "SAY MIRA")],
)
def test_reworded_prompt_with_the_expected_text_in_it_keeps_its_case(
    expected: str, choices: tuple[str, ...], other: str | None
) -> None:
    assert reworded(Wording.UPPER_CASE, "Say Mira", choices, expected) == other


def test_reworded_choices_are_swapped_under_the_same_letters() -> None:
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
def test_reworded_choices_with_a_changed_meaning_are_none(text: str, choices: tuple[str, ...], expected: str) -> None:
    assert reworded(Wording.OTHER_ORDER, text, choices, expected) is None


def test_budget_variants_have_a_name_and_a_budget_each() -> None:
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


def test_wording_variants_differ_in_the_wording_only() -> None:
    rows = (("Red or blue?", "Red|blue"), ("3 + 4 =", ""))
    prompts = PromptSet("Few", ("prompt", "choices"), rows, Template(), "few")
    made = wording_variants(REQUEST, prompts.template, prompts)
    assert {arm.wording for arm in made} == set(Wording) and made[0].wording is Wording.AS_WRITTEN
    assert all(arm.request == REQUEST for arm in made) and len({arm.name for arm in made}) == len(made)


def test_wording_variants_without_a_changed_row_are_left_out() -> None:
    prompts = PromptSet("Few", ("prompt",), (("3 + 4 =",), ("red?",)), Template(), "few")
    made = wording_variants(REQUEST, prompts.template, prompts)
    assert [arm.wording for arm in made] == [Wording.AS_WRITTEN, Wording.TRAILING_SPACE, Wording.UPPER_CASE]


def test_verdict_of_budget_variants_has_tokens_and_time() -> None:
    made = outcome("+" * 8 + "--", "+" * 8 + "--")
    study = replace(made.study, arms=budget_variants(REQUEST, (0, ENDLESS)))
    assert verdict(replace(made, study=study)).sentences[1:] == (
        "“no reasoning”: 80 % of 10 rows right (95 % CI 49 to 94); an answer takes 4 tokens and 500 ms.",
        "“unlimited reasoning”: 80 % of 10 rows right (95 % CI 49 to 94); an answer takes 4 tokens and 500 ms.",
    )


def test_prompt_with_a_column_examples_begins_with_the_few_shot_examples() -> None:
    template = Template("{examples}: {question}", raw=True, examples=FewShotExamples("Q: 1+1? A: 2\n", 1, "sums.csv"))
    assert prompt_of(template, {"question": "2+2?"}) == RawPrompt("Q: 1+1? A: 2\n: 2+2?")
    asked = prompt_of(template, {"question": "2+2?", "examples": "mine"})
    assert asked == RawPrompt("Q: 1+1? A: 2\nmine: 2+2?")
