"""Colours what a model wrote in a text that people edit, outside of the undo history; long texts a little at a time."""

import time

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextLayout

from app.ui.look import Colour, Theme

BY_MODEL = QTextCharFormat.Property.UserProperty.value + 2
"""Property of text that a model wrote."""
AT_ONCE = 500
"""Lines that are coloured with the change itself."""
STEP_S = 0.008
STEP_BLOCKS = 50
"""So many lines between two looks at the clock."""


def by_model() -> QTextCharFormat:
    """The format of what a model wrote; its colour comes from the tint, since the theme may change."""
    made = QTextCharFormat()
    made.setProperty(BY_MODEL, True)
    return made


class ModelTint(QObject):
    """A text in which no model has written costs nothing, however long it is."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._document = document
        self._theme = theme
        self._needed = False
        self._left = QTextCursor(document)
        """What is selected is still to be coloured; it moves along with what is edited meanwhile."""
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)
        document.contentsChange.connect(self._on_change)
        theme.changed.connect(self._on_theme)

    def expect(self) -> None:
        """A model is about to write in this text."""
        self._needed = True

    def _on_change(self, at: int, _removed: int, added: int) -> None:
        if self._needed:
            self._take(self._document.findBlock(at), self._block_at(at + added))

    def _on_theme(self) -> None:
        if self._needed:
            first, last = self._document.begin(), self._document.lastBlock()
            if self._take(first, last):
                self._document.markContentsDirty(0, self._document.characterCount())

    def _take(self, first: QTextBlock, last: QTextBlock) -> bool:
        """Colour these; tells whether it is done."""
        if last.blockNumber() - first.blockNumber() >= AT_ONCE:
            self._take_later(first.position(), last.position() + last.length() - 1)
            return False
        tint = self._tint()
        while first.isValid() and first != last:
            _colour(first, tint)
            first = first.next()
        _colour(last, tint)
        return True

    def _take_later(self, start: int, end: int) -> None:
        """Together with what is left from before, and with what lies between the two."""
        if self._left.hasSelection():
            start, end = min(start, self._left.selectionStart()), max(end, self._left.selectionEnd())
        self._left.setPosition(start)
        self._left.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self._timer.start()

    def _go_on(self) -> None:
        """Some lines from the beginning of what is left."""
        until, tint = time.perf_counter() + STEP_S, self._tint()
        start, end = self._left.selectionStart(), self._left.selectionEnd()
        block = self._document.findBlock(start)
        while block.isValid() and block.position() <= end and time.perf_counter() < until:
            for _ in range(STEP_BLOCKS):
                _colour(block, tint)
                block = block.next()
                if not block.isValid():
                    break
        done = min(block.position(), end) if block.isValid() else end
        self._document.markContentsDirty(start, done - start)
        self._left.setPosition(done)
        self._left.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        if done >= end:
            self._left.clearSelection()
            self._timer.stop()

    def _tint(self) -> QTextCharFormat:
        tint = QTextCharFormat()
        tint.setForeground(self._theme.colour(Colour.MODEL))
        return tint

    def _block_at(self, position: int) -> QTextBlock:
        """A change of the whole text is said to reach beyond its end."""
        found = self._document.findBlock(position)
        return found if found.isValid() else self._document.lastBlock()


def _colour(block: QTextBlock, tint: QTextCharFormat) -> None:
    """What an input method is composing lies in the line without being in the text, and keeps how it looks."""
    layout = block.layout()
    at, present = layout.preeditAreaPosition(), layout.formats()
    length = len(layout.preeditAreaText().encode("utf-16-le")) // 2
    found = [each for each in present if at <= each.start and each.start + each.length <= at + length]
    for stretch in _stretches(block, tint):
        if stretch.start >= at:
            stretch.start += length
        elif stretch.start + stretch.length > at:
            stretch.length += length
        found.append(stretch)
    if found or present:
        layout.setFormats(found)


def _stretches(block: QTextBlock, tint: QTextCharFormat) -> list[QTextLayout.FormatRange]:
    """Where in a block the model wrote."""
    found = []
    each = block.begin()
    while not each.atEnd():
        fragment = each.fragment()
        if fragment.charFormat().hasProperty(BY_MODEL):
            stretch = QTextLayout.FormatRange()
            stretch.start, stretch.length = fragment.position() - block.position(), fragment.length()
            stretch.format = tint
            found.append(stretch)
        each += 1
    return found
