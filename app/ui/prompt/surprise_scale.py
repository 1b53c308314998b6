"""How to read the grounds of a prompt's tokens: the scale, and the whole prompt in two figures."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.engine.types import Weighed
from app.ui.look import MARGIN_PX, Size, Theme, scaled
from app.ui.tokens.colours import DEFINITIONS, Colouring, Scale
from app.ui.tokens.scale import SWATCH_PX, TokenScale
from app.ui.tokens.surprise import summary_of
from app.ui.widgets import in_row, plain_label
from app.words import tr


class SurpriseScale(QWidget):
    """One line, as high as its scale."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        scale = TokenScale(theme)
        scale.setObjectName("exact_prompt_scale")
        scaled(theme, scale, QWidget.setFixedHeight, SWATCH_PX)
        scale.show_scale(Scale(Colouring.SURPRISE))
        self.setToolTip(DEFINITIONS[Colouring.SURPRISE])
        self._summary = plain_label("exact_prompt_surprise_summary", font=theme.font(Size.SMALL), muted=True)
        in_row((scale, 1), self._summary, on=self, margins=(MARGIN_PX, 0, MARGIN_PX, 0))

    def show_weighed(self, weighed: Weighed) -> None:
        words = summary_of(weighed)
        self._summary.setText(words)
        self._summary.setAccessibleName(tr("Surprise of the prompt: {words}").format(words=words))
