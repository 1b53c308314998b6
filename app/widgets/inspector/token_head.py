"""Which token this is: its place, its text, the character that it is part of, and the steps to its neighbours."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.widgets.inspector.subject import Subject
from app.widgets.theme import GAP_PX, GRID_PX, Size, Theme
from app.widgets.token_lines import shown
from app.widgets.words import Words

HERE, ELSEWHERE = "▸", "\u2007"
"""Before a token of the group: the one that is shown, any other one."""


class TokenHead(QWidget):
    """`step_wanted` with −1 or 1; `closed` wants the inspector away."""

    step_wanted = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._previous = _button("inspector_previous", "‹", "Previous token")
        self._next = _button("inspector_next", "›", "Next token")
        self._close = _button("close_inspector", "✕", "Hide the inspector")
        self._close.setProperty("kind", "quiet")
        self._position = QLabel()
        self._position.setObjectName("inspector_position")
        self._position.setFont(theme.font(Size.NORMAL, bold=True))
        self._position.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._text = Elided()
        self._text.setObjectName("inspector_text")
        self._text.setFont(theme.font(Size.LARGE, mono=True))
        self._group = Words(theme, "inspector_group")
        self._lay_out()
        self._previous.clicked.connect(lambda: self.step_wanted.emit(-1))
        self._next.clicked.connect(lambda: self.step_wanted.emit(1))
        self._close.clicked.connect(self.closed)
        self.show_subject(None)

    def show_subject(self, subject: Subject | None) -> None:
        place, of = (subject.token.place, subject.of) if subject is not None else (0, 0)
        so_far = " so far" if subject is not None and subject.growing else ""
        words = f"Token {place + 1:,} of {of:,}{so_far}" if subject is not None else "Token inspector"
        self._position.setText(words)
        self._position.setToolTip(f"{words} in this answer" if subject is not None else "")
        for button, wanted in ((self._previous, place > 0), (self._next, place < of - 1)):
            button.setVisible(subject is not None)
            button.setEnabled(wanted)
        self._text.setVisible(subject is not None)
        text = subject.token.text if subject is not None else ""
        self._text.show_text(shown(text, whitespace=True))
        self._text.setAccessibleName(f"Text: {shown(text, whitespace=True) if text else 'none of its own'}")
        self._group.say(_group(subject) if subject is not None else "")

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GRID_PX)
        row.addWidget(self._previous)
        row.addWidget(self._next)
        row.addSpacing(GRID_PX)
        row.addWidget(self._position, 1)
        row.addWidget(self._close)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(GRID_PX)
        whole.addLayout(row)
        whole.addWidget(self._text)
        whole.addWidget(self._group)


class Elided(QLabel):
    """One line on a ground of its own; what does not fit is in the tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setContentsMargins(GAP_PX, GRID_PX, GAP_PX, GRID_PX)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        self._whole = text
        self._fit()

    def _fit(self) -> None:
        room = self.contentsRect().width()
        fitting = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)
        self.setText(fitting)
        self.setToolTip(self._whole if fitting != self._whole else "The token, with blanks and invisible characters")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _group(subject: Subject) -> str:
    """The tokens that form one character together, one in a line."""
    if not subject.group:
        return ""
    number = subject.token.place - subject.group[0].place + 1
    lines = [f"Part {number} of {len(subject.group)} of “{shown(subject.character, whitespace=True)}”:"]
    for token in subject.group:
        mark = HERE if token.place == subject.token.place else ELSEWHERE
        lines.append(f"{mark} token {token.place + 1:,}, id {token.id}")
    return "\n".join(lines)


def _button(name: str, text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setAccessibleName(tip)
    button.setToolTip(tip)
    button.setText(text)
    button.setProperty("kind", "small")
    return button
