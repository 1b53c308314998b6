"""How to read the grounds of a prompt's tokens: the scale, and the whole prompt in two figures."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.engine.types import Weighed
from app.ui.look.sizes import scaled
from app.ui.look.theme import GAP_PX, MARGIN_PX, MUTED_ROLE, Size, Theme
from app.ui.prompt.surprise import summary_of
from app.ui.tokens.colours import DEFINITIONS, Colouring, Scale
from app.ui.tokens.scale import SWATCH_PX, TokenScale
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
        self._summary = QLabel()
        self._summary.setObjectName("exact_prompt_surprise_summary")
        self._summary.setFont(theme.font(Size.SMALL))
        self._summary.setForegroundRole(MUTED_ROLE)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, 0)
        row.setSpacing(GAP_PX)
        row.addWidget(scale, 1)
        row.addWidget(self._summary)

    def show_weighed(self, weighed: Weighed) -> None:
        words = summary_of(weighed)
        self._summary.setText(words)
        self._summary.setAccessibleName(tr("Surprise of the prompt: {words}").format(words=words))
