"""The bar above the token view: the choice of the shown value, and its scale."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Theme
from app.ui.tokens.colours import DEFINITIONS, NAMES, Colouring, Scale
from app.ui.tokens.scale import TokenScale
from app.ui.widgets import in_row, named, plain_label
from app.ui.widgets.buttons import tool_button


class TokenLegend(QWidget):
    chosen = Signal(object)
    """The selected Colouring."""
    left = Signal()
    """The user closed the token view."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "token_legend", tr("Token legend"))
        self._choice = named(QComboBox(), "token_colouring", tr("Token color"))
        title = plain_label("token_legend_title", tr("Color"), muted=True, buddy=self._choice)
        for colouring in Colouring:
            self._choice.addItem(NAMES[colouring], colouring)
        self._scale = TokenScale(theme)
        tip = tr("Back to the text view")
        leave = tool_button("token_legend_leave", "✕", tip, tip, kind="quiet", press=self.left)
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        in_row(title, self._choice, (self._scale, 1), leave, on=self, margins=margins)
        self._choice.activated.connect(lambda: self.chosen.emit(self.colouring))
        self.show_scale(Scale(Colouring.PROBABILITY))

    @property
    def colouring(self) -> Colouring:
        return Colouring(self._choice.currentData())

    def show_scale(self, scale: Scale) -> None:
        """Show this scale without emitting a signal."""
        self._choice.setCurrentIndex(list(Colouring).index(scale.colouring))
        self._choice.setToolTip(DEFINITIONS[scale.colouring])
        self._scale.setToolTip(DEFINITIONS[scale.colouring])
        self._scale.show_scale(scale)
