"""Sizes that follow the text size, and parts that are hidden where there is no room."""

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLayout, QSplitter, QWidget

from app.ui.instruments.strip import HEIGHT_PX, SHARE_OF_WINDOW
from app.ui.shell.layout import COLUMNS_PX, ROWS_PX, MainLayout

USUAL = 100


class ResponsiveLayout(QObject):
    """Scales the parts of splitters with the text size; the instruments get at most a share of a small window."""

    def __init__(self, parts: MainLayout) -> None:
        super().__init__(parts)
        self._parts = parts
        self._percent = parts.theme.percent
        self._wanted: dict[QSplitter, list[float]] = {}
        """Sizes of a splitter's parts at 100 %, until the user moves it."""
        for splitter in (parts.columns, parts.rows):
            splitter.splitterMoved.connect(partial(self._forget, splitter))
        parts.theme.changed.connect(self._rescale)

    def _rescale(self) -> None:
        """Give the conversation the rest of the width."""
        before, self._percent = self._percent, self._parts.theme.percent
        if before == self._percent:
            return
        self._measure()
        for splitter, main in ((self._parts.columns, 1), (self._parts.rows, 0)):
            wanted = self._wanted.setdefault(splitter, [0.0] * splitter.count())
            # A strip with its default height keeps it: in a low window, larger text couldn't enlarge it.
            least = HEIGHT_PX if splitter is self._parts.rows else 0
            self._wanted[splitter] = [
                known or max(size * USUAL / before, min(size, least))
                for known, size in zip(wanted, splitter.sizes(), strict=True)
            ]
            self._divide(splitter, main)

    def _measure(self) -> None:
        """Update the minimum sizes first, which Qt caches for each widget."""
        for layout in self._parts.findChildren(QLayout):
            layout.invalidate()
        for widget in reversed(self._parts.findChildren(QWidget)):  # children first
            if widget.layout() is not None:
                widget.updateGeometry()

    def _divide(self, splitter: QSplitter, main: int) -> None:
        """Give parts without a size their default, or they would stay invisible when shown again."""
        shown, scale = splitter.sizes(), self._percent / USUAL
        sizes = [round(wanted * scale) for wanted in self._wanted[splitter]]
        if splitter is self._parts.rows:
            sizes[1] = min(sizes[1], round(SHARE_OF_WINDOW * sum(shown)))
        others = sum(size for number, size in enumerate(sizes) if shown[number] and number != main)
        sizes[main] = max(1, sum(shown) - others)
        usual = COLUMNS_PX if splitter is self._parts.columns else ROWS_PX
        splitter.setSizes([size or round(first * scale) for size, first in zip(sizes, usual, strict=True)])

    def _forget(self, splitter: QSplitter, _place: int, _handle: int) -> None:
        self._wanted.pop(splitter, None)
