import json
from dataclasses import replace

from app.engine.types import ConstraintStats, FormatKind, OutputFormat
from app.ui.inspector.subject import MAX_SCHEMA_CHARACTERS, FormatReader, FormatState
from tests.engine.schemas import FOX
from tests.engine.traces import traced
from tests.ui.inspector.choices import choice

SCHEMA = OutputFormat(FormatKind.SCHEMA, schema=json.dumps(FOX))
TEXTS = ["<think>", "The {", " fox", "</think>", "{", '"animal":"', "fox", '","legs"', ":4}"]


def test_form_reader_follows_the_answer_forward_and_back() -> None:
    reader, trace = FormatReader(), traced(TEXTS)
    assert [reader.before("one", SCHEMA, trace, position).expected for position in (4, 5, 6, 8)] == [
        "an object",
        "the key “animal”",
        "the rest of “animal”, text (at most 4 characters)",
        "the colon after “legs”",
    ]
    back = reader.before("one", SCHEMA, trace, 5)
    assert back.tree.splitlines()[:2] == ["▸ answer: 0 keys", "    animal: required"]
    other = traced(['{"animal":', '"cat'])
    assert reader.before("other", SCHEMA, other, 1).expected == "text (at most 4 characters) for “animal”"
    assert reader.before("other", OutputFormat(FormatKind.JSON), other, 1).expected == "any value for “animal”"


def test_form_reader_of_choices_and_a_regex_lists_valid_continuations() -> None:
    reader, choices = FormatReader(), OutputFormat(FormatKind.CHOICES, choices="yes\nno\nnot at all")
    trace = traced(["n", "o", "t"])
    assert reader.before("one", choices, trace, 0) == FormatState("“yes”, “no” or “not at all”")
    assert reader.before("one", choices, trace, 2) == FormatState("“no” or “not at all”")
    digits = OutputFormat(FormatKind.REGEX, regex="[0-9]+")
    trace.learn(0, [replace(choice(texts="12 "), formed=ConstraintStats(0.5, False))])
    assert reader.before("one", digits, trace, 0) == FormatState("“1”, “2” or “␣”")
    assert reader.before("one", digits, trace, 1) == FormatState("")


def test_form_reader_of_an_invalid_schema_says_nothing() -> None:
    reader, trace = FormatReader(), traced(["{", '"a"'])
    strange = '{"properties": 3, "required": {}, "type": [{}], "enum": 1, "maxItems": ""}'
    for text in ("", "{", '{"not": 1}', "[" * 5_000, strange):
        assert reader.before("one", OutputFormat(FormatKind.SCHEMA, schema=text), trace, 2).expected


def test_form_reader_of_a_long_schema_says_nothing() -> None:
    long = OutputFormat(FormatKind.SCHEMA, schema=json.dumps(FOX) + " " * MAX_SCHEMA_CHARACTERS)
    assert FormatReader().before("one", long, traced(["{", '"a"']), 1) == FormatState()
