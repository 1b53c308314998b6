"""A model's card: Markdown from a stranger, shown as text. No picture is fetched, no HTML is read."""

import re

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit

from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets import named
from app.ui.widgets.no_picture import no_picture

PICTURE = re.compile(r"!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)")
"""With an end: of a beginning without one, each would be looked for to the end of the text."""
MOST_CHARACTERS = 6_000
READ_CHARACTERS = 3 * MOST_CHARACTERS
"""A card begins with its badges."""
LEAST_PX = 120
INDENT_PX = 16


class CardText(QTextEdit):
    """As high as its text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "card", tr("Model card"), tr("What its author says of the model"))
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        # It is as high as its text: a bar of its own would take width, which makes the text higher, and so on.
        for set_policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFont(theme.font(Size.SMALL))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.document().setIndentWidth(INDENT_PX)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)

    def show_card(self, text: str) -> None:
        """Its beginning, which is what one chooses by."""
        text = PICTURE.sub("", text[:READ_CHARACTERS]).strip()
        cut = text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} …"
        features = QTextDocument.MarkdownFeature
        self.document().setMarkdown(cut, features.MarkdownDialectGitHub | features.MarkdownNoHTML)
        self._calm_headings()
        self.setVisible(bool(cut))

    def _calm_headings(self) -> None:
        """A heading is bold; at Markdown's own sizes it would shout at the side of a dialog."""
        calm = QTextCharFormat()
        calm.setProperty(QTextFormat.Property.FontSizeAdjustment, 0)
        block: QTextBlock = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                cursor = QTextCursor(block)
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                cursor.mergeCharFormat(calm)
            block = block.next()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Pictures have other ways to be written, and none is fetched, neither from the net nor from the disk."""
        return no_picture()

    def sizeHint(self) -> QSize:
        return QSize(LEAST_PX, int(self.document().size().height()) + 2)
