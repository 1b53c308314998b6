"""The bar above the tokens of an answer: what their grounds tell, and how to read it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Theme
from app.ui.tokens.colours import DEFINITIONS, NAMES, Colouring, Scale
from app.ui.tokens.scale import TokenScale
from app.ui.widgets import in_row, named, plain_label
from app.ui.widgets.buttons import tool_button


class TokenLegend(QWidget):
    """`chosen` carries the Colouring that the user picked; `left` when the text is to be read as before."""

    chosen = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "token_legend", tr("Legend of the tokens"))
        self._choice = named(QComboBox(), "token_colouring", tr("Colour of the tokens"))
        title = plain_label("token_legend_title", tr("Colour"), muted=True, buddy=self._choice)
        for colouring in Colouring:
            self._choice.addItem(NAMES[colouring], colouring)
        self._scale = TokenScale(theme)
        tip = tr("Hide the tokens: back to the text")
        leave = tool_button("token_legend_leave", "✕", tip, tip, kind="quiet", press=self.left)
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        in_row(title, self._choice, (self._scale, 1), leave, on=self, margins=margins)
        self._choice.activated.connect(lambda: self.chosen.emit(self.colouring))
        self.show_scale(Scale(Colouring.PROBABILITY))

    @property
    def colouring(self) -> Colouring:
        return Colouring(self._choice.currentData())

    def show_scale(self, scale: Scale) -> None:
        """What the grounds tell now, and up to where the scale goes; tells nobody."""
        self._choice.setCurrentIndex(list(Colouring).index(scale.colouring))
        self._choice.setToolTip(DEFINITIONS[scale.colouring])
        self._scale.setToolTip(DEFINITIONS[scale.colouring])
        self._scale.show_scale(scale)
