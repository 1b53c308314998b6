"""Strings one to a line, with what can't be seen written as most languages write it."""

from __future__ import annotations

import re

_WRITTEN = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
_READ = {written: string for string, written in _WRITTEN.items()}
_ESCAPE = re.compile(r"\\[ntr\\]")
_ESCAPED = re.compile(r"[\n\t\r\\]")


def read_lines(text: str) -> tuple[str, ...]:
    """Each line is one string; empty lines are none."""
    return tuple(_ESCAPE.sub(lambda found: _READ[found[0]], line) for line in text.split("\n") if line)


def written_lines(strings: tuple[str, ...]) -> str:
    """What `read_lines` reads as these strings."""
    return "\n".join(_ESCAPED.sub(lambda found: _WRITTEN[found[0]], string) for string in strings)
