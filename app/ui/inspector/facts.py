"""The figures of one token: their names, values and definitions, as a grid."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.definitions import meaning
from app.engine.meter.trace import Origin, TraceToken
from app.engine.types import TokenLogprobs
from app.i18n import tr
from app.number_format import DASH, bits, chance, duration, minus, short_duration
from app.ui.look import GAP_PX, GRID_PX, MUTED_ROLE, Size, Theme
from app.ui.widgets import in_grid, plain_label

ORIGINS = {
    Origin.MODEL: tr("model"),
    Origin.DRAFT: tr("accepted draft"),
    Origin.USER: tr("you"),
    Origin.BUDGET: tr("reasoning budget"),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure of a token. `short` is its heading; `name` is for tooltips and screen readers."""

    key: str
    short: str
    name: str
    format: Callable[[TraceToken], str]


def logprob(value: float) -> str:
    """Format a log-probability, with four digits near 0, so that 99.96 % isn't shown as 0."""
    return minus(f"{value:.{3 if value <= -0.01 else 4}f}")


def logit(value: float) -> str:
    return minus(f"{value:.2f}")


def _or_dash(value: float, format_value: Callable[[float], str]) -> str:
    """Return a dash for a value that a server doesn't report."""
    return DASH if math.isnan(value) else format_value(value)


def _recorded(format_value: Callable[[TokenLogprobs], str]) -> Callable[[TraceToken], str]:
    """Return a dash without recorded logprobs."""
    return lambda token: DASH if token.observed is None else format_value(token.observed)


FACTS = (
    Fact(
        "probability",
        tr("Probability"),
        tr("Probability"),
        _recorded(lambda seen: chance(math.exp(seen.chosen.logprob))),
    ),
    Fact("surprise", tr("Surprisal"), tr("Surprisal"), _recorded(lambda seen: bits(-seen.chosen.logprob))),
    Fact("rank", tr("Rank"), tr("Rank"), _recorded(lambda seen: f"{seen.rank:,}")),
    Fact("logprob", tr("Log-prob."), tr("Log-probability"), _recorded(lambda seen: logprob(seen.chosen.logprob))),
    Fact("entropy", tr("Entropy"), tr("Entropy"), _recorded(lambda seen: _or_dash(seen.entropy, bits))),
    Fact("raw_logit", tr("Raw logit"), tr("Raw logit"), _recorded(lambda seen: _or_dash(seen.chosen.raw_logit, logit))),
    Fact("arrival", tr("Arrived"), tr("Arrival, since Send"), lambda token: duration(token.at)),
    Fact(
        "gap",
        tr("Latency"),
        tr("Inter-token latency"),
        lambda token: DASH if token.gap is None else short_duration(token.gap),
    ),
    Fact("end", tr("P(EOS)"), tr("EOS probability"), _recorded(lambda seen: _or_dash(seen.eos_probability, chance))),
    Fact("id", tr("Id"), tr("Id"), lambda token: f"{token.id}" if token.id >= 0 else DASH),
    Fact("origin", tr("Chosen by"), tr("Chosen by"), lambda token: ORIGINS[token.origin]),
)
NARROW_COLUMNS, WIDE_COLUMNS = 3, 4
WIDE_PX = 276
TWO_COLUMNS = "origin"


class FactsGrid(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._grid = in_grid(on=self, gap=(GAP_PX, 0))
        self._across = 0
        self._known: tuple[Fact, ...] = ()
        self._names: dict[str, QLabel] = {}
        self._values: dict[str, QLabel] = {}
        for fact in FACTS:
            name, value = _label(theme, fact.short, Size.SMALL), _label(theme, "", Size.NORMAL)
            name.setForegroundRole(MUTED_ROLE)
            value.setObjectName(f"inspector_{fact.key}")
            for label in (name, value):
                label.setParent(self)  # a widget without a parent is a window
                label.setToolTip(f"{fact.name}: {meaning(fact.key)}")
            value.setContentsMargins(0, 0, 0, GRID_PX)
            self._names[fact.key], self._values[fact.key] = name, value
        self._place(NARROW_COLUMNS)

    def show_token(self, token: TraceToken) -> None:
        """Show the known figures of a token."""
        for fact in FACTS:
            value, words = self._values[fact.key], fact.format(token)
            value.setText(words)
            value.setAccessibleName(f"{fact.name}: {words}")
        self._place(self._across)

    def _place(self, across: int) -> None:
        known = tuple(fact for fact in FACTS if self._values[fact.key].text() != DASH)
        if (across, known) == (self._across, self._known):
            return
        self._across, self._known = across, known
        for fact in FACTS:
            for label in (self._names[fact.key], self._values[fact.key]):
                label.setVisible(fact in known)
        for number, fact in enumerate(known):
            row, column = divmod(number, across)
            wide = 2 if fact.key == TWO_COLUMNS else 1
            self._grid.addWidget(self._names[fact.key], 2 * row, column, 1, wide)
            self._grid.addWidget(self._values[fact.key], 2 * row + 1, column, 1, wide)
        for column in range(WIDE_COLUMNS):
            self._grid.setColumnStretch(column, int(column < across))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(WIDE_COLUMNS if event.size().width() >= self._theme.scaled(WIDE_PX) else NARROW_COLUMNS)


def _label(theme: Theme, text: str, size: Size) -> QLabel:
    label = plain_label("", text, font=theme.font(size))
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label
