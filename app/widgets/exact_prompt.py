"""The exact prompt: what goes to the model, or went, token by token, with its size and what the cache has of it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from app.engine.types import ExactPrompt, Part
from app.widgets.formatting import count
from app.widgets.palette import Colour
from app.widgets.segments import Segments
from app.widgets.theme import GAP_PX, GRID_PX, MARGIN_PX, MUTED_ROLE, Size, Theme
from app.widgets.token_chip import LOOKS, NAMES, Look, mixed
from app.widgets.token_view import TokenView
from app.widgets.words import Words

NEXT, SENT = "next", "sent"
WORDS = {NEXT: "Next", SENT: "Sent"}
TIPS = {NEXT: "What would go to the model if you sent now", SENT: "What the last run sent"}
EMPTY = {
    NEXT: "Type a prompt, and the tokens that will go to the model appear here.",
    SENT: "Nothing was sent yet.",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One prompt as the pane shows it. `words` stand in its place where there is none."""

    prompt: ExactPrompt | None = None
    reused: int = 0
    context: int | None = None
    words: str = ""
    remark: str = ""
    """What is to be known about it."""


class ExactPromptPane(QWidget):
    """`source_chosen` tells whether the user wants the next prompt or the last one; `closed` wants it away."""

    source_chosen = Signal(str)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exact_prompt")
        self.setAccessibleName("Exact prompt")
        self._theme = theme
        self._reading = Reading()
        self._source = Segments("exact_prompt_source", "Which prompt", WORDS, TIPS)
        self._count = QLabel()
        self._count.setObjectName("exact_prompt_count")
        self._count.setFont(theme.font(Size.NORMAL))
        self._spaces = _button("exact_prompt_spaces", "Spaces", "Make blanks and invisible characters visible")
        self._spaces.setCheckable(True)
        self.tokens = TokenView(theme)
        self._words = QLabel()
        self._pages = QStackedWidget()
        self._legend = QLabel()
        self._notes = Words(theme, "exact_prompt_notes")
        self._lay_out()
        self._listen()
        self.show_reading(NEXT, Reading())

    @property
    def source(self) -> str:
        return self._source.choice

    def show_reading(self, source: str, reading: Reading) -> None:
        """Show this prompt, and say which one it is."""
        self._reading = reading
        self._source.show_choice(source)
        prompt = reading.prompt
        self.tokens.show_prompt(prompt, reading.reused)
        self._words.setText(reading.words or EMPTY[source])
        self._pages.setCurrentWidget(self._words if prompt is None else self.tokens)
        self._count.setText(_size(reading))
        self._count.setAccessibleName(f"Size of the prompt: {_size(reading) or 'nothing yet'}")
        notes = prompt.notes if prompt is not None else ()
        self._notes.say(" ".join(filter(None, (reading.remark, *notes))))
        self._show_legend()

    def allow_sent(self, allowed: bool) -> None:
        """Whether there is a prompt that was sent."""
        self._source.allow(SENT, allowed)

    def _listen(self) -> None:
        self._source.chosen.connect(self.source_chosen)
        self._spaces.toggled.connect(self.tokens.set_whitespace)
        self.tokens.pointed.connect(self._show_pointed)
        self._theme.changed.connect(self._show_legend)

    def _lay_out(self) -> None:
        self._words.setObjectName("exact_prompt_words")
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words.setWordWrap(True)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setForegroundRole(MUTED_ROLE)
        self._pages.addWidget(self._words)
        self._pages.addWidget(self.tokens)
        self._legend.setObjectName("exact_prompt_legend")
        self._legend.setFont(self._theme.font(Size.SMALL))
        self._legend.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, 0)
        self._notes.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, 0)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, GRID_PX, 0, GAP_PX)
        whole.setSpacing(GRID_PX)
        whole.addLayout(self._header())
        whole.addWidget(self._pages, 1)
        whole.addWidget(self._notes)
        whole.addWidget(self._legend)

    def _header(self) -> QHBoxLayout:
        text = _button("copy_exact_text", "Copy text", "Copy the whole text that goes to the model")
        ids = _button("copy_exact_ids", "Copy ids", "Copy the ids of all tokens")
        close = _button("close_exact_prompt", "✕", "Hide the exact prompt")
        close.setAccessibleName("Hide the exact prompt")
        close.setProperty("kind", "quiet")
        text.clicked.connect(self._copy_text)
        ids.clicked.connect(self._copy_ids)
        close.clicked.connect(self.closed)
        row = QHBoxLayout()
        row.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, 0)
        row.setSpacing(GAP_PX)
        row.addWidget(self._source)
        row.addWidget(self._count, 1)
        for button in (self._spaces, text, ids, close):
            row.addWidget(button)
        return row

    @Slot()
    def _copy_text(self) -> None:
        if self._reading.prompt is not None:
            QGuiApplication.clipboard().setText(self._reading.prompt.text)

    @Slot()
    def _copy_ids(self) -> None:
        if self._reading.prompt is not None:
            QGuiApplication.clipboard().setText(" ".join(map(str, self._reading.prompt.ids)))

    @Slot(str)
    def _show_pointed(self, words: str) -> None:
        if words:
            self._legend.setTextFormat(Qt.TextFormat.PlainText)
            self._legend.setText(words)
        else:
            self._show_legend()

    @Slot()
    def _show_legend(self) -> None:
        """The colours that are to be seen, in words."""
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        prompt = self._reading.prompt
        parts = {span.part for span in prompt.spans} if prompt is not None else set()
        entries = [self._entry(LOOKS[part], NAMES[part]) for part in Part if part in parts]
        if prompt is not None and self._reading.reused:
            mark = f'<span style="color:{self._theme.hex(Colour.REUSED)}"><b>▂</b></span>'
            entries.append(f"{mark}&nbsp;in the cache")
        self._legend.setText("&nbsp;&nbsp;&nbsp; ".join(entries) or "&nbsp;")

    def _entry(self, look: Look, name: str) -> str:
        ground = mixed(self._theme.colour(look.ground), self._theme.colour(Colour.RAISED), look.opacity).name()
        style = f"color:{self._theme.hex(look.text)}; background-color:{ground}"
        return f'<span style="{style}">&nbsp;{name}&nbsp;</span>'


def _size(reading: Reading) -> str:
    if reading.prompt is None:
        return ""
    length, context = len(reading.prompt.ids), reading.context
    size = count(length, "token") if context is None else f"{length:,} of {context:,} tokens"
    return f"{size} · {reading.reused:,} cached" if reading.reused else size


def _button(name: str, text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setAccessibleName(text)
    button.setToolTip(tip)
    button.setText(text)
    button.setProperty("kind", "small")
    return button
