"""The number cards: each one number of a run, with its definition in the tooltip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.definitions import meaning
from app.engine.frame import Figures
from app.figures import DASH, duration, speed, spoken_duration, spoken_speed
from app.ui.look.sizes import Measured
from app.ui.look.theme import GAP_PX, MARGIN_PX, MUTED_ROLE, Size, Theme
from app.ui.widgets.labels import plain_label
from app.ui.widgets.naming import named
from app.ui.widgets.number_label import NumberLabel
from app.ui.widgets.numbers_table import Numbers
from app.ui.widgets.rows import in_column, in_grid, in_row
from app.words import tr

INTERVAL_S = 0.25
"""Numbers that change more often can't be read."""
COLUMNS = 2


@dataclass(frozen=True, slots=True)
class Card:
    """What one card shows. `spoken` is what a screen reader says."""

    name: str
    title: str
    unit: str
    value: Callable[[Figures], str]
    spoken: Callable[[Figures], str]


CARDS = (
    Card(
        "speed_now",
        tr("Speed now"),
        tr("tok/s"),
        lambda figures: speed(figures.speed_now),
        lambda figures: spoken_speed(figures.speed_now),
    ),
    Card(
        "speed_mean",
        tr("Mean speed"),
        tr("tok/s"),
        lambda figures: speed(figures.speed_mean),
        lambda figures: spoken_speed(figures.speed_mean),
    ),
    Card(
        "first_token",
        tr("First token"),
        "",
        lambda figures: duration(figures.first_token),
        lambda figures: spoken_duration(figures.first_token),
    ),
    Card(
        "prompt_speed",
        tr("Prompt speed"),
        tr("tok/s"),
        lambda figures: speed(figures.prompt_speed),
        lambda figures: spoken_speed(figures.prompt_speed),
    ),
    Card(
        "token_count",
        tr("Tokens"),
        "",
        lambda figures: tr("%n pieces", "%n piece", figures.tokens) if figures.pieces else f"{figures.tokens:,}",
        lambda figures: _spoken_tokens(figures),
    ),
    Card(
        "elapsed",
        tr("Elapsed"),
        "",
        lambda figures: duration(figures.elapsed) if figures.elapsed else DASH,
        lambda figures: spoken_duration(figures.elapsed) if figures.elapsed else tr("not defined yet"),
    ),
)


def _spoken_tokens(figures: Figures) -> str:
    if figures.pieces:
        return tr("%n pieces", "%n piece", figures.tokens)
    words = tr("{generated} generated, {visible} visible")
    if figures.reasoning:
        words = tr("{generated} generated, {visible} visible, {reasoning} of them reasoning")
    return words.format(
        generated=f"{figures.tokens:,}", visible=f"{figures.visible:,}", reasoning=f"{figures.reasoning:,}"
    )


class NumberCard(QWidget):
    """One number and what it is called."""

    def __init__(self, theme: Theme, card: Card, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card = card
        self.setToolTip(meaning(card.name))
        self._title = plain_label("", card.title, font=theme.font(Size.SMALL))
        self._value = named(NumberLabel(), card.name, font=theme.font(Size.LARGE))
        self._value.say(DASH)
        self._unit = plain_label("", card.unit, font=theme.font(Size.SMALL))
        for label in (self._title, self._unit):
            label.setForegroundRole(MUTED_ROLE)
        self._lay_out()
        self.show_figures(Figures())

    def show_figures(self, figures: Figures) -> None:
        """Only what differs is touched."""
        text = self._card.value(figures)
        spoken = f"{self._card.title}: {self._card.spoken(figures)}"
        self._value.say(text)
        if spoken != self._value.accessibleName():
            self._value.setAccessibleName(spoken)

    @property
    def title(self) -> str:
        return self._card.title

    @property
    def spoken(self) -> str:
        """The number as a screen reader has it."""
        return self._value.accessibleName().removeprefix(f"{self.title}: ")

    def _lay_out(self) -> None:
        in_column(
            self._title,
            in_row(
                (self._value, 0, Qt.AlignmentFlag.AlignBaseline),
                (self._unit, 0, Qt.AlignmentFlag.AlignBaseline),
                ...,
                gap=GAP_PX // 2,
            ),
            on=self,
            gap=0,
        )


class Cards(QWidget):
    """All cards. They are brought up to date a few times a second at most, by the clock they are given."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards = [NumberCard(theme, card) for card in CARDS]
        self._shown_at = float("-inf")
        lines = [self._cards[first : first + COLUMNS] for first in range(0, len(CARDS), COLUMNS)]
        margins = (MARGIN_PX, GAP_PX, MARGIN_PX, GAP_PX)
        in_grid(*lines, on=self, gap=(2 * MARGIN_PX, GAP_PX // 2), margins=margins, wide={})
        for card in self._cards:
            Measured(theme, card, _widen)

    def advance(self, figures: Figures, now: float) -> None:
        """Show these figures, if it is time to."""
        if now - self._shown_at >= INTERVAL_S:
            self.show_figures(figures)
            self._shown_at = now

    def numbers(self) -> Numbers:
        """All cards as a table."""
        return Numbers(
            tr("Figures"), (tr("What"), tr("How much")), tuple((card.title, card.spoken) for card in self._cards)
        )

    def show_figures(self, figures: Figures) -> None:
        """Show these figures now, and the next ones at once: a run has begun or ended."""
        self._shown_at = float("-inf")
        for card in self._cards:
            card.show_figures(figures)


def _widen(card: NumberCard) -> None:
    """Wide enough for any number, so that none moves another."""
    card.setMinimumWidth(card.fontMetrics().horizontalAdvance("0") * 14)
