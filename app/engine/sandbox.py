"""Where chat templates run: no Python behind the names, an end to every loop, nothing larger than a prompt can be.

Jinja's own sandbox keeps a template from files, modules and the network. It does not keep it from a loop without end,
nor from ten gigabytes of the letter a. So each turn of a loop asks whether there is time left, and each step that could
make much of little is weighed before it is done: once begun it can't be broken off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sized
from functools import wraps
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from app.engine.template_time_limit import LONGEST_TEMPLATE, go_on

MOST_CHARACTERS = 50_000_000
MOST_THINGS = 1_000_000
"""In a list, or told to something that pads, indents or cuts."""
MOST_BITS = 4_096
FORMATS = re.compile(r"\d{7,}|\*|\{[^{}]*\{")
"""What makes a format as wide as one likes: a long number, or a width that comes from elsewhere."""
PADDING = frozenset(
    {"batch", "center", "expandtabs", "indent", "ljust", "rjust", "slice", "tojson", "truncate", "wordwrap", "zfill"}
)
LETTER_BY_LETTER = frozenset(
    {"batch", "list", "map", "reject", "select", "slice", "sort", "unique", "urlize", "wordwrap"}
)


class Generator(CodeGenerator):
    """Writes a template's Python; `~` goes through the environment like the other operators."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class Filters(dict[str, Callable[..., Any]]):
    """Whoever puts a filter of his own into the sandbox, as transformers does: it is weighed as well."""

    def __setitem__(self, name: str, wanted: Callable[..., Any]) -> None:
        super().__setitem__(name, _weighed_filter(name, wanted))


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's own, with a clock and scales."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})
    code_generator_class = Generator

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        given, self.filters = self.filters, Filters()
        for name, each in given.items():
            self.filters[name] = each

    @staticmethod
    def concat(parts: Iterable[str]) -> str:
        """What a template, a macro or a block has written."""
        kept, size = [], 0
        for part in parts:
            size += len(part)
            _weigh(size, MOST_CHARACTERS)
            kept.append(part)
        return "".join(kept)

    def joined(self, parts: Iterable[Any]) -> str:
        """`~` of a template."""
        return self.concat(map(str, parts))

    def turn(self) -> None:
        """At each turn of a loop, and each time a macro is called."""
        go_on()

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        _weigh_operation(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def call(*arguments: Any, **options: Any) -> Any:
        """A template may give any name to its own arguments, so none is taken here."""
        self, context, called, *others = arguments
        subject = getattr(getattr(called, "__wrapped__", called), "__self__", None)
        if isinstance(subject, str | bytes):
            _weigh_call(called.__name__, subject, (*others, *options.values()))
        return super(Sandbox, self).call(context, called, *others, **options)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        if len(source) > LONGEST_TEMPLATE:
            raise TemplateSyntaxError("The template is too long.", 1, name, filename)
        template = super()._parse(source, name, filename)
        looping: Iterable[Any] = template.find_all((nodes.For, nodes.Macro, nodes.CallBlock))
        for block in looping:
            turn = nodes.Call(nodes.EnvironmentAttribute("turn"), [], [], None, None)
            block.body.insert(0, nodes.ExprStmt(turn, lineno=block.lineno))
        return template


def _weighed_filter(name: str, wanted: Callable[..., Any]) -> Callable[..., Any]:
    passed = 1 if hasattr(wanted, "jinja_pass_arg") else 0

    @wraps(wanted)  # with what tells Jinja to pass the context
    def weighed(*arguments: Any, **options: Any) -> Any:
        subject, *others = arguments[passed:] or [""]
        _weigh_call(name, subject, (*others, *options.values()))
        if not isinstance(subject, str) or name in LETTER_BY_LETTER:
            _weigh(_length(subject), MOST_THINGS)
        return wanted(*arguments, **options)

    return weighed


def _weigh_operation(operator: str, left: Any, right: Any) -> None:
    if operator == "%" and isinstance(left, str):
        _weigh_format(left, (right,))
    elif isinstance(left, int) and isinstance(right, int):
        bits = {"**": left.bit_length() * max(right, 1), "*": left.bit_length() + right.bit_length()}
        _weigh(bits.get(operator, 0), MOST_BITS)
    elif operator == "*":
        times, thing = (left, right) if isinstance(left, int) else (right, left)
        _weigh(times * _length(thing) if isinstance(times, int) else 0, _most(thing))
    elif operator == "+":
        _weigh(_length(left) + _length(right), _most(left))


def _weigh_call(name: str, subject: Any, arguments: tuple[Any, ...]) -> None:
    """A method of a text, or a filter."""
    go_on()
    if name in PADDING:
        _weigh(max((each for each in arguments if isinstance(each, int)), default=0), MOST_THINGS)
    match name, arguments:
        case "replace", (str(old), str(new), *_):
            _weigh(len(str(subject)) + str(subject).count(old) * len(new), MOST_CHARACTERS)
        case "join", (other, *_):
            _weigh(_length(subject) * max(_length(other), 1), MOST_CHARACTERS)
        case (("expandtabs" | "indent"), (int(width), *_)):
            _weigh(_length(subject) * width, MOST_CHARACTERS)
        case "translate", _:
            _weigh(_length(subject), MOST_THINGS)
        case (("format" | "format_map"), _):
            _weigh_format(str(subject), arguments)


def _weigh_format(text: str, arguments: tuple[Any, ...]) -> None:
    if FORMATS.search(text):
        raise SecurityError("The template sets a text as wide as it likes.")
    _weigh(len(text) + sum(map(_length, arguments)), MOST_CHARACTERS)


def _weigh(size: int, most: int) -> None:
    if size > most:
        raise SecurityError("The template makes something larger than any prompt.")


def _length(thing: Any) -> int:
    return len(thing) if isinstance(thing, Sized) and not isinstance(thing, dict) else 0


def _most(thing: Any) -> int:
    return MOST_CHARACTERS if isinstance(thing, str | bytes) else MOST_THINGS
