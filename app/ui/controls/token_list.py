"""Lists of tokens chosen by text or id: stop tokens and logit biases."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.engine.catalogue import SETTINGS
from app.engine.ranges import RANGES
from app.i18n import tr
from app.ui.controls.number_rows import allowed, row_for
from app.ui.controls.token_search import Found, TokenSearch
from app.ui.look import GRID_PX, Size, Theme, scaled
from app.ui.widgets import as_tip, emptied, held, in_column, in_row, named, one_after_another, plain_label, tool_button
from app.ui.widgets.escapes import visible
from app.ui.widgets.field_row import FIELD_PX
from app.ui.widgets.number_field import NumberField

Tokens = tuple[tuple[int, float], ...]

FIRST_BIAS = 1.0


class _Tokens(QWidget):
    """A list of tokens; its `search` requests the tokens of a text."""

    edited = Signal(object)

    def __init__(self, theme: Theme, name: str, *more: str) -> None:
        super().__init__()
        self._theme = theme
        self._name = name
        self._ids: tuple[int, ...] = ()
        self._texts: dict[int, str] = {}
        self._vocabulary: int | None = None
        self.search = named(TokenSearch(theme, name, SETTINGS[name].words), name)
        self.search.found.connect(self._add)
        self._row = row_for(theme, name, self.search, *more, below=True)
        self._list = in_column(gap=GRID_PX)
        self._lines = held(self._list)
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

    def _build(self) -> None:
        emptied(self._list)
        for token in self._ids:
            self._list.addWidget(self._line(token))
        self._lines.setVisible(bool(self._ids))
        one_after_another(self._column)

    def _line(self, token: int) -> QWidget:
        name, text = f"{self._name}_{token}", self._text(token)
        words = f"{text}  #{token}" if text else f"#{token}"
        label = plain_label(name, words, tip=as_tip(words), font=self._theme.font(Size.NORMAL, mono=True))
        spoken, tip = tr("Remove token {id}").format(id=token), tr("Remove from the list")
        remove = tool_button(f"{name}_remove", "✕", tip, spoken, kind="tiny", press=partial(self._remove, token))
        remove.setAutoRaise(True)
        return held(in_row((label, 1), *self._extras(token), remove, gap=GRID_PX))

    def _extras(self, token: int) -> tuple[QWidget, ...]:
        return ()

    def _add(self, found: Found) -> None:
        token, text = found
        self._texts[token] = text
        if token in self._ids:
            self.search.refuse(tr("It is already in the list."))
        else:
            self._take(token)

    def _take(self, token: int) -> None:
        raise NotImplementedError

    def _remove(self, token: int) -> None:
        raise NotImplementedError


class EndTokens(_Tokens):
    """`edited` carries the ids."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "stop_ids")

    def show_tokens(self, ids: tuple[int, ...]) -> None:
        """Set them without a signal."""
        if ids != self._ids:
            self._ids = ids
            self._build()

    def _take(self, token: int) -> None:
        self.edited.emit((*self._ids, token))

    def _remove(self, token: int) -> None:
        self.edited.emit(tuple(each for each in self._ids if each != token))


class LogitBias(_Tokens):
    """`edited` carries pairs of an id and its bias."""

    def __init__(self, theme: Theme) -> None:
        self._biases: dict[int, float] = {}
        super().__init__(theme, "logit_bias", allowed("logit_bias"))

    def show_tokens(self, biases: Tokens) -> None:
        """Set them without a signal."""
        same_ids, self._biases = tuple(self._biases) == tuple(dict(biases)), dict(biases)
        self._ids = tuple(self._biases)
        if not same_ids:
            self._build()
        for token, bias in biases:
            field = self.findChild(NumberField, f"bias_{token}")
            if field is not None:
                field.show_value(bias)

    def _extras(self, token: int) -> tuple[QWidget, ...]:
        field, spoken = NumberField(f"bias_{token}", RANGES["logit_bias"], 1.0), tr("Bias of token {id}")
        named(field, "", spoken.format(id=token), SETTINGS["logit_bias"].meaning)
        scaled(self._theme, field, QWidget.setFixedWidth, FIELD_PX)
        field.show_value(self._biases[token])
        field.chosen.connect(partial(self._set, token))
        field.refused.connect(self._row.refuse)
        return (field,)

    def _set(self, token: int, bias: float) -> None:
        self.edited.emit(tuple((self._biases | {token: bias}).items()))

    def _take(self, token: int) -> None:
        self.edited.emit((*self._biases.items(), (token, FIRST_BIAS)))

    def _remove(self, token: int) -> None:
        self.edited.emit(tuple(pair for pair in self._biases.items() if pair[0] != token))
