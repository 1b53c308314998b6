"""Splits streamed Markdown into blocks, so that only the last block is parsed again.

A JSON value at the beginning is a code block too, as an output format makes the model generate it without a fence.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

REPARSED = 2_000
"""Maximum length of an open block that is parsed at each flush. A longer one is appended as plain text."""
LIST_PART = 1_000
"""Length in characters after which a list continues in a new block, at the next top-level item."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*([^`\s]*)[^`]*$")
_HEADING = re.compile(r" {0,3}#{1,6}(\s|$)")
_ITEM = re.compile(r"( *)([-+*]|\d{1,9}[.)])(\s|$)")
# The beginning of a possible fence, or of an underline that turns the previous line into a heading.
_UNDECIDED = re.compile(r"\s*(`+[^`]*|~+[^~]*|[-=]+)\s*$")
_JSON = re.compile(r'\s*(?=\{\s*["}]|\[\s*["\[{])')
_MAY_BE_JSON = re.compile(r"\s*(?:[{\[]\s*)?")
_JSON_MARK = re.compile(r'\\.?|["{}\[\]]', re.DOTALL)
_CODE_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class ChangeKind(Enum):
    """What a change of the display does with its text. The first three replace the displayed open block."""

    CLOSED = "the source of a completed block"
    TAIL = "the source of the open block so far"
    LONG = "the source of an open block that is too long to parse, shown as plain text"
    MORE = "text to append to a long open block"
    CODE_OPENED = "the language of a code block that begins"
    CODE = "text to append to the open code block"
    CODE_CLOSED = "no text: the code block is complete"


class BlockChange(NamedTuple):
    """A change for the display."""

    kind: ChangeKind
    text: str = ""


class JsonValue:
    """A JSON object or array in a text that streams."""

    def __init__(self) -> None:
        self.is_open = False
        """Its beginning was found."""
        self._depth = 0
        self._is_in_string = self._is_escaped = False

    def find_end(self, text: str) -> int:
        """Read the next portion. Return the position in it at which the value ends; -1: it doesn't end here."""
        start, self._is_escaped = int(self._is_escaped and bool(text)), self._is_escaped and not text
        for found in _JSON_MARK.finditer(text, start):
            mark = found[0]
            if mark == '"':
                self._is_in_string = not self._is_in_string
            elif mark == "\\":  # at the end of the portion
                self._is_escaped = True
            elif not self._is_in_string:
                self._depth += (mark in "{[") - (mark in "}]")
                if not self._depth:
                    return found.end()
        return -1


class MarkdownBlocks:
    """A streaming block splitter: takes text in portions of any size, and returns changes for the display."""

    def __init__(self) -> None:
        self._json: JsonValue | None = JsonValue()
        """The value that the text may begin with; None: it doesn't, or the value is complete."""
        self._lines: list[str] = []
        self._length = 0
        self._emitted_length = 0
        self._partial = ""
        self._fence = ""
        """The opening fence of the current code block; empty outside of code."""
        self._code_shown = 0
        """Number of characters of the incomplete line that are already displayed as code."""
        self._inner_fence = False
        self._list_indent: int | None = None
        self._blank = False

    def feed(self, text: str) -> list[BlockChange]:
        return self._feed_markdown(text) if self._json is None else self._feed_json(self._json, text)

    def _feed_json(self, value: JsonValue, text: str) -> list[BlockChange]:
        changes: list[BlockChange] = []
        if not value.is_open:
            text, self._partial = self._partial + text, ""
            begins = _JSON.match(text)
            if begins is None and _MAY_BE_JSON.fullmatch(text):
                self._partial = text
                return []
            if begins is None:
                self._json = None
                return self._feed_markdown(text)
            value.is_open, text = True, text[begins.end() :]
            changes.append(BlockChange(ChangeKind.CODE_OPENED, "json"))
        if (end := value.find_end(text)) < 0:
            return [*changes, *_code_changes(text)]
        self._json = None
        closed = BlockChange(ChangeKind.CODE_CLOSED)
        return [*changes, *_code_changes(f"{text[:end]}\n"), closed, *self._feed_markdown(text[end:])]

    def _feed_markdown(self, text: str) -> list[BlockChange]:
        *lines, self._partial = (self._partial + text).split("\n")
        changes: list[BlockChange] = []
        for line in lines:
            changes.extend(self._line(line + "\n"))
            self._code_shown = 0
        changes.extend(self._unfinished())
        return changes

    def finish(self) -> list[BlockChange]:
        """Process the end of the text."""
        changes: list[BlockChange] = []
        if self._json is not None and self._json.is_open:
            changes.append(BlockChange(ChangeKind.CODE_CLOSED))
        self._json = None
        if self._partial:
            partial, self._partial = self._partial, ""
            changes.extend(self._line(partial))
        if self._fence:
            changes.append(BlockChange(ChangeKind.CODE_CLOSED))
            self._fence = ""
        changes.extend(self._close())
        return changes

    def _line(self, line: str) -> Iterator[BlockChange]:
        if self._fence:
            yield self._code_line(line)
            return
        fence = _FENCE.match(line)
        indented = line.startswith("  ")
        if fence and not (self._list_indent is not None and indented) and not self._inner_fence:
            yield from self._close()
            self._fence = fence[1]
            yield BlockChange(ChangeKind.CODE_OPENED, fence[2])
        elif not line.strip():
            yield from self._blank_line(line)
        else:
            yield from self._text_line(line, indented)

    def _code_line(self, line: str) -> BlockChange:
        marker = line.strip()
        if marker.startswith(self._fence) and not marker.strip(self._fence[0]):
            self._fence = ""
            return BlockChange(ChangeKind.CODE_CLOSED)
        return BlockChange(ChangeKind.CODE, line[self._code_shown :])

    def _blank_line(self, line: str) -> Iterator[BlockChange]:
        if self._list_indent is None and not self._inner_fence:
            yield from self._close()
        elif self._lines:
            self._add(line)
            self._blank = True

    def _text_line(self, line: str, indented: bool) -> Iterator[BlockChange]:
        item = _ITEM.match(line)
        heading = _HEADING.match(line)
        if not self._inner_fence:
            ends_list = self._blank and not item and not indented
            if ends_list or heading or self._list_is_long(item):
                yield from self._close()
        if item and self._list_indent is None:
            self._list_indent = len(item[1])
        if line.lstrip().startswith(("```", "~~~")):
            self._inner_fence = not self._inner_fence
        self._blank = False
        self._add(line)
        if heading and not self._inner_fence:
            yield from self._close()

    def _list_is_long(self, item: re.Match[str] | None) -> bool:
        outermost = item is not None and self._list_indent is not None and len(item[1]) <= self._list_indent
        return outermost and self._length > LIST_PART

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._length += len(line)

    def _close(self) -> Iterator[BlockChange]:
        if self._lines:
            yield BlockChange(ChangeKind.CLOSED, "".join(self._lines))
        self._lines.clear()
        self._length = self._emitted_length = 0
        self._inner_fence = self._blank = False
        self._list_indent = None

    def _unfinished(self) -> Iterator[BlockChange]:
        if self._fence:
            yield from self._unfinished_code()
            return
        partial = "" if _UNDECIDED.match(self._partial) else self._partial
        length = self._length + len(partial)
        if length <= self._emitted_length:
            return
        if length <= REPARSED:
            yield BlockChange(ChangeKind.TAIL, "".join(self._lines) + partial)
        elif self._emitted_length <= REPARSED:
            yield BlockChange(ChangeKind.LONG, "".join(self._lines) + partial)
        else:
            yield BlockChange(ChangeKind.MORE, self._last(length - self._emitted_length, partial))
        self._emitted_length = length

    def _last(self, count: int, text: str) -> str:
        """Return the last `count` characters of the open block, which ends with `text`."""
        for line in reversed(self._lines):
            if len(text) >= count:
                break
            text = line + text
        return text[-count:]

    def _unfinished_code(self) -> Iterator[BlockChange]:
        may_close = self._partial.strip() and not self._partial.strip().strip(self._fence[0])
        if not may_close and len(self._partial) > self._code_shown:
            yield BlockChange(ChangeKind.CODE, self._partial[self._code_shown :])
            self._code_shown = len(self._partial)


def _code_changes(text: str) -> list[BlockChange]:
    return [BlockChange(ChangeKind.CODE, line) for line in _CODE_LINE.findall(text)]
