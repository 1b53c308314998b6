"""The head of the inspector: index and text of the token, and buttons to its neighbors."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.definitions import meaning
from app.i18n import tr
from app.ui.inspector.subject import InspectedToken
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.tokens.words import legible
from app.ui.widgets import SmallPrint, as_tip, in_column, in_row, named, tool_button

NO_TEXT = "…"
"""Text of a token that is part of a character."""


class TokenHead(QWidget):
    step_wanted = Signal(int)
    """−1: previous token, 1: next."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        tip = tr("Previous token")
        self._previous = tool_button("inspector_previous", "‹", tip, tr("Previous token"), kind="small")
        self._next = tool_button("inspector_next", "›", tr("Next token"), tr("Next token"), kind="small")
        self._position = Elided("inspector_position", theme.font(Size.NORMAL, bold=True))
        self._text = Elided("inspector_text", theme.font(Size.LARGE, mono=True))
        self._text.setBackgroundRole(QPalette.ColorRole.Base)
        self._text.setAutoFillBackground(True)
        self._text.setContentsMargins(GAP_PX, GRID_PX, GAP_PX, GRID_PX)
        self._group = SmallPrint(theme, "inspector_group")
        self._rejected = SmallPrint(theme, "inspector_rejected", "draft_rejected")
        in_column(
            in_row(self._previous, self._next, GRID_PX, (self._position, 1), gap=GRID_PX),
            self._text,
            self._group,
            self._rejected,
            on=self,
            gap=GRID_PX,
        )
        self._previous.clicked.connect(lambda: self.step_wanted.emit(-1))
        self._next.clicked.connect(lambda: self.step_wanted.emit(1))
        self.show_subject(None)

    def show_subject(self, subject: InspectedToken | None) -> None:
        place, of = (subject.token.place, subject.of) if subject is not None else (0, 0)
        more = "…" if subject is not None and subject.growing else ""
        words = tr("Token inspector")
        if subject is not None:
            words = tr("Token {place} of {all}").format(place=f"{place + 1:,}", all=f"{of:,}{more}")
        self._position.show_text(words, meaning("number") if subject is not None else "")
        self._position.setAccessibleName(words)
        for button, wanted in ((self._previous, place > 0), (self._next, place < of - 1)):
            button.setVisible(subject is not None)
            button.setEnabled(wanted)
        self._text.setVisible(subject is not None)
        text = legible(subject.name) if subject is not None else ""
        self._text.show_text(text or NO_TEXT, tr("Token text, with visible whitespace and control characters"))
        self._text.setAccessibleName(tr("Text: {text}").format(text=text) if text else tr("Text: none"))
        self._group.say(_group(subject) if subject is not None else "")
        self._rejected.say(_rejected(subject))


class Elided(QLabel):
    """A line of text, elided at the end. The tooltip has the complete text."""

    def __init__(self, name: str, font: QFont) -> None:
        super().__init__()
        self._whole = self._tip = ""
        named(self, name, font=font)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str, tip: str) -> None:
        self._whole, self._tip = text, tip
        self._fit()

    def _fit(self) -> None:
        room = self.contentsRect().width()
        fitting = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)
        self.setText(fitting)
        self.setToolTip(as_tip(self._whole) if fitting != self._whole else self._tip)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _group(subject: InspectedToken) -> str:
    if not subject.group:
        return ""
    first, last = subject.group[0].place, subject.group[-1].place
    ids = " · ".join(
        f"[{token.id}]" if token.place == subject.token.place else f"{token.id}" for token in subject.group
    )
    words = tr("Part {part} of {parts} of “{character}” (tokens {first} to {last}): ids {ids}")
    return words.format(
        part=subject.token.place - first + 1,
        parts=len(subject.group),
        character=legible(subject.character),
        first=f"{first + 1:,}",
        last=f"{last + 1:,}",
        ids=ids,
    )


def _rejected(subject: InspectedToken | None) -> str:
    text = subject.token.rejected if subject is not None else ""
    words = tr("Proposed by the draft model and rejected: “{text}”")
    return words.format(text=legible(text)) if text else ""
