"""The figures of one token side by side, like the dials of an instrument."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.engine.meter.trace import TraceToken
from app.number_format import DASH
from app.ui.inspector.facts import FACTS, Fact
from app.ui.look import GAP_PX, GRID_PX, MUTED_ROLE, Size, Theme
from app.ui.widgets import in_grid, plain_label

FEW, MANY = 3, 4
"""Figures side by side."""
ROOMY_PX = 276
WIDE = "origin"
"""Its words need two places."""


class FactsGrid(QWidget):
    """Each figure under its name."""

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
                label.setParent(self)  # or each would be a window of its own until it has its place
                label.setToolTip(f"{fact.name}: {fact.tip}")
            value.setContentsMargins(0, 0, 0, GRID_PX)
            self._names[fact.key], self._values[fact.key] = name, value
        self._place(FEW)

    def show_token(self, token: TraceToken) -> None:
        """What is known of it: nobody has to look at dashes."""
        for fact in FACTS:
            value, words = self._values[fact.key], fact.say(token)
            value.setText(words)
            value.setAccessibleName(f"{fact.name}: {words}")
        self._place(self._across)

    def _place(self, across: int) -> None:
        """So many figures in a row."""
        known = tuple(fact for fact in FACTS if self._values[fact.key].text() != DASH)
        if (across, known) == (self._across, self._known):
            return
        self._across, self._known = across, known
        for fact in FACTS:
            for label in (self._names[fact.key], self._values[fact.key]):
                label.setVisible(fact in known)
        for number, fact in enumerate(known):
            row, column = divmod(number, across)
            wide = 2 if fact.key == WIDE else 1
            self._grid.addWidget(self._names[fact.key], 2 * row, column, 1, wide)
            self._grid.addWidget(self._values[fact.key], 2 * row + 1, column, 1, wide)
        for column in range(MANY):
            self._grid.setColumnStretch(column, int(column < across))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(MANY if event.size().width() >= self._theme.scaled(ROOMY_PX) else FEW)


def _label(theme: Theme, text: str, size: Size) -> QLabel:
    label = plain_label("", text, font=theme.font(size))
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label
