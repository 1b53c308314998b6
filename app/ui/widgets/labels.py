"""Labels for plain text: texts of models, servers and files are never interpreted as markup."""

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.number_format import UNBROKEN, UNIT, unbroken
from app.ui.look import MUTED_ROLE, Color, Size, Theme, tint
from app.ui.widgets.naming import named

LONG_WORD = re.compile(r"(\S{16})(?=\S{16})")
MAY_BREAK = "\\1\u200b"
"""Allows line breaks within long names and paths, which would otherwise widen the window."""


class Prose(QLabel):
    """A label that wraps, but never between a number and its unit."""

    _words = ""

    def text(self) -> str:
        """Return the text without inserted characters."""
        return self._words

    def setText(self, words: str) -> None:
        self._words = words
        # Qt copies non-breaking spaces as spaces, but it would also copy zero-width characters.
        copied = Qt.TextInteractionFlag.TextSelectableByMouse in self.textInteractionFlags()
        super().setText(UNIT.sub(UNBROKEN, words) if copied else LONG_WORD.sub(MAY_BREAK, unbroken(words)))


def plain_label(
    name: str,
    text: str = "",
    *,
    spoken: str = "",
    tip: str = "",
    font: QFont | None = None,
    muted: bool = False,
    wraps: bool = False,
    selectable: bool = False,
    buddy: QWidget | None = None,
) -> QLabel:
    """Create a label for plain text, so that text of models, servers and files is never markup. `buddy` is the labeled
    widget.
    """
    label = named(Prose() if wraps else QLabel(), name, spoken, tip, font=font)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wraps)
    if muted:
        label.setForegroundRole(MUTED_ROLE)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setText(text)
    if buddy is not None:
        label.setBuddy(buddy)
    return label


def field_label(theme: Theme, text: str, buddy: QWidget) -> QLabel:
    return plain_label("", text, font=theme.font(Size.NORMAL), buddy=buddy)


def heading(theme: Theme, text: str) -> QLabel:
    return plain_label("", text, font=theme.font(Size.NORMAL, bold=True))


def caption(theme: Theme, text: str, buddy: QWidget | None = None, *, name: str = "", tip: str = "") -> QLabel:
    return plain_label(name, text, font=theme.font(Size.SMALL), muted=True, tip=tip, buddy=buddy)


class OneLine(QLabel):
    """A label that shrinks with its window. Its text is never markup."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def fitted(self, width: int) -> str:
        """Return the text that is painted in this width."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, width)

    def paintEvent(self, event: QPaintEvent) -> None:
        room = self.contentsRect()
        words = self.fitted(room.width())
        with QPainter(self) as painter:
            self.style().drawItemText(
                painter, room, self.alignment(), self.palette(), self.isEnabled(), words, self.foregroundRole()
            )


class SmallPrint(Prose):
    """A small label, muted or in the color of a warning. Its text is never markup, since it quotes user input."""

    def __init__(self, theme: Theme, name: str, kind: str = "muted") -> None:
        super().__init__()
        self._theme = theme
        self._role = Color[kind.upper()]
        named(self, name, font=theme.font(Size.SMALL))
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._wear()
        theme.changed.connect(self._wear)
        self.hide()

    def say(self, words: str, kind: str = "") -> None:
        """Set the text; an empty one hides the line."""
        if kind and Color[kind.upper()] is not self._role:
            self._role = Color[kind.upper()]
            self._wear()
        self.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))

    def _wear(self) -> None:
        tint(self, self._theme, self._role)
