"""Formats values and calls as Python source, with double quotes and one literal for each line of a text."""

import keyword
import math
import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 100
INDENT = "    "


def quoted(text: str) -> str:
    """Return a text as a literal on one line."""
    plain = repr(text)
    return f'"{plain[1:-1]}"' if plain.startswith("'") and '"' not in plain else plain


def text_literal(text: str, indent: str = "") -> str:
    """Return a text as a literal, in parentheses if it has several lines. `indent` is that of its first line."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return quoted(text)
    inside = "".join(f"{indent}{INDENT}{quoted(line)}\n" for line in lines)
    return f"(\n{inside}{indent})"


def value(thing: object) -> str:
    """Return a plain value, or a dictionary of plain values."""
    if isinstance(thing, str):
        return quoted(thing)
    if isinstance(thing, dict):
        return f"{{{', '.join(f'{value(name)}: {value(given)}' for name, given in thing.items())}}}"
    if isinstance(thing, list):
        return f"[{', '.join(map(value, thing))}]"
    if isinstance(thing, float) and not math.isfinite(thing):
        return f'float("{thing}")'
    return repr(thing)


def keyword_argument(name: str, given: object) -> str:
    """Return a keyword argument, as `**{…}` if its name is no Python identifier."""
    written = name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and name != "__debug__"
    return f"{name}={value(given)}" if written else f"**{value({name: given})}"


def number_list(numbers: Sequence[int]) -> str:
    """Return a list of numbers, wrapped if it is long."""
    inside = ", ".join(map(str, numbers))
    if len(inside) < WIDTH // 2:
        return f"[{inside}]"
    return f"[\n{textwrap.fill(inside, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)},\n]"


def call(function: str, arguments: Iterable[str], indent: str = "", lead: int = 0) -> str:
    """Return a call, on one line if it fits after `lead` characters, else with a line for each argument."""
    return _within(f"{function}(", arguments, ")", indent, lead)


def text_list(texts: Iterable[str], lead: int = 0) -> str:
    """Return a list of texts, wrapped if it is long."""
    return _within("[", map(quoted, texts), "]", "", lead)


def comment(text: str) -> list[str]:
    """Return a wrapped comment, without unprintable characters, which could end the line."""
    text = "".join(character if character.isprintable() else " " for character in text)
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")


def _within(before: str, items: Iterable[str], after: str, indent: str, lead: int) -> str:
    given = list(items)
    line = f"{before}{', '.join(given)}{after}"
    if len(indent) + lead + len(line) <= WIDTH and "\n" not in line:
        return line
    return f"{before}\n" + "".join(f"{indent}{INDENT}{each},\n" for each in given) + f"{indent}{after}"
