"""Colours a whole document of code, line by line, and again when the theme changes."""

from __future__ import annotations

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.ui.document.code_colours import colours
from app.ui.look import Colour, Theme


class CodeHighlighter(QSyntaxHighlighter):
    """Lives as long as the document it colours."""

    def __init__(self, theme: Theme, document: QTextDocument, language: str) -> None:
        super().__init__(document)
        self._theme = theme
        self._language = language
        self._looks: dict[Colour, QTextCharFormat] = {}
        theme.changed.connect(self._wear)

    def _wear(self) -> None:
        self._looks.clear()
        self.rehighlight()

    def _look(self, colour: Colour) -> QTextCharFormat:
        if colour not in self._looks:
            self._looks[colour] = QTextCharFormat()
            self._looks[colour].setForeground(self._theme.colour(colour))
        return self._looks[colour]

    def highlightBlock(self, text: str) -> None:
        for stretch in colours(text, self._language):
            self.setFormat(stretch.start, stretch.end - stretch.start, self._look(stretch.colour))
