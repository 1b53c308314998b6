"""The side of the picker: what is known of the chosen model, why it can't be opened, and whether it will fit."""

from collections.abc import Sequence

from PySide6.QtWidgets import QSizePolicy, QWidget

from app.i18n import tr
from app.library.types import Fit
from app.ui.look import GAP_PX, MARGIN_PX, Size, Theme, scaled
from app.ui.picker.facts import Facts
from app.ui.picker.fit_box import FitBox
from app.ui.widgets import ScrollColumn, SmallPrint, as_tip, in_column, plain_label

WIDTH_PX = 284


class Details(ScrollColumn):
    """Knows nothing of where the model lies; what follows below is the page's own."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, tr("Details"), tr("What is known of the chosen model"), parent)
        scaled(theme, self, QWidget.setMaximumWidth, WIDTH_PX)
        self._name = plain_label(f"{name}_name", font=theme.font(Size.PROSE, bold=True), wraps=True, selectable=True)
        self._reason = SmallPrint(theme, f"{name}_reason", "warning")
        for each in (self._name, self._reason):  # a word that is longer than its line makes none of the others longer
            each.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._facts = Facts(theme)
        self.fit = FitBox(theme)
        inside = QWidget()
        # In its place while it is empty: moved when it is full, all in it would be dressed anew.
        self.setWidget(inside)
        parts = (self._name, self._reason, self._facts, self.fit)
        self._column = in_column(*parts, ..., on=inside, gap=MARGIN_PX, margins=(MARGIN_PX, 0, MARGIN_PX, GAP_PX))
        self.clear()

    def show_model(self, name: str, facts: Sequence[tuple[str, str]], reason: str = "") -> None:
        """What is known of a model; `reason` is why it can't be had."""
        self._name.setText(name)
        self._name.setToolTip(as_tip(name))
        self._name.setAccessibleName(name)
        self._facts.show_facts(facts)
        self._reason.say(reason)
        self._reason.setToolTip(as_tip(reason))

    def show_fit(self, fit: Fit | None) -> None:
        """The sum; None where nothing is known to add up."""
        self.fit.setVisible(fit is not None)
        if fit is not None:
            self.fit.show_fit(fit)

    def add(self, widget: QWidget, below_name: bool = False) -> None:
        """Something more of the page's own, at the end or before what is known."""
        self._column.insertWidget(2 if below_name else self._column.count() - 1, widget)

    def clear(self) -> None:
        """No model is chosen."""
        self.show_model("", ())
        self.show_fit(None)
