"""A model's card: Markdown from a stranger, shown as text. No picture is fetched, no HTML is read."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit

from app.widgets.theme import Size, Theme

PICTURE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
MOST_CHARACTERS = 6_000
LEAST_PX = 120


class CardText(QTextEdit):
    """As high as its text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("card")
        self.setAccessibleName("Model card")
        self.setToolTip("What its author says of the model")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setFont(theme.font(Size.SMALL))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)

    def show_card(self, text: str) -> None:
        """Its beginning, which is what one chooses by."""
        text = PICTURE.sub("", text).strip()
        cut = text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} …"
        features = QTextDocument.MarkdownFeature
        self.document().setMarkdown(cut, features.MarkdownDialectGitHub | features.MarkdownNoHTML)
        self.setVisible(bool(cut))

    def sizeHint(self) -> QSize:
        return QSize(LEAST_PX, int(self.document().size().height()) + 2)
