import json
import re
from typing import Any

import pytest
from llguidance import LLMatcher, LLTokenizer

from app.engine.errors import UserError
from app.engine.ranges import LONGEST_FORM
from app.engine.structured_output.grammar import check_format, complaint, grammar_of, has_format
from app.engine.types import FormatKind
from tests import json_schema
from tests.engine.schemas import SUITE, WITH_SUITE, form, walked

SLOW = pytest.mark.slow  # each check starts a process
ALTERNATIVES = 10_000
SCHEMA = FormatKind.SCHEMA
FOX = """{"type": "object", "properties": {"animal": {"type": "string"}, "legs": {"type": "integer"}},
"required": ["animal", "legs"], "additionalProperties": false}"""
CIRCLE = '{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}'
ANY_OF = [
    {"properties": {"k": {"const": "a"}, "x": {"type": "integer"}}, "required": ["k", "x"]},
    {"properties": {"x": {"type": "string"}, "k": {"const": "b"}}, "required": ["k", "x"]},
]
EITHER = json.dumps({"type": "array", "items": {"anyOf": ANY_OF}})
"""The same keys, in another order."""


@pytest.fixture(scope="module", autouse=True)
def first_check_done() -> None:
    """The process of a session's first check takes 1.2 s of processor time, any later one 0.4 s."""
    check_format(form(FormatKind.CHOICES, "first"))


def refusal(kind: FormatKind, text: str) -> str:
    with pytest.raises(UserError) as refused:
        check_format(form(kind, text))
    assert refused.value.failure.kind == "form"
    return refused.value.failure.what


def accepts(grammar: str, text: str) -> bool:
    tokenizer = LLTokenizer("byte")
    matcher = LLMatcher(tokenizer, grammar, log_level=0)
    ids = tokenizer.tokenize_str(text)
    return matcher.try_consume_tokens(ids) == len(ids) and matcher.is_accepting()


@pytest.mark.parametrize(
    ("kind", "text", "good", "bad"),
    [
        pytest.param(FormatKind.JSON, "", ['{"a":[1,null]}', '"x"', "-3.5"], ["{", '{"a": 1}', "x"], marks=SLOW),
        pytest.param(SCHEMA, '{"type":"integer","minimum":3}', ["3", "44"], ["2", "3.5", " 3"], marks=SLOW),
        (FormatKind.CHOICES, "yes\n\nno way\n“é\\n”\nyes", ["yes", "no way", "“é\\n”"], ["", "no", "yes\n"]),
        (FormatKind.REGEX, "[a-c]+/[0-9]{2}", ["abc/12"], ["/12", "a/123"]),
        pytest.param(FormatKind.GRAMMAR, 'start: "a" (b)*\nb: "-b"', ["a", "a-b-b"], ["b", "a-"], marks=SLOW),
        pytest.param(FormatKind.NUMBERS, "3..12", ["3", "12"], ["2", "13", "3.5"], marks=SLOW),
        pytest.param(FormatKind.NUMBERS, " -0.5 … 2 ", ["-0.5", "2", "0.25"], ["-0.6", "2.1"], marks=SLOW),
    ],
)
def test_grammar_of_each_kind_accepts_its_answers(kind: FormatKind, text: str, good: list[str], bad: list[str]) -> None:
    check_format(form(kind, text))
    grammar = grammar_of(form(kind, text))
    assert [accepts(grammar, each) for each in good] == [True] * len(good)
    assert [accepts(grammar, each) for each in bad] == [False] * len(bad)


def test_form_put_keeps_the_texts_of_other_kinds() -> None:
    both = form(FormatKind.REGEX, "a+").put(FormatKind.CHOICES, "b")
    assert (both.kind, both.text, both.regex) == (FormatKind.CHOICES, "b", "a+")
    assert both.alone == form(FormatKind.CHOICES, "b")
    assert both.put(FormatKind.NONE, "").regex == "a+"
    assert not both.put(FormatKind.NONE, "")


def test_check_form_without_a_process_is_refused_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("app.engine.templates.process.template_command", lambda: ["/nowhere/at/all"])
        assert "didn't respond" in refusal(FormatKind.REGEX, "once more [0-9]{3}")
    check_format(form(FormatKind.REGEX, "once more [0-9]{3}"))


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"type": "string", "maxLenght": 3}, "maxLenght"),
        ({"properties": {"maxLenght": {"nullable": True}}}, "nullable"),
        ({"items": [{}, {"uniqueItems": True}]}, "uniqueItems"),
        ({"allOf": [{"not": {}}]}, "not"),
        ({"$defs": {"a": {"x-guidance": {"lenient": True}}}}, "x-guidance"),
        ({"additionalProperties": {"if": {}}}, "if"),
    ],
)
def test_check_form_unsupported_keyword_is_named(schema: object, keyword: str) -> None:
    assert refusal(SCHEMA, json.dumps(schema)) == f"“{keyword}” can't be enforced."


def test_check_form_property_names_are_no_keywords() -> None:
    schema = {"properties": {"not": {"const": {"if": 1}}, "then": {"enum": [{"else": 2}]}}, "title": "not"}
    check_format(form(SCHEMA, json.dumps(schema)))


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (SCHEMA, "", "The output format is empty."),
        (FormatKind.CHOICES, "\n \n", "The output format is empty."),
        (SCHEMA, '{"a', "This is not a JSON schema: it is not valid JSON at line 1."),
        (SCHEMA, "false", "This is not a JSON schema: "),
        (SCHEMA, '{"items":' * 2_000 + "{}" + "}" * 2_000, "This is not a JSON schema: it is nested too deeply."),
        pytest.param(SCHEMA, '{"type":"integer","minimum":5,"maximum":3}', "is greater than maximum (3)", marks=SLOW),
        pytest.param(SCHEMA, CIRCLE, "No text can match it", marks=SLOW),
        (SCHEMA, '{"$ref":"http://sluice.invalid/a.json"}', "does not fetch"),
        pytest.param(SCHEMA, '{"type":"integer","multipleOf":99999989}', "too much time or memory", marks=SLOW),
        (FormatKind.REGEX, "(a", "unclosed group"),
        pytest.param(FormatKind.REGEX, "(?=a)b", "look-around", marks=SLOW),
        pytest.param(FormatKind.GRAMMAR, "start: start", "No text can match it", marks=SLOW),
        (FormatKind.GRAMMAR, "start: foo", "unknown name"),
        pytest.param(FormatKind.GRAMMAR, f"start: {'(' * 50_000}'a'{')' * 50_000}", "", marks=SLOW),
        (FormatKind.GRAMMAR, 'start: %json {"not": {}}', "“%json” can't be enforced."),
        (FormatKind.GRAMMAR, 'start: a\na[temperature=0.3]: "x"', "“temperature” can't be enforced."),
        (FormatKind.CHOICES, "a" * (LONGEST_FORM + 1), "The output format is longer than 200,000 characters."),
        (FormatKind.NUMBERS, "few", "A range is two numbers"),
        pytest.param(FormatKind.NUMBERS, "9..1", "greater than maximum", marks=SLOW),
    ],
)
def test_check_form_invalid_format_is_refused_in_a_sentence(kind: FormatKind, text: str, said: str) -> None:
    what = refusal(kind, text)
    assert said in what
    assert "\n" not in what and len(what) < 1_200


@pytest.mark.slow
def test_check_form_ten_thousand_alternatives_end() -> None:
    check_format(form(FormatKind.CHOICES, "\n".join(f"choice {number}" for number in range(ALTERNATIVES))))
    check_format(form(SCHEMA, json.dumps({"enum": list(range(ALTERNATIVES))})))
    schema = json.dumps({"anyOf": [{"required": [f"k{number}"]} for number in range(8_000)]}, separators=(",", ":"))
    # Whichever comes first on this machine: its tables are full, or its second of the processor is over.
    assert re.search("too large|It takes too long", refusal(SCHEMA, schema))


@pytest.mark.slow
@WITH_SUITE
def test_grammar_of_the_public_suite_is_never_weakened() -> None:
    tried, taken, walks = 0, 0, 0
    for file in sorted(SUITE.glob("*.json")):
        for case in json.loads(file.read_text("utf-8")):
            try:
                grammar = grammar_of(form(SCHEMA, json.dumps(case["schema"])))
            except UserError as refused:
                assert refused.failure.what.startswith(("“", "This is not a JSON schema"))
                continue
            tried += 1
            if complaint(grammar):
                continue
            taken += 1
            invalid = [test["data"] for test in case["tests"] if not test["valid"]]
            texts = [json.dumps(data, separators=(",", ":"), ensure_ascii=False) for data in invalid]
            wrong = [text for text in texts if accepts(grammar, text)]
            assert not wrong, (file.name, case["description"], wrong)
            walks += _walks(grammar, case["schema"])
    assert (taken > 150, walks > 300) == (True, True), (tried, taken, walks)


def _walks(grammar: str, schema: Any) -> int:
    said = json.dumps(schema)
    if any(unknown in said for unknown in json_schema.UNKNOWN):
        return 0
    texts = [text for seed in range(4) if (text := walked(grammar, seed)) is not None]
    for text in texts:
        assert [*json_schema.faults(json.loads(text), schema)] == [], (text, schema)
    return len(texts)


@pytest.mark.slow
@WITH_SUITE
def test_has_format_agrees_with_the_public_suite() -> None:
    judged = 0
    for file in sorted(SUITE.glob("*.json")):
        for case in json.loads(file.read_text("utf-8")):
            asked = form(SCHEMA, json.dumps(case["schema"]))
            try:
                if file.name == "format.json" or complaint(grammar_of(asked)):
                    continue
            except UserError:
                continue
            for test in case["tests"]:
                text = json.dumps(test["data"], indent=1)
                assert has_format(asked, text) == test["valid"], (case["description"], test["description"])
                judged += 1
    assert judged > 300


@pytest.mark.parametrize(
    ("kind", "text", "good", "bad"),
    [
        (FormatKind.JSON, "", ['{"a": [1,\n null]}', ' "x" '], ["{", "{'a': 1}", "```json\n{}\n```", ""]),
        (SCHEMA, FOX, ['{"legs": 4.0, "animal": "fox"}'], ['{"legs": 4}', '{"legs": 4, "animal": "fox", "b": 1}']),
        (FormatKind.CHOICES, "yes\nno", ["yes"], ["Yes", "yes "]),
        (FormatKind.REGEX, "[a-c]+", ["abc"], ["", "abcd"]),
        (FormatKind.NUMBERS, "3..12", ["3", " 4\n"], ["2", "three"]),
        (FormatKind.NUMBERS, "0.0..2.5", ["0.0000001", "1e-7"], ["-1e-7"]),
        (SCHEMA, EITHER, ['[{"k":"b","x":"s"}]', '[{"x":"s","k":"b"}]'], ['[{"k":"a","x":"s"}]']),
    ],
)
def test_has_format_of_unconstrained_answers(kind: FormatKind, text: str, good: list[str], bad: list[str]) -> None:
    assert [has_format(form(kind, text), each) for each in good] == [True] * len(good)
    assert [has_format(form(kind, text), each) for each in bad] == [False] * len(bad)
