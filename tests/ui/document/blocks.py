"""Reads a document."""

from collections.abc import Iterator

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def fragments(document: QTextDocument) -> Iterator[tuple[str, QTextCharFormat]]:
    """Yield each stretch of text with one format."""
    for block in blocks(document):
        for part in block.textFormats():
            yield block.text()[part.start : part.start + part.length], part.format
