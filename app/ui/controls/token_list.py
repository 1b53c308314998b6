"""Lists of tokens chosen by text or id: stop tokens and logit biases."""

import re
from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from app.engine.catalogue import SETTINGS
from app.engine.ranges import RANGES
from app.i18n import tr
from app.ui.controls.number_rows import allowed, row_for
from app.ui.look import GRID_PX, Size, Theme, scaled
from app.ui.widgets import (
    SmallPrint,
    as_tip,
    clear_layout,
    in_column,
    in_grid,
    in_row,
    layout_widget,
    named,
    one_after_another,
    plain_label,
    tool_button,
)
from app.ui.widgets.escapes import read_lines, visible
from app.ui.widgets.field_row import FIELD_PX
from app.ui.widgets.number_field import NumberField

Token = tuple[int, str]
"""An id and its text."""
ID = re.compile(r"#(\d{1,9})")
CHOICES_IN_A_ROW = 3
MOST_CHOICES = 12
FIRST_BIAS = 1.0


class TokenSearch(QWidget):
    """The search field. `wanted` carries a text, or `#` and an id; `chosen` a token."""

    wanted = Signal(str)
    chosen = Signal(object)

    def __init__(self, theme: Theme, name: str, title: str) -> None:
        super().__init__()
        self._vocabulary: int | None = None
        self._query = ""
        tip = tr("The text of one token, including whitespace (\\n is a newline), or # and an id")
        self._line = named(QLineEdit(), f"{name}_search", tr("{tokens}: text or #id").format(tokens=title), tip)
        self._line.setPlaceholderText(tr("Text or #id, then Enter"))
        self._line.returnPressed.connect(self._search)
        self._line.textEdited.connect(self._clear)
        self._answer = SmallPrint(theme, f"{name}_answer", "warning")
        self._choices = in_grid(gap=GRID_PX, wide={CHOICES_IN_A_ROW: 1})
        in_column(self._line, self._answer, self._choices, on=self, gap=GRID_PX)

    def limit_to(self, vocabulary: int | None) -> None:
        """Set the vocabulary size of the open model: ids at or above it are refused. None: no model is open."""
        self._vocabulary = vocabulary
        self._clear()

    def show_found(self, query: str, tokens: Sequence[Token]) -> None:
        """Show the result: a single token is accepted, of several the user picks one."""
        if query != self._query:
            return
        clear_layout(self._choices)
        if len(tokens) == 1:
            self._choose(tokens[0])
        elif not tokens:
            self.refuse(tr("This text has no tokens."))
        else:
            words = tr("“{text}” is %n tokens. Pick the one you mean:", "", len(tokens))
            self._answer.say(words.format(text=visible(query)), "muted")
            for number, token in enumerate(tokens[:MOST_CHOICES]):
                self._choices.addWidget(self._button(token), *divmod(number, CHOICES_IN_A_ROW))

    def show_failure(self, query: str, reason: str) -> None:
        if query == self._query:
            self.refuse(reason)

    def refuse(self, reason: str) -> None:
        """Show why no token was added."""
        self._answer.say(reason, "warning")

    def _search(self) -> None:
        text = self._line.text()
        if not text:
            return
        if self._vocabulary is None:
            self.refuse(tr("Open a model first: its tokenizer is needed."))
            return
        if (number := ID.fullmatch(text)) and int(number[1]) >= self._vocabulary:
            self.refuse(tr("This model's ids go from 0 to {last}.").format(last=f"{self._vocabulary - 1:,}"))
            return
        self._query = text if number else "".join(read_lines(text))
        self._answer.say(tr("Looking it up…"), "muted")
        self.wanted.emit(self._query)

    def _clear(self) -> None:
        self._query = ""
        self.refuse("")
        clear_layout(self._choices)

    def _button(self, token: Token) -> QToolButton:
        name, sign, words = f"choice_{token[0]}", f"#{token[0]}", visible(token[1])
        spoken = tr("Token {id}, {text}").format(id=token[0], text=token[1])
        return tool_button(name, words or sign, sign, spoken, kind="small", press=partial(self._choose, token))

    def _choose(self, token: Token) -> None:
        self._clear()
        self._line.clear()
        self.chosen.emit(token)


class TokenList(QWidget):
    """A list of tokens, each with a value; its `search` requests the tokens of a text."""

    edited = Signal(object)

    def __init__(self, theme: Theme, name: str, *more: str) -> None:
        super().__init__()
        self._theme = theme
        self._name = name
        self._values: dict[int, float] = {}
        self._texts: dict[int, str] = {}
        self._vocabulary: int | None = None
        self.search = named(TokenSearch(theme, name, SETTINGS[name].words), name)
        self.search.chosen.connect(self._add)
        self._row = row_for(theme, name, self.search, *more, below=True)
        self._list = in_column(gap=GRID_PX)
        self._lines = layout_widget(self._list)
        self._column = in_column(self._row, self._lines, on=self, gap=GRID_PX)
        self._lines.hide()

    def limit_to(self, vocabulary: int | None) -> None:
        """Set the vocabulary size: ids at or above it are not in the model."""
        self._vocabulary = vocabulary
        self.search.limit_to(vocabulary)
        self._build()

    def name_tokens(self, texts: Mapping[int, str]) -> None:
        """Set the texts of these ids in the open model."""
        self._texts = dict(texts)
        self._build()

    def _text(self, token: int) -> str:
        if self._vocabulary is not None and token >= self._vocabulary:
            return tr("not in this model")
        return visible(self._texts[token]) if token in self._texts else ""

    def _show(self, values: dict[int, float]) -> None:
        is_same, self._values = list(values) == list(self._values), values
        if not is_same:
            self._build()

    def _build(self) -> None:
        clear_layout(self._list)
        for token in self._values:
            self._list.addWidget(self._line(token))
        self._lines.setVisible(bool(self._values))
        one_after_another(self._column)

    def _line(self, token: int) -> QWidget:
        name, text = f"{self._name}_{token}", self._text(token)
        words = f"{text}  #{token}" if text else f"#{token}"
        label = plain_label(name, words, tip=as_tip(words), font=self._theme.font(Size.NORMAL, mono=True))
        spoken, tip = tr("Remove token {id}").format(id=token), tr("Remove from the list")
        remove = tool_button(f"{name}_remove", "✕", tip, spoken, kind="remove", press=partial(self._remove, token))
        remove.setAutoRaise(True)
        return layout_widget(in_row((label, 1), *self._fields(token), remove, gap=GRID_PX))

    def _fields(self, token: int) -> tuple[QWidget, ...]:
        return ()

    def _add(self, found: Token) -> None:
        token, text = found
        self._texts[token] = text
        if token in self._values:
            self.search.refuse(tr("It is already in the list."))
        else:
            self._emit(self._values | {token: FIRST_BIAS})

    def _remove(self, token: int) -> None:
        self._emit({each: value for each, value in self._values.items() if each != token})

    def _emit(self, values: dict[int, float]) -> None:
        raise NotImplementedError


class EndTokens(TokenList):
    """Stop tokens. `edited` carries the ids."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "stop_ids")

    def show_tokens(self, ids: tuple[int, ...]) -> None:
        """Set them without a signal."""
        self._show(dict.fromkeys(ids, FIRST_BIAS))

    def _emit(self, values: dict[int, float]) -> None:
        self.edited.emit(tuple(values))


class LogitBias(TokenList):
    """`edited` carries pairs of an id and its bias."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "logit_bias", allowed("logit_bias"))

    def show_tokens(self, biases: tuple[tuple[int, float], ...]) -> None:
        """Set them without a signal."""
        self._show(dict(biases))
        for token, bias in biases:
            field = self.findChild(NumberField, f"bias_{token}")
            if field is not None:
                field.show_value(bias)

    def _fields(self, token: int) -> tuple[QWidget, ...]:
        field, spoken = NumberField(f"bias_{token}", RANGES["logit_bias"], 1.0), tr("Bias of token {id}")
        named(field, "", spoken.format(id=token), SETTINGS["logit_bias"].meaning)
        scaled(self._theme, field, QWidget.setFixedWidth, FIELD_PX)
        field.show_value(self._values[token])
        field.chosen.connect(lambda bias: self._emit(self._values | {token: bias}))
        field.refused.connect(self._row.refuse)
        return (field,)

    def _emit(self, values: dict[int, float]) -> None:
        self.edited.emit(tuple(values.items()))
