"""The tab of the inspector that looks inside the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import Theme
from app.ui.widgets import come_after, in_column, named

if TYPE_CHECKING:
    from app.ui.interpretability.panel import InsidePanel


class InsidePage(QWidget):
    """Makes its panel when the tab is first shown: numpy comes with the panel, and would delay the first paint."""

    made = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "inside", tr("Inside"))
        self._theme = theme
        self._place = in_column(on=self)
        self.panel: InsidePanel | None = None

    def make(self) -> None:
        """Harmless when the panel is there already."""
        if self.panel is not None:
            return
        from app.ui.interpretability.panel import InsidePanel

        self.panel = InsidePanel(self._theme, self)
        self._place.addWidget(self.panel)
        come_after(self, self.panel)
        self.made.emit(self.panel)
        self.panel.show()

    def showEvent(self, event: QShowEvent) -> None:
        """Before the first paint, so the tab is never empty."""
        self.make()
        super().showEvent(event)
