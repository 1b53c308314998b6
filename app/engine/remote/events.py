"""Server-sent events from bytes as they come: lines that are cut anywhere, even within a character."""

from __future__ import annotations

from typing import NamedTuple

LINE_LIMIT = 4 << 20
"""Longer than any piece of an answer with all its candidates, and than a whole answer that comes at once."""
BOM = b"\xef\xbb\xbf"


class TooLongError(Exception):
    """A line without end."""


class Event(NamedTuple):
    """Something that the server says; a comment only shows that it lives."""

    data: str
    comment: bool = False


class Events:
    """Bytes go in, whole events come out."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[str] = []
        self._begun = False

    def read(self, content: bytes) -> list[Event]:
        """What is complete now."""
        if not self._begun and content:
            self._begun, content = True, content.removeprefix(BOM)
        *lines, self._rest = (self._rest + content).split(b"\n")
        if len(self._rest) > LINE_LIMIT or sum(map(len, self._data)) > LINE_LIMIT:
            raise TooLongError
        return [event for line in lines for event in self._line(line)]

    def finish(self) -> list[Event]:
        """The last one, of a server that forgot the empty line behind it."""
        rest, self._rest = self._rest, b""
        return [*self._line(rest), *self._line(b"")]

    def _line(self, line: bytes) -> list[Event]:
        text = line.removesuffix(b"\r").decode("utf-8", "replace")
        if not text:
            data, self._data = "\n".join(self._data), []
            return [Event(data)] if data else []
        if text.startswith(":"):
            return [Event(text[1:].strip(), comment=True)]
        name, _, value = text.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        return []
