"""The sampling picture: bars of the most likely alternatives before and after temperature and filters."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from app.definitions import meaning
from app.engine.sampling_filters import FilteredDistribution, shape, shape_choice
from app.engine.types import Alternative, Sampling, TokenLogprobs
from app.i18n import tr
from app.ui.look import GAP_PX, GRID_PX, Color, Size, Theme
from app.ui.tokens import sampling_words as words
from app.ui.tokens.words import legible
from app.ui.widgets import as_tip, in_column, named, plain_label

ROWS = 10
ROW_PX = 24
BAR_PX = 7
TEXT_PX = 68
LEGEND = tr("□ before   ■ after")
EXAMPLE = tr("Example: the beginning of a story.")
SOURCE_TIP = tr("With recorded alternatives, this shows the token with the highest entropy.")
RECORD = tr("Record alternatives")
RECORD_TIP = tr("Record each token's most likely alternatives in the next runs. It costs a little speed.")
EXAMPLE_TOKENS = (
    (" little", 0.31),
    (" big", 0.17),
    (" small", 0.12),
    (" dog", 0.08),
    (" girl", 0.07),
    (" boy", 0.05),
    (" fox", 0.04),
    (" king", 0.03),
    (" very", 0.02),
    (" cat", 0.015),
)
EXAMPLE_CANDIDATES = tuple(
    Alternative(index, text, math.log(likely), 0.0) for index, (text, likely) in enumerate(EXAMPLE_TOKENS)
)
EXAMPLE_REST = 1 - sum(likely for _, likely in EXAMPLE_TOKENS)
EXAMPLE_DEVIATION = 2.0
"""Standard deviation of the example's logits."""


@dataclass(frozen=True, slots=True)
class BarPair:
    """A row of the picture: a label, two bars and their values."""

    name: str
    before: float
    after: float
    figures: str
    removed: bool
    quiet: bool = False


def rows_of(shaped: FilteredDistribution) -> list[BarPair]:
    """Return the alternatives, and all other tokens as one row."""
    rows = [
        BarPair(
            legible(fate.text),
            fate.before,
            fate.after,
            words.probability_change(fate.before, fate.after, fate.removed_by, fate.passed_over),
            fate.removed_by is not None,
        )
        for fate in shaped.fates
    ]
    if shaped.rest_before:
        figures = words.probability_change(shaped.rest_before, shaped.rest_after, shaped.rest_removed_by)
        is_removed = shaped.rest_removed_by is not None
        rows.append(BarPair(words.OTHERS, shaped.rest_before, shaped.rest_after, figures, is_removed, quiet=True))
    return rows


class SamplingPicture(QWidget):
    """Shows the effect of the settings on a recorded distribution, or on an example while there is none.

    `recording_wanted` carries whether alternatives are to be recorded.
    """

    recording_wanted = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "sampling_picture", tr("Effect of the settings"))
        self._sampling = Sampling()
        self._observed: TokenLogprobs | None = None
        self._spared: frozenset[int] = frozenset()
        self._run_sampling: Sampling | None = None
        """The sampling settings of the run that was recorded."""
        tip, small = meaning("before_after"), theme.font(Size.SMALL)
        self._source = plain_label("sampling_source", tip=SOURCE_TIP, font=small, muted=True, wraps=True)
        self._bars = Bars(theme)
        legend = plain_label("sampling_legend", LEGEND, font=small, muted=True, wraps=True)
        self._caption = plain_label("sampling_caption", tip=tip, font=theme.font(Size.NORMAL), wraps=True)
        self._note = plain_label("sampling_note", tip=tip, font=small, muted=True, wraps=True)
        self._record = named(QCheckBox(RECORD), "record_candidates", RECORD, RECORD_TIP)
        self._record.clicked.connect(self.recording_wanted)
        self._cost = plain_label("recording_cost", tip=meaning("observing"), font=small, muted=True, wraps=True)
        self._cost.hide()
        parts = (self._source, self._bars, legend, self._caption, self._note, self._record, self._cost)
        in_column(*parts, on=self, gap=GRID_PX)
        self._show()

    def show_sampling(self, sampling: Sampling) -> None:
        if sampling != self._sampling:
            self._sampling = sampling
            self._show()

    def show_observed(
        self, observed: TokenLogprobs | None, spared: frozenset[int] = frozenset(), run_sampling: Sampling | None = None
    ) -> None:
        """Show the alternatives of a token from a run with these settings, and the EOS and stop tokens that XTC spares.

        None: show the example.
        """
        shown = observed, spared, run_sampling
        if shown != (self._observed, self._spared, self._run_sampling):
            self._observed, self._spared, self._run_sampling = shown
            self._show()

    def show_recording(self, recording: bool) -> None:
        """Set whether the next run records alternatives."""
        self._record.setChecked(recording)

    def refuse_recording(self, why: str) -> None:
        """Gray out the switch for this reason; empty: alternatives can be recorded."""
        self._record.setEnabled(not why)
        self._record.setToolTip(why or RECORD_TIP)

    def show_cost(self, share: float | None) -> None:
        """Show the share of the last run's time that recording took. None: it recorded nothing."""
        self._cost.setText(
            "" if share is None else tr("Recording took {share} of the last run.").format(share=words.cost(share))
        )
        self._cost.setVisible(share is not None)

    def _show(self) -> None:
        shaped = self._shaped()
        source = self._source_text()
        caption, note = words.caption(shaped, self._sampling), words.note(shaped)
        self._source.setText(source)
        self._bars.show_rows(rows_of(shaped))
        self._caption.setText(caption)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self.setAccessibleDescription(" ".join(filter(None, (source, caption, words.spoken(shaped), note))))

    def _source_text(self) -> str:
        if self._observed is None or not self._observed.top:
            return EXAMPLE
        text = tr("Highest-entropy token of the last recorded run (chosen: “{token}”):")
        return text.format(token=legible(self._observed.chosen.text))

    def _shaped(self) -> FilteredDistribution:
        observed = self._observed
        if observed is None or not observed.top:
            return shape(EXAMPLE_CANDIDATES, EXAMPLE_REST, self._sampling, deviation=EXAMPLE_DEVIATION)
        return shape_choice(observed, self._sampling, self._spared, ROWS, self._run_sampling)


class Bars(QWidget):
    """The painted rows: label, a hollow bar (before), a filled bar (after), values."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: Sequence[BarPair] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        theme.resized.connect(self.updateGeometry)

    def show_rows(self, rows: Sequence[BarPair]) -> None:
        if rows != self._rows:
            self._rows = rows
            self.setToolTip(as_tip("\n".join(f"{row.name}  {row.figures}" for row in rows)))
            self.updateGeometry()
            self.update()

    def _paint_row(self, painter: QPainter, row: BarPair, line: QRectF, figures_px: float, unit_px: float) -> None:
        name, figures = QRectF(line), QRectF(line)
        name.setWidth(self._theme.scaled(TEXT_PX))
        figures.setLeft(line.right() - figures_px)
        color = Color.MUTED if row.removed or row.quiet else Color.TEXT
        painter.setPen(self._theme.color(color))
        painter.setFont(self._font(row))
        elided = QFontMetrics(painter.font()).elidedText(row.name, Qt.TextElideMode.ElideRight, int(name.width()))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(name, Qt.AlignmentFlag.AlignLeft | middle, elided)
        painter.setFont(self._theme.font(Size.SMALL))
        painter.drawText(figures, Qt.AlignmentFlag.AlignRight | middle, row.figures)
        self._paint_bars(painter, row, QPointF(name.right() + GAP_PX, line.center().y()), unit_px)

    def _paint_bars(self, painter: QPainter, row: BarPair, at: QPointF, unit_px: float) -> None:
        """Paint both bars. A removed alternative has no second bar, its label is struck out, and the reason follows the
        values.
        """
        painter.setPen(self._theme.color(Color.OUTLINE))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        top = at.y() - BAR_PX - 0.5
        painter.drawRect(QRectF(at.x() + 0.5, top, max(1.0, row.before * unit_px), BAR_PX - 1))
        below = QRectF(at.x(), at.y() + 0.5, max(1.0, row.after * unit_px), BAR_PX)
        if not row.removed:
            painter.fillRect(below, QBrush(self._theme.color(Color.OTHER if row.quiet else Color.DECODE)))

    def _font(self, row: BarPair) -> QFont:
        font = self._theme.font(Size.SMALL, mono=not row.quiet)
        font.setStrikeOut(row.removed)
        font.setItalic(row.quiet)
        return font

    def sizeHint(self) -> QSize:
        return QSize(3 * TEXT_PX, len(self._rows) * self._theme.scaled(ROW_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        metrics = QFontMetrics(self._theme.font(Size.SMALL))
        figures_px = max((metrics.horizontalAdvance(row.figures) for row in self._rows), default=0) + 1
        longest = max((max(row.before, row.after) for row in self._rows), default=1.0) or 1.0
        unit_px = max(1.0, self.width() - self._theme.scaled(TEXT_PX) - figures_px - 2 * GAP_PX - 1) / longest
        row_px = self._theme.scaled(ROW_PX)
        for number, row in enumerate(self._rows):
            line = QRectF(0, number * row_px, self.width(), row_px)
            self._paint_row(painter, row, line, figures_px, unit_px)
