"""How far a load or a prefill has come, with a way out."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.definitions import meaning
from app.engine.meter.frame import PrefillProgress
from app.engine.types import Loading
from app.i18n import tr
from app.number_format import duration, percent, size
from app.ui.look import GRID_PX, MARGIN_PX, MEASURE_PX, Colour, Theme
from app.ui.widgets import OneLine, as_tip, in_row, named
from app.ui.widgets.thin_bar import STEPS, ThinBar

BAR_PX = 6
PATIENCE_S = 0.3
"""A prefill that is over sooner is not worth a row that comes and goes."""


class ProgressRow(QWidget):
    """`cancelled` when the user wants no more of it."""

    cancelled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("progress")
        self._words = named(OneLine(), "progress_words")
        self._bar = ThinBar(theme, "progress_bar", Colour.PREFILL, BAR_PX)
        self._cancel = named(QPushButton(tr("Cancel")), "cancel", tr("Cancel"), tr("No more of it"))
        self._cancel.clicked.connect(self.cancelled)
        in_row(self._words, (self._bar, 1), self._cancel, on=self, margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX))
        self._theme = theme
        self.hide()

    def show_loading(self, name: str, loading: Loading | None) -> None:
        """A load, from its first moment, when nothing is known yet."""
        if loading is None or not loading.total:
            words = tr("Opening {name}") if loading is None else tr("Opening {name}: {stage}")
            self.show_words(words.format(name=name, stage=loading.stage if loading is not None else ""), 0, 0)
            return
        words = tr("Opening {name}: {share} of {size}").format(
            name=name, share=percent(loading.done, loading.total), size=size(loading.total)
        )
        self.show_words(words, loading.done, loading.total)

    def show_prefill(self, prefill: PrefillProgress, seconds: float) -> None:
        """The prompt going in for so long; what the cache held is no work and counts for nothing."""
        if seconds <= PATIENCE_S:
            return
        parts = [prefill.stage or tr("Reading the prompt")]
        if prefill.total:
            words = tr(
                "Reading the prompt: {share} of %n tokens", "Reading the prompt: {share} of %n token", prefill.total
            )
            parts = [words.format(share=percent(prefill.done, prefill.total))]
        if prefill.remaining is not None and prefill.done < prefill.total:
            parts.append(tr("{time} left").format(time=duration(prefill.remaining)))
        if prefill.reused:
            parts.append(tr("{count} reused").format(count=f"{prefill.reused:,}"))
        if prefill.again:
            parts.append(tr("read again: this model's cache can't be rolled back"))
        self.show_words(" · ".join(parts), prefill.done, prefill.total)
        self._cancel.hide()  # Stop stands where Send was

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As wide as the conversation above it."""
        super().resizeEvent(event)
        side = max(MARGIN_PX, (self.width() - self._theme.scaled(MEASURE_PX)) // 2)
        self.setContentsMargins(side - MARGIN_PX, 0, side - MARGIN_PX, 0)

    def show_stopping(self) -> None:
        """Stop has been asked for, and is being heard."""
        self._words.setText(tr("Stopping"))
        self._cancel.setEnabled(False)

    def clear(self) -> None:
        self.hide()

    def show_words(self, words: str, done: int, total: int) -> None:
        """How far something has come; without a `total` nobody knows."""
        self._words.setText(words)
        self._words.setToolTip(as_tip(f"{words}\n{meaning('progress')}"))
        self._bar.setRange(0, STEPS if total else 0)
        self._bar.show_share(done, total, words)
        self.setAccessibleName(tr("Progress: {words}").format(words=words))
        self._cancel.setEnabled(True)
        self._cancel.show()
        self.show()
