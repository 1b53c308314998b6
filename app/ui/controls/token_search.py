"""A field to find a token by its text or id, with a choice if a text is several tokens."""

import re
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, Theme
from app.ui.widgets import SmallPrint, emptied, in_column, in_grid, named, tool_button
from app.ui.widgets.escapes import read_lines, visible

Found = tuple[int, str]
"""A token's id and its text."""
ID = re.compile(r"#(\d{1,9})")
CHOICES_IN_A_ROW = 3
MOST_CHOICES = 12


class TokenSearch(QWidget):
    """The search field. `sought` carries a text, or `#` and an id; `found` the chosen token."""

    sought = Signal(str)
    found = Signal(object)

    def __init__(self, theme: Theme, name: str, title: str) -> None:
        super().__init__()
        self._vocabulary: int | None = None
        self._asked = ""
        tip = tr("The text of one token, including whitespace (\\n is a newline), or # and an id")
        self._line = named(QLineEdit(), f"{name}_search", tr("{tokens}: text or #id").format(tokens=title), tip)
        self._line.setPlaceholderText(tr("Text or #id, then Enter"))
        self._line.returnPressed.connect(self._seek)
        self._line.textEdited.connect(self._forget)
        self._words = SmallPrint(theme, f"{name}_answer", "warning")
        self._choices = in_grid(gap=GRID_PX, wide={CHOICES_IN_A_ROW: 1})
        in_column(self._line, self._words, self._choices, on=self, gap=GRID_PX)

    def limit_to(self, vocabulary: int | None) -> None:
        """Set the vocabulary size of the open model: ids at or above it are refused. None: no model is open."""
        self._vocabulary = vocabulary
        self._forget()

    def show_found(self, asked: str, tokens: Sequence[Found]) -> None:
        """Show the result: a single token is accepted, of several the user picks one."""
        if asked != self._asked:
            return
        emptied(self._choices)
        if len(tokens) == 1:
            self._take(tokens[0])
        elif not tokens:
            self.refuse(tr("This text has no tokens."))
        else:
            words = tr("“{text}” is %n tokens. Pick the one you mean:", "", len(tokens))
            self._words.say(words.format(text=visible(asked)), "muted")
            for number, token in enumerate(tokens[:MOST_CHOICES]):
                self._choices.addWidget(self._choice(token), *divmod(number, CHOICES_IN_A_ROW))

    def show_failure(self, asked: str, reason: str) -> None:
        """Show that the text could not be tokenized."""
        if asked == self._asked:
            self.refuse(reason)

    def refuse(self, reason: str) -> None:
        """Show why no token was added."""
        self._words.say(reason, "warning")

    def _seek(self) -> None:
        text = self._line.text()
        if not text:
            return
        if self._vocabulary is None:
            self.refuse(tr("Open a model first: its tokenizer is needed."))
            return
        if (asked := ID.fullmatch(text)) and int(asked[1]) >= self._vocabulary:
            self.refuse(tr("This model's ids go from 0 to {last}.").format(last=f"{self._vocabulary - 1:,}"))
            return
        self._asked = text if asked else "".join(read_lines(text))
        self._words.say(tr("Looking it up…"), "muted")
        self.sought.emit(self._asked)

    def _forget(self) -> None:
        self._asked = ""
        self.refuse("")
        emptied(self._choices)

    def _choice(self, token: Found) -> QToolButton:
        name, sign, words = f"choice_{token[0]}", f"#{token[0]}", visible(token[1])
        spoken = tr("Token {id}, {text}").format(id=token[0], text=token[1])
        return tool_button(name, words or sign, sign, spoken, kind="small", press=partial(self._take, token))

    def _take(self, token: Found) -> None:
        self._forget()
        self._line.clear()
        self.found.emit(token)
