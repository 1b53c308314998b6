"""Copying from the page: a selection as text, in the source form where possible."""

import re

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from app.ui.document.plain_writer import CODE_HEAD, HEADER, SOFT, UNSEEN, PlainWriter
from app.ui.document.text_units import between
from app.ui.document.turns import PageTurn, Passage

MENU = " ⋯"
"""Link after the role of a turn that opens its menu. Not part of copied text."""
SWITCHER = " | ‹ |{}/{}| › "
"""The branch switcher between role and menu. Bars separate its parts. Not part of copied text."""
_BUTTONS = re.compile(r"(  ‹ \d+/\d+ › )?( ⋯)?$")


def selected_text(selection: QTextCursor, turns: list[PageTurn]) -> str:
    """Return the selection as text. Inside one passage of plain text, this is the exact source."""
    start, end = selection.selectionStart(), selection.selectionEnd()
    passage = _passage_around(start, end, turns)
    if passage is not None and isinstance(passage.writer, PlainWriter):
        return passage.writer.source(passage.text, start, end)
    return page_text(selection.document(), start, end)


def page_text(document: QTextDocument, start: int, end: int) -> str:
    """Return the page's text between two positions without soft breaks."""
    texts: list[str] = []
    block = document.findBlock(start)
    while block.isValid() and (block.position() <= end):
        if block.userState() not in (UNSEEN, CODE_HEAD):
            if texts and block.userState() != SOFT:
                texts.append("\n")
            text = _text_within(block, start, end)
            texts.append(_BUTTONS.sub("", text) if block.userState() == HEADER else text)
        block = block.next()
    return "".join(texts)


def code_text(document: QTextDocument, address: str) -> str:
    """Return the code below the header that contains this link."""
    block = document.begin()
    while block.isValid() and not _has_link(block, address):
        block = block.next()
    start = end = block.position() + block.length()
    block = block.next()
    root = document.rootFrame()
    while block.isValid() and block.userState() != CODE_HEAD:
        if QTextCursor(block).currentFrame() != root:
            end = block.position() + block.length() - 1
        elif block.userState() != UNSEEN:
            break
        block = block.next()
    return page_text(document, start, end)


def _has_link(block: QTextBlock, address: str) -> bool:
    return block.userState() == CODE_HEAD and any(part.format.anchorHref() == address for part in block.textFormats())


def _text_within(block: QTextBlock, start: int, end: int) -> str:
    first = max(0, start - block.position())
    last = max(0, end - block.position())
    return between(block.text(), first, last).replace("\u2028", "\n")


def _passage_around(start: int, end: int, turns: list[PageTurn]) -> Passage | None:
    """Return the passage of plain text that contains the range; None without one."""
    for turn in reversed(turns):
        if turn.start is None or turn.start.position > start:
            continue
        for passage in reversed(turn.passages):
            if passage.start is not None and passage.start.position <= start:
                return passage if isinstance(passage.writer, PlainWriter) and passage.writer.holds(end) else None
        return None
    return None
