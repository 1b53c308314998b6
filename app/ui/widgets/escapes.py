"""Strings, one per line, with invisible characters as escape sequences."""

import re

_WRITTEN = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
_READ = {written: string for string, written in _WRITTEN.items()}
_ESCAPE = re.compile(r"\\[ntr\\]")
_NO_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(\\(?![ntr\\]).?)")
_UNSEEN = {"\n": "⏎", "\t": "⇥", "\r": "␍", " ": "␣"}
_ESCAPED = re.compile(r"[\n\t\r\\]")


def read_lines(text: str) -> tuple[str, ...]:
    """Return one string per line; empty lines are ignored."""
    return tuple(_ESCAPE.sub(lambda found: _READ[found[0]], line) for line in text.split("\n") if line)


def written_lines(strings: tuple[str, ...]) -> str:
    """Return text that `read_lines` reads as these strings."""
    return "\n".join(_ESCAPED.sub(lambda found: _WRITTEN[found[0]], string) for string in strings)


def visible(string: str) -> str:
    """Return the string with symbols in place of whitespace that would be invisible."""
    return "".join(_UNSEEN.get(character, character) for character in string)


def unknown_escape(text: str) -> str:
    """Return the first backslash sequence that is no escape sequence; empty: there is none."""
    found = next((match[1] for line in text.split("\n") if (match := _NO_ESCAPE.search(line))), None)
    return found or ""
