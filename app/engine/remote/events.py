"""Server-sent events from bytes as they come: lines that are cut anywhere, even within a character."""

from typing import NamedTuple

LINE_LIMIT = 4 << 20
"""Of an event: more than any piece of an answer has with all its candidates, and than a whole one that comes so."""
BOM = b"\xef\xbb\xbf"


class TooLongError(Exception):
    """A line or an event without end."""


class Event(NamedTuple):
    """Something that the server says; a comment only shows that it lives."""

    data: str
    comment: bool = False


class Events:
    """Bytes go in, whole events come out."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        """The line that goes on, in pieces."""
        self._data: list[str] = []
        self._begun = self._returned = False
        self._size = 0
        """Bytes of the event that goes on: lines without a word in them are lines too."""

    def read(self, content: bytes) -> list[Event]:
        """What is complete now."""
        if not self._begun and content:
            self._begun, content = True, content.removeprefix(BOM)
        first, *others = self._plain_ends(content).split(b"\n")
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
        """The last one, of a server that forgot the empty line behind it."""
        return [*self._end_line(), *self._line(b"")]

    def _plain_ends(self, content: bytes) -> bytes:
        """A line may end with CR as well, or with both, and these two may come apart."""
        if self._returned and content:
            content, self._returned = content.removeprefix(b"\n"), False
        if b"\r" in content:
            self._returned = content.endswith(b"\r")
            content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return content

    def _check(self) -> None:
        if self._size > LINE_LIMIT:
            raise TooLongError

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
        elif name == "error" and value:  # as llama.cpp says it
            self._data.append(f'{{"error": {value}}}')
        return []
