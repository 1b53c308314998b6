"""How the lines of a page are set: as far apart as those of the conversation, which plain text of Qt's can't be."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout


class PageLayout(QPlainTextDocumentLayout):
    """`pitch_px` is from one line to the next; none is lower than its letters."""

    def __init__(self, document: QTextDocument, pitch_px: int) -> None:
        super().__init__(document)
        self.pitch_px = pitch_px

    def line_at(self, block: QTextBlock, down: float) -> float:
        """The middle of the line that is so far below the top of a block: between lines there is nothing to hit."""
        lines = block.layout()
        rects = [lines.lineAt(at).rect() for at in range(lines.lineCount())]
        return next((rect.center().y() for rect in rects if rect.bottom() >= down), down)

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        rect = super().blockBoundingRect(block)
        if not (block.isValid() and block.isVisible()) or (lines := block.layout()).lineAt(0).y() > 0:
            return rect
        bottom = 0.0
        for at in range(lines.lineCount()):
            line = lines.lineAt(at)
            bottom += max(self.pitch_px, line.height())
            line.setPosition(QPointF(line.x(), bottom - line.height()))
        return super().blockBoundingRect(block)
