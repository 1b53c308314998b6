"""A form as llguidance's grammar, or why it is none: what can't be enforced is refused by its name.

Whoever wrote it may have written something endless, so it is first compiled in the child process of templates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from app.engine.clamping import LONGEST_FORM
from app.engine.errors import UserError
from app.engine.forms.schema_shapes import Shapes
from app.engine.templates.process import TemplateEndedError, TemplateProcess
from app.engine.types import WRITTEN, Form, FormKind
from app.files import json_reader
from app.files.json_reader import Json
from app.files.json_values import clean
from app.i18n import tr

if TYPE_CHECKING:
    from llguidance import LLTokenizer

KIND = "form"
OF_JSON = frozenset((FormKind.JSON, FormKind.SCHEMA, FormKind.NUMBERS))
ENFORCED = frozenset(
    (
        *("$anchor", "$defs", "$id", "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "const"),
        *("definitions", "enum", "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maximum", "maxItems"),
        *("maxLength", "maxProperties", "minimum", "minItems", "minLength", "minProperties", "multipleOf", "oneOf"),
        *("pattern", "patternProperties", "prefixItems", "properties", "required", "type"),
    )
)
"""Keywords of JSON schemas; of some of them llguidance takes a part, and refuses the rest itself."""
REMARKS = frozenset(
    (
        *("$comment", "$schema", "contentEncoding", "contentMediaType", "contentSchema", "default", "deprecated"),
        *("description", "examples", "readOnly", "title", "writeOnly"),
    )
)
"""They ask nothing of an answer."""
TYPES = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))
KEYWORDS = {FormKind.SCHEMA: ENFORCED | REMARKS | TYPES, FormKind.GRAMMAR: frozenset(("%ignore", "%import"))}
"""What an editor completes."""
NAMED = frozenset(("$defs", "definitions", "patternProperties", "properties"))
"""Their values have schemas under names of their own."""
SCHEMAS = frozenset(("additionalItems", "additionalProperties", "allOf", "anyOf", "items", "oneOf", "prefixItems"))
IGNORED = re.compile(r"%json\b|\btemperature(?=\s*=)")
"""What a grammar may ask of llguidance, and nobody here would hold to."""
EXPONENT = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9.]+e[-+][01][0-9]\b')
"""A text, or a number that its range would not take as Python writes it."""
RANGE = re.compile(r"\s*(-?\d{1,15}(?:\.\d{1,15})?)\s*(?:\.\.|…)\s*(-?\d{1,15}(?:\.\d{1,15})?)\s*")
STRICT = {"whitespace_flexible": False, "lenient": False, "coerce_one_of": False}
"""Small models write blanks for ever wherever they may."""
FUEL = {"max_lexer_states": 50_000, "verbose_errors": False}
LONGEST_ANSWER = 1_000
TOO_LARGE, NOTHING = "large", "nothing"
WORDS = {TOO_LARGE: tr("It is too large."), NOTHING: tr("Nothing can be written that begins as it asks.")}
"""For what llguidance has no words for a reader."""


def grammar_of(form: Form) -> str:
    """Raises RefusedError with a sentence for what no form says."""
    from llguidance import LLMatcher

    if form.kind in WRITTEN and not form.text.strip():
        raise _refused(tr("The output format is empty."))
    if len(form.text) > LONGEST_FORM:
        said = tr("The output format is longer than {most} characters.")
        raise _refused(said.format(most=f"{LONGEST_FORM:,}"))
    match form.kind:
        case FormKind.CHOICES:
            lines = dict.fromkeys(clean(form.text).splitlines())
            return LLMatcher.grammar_from_lark(f"start: {' | '.join(json.dumps(line) for line in lines if line)}")
        case FormKind.REGEX:
            return LLMatcher.grammar_from_regex(clean(form.text))
        case FormKind.GRAMMAR:
            if (found := IGNORED.search(form.text)) is not None:
                raise _unenforced(found[0])
            return LLMatcher.grammar_from_lark(clean(form.text))
    try:
        return LLMatcher.grammar_from_json_schema(json.dumps(schema_of(form)), overrides=STRICT)  # type: ignore[arg-type]
    except (ValueError, RecursionError) as error:
        raise _refused(tr("This is no JSON schema: {why}.").format(why=error)) from None


def check_form(form: Form) -> None:
    """Raises RefusedError with the reason why no answer can be held to it."""
    if form and (why := _complaint(grammar_of(form))):
        raise _refused(tr("No answer can have this form: {why}").format(why=why))


def why_not(form: Form) -> str:
    """What is wrong with a form, in a sentence; empty: nothing."""
    try:
        check_form(form)
    except UserError as refused:
        return refused.failure.what
    return ""


def obeys(form: Form, text: str) -> bool:
    """Whether a whole answer that nobody held to the form has it: in JSON with any blanks, and keys in any order."""
    return not form or why_disobeyed(form, text) == ""


def why_disobeyed(form: Form, text: str) -> str | None:
    """Empty: it has the form. None: it has not. Else why that can't be told, in a few words."""
    from llguidance import LLMatcher, LLParserLimits

    if form.kind in OF_JSON:
        try:
            schema, value = schema_of(form), json_reader.parse(text)
        except ValueError:
            return None
        shapes = Shapes(schema)
        text = json.dumps(shapes.in_order(value, shapes.root), ensure_ascii=False, separators=(",", ":"))
        text = EXPONENT.sub(lambda found: found[0] if found[0][0] == '"' else f"{Decimal(found[0]):f}", text)
    tokenizer, said = _bytewise(), text.encode("utf-8", "replace")
    matcher = LLMatcher(tokenizer, grammar_of(form), log_level=0, limits=LLParserLimits(**FUEL))  # type: ignore[arg-type]
    if matcher.try_consume_tokens([*said]) == len(said) and matcher.is_accepting():
        return ""
    return _short(matcher.get_error()) or None


def complaint(grammar: str) -> str:
    """What llguidance finds wrong with a grammar; it may take any time and all memory that there is."""
    from llguidance import LLMatcher, LLParserLimits

    matcher = LLMatcher(_bytewise(), grammar, log_level=0, limits=LLParserLimits(**FUEL))  # type: ignore[arg-type]
    possible, why = any(matcher.compute_logit_bias()), matcher.get_error().strip()
    if why.startswith("panic"):  # its own tables are full
        return TOO_LARGE
    if not possible or "NoExtension" in why:
        why = why if why and "NoExtension" not in why else NOTHING
    return _short(why)


@cache
def _bytewise() -> LLTokenizer:
    """It takes longer to make than a short text to match."""
    from llguidance import LLTokenizer

    return LLTokenizer("byte")


def _short(why: str) -> str:
    """What llguidance says, without where in its own notation."""
    return (why.rpartition("\nerror: ")[2] or why).partition("\n")[0][:LONGEST_ANSWER]


@lru_cache(maxsize=32)
def _complaint(grammar: str) -> str:
    try:
        process = TemplateProcess()
        try:
            _, said = process.ask(json.dumps({"grammar": grammar}).encode(), 4 * LONGEST_ANSWER)
        finally:
            process.end()
    except TemplateEndedError as ended:
        if ended.again:
            what = tr("The process that checks forms of answers gave no answer.")
            raise UserError(what, tr("Try again."), ended.failure.details, KIND) from None
        return tr("It takes too long or too much memory to prepare.")
    why = said.decode("utf-8", "replace")
    return WORDS.get(why, why)


def schema_of(form: Form) -> Json:
    """Of a form of JSON; raises RefusedError, and ValueError for what is no JSON."""
    if form.kind is FormKind.JSON:
        return {}
    if form.kind is FormKind.NUMBERS:
        return _numbers(form.text)
    schema = json_reader.parse(form.text)
    for name in _keywords(schema):
        if name not in ENFORCED | REMARKS:
            raise _unenforced(name)
    return schema


def _numbers(text: str) -> Json:
    if (found := RANGE.fullmatch(text)) is None:
        raise _refused(tr("A range is two numbers with two dots between them, as in 1..10 or 0.5..2."))
    whole = "." not in found[1] + found[2]
    least, most = (int(each) if whole else float(each) for each in found.groups())
    return {"type": "integer" if whole else "number", "minimum": least, "maximum": most}


def _keywords(schema: Json) -> Iterator[str]:
    """Of a schema and of all schemas inside it, without the names and values that somebody chose."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            yield from part
            for name, value in part.items():
                if name in NAMED and isinstance(value, dict):
                    waiting += value.values()
                elif name in SCHEMAS:
                    waiting.append(value)


def _unenforced(name: str) -> UserError:
    return _refused(tr("“{keyword}” can't be enforced.").format(keyword=name))


def _refused(what: str) -> UserError:
    return UserError(what, tr("Change the output format, or ask for none."), kind=KIND)
