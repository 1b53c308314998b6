"""The progress row of a load or a prefill."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.bridge.playground import Playground
from app.definitions import meaning
from app.engine.meter.meter import Frame, PrefillProgress
from app.engine.remote.address import server_model
from app.engine.types import Loading, Prefill
from app.i18n import tr
from app.number_format import duration, percent, size
from app.state import RUNNING, Phase, State
from app.ui.look import GRID_PX, MARGIN_PX, MEASURE_PX, Color, Theme
from app.ui.widgets import OneLine, as_tip, in_row, named
from app.ui.widgets.frame import STEPS, ThinBar

BAR_PX = 6
MIN_PREFILL_S = 0.3
"""Minimum time in seconds of a prefill that shows the row."""


class ProgressRow(QWidget):
    """A row with a progress bar. Emits `cancelled` when its button is pressed."""

    cancelled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("progress")
        self._words = named(OneLine(), "progress_words")
        self._bar = ThinBar(theme, "progress_bar", Color.PREFILL, BAR_PX)
        self._cancel = named(QPushButton(tr("Cancel")), "cancel", tr("Cancel"), tr("Stop loading the model"))
        self._cancel.clicked.connect(self.cancelled)
        in_row(self._words, (self._bar, 1), self._cancel, on=self, margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX))
        self._theme = theme
        self._scoring_began = 0.0
        self.hide()

    def follow(self, playground: Playground) -> None:
        """Show the loads and prefills of this playground from now on."""
        self.cancelled.connect(playground.stop)
        playground.follow(("phase", "model", "loading", "elsewhere"), self._show_state, at_once=True)
        playground.advanced.connect(self._on_advanced)
        playground.resumed.connect(self._on_advanced)
        playground.replay_advanced.connect(self._on_advanced)
        playground.prefill_advanced.connect(lambda prefill: self._on_scoring(playground.state.phase, prefill))

    def _show_state(self, state: State) -> None:
        if state.phase is Phase.LOADING:
            self.show_loading(short_name(state.wanted), state.loading)
        elif state.phase is Phase.STOPPING and state.elsewhere is None:
            self.show_stopping()
        elif state.phase not in RUNNING or state.elsewhere is not None:
            self._scoring_began = 0.0
            self.hide()

    def _on_advanced(self, frame: Frame) -> None:
        if frame.prefill is not None and frame.prefill_ended is not None and self.isVisible():
            self.show_words(tr("First decode step"), 0, 0)
        elif frame.prefill is not None:
            self.show_prefill(frame.prefill, frame.metrics.elapsed)
        elif frame.tokens:
            self.hide()

    def _on_scoring(self, phase: Phase, prefill: Prefill) -> None:
        self._scoring_began = self._scoring_began or prefill.at
        if phase is Phase.PREFILLING:
            self.show_prefill(PrefillProgress(prefill.done, prefill.total, 0, None), prefill.at - self._scoring_began)

    def show_loading(self, name: str, loading: Loading | None) -> None:
        """Show a load; `loading` is None until the first report."""
        if loading is None or not loading.total:
            words = tr("Opening {name}") if loading is None else tr("Opening {name}: {stage}")
            self.show_words(words.format(name=name, stage=loading.stage if loading is not None else ""), 0, 0)
            return
        words = tr("Opening {name}: {share} of {size}").format(
            name=name, share=percent(loading.done, loading.total), size=size(loading.total)
        )
        self.show_words(words, loading.done, loading.total)

    def show_prefill(self, prefill: PrefillProgress, seconds: float) -> None:
        """Show a prefill that has run for `seconds`. Cached tokens don't count as progress."""
        if seconds <= MIN_PREFILL_S:
            return
        parts = [prefill.stage or tr("Prefilling the prompt")]
        if prefill.total:
            words = tr("Prefill: {share} of %n tokens", "Prefill: {share} of %n token", prefill.total)
            parts = [words.format(share=percent(prefill.done, prefill.total))]
        if prefill.remaining is not None and prefill.done < prefill.total:
            parts.append(tr("{time} left").format(time=duration(prefill.remaining)))
        if prefill.reused:
            parts.append(tr("{count} from the cache").format(count=f"{prefill.reused:,}"))
        if prefill.again:
            parts.append(tr("prefilled again: this model's cache can't be trimmed"))
        self.show_words(" · ".join(parts), prefill.done, prefill.total)
        self._cancel.hide()  # the prompt has a Stop button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Align the row with the conversation above."""
        super().resizeEvent(event)
        side = max(MARGIN_PX, (self.width() - self._theme.scaled(MEASURE_PX)) // 2)
        self.setContentsMargins(side - MARGIN_PX, 0, side - MARGIN_PX, 0)

    def show_stopping(self) -> None:
        self._words.setText(tr("Stopping"))
        self._cancel.setEnabled(False)

    def show_words(self, words: str, done: int, total: int) -> None:
        """Show a text and the progress. Without a `total` the bar is busy."""
        self._words.setText(words)
        self._words.setToolTip(as_tip(f"{words}\n{meaning('progress')}"))
        self._bar.setRange(0, STEPS if total else 0)
        self._bar.show_share(done, total, words)
        self.setAccessibleName(tr("Progress: {words}").format(words=words))
        self._cancel.setEnabled(True)
        self._cancel.show()
        self.show()


def short_name(model: str) -> str:
    """Return the last part of a path or an id."""
    remote = server_model(model)
    return remote.name if remote is not None else model.replace("\\", "/").rstrip("/").rpartition("/")[2]
