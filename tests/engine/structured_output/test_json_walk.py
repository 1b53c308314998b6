import json
import time
from typing import Any
from unittest.mock import Mock

import pytest
from llguidance import LLMatcher, LLTokenizer

from app.engine.errors import UserError
from app.engine.structured_output import schema_shapes
from app.engine.structured_output.grammar import complaint, grammar_of
from app.engine.structured_output.json_walk import LONGEST, JsonPosition, JsonWalk
from app.engine.structured_output.schema_shapes import WORK, SchemaResolver
from app.engine.structured_output.words import MOST_LINES, ROOM, expected, tree
from app.engine.types import FormatKind, OutputFormat
from tests import json_schema
from tests.engine.schemas import FOX, SUITE, WITH_SUITE, form, walked


def walk(text: str, schema: Any = FOX) -> JsonWalk:
    return JsonWalk(SchemaResolver(schema), text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "an object"),
        ("{", "the key “animal”"),
        ('{"an', "the rest of “animal”"),
        ('{"animal"', "the colon after “animal”"),
        ('{"animal":', "text (at most 4 characters) for “animal”"),
        ('{"animal":"f\\u00e9', "the rest of “animal”, text (at most 4 characters)"),
        ('{"animal":"f\\u00e9es', "the closing quote: “animal” has the maximum of 4 characters"),
        ('{"animal":"fox"', "the key “legs”"),
        ('{"animal":"fox","legs":', "a whole number (at least 0, at most 8) for “legs”"),
        ('{"animal":"fox","legs":4', "more of “legs”, a whole number (at least 0, at most 8), or the text after it"),
        ('{"animal":"fox","legs":4,', "the key “colour” or “tags”"),
        ('{"animal":"fox","legs":4,"colour":', '"red" or "green" for “colour”'),
        ('{"animal":"fox","legs":4,"colour":"g', "the rest of “green”"),
        ('{"animal":"fox","legs":4,"colour":"red"', "the key “tags” or the end of the object"),
        ('{"animal":"fox","legs":4,"tags":', "a list (at least 1 items, at most 2 items) for “tags”"),
        ('{"animal":"fox","legs":4,"tags":[', "true or false for item 1"),
        ('{"animal":"fox","legs":4,"tags":[true', "true or false for item 2 or the end of the list"),
        ('{"animal":"fox","legs":4,"tags":[true,fal', "the rest of item 2, true or false"),
        ('{"animal":"fox","legs":4,"tags":[true,false', "the end of the list: no further item is allowed"),
        ('{"animal":"fox","legs":4,"tags":[true]', "the end of the object: no further key is allowed"),
        ('{"animal":"fox","legs":4} ', "nothing more: the answer is complete"),
        ("the fox", ""),
    ],
)
def test_expected_at_each_position(text: str, said: str) -> None:
    assert expected(walk(text)) == said


def test_expected_drops_alternatives_that_no_longer_fit() -> None:
    either: dict[str, Any] = {"anyOf": [{"const": None}, {"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {}}
    for name, other in (("a", "number"), ("b", "string")):
        keys = {"kind": {"const": name}, "value": {"type": other}}
        either["$defs"][name] = {"type": "object", "properties": keys, "required": ["kind"]}
    assert expected(walk("", either)) == "null or an object"
    assert expected(walk('{"kind":', either)) == '"a" or "b" for “kind”'
    assert expected(walk('{"kind":"b","value":', either)) == "text for “value”"


def test_expected_of_all_of_merges_the_parts() -> None:
    parts = {name: {"properties": {name: {"type": "integer"}}, "required": [name]} for name in "ab"}
    schema = {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"minProperties": 1}], "$defs": parts}
    assert expected(walk('{"a":1,', schema)) == "the key “b”"
    assert expected(walk('{"a":', schema)) == "a whole number for “a”"


def test_tree_has_the_position() -> None:
    assert tree(walk('{"animal":"fox","legs":')).splitlines() == [
        "  answer: 1 key",
        '    animal: "fox"',
        "▸   legs: required",
        "    colour: optional",
        "    tags: optional",
    ]
    deep = tree(walk('{"animal":"fox","legs":4,"tags":[true,fa')).splitlines()
    assert deep[3:] == ["    tags: 2 items", "      [1]: true", "▸     [2]: fa"]
    assert "▸" not in tree(walk('{"animal":"fox","legs":4}'))
    many = tree(walk(json.dumps({"list": [*range(100)]}), {})).splitlines()
    assert many[2:4] == ["      …: 92 more", "      [93]: 92"] and len(many) <= ROOM


def _agrees(schema: Any, text: str, grammar: str) -> None:
    tokenizer, shapes = LLTokenizer("byte"), SchemaResolver(schema)
    matcher = LLMatcher(tokenizer, grammar, log_level=0)
    for index, sign in enumerate(text):
        made = JsonWalk(shapes, text[:index])
        said, mask = expected(made), matcher.compute_logit_bias()
        assert said, (text, sign)
        if made.spot in (JsonPosition.FIRST_KEY, JsonPosition.ITEM, JsonPosition.BEHIND):
            behind = made.spot is JsonPosition.BEHIND
            assert bool(mask[ord("}")] or mask[ord("]")]) == ("the end of" in said), (text, sign, said)
            if behind:
                goes_on = "the key" in said or "another name" in said or " for item " in said
                assert bool(mask[ord(",")]) == goes_on, (text, sign, said)
        matcher.consume_tokens([*sign.encode()])
        tree(made)
    assert JsonWalk(shapes, f"{text} ").spot is JsonPosition.OVER, text


@pytest.mark.slow
def test_expected_of_bounded_schemas_is_what_the_grammar_allows() -> None:
    schemas = [json_schema.bounded(number) for number in range(12)]
    assert _agreements([(schema, grammar_of(_schema_form(schema))) for schema in schemas], 3, 400) > 30


@pytest.mark.slow
@WITH_SUITE
def test_expected_of_the_public_suite_is_what_its_grammars_allow() -> None:
    pairs = []
    for case in (case for file in sorted(SUITE.glob("*.json")) for case in json.loads(file.read_text("utf-8"))):
        try:
            grammar = grammar_of(_schema_form(case["schema"]))
        except UserError:
            continue
        # One case refers by $id.
        if not complaint(grammar) and case["description"] != "Recursive references between schemas":
            pairs.append((case["schema"], grammar))
    assert _agreements(pairs, 2, 100) > 200


def _schema_form(schema: Any) -> OutputFormat:
    return form(FormatKind.SCHEMA, json.dumps(schema))


def _agreements(pairs: list[tuple[Any, str]], seeds: int, longest: int) -> int:
    found = [
        (schema, text, grammar)
        for schema, grammar in pairs
        for seed in range(seeds)
        if (text := walked(grammar, seed, longest)) is not None and "�" not in text
    ]
    for each in found:
        _agrees(*each)
    return len(found)


def test_walk_hostile_schemas_and_texts_end_in_time() -> None:
    begun = time.process_time()
    keys = {"type": "object", "properties": {f"k{number}": {"type": "string"} for number in range(10_000)}}
    nested: dict[str, Any] = {}
    for _ in range(100):
        nested = {"properties": {"a": nested}}
    circle = {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#"}]}}}
    many = {"allOf": [keys, keys], "anyOf": [keys] * 10_000}
    hostile: tuple[Any, ...] = (many, nested, circle, {"$ref": "#/x/0"}, False, [], 3)
    for schema in hostile:
        made = walk('{"k1":"a","a":' + '{"a":' * 90 + "[" * 90, schema)
        expected(made)
        assert len(tree(made).splitlines()) <= ROOM < MOST_LINES
    for text in ('"' + "text" * LONGEST, '{"a":[' + '{"k":"v","n":1},' * LONGEST, "[" * 1_000, '"' + "\\" * 30_000):
        made = walk(text, {})
        assert (made.spot is JsonPosition.LOST) == (len(text) > LONGEST or text[0] == "[")
        tree(made), expected(made)
    assert time.process_time() - begun < 5


def test_walk_slow_schema_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = {"additionalProperties": {"enum": [1] * 60_000}, "anyOf": [{"minProperties": 1}] * 32}
    began = time.thread_time()
    said = walk("{" + ",".join(f'"{index}":"z"' for index in range(100)), slow)
    assert said.spot is JsonPosition.LOST and time.thread_time() - began < 5
    names = {f"p{index}": True for index in range(6_000)}
    look = Mock(wraps=schema_shapes.required_keys)
    monkeypatch.setattr(schema_shapes, "required_keys", look)
    SchemaResolver({"properties": names, "required": [*names], "anyOf": [{"$ref": "#"}] * 32})
    assert look.call_count * len(names) < 3 * WORK
