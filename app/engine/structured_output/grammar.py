"""Converts an output format to llguidance's grammar, or returns why that isn't possible.

Compiling a grammar can take unlimited time, so it is tried first in the child process of templates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from app.engine.errors import UserError
from app.engine.ranges import LONGEST_FORM
from app.engine.structured_output.schema_shapes import SchemaResolver
from app.engine.templates.process import TemplateEndedError, TemplateProcess
from app.engine.types import WRITTEN, FormatKind, OutputFormat
from app.files import json_reader
from app.files.json_reader import Json
from app.files.json_values import clean
from app.i18n import tr

if TYPE_CHECKING:
    from llguidance import LLTokenizer

KIND = "form"
OF_JSON = frozenset((FormatKind.JSON, FormatKind.SCHEMA, FormatKind.NUMBERS))
ENFORCED = frozenset(
    (
        *("$anchor", "$defs", "$id", "$ref", "additionalItems", "additionalProperties", "allOf", "anyOf", "const"),
        *("definitions", "enum", "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maximum", "maxItems"),
        *("maxLength", "maxProperties", "minimum", "minItems", "minLength", "minProperties", "multipleOf", "oneOf"),
        *("pattern", "patternProperties", "prefixItems", "properties", "required", "type"),
    )
)
"""Keywords of JSON schemas. llguidance supports some of them in part and refuses the rest itself."""
REMARKS = frozenset(
    (
        *("$comment", "$schema", "contentEncoding", "contentMediaType", "contentSchema", "default", "deprecated"),
        *("description", "examples", "readOnly", "title", "writeOnly"),
    )
)
"""Annotations without effect on an answer."""
TYPES = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))
KEYWORDS = {FormatKind.SCHEMA: ENFORCED | REMARKS | TYPES, FormatKind.GRAMMAR: frozenset(("%ignore", "%import"))}
"""Words for completion in the editor."""
NAMED = frozenset(("$defs", "definitions", "patternProperties", "properties"))
"""Keywords whose values map arbitrary names to schemas."""
SCHEMAS = frozenset(("additionalItems", "additionalProperties", "allOf", "anyOf", "items", "oneOf", "prefixItems"))
IGNORED = re.compile(r"%json\b|\btemperature(?=\s*=)")
"""Parts of llguidance's grammar syntax that Sluice doesn't support."""
EXPONENT = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9.]+e[-+][01][0-9]\b')
"""A JSON string, or a number in a notation that a range doesn't accept."""
RANGE = re.compile(r"\s*(-?\d{1,15}(?:\.\d{1,15})?)\s*(?:\.\.|…)\s*(-?\d{1,15}(?:\.\d{1,15})?)\s*")
STRICT = {"whitespace_flexible": False, "lenient": False, "coerce_one_of": False}
"""Options of JSON formats. Small models generate endless whitespace if it is allowed."""
FUEL = {"max_lexer_states": 50_000, "verbose_errors": False}
LONGEST_ANSWER = 1_000
TOO_LARGE, NOTHING = "large", "nothing"
WORDS = {TOO_LARGE: tr("It is too large."), NOTHING: tr("No text can match it.")}
"""Texts for errors that llguidance doesn't explain."""


def grammar_of(output_format: OutputFormat) -> str:
    """Convert an output format. Raises UserError if it is invalid."""
    from llguidance import LLMatcher

    if output_format.kind in WRITTEN and not output_format.text.strip():
        raise _refused(tr("The output format is empty."))
    if len(output_format.text) > LONGEST_FORM:
        said = tr("The output format is longer than {most} characters.")
        raise _refused(said.format(most=f"{LONGEST_FORM:,}"))
    match output_format.kind:
        case FormatKind.CHOICES:
            lines = dict.fromkeys(clean(output_format.text).splitlines())
            return LLMatcher.grammar_from_lark(f"start: {' | '.join(json.dumps(line) for line in lines if line)}")
        case FormatKind.REGEX:
            return LLMatcher.grammar_from_regex(clean(output_format.text))
        case FormatKind.GRAMMAR:
            if (found := IGNORED.search(output_format.text)) is not None:
                raise _unenforced(found[0])
            return LLMatcher.grammar_from_lark(clean(output_format.text))
    try:
        return LLMatcher.grammar_from_json_schema(json.dumps(schema_of(output_format)), overrides=STRICT)  # type: ignore[arg-type]
    except (ValueError, RecursionError) as error:
        raise _refused(tr("This is not a JSON schema: {why}.").format(why=error)) from None


def check_format(output_format: OutputFormat) -> None:
    """Raise UserError if no answer can have this format."""
    if output_format and (why := _complaint(grammar_of(output_format))):
        what = tr("No answer can match this output format: {why}").format(why=why)
        raise _refused(what if what.endswith(".") else f"{what}.")


def why_not(output_format: OutputFormat) -> str:
    try:
        check_format(output_format)
    except UserError as refused:
        return refused.failure.what
    return ""


def has_format(output_format: OutputFormat, text: str) -> bool:
    """Return whether an unconstrained answer has the format; JSON may have any whitespace and key order."""
    return not output_format or format_mismatch(output_format, text) == ""


def format_mismatch(output_format: OutputFormat, text: str) -> str | None:
    """Return "" if the answer has the format, None if not, else why that can't be checked."""
    from llguidance import LLMatcher, LLParserLimits

    if output_format.kind in OF_JSON:
        try:
            schema, value = schema_of(output_format), json_reader.parse(text)
        except ValueError:
            return None
        shapes = SchemaResolver(schema)
        text = json.dumps(shapes.in_order(value, shapes.root), ensure_ascii=False, separators=(",", ":"))
        text = EXPONENT.sub(lambda found: found[0] if found[0][0] == '"' else f"{Decimal(found[0]):f}", text)
    tokenizer, said = _byte_tokenizer(), text.encode("utf-8", "replace")
    matcher = LLMatcher(tokenizer, grammar_of(output_format), log_level=0, limits=LLParserLimits(**FUEL))  # type: ignore[arg-type]
    if matcher.try_consume_tokens([*said]) == len(said) and matcher.is_accepting():
        return ""
    return _shorten(matcher.get_error()) or None


def complaint(grammar: str) -> str:
    """Return llguidance's error for a grammar; empty if it is valid. Time and memory are unlimited here."""
    from llguidance import LLMatcher, LLParserLimits

    matcher = LLMatcher(_byte_tokenizer(), grammar, log_level=0, limits=LLParserLimits(**FUEL))  # type: ignore[arg-type]
    possible, why = any(matcher.compute_logit_bias()), matcher.get_error().strip()
    if why.startswith("panic"):  # raised when its tables are full
        return TOO_LARGE
    if not possible or "NoExtension" in why:
        why = why if why and "NoExtension" not in why else NOTHING
    return _shorten(why)


@cache
def _byte_tokenizer() -> LLTokenizer:
    """Return the cached tokenizer of bytes, which takes longer to create than to match a short text."""
    from llguidance import LLTokenizer

    return LLTokenizer("byte")


def _shorten(why: str) -> str:
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
            what = tr("The process that checks output formats didn't respond.")
            raise UserError(what, tr("Try again."), ended.failure.details, KIND) from None
        return tr("Compiling it takes too much time or memory.")
    why = said.decode("utf-8", "replace")
    return WORDS.get(why, why)


def schema_of(output_format: OutputFormat) -> Json:
    """Return the schema of a JSON format. Raises UserError, and ValueError for invalid JSON."""
    if output_format.kind is FormatKind.JSON:
        return {}
    if output_format.kind is FormatKind.NUMBERS:
        return _numbers(output_format.text)
    schema = json_reader.parse(output_format.text)
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
    """Yield the keywords of a schema and its subschemas, without property names and values."""
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
    return UserError(what, tr("Change the output format, or turn it off."), kind=KIND)
