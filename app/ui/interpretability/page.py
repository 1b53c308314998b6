"""The Inside tab of the inspector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import Theme
from app.ui.widgets import come_after, in_column, named

if TYPE_CHECKING:
    from app.ui.interpretability.panel import InterpretabilityPanel


class InterpretabilityPage(QWidget):
    """The Inside tab. It creates its panel when first shown, since importing numpy would delay the first paint."""

    made = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "inside", tr("Inside"))
        self._theme = theme
        self._place = in_column(on=self)
        self.panel: InterpretabilityPanel | None = None

    def make(self) -> None:
        if self.panel is not None:
            return
        from app.ui.interpretability.panel import InterpretabilityPanel

        self.panel = InterpretabilityPanel(self._theme, self)
        self._place.addWidget(self.panel)
        come_after(self, self.panel)
        self.made.emit(self.panel)
        self.panel.show()

    def showEvent(self, event: QShowEvent) -> None:
        self.make()
        super().showEvent(event)
