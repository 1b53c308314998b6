"""Parser for server-sent events from bytes, which may be cut anywhere, even within a character."""

from typing import NamedTuple

LINE_LIMIT = 4 << 20
"""Largest event in bytes: also enough for a whole answer with alternatives."""
BOM = b"\xef\xbb\xbf"


class EventTooLongError(Exception):
    """An event beyond the limit."""


class Event(NamedTuple):
    """One event, or a comment, which is a keep-alive message."""

    data: str
    comment: bool = False


class Events:
    """Turns received bytes into complete events."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        """Parts of the incomplete line."""
        self._data: list[str] = []
        self._has_begun = self._ends_with_cr = False
        self._size = 0
        """Bytes of the incomplete event, ignored lines included."""

    def read(self, content: bytes) -> list[Event]:
        """Return the events that are complete now."""
        if not self._has_begun and content:
            self._has_begun, content = True, content.removeprefix(BOM)
        first, *others = self._normalize(content).split(b"\n")
        self._rest.append(first)
        self._size += len(first)
        events: list[Event] = []
        for line in others:
            events += self._end_line()
            self._rest.append(line)
            self._size += len(line) + 1
            self._check()
        self._check()
        return events

    def finish(self) -> list[Event]:
        """Return the last event of a server that omits the empty line after it."""
        return [*self._end_line(), *self._line(b"")]

    def _normalize(self, content: bytes) -> bytes:
        """Normalize line ends: CR, LF, or CRLF, which may be split over two reads."""
        if self._ends_with_cr and content:
            content, self._ends_with_cr = content.removeprefix(b"\n"), False
        if b"\r" in content:
            self._ends_with_cr = content.endswith(b"\r")
            content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return content

    def _check(self) -> None:
        if self._size > LINE_LIMIT:
            raise EventTooLongError

    def _end_line(self) -> list[Event]:
        line, self._rest = b"".join(self._rest), []
        return self._line(line)

    def _line(self, line: bytes) -> list[Event]:
        text = line.decode("utf-8", "replace")
        if not text:
            data, self._data, self._size = "\n".join(self._data), [], 0
            return [Event(data)] if data else []
        if text.startswith(":"):
            self._size -= len(line)
            return [Event(text[1:].strip(), comment=True)]
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "error" and value:  # llama.cpp's form
            self._data.append(f'{{"error": {value}}}')
        return []
