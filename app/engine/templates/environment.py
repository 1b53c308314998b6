"""The Jinja environment for untrusted chat templates: like transformers', without importing it."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import nodes
from jinja2.exceptions import SecurityError, TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace


class GenerationTag(Extension):
    """`{% generation %}`, which has no effect outside of training."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_written"), [], [], body).set_lineno(line)

    def _written(self, caller: Callable[[], str]) -> str:
        return caller()


class TemplateDict:
    """`dict` without access to the class."""

    def __call__(self, *arguments: Any, **options: Any) -> dict[Any, Any]:
        return dict(*arguments, **options)

    def fromkeys(self, *arguments: Any, **options: Any) -> dict[Any, Any]:
        return dict.fromkeys(*arguments, **options)


class TemplateNamespace(Namespace):
    """`namespace` without names that begin with an underscore."""

    def __init__(*arguments: Any, **options: Any) -> None:
        """No named parameters, since a template may use any name."""
        self, *others = arguments
        given = dict(*others, **options)
        for name in given:
            _check_name(name)
        Namespace.__init__(self, given)

    def __setitem__(self, name: str, value: object) -> None:
        _check_name(name)
        Namespace.__setitem__(self, name, value)


def environment() -> ImmutableSandboxedEnvironment:
    """Create a sandboxed environment without files and modules. The caller limits time and memory."""
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols])
    made.filters["tojson"] = _to_json
    made.globals |= {
        "raise_exception": _raise_exception,
        "strftime_now": _strftime_now,
        "dict": TemplateDict(),
        "namespace": TemplateNamespace,
    }
    return made


def _check_name(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(
            f"Chat templates cannot store underscore-prefixed attributes on a namespace, but got {name!r}. "
            "Please rename the attribute."
        )


def _to_json(
    value: object,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _strftime_now(format: str) -> str:  # noqa: A002
    return datetime.now().strftime(format)


def _raise_exception(message: str) -> NoReturn:
    raise TemplateError(message)
