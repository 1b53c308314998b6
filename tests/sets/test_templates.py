"""Rows become prompts: variables once, conversations before, what is missing told."""

import pytest

from app.engine.types import ChatPrompt, Message, RawPrompt, Role
from app.sets.templates import (
    choices_of,
    expected_of,
    filled,
    missing,
    prompt_of,
    suggested,
    turns_of,
    why_missing,
)
from app.sets.types import Template


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


def test_without_a_system_prompt_there_is_no_such_message() -> None:
    assert prompt_of(Template("{q}", "{s}"), {"q": "x", "s": ""}) == ChatPrompt((Message(Role.USER, "x"),))


def test_a_raw_prompt_is_its_text_alone() -> None:
    assert prompt_of(Template("{q}", "{s}", raw=True), {"q": "x", "s": "S", "messages": "[]"}) == RawPrompt("x")


def test_what_is_expected_is_filled_too() -> None:
    assert expected_of(Template(expected="{a}-{b}"), {"a": "1", "b": "2"}) == "1-2"
    assert expected_of(Template(), {"a": "1"}) == ""


def test_variables_that_are_no_columns_are_told() -> None:
    template = Template("{a} {{no}} {b}", "{c}", "{a}")
    assert missing(template, ("a", "c")) == ("b",)
    assert why_missing(("b",)).startswith("The set has no column for {b}.")
    assert why_missing(()) == ""


def test_a_raw_prompt_needs_no_column_for_the_system() -> None:
    assert missing(Template("{a}", "{c}", raw=True), ("a",)) == ()


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
