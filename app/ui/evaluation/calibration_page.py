"""Calibration of the variants: reliability diagram, accuracy at a chosen confidence, and tables."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.definitions import of_name
from app.engine.ranges import NumberRange
from app.evaluation.calibration import LEAST_ROWS, RowPrediction, accuracy_at
from app.evaluation.export import likelihood_tables, span
from app.evaluation.types import Calibration, EvaluationVerdict
from app.i18n import tr
from app.number_format import percent
from app.ui.evaluation.rows import short
from app.ui.look import GAP_PX, GRID_PX, Color, Size, Theme
from app.ui.widgets import (
    ChoiceBox,
    FieldRow,
    NumberField,
    field_label,
    heading,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
)
from app.ui.widgets.rows import scrolling
from app.ui.widgets.word_table import WordTable

THRESHOLD, STEP = NumberRange(0, 1, 0.8), 0.05
SIDE_PX, MARGIN_PX = 280, 44
LEAST_DOT_PX, MOST_DOT_PX = 2.0, 8.0
P_VALUE = tr("p-value")
"""Its definition is that of a paired difference."""
NONE = tr("The calibration needs {least} rows with a confidence and a checked answer. A variant has at most {most}.")


class CalibrationPage(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._verdict: EvaluationVerdict | None = None
        self._predictions: tuple[Mapping[int, RowPrediction], ...] = ()
        self._none = plain_label("sets_calibration_none", muted=True, wraps=True)
        tip = tr("The variant of the diagram")
        self._variant = ChoiceBox("sets_calibration_variant", tr("Variant"), tip, narrow=True)
        self._variant.activated.connect(lambda: self._show())
        self._plot = ReliabilityPlot(theme)
        self._least = NumberField("sets_confidence", THRESHOLD, STEP)
        named(self._least, "sets_confidence", tr("Confidence"))
        self._least.show_value(THRESHOLD.neutral)
        self._least.chosen.connect(lambda: self._show_accuracy())
        tip = tr("The accuracy is computed for the rows with at least this confidence")
        confidence = FieldRow(theme, tr("Confidence"), tip, self._least, below=True)
        self._least.refused.connect(confidence.refuse)
        self._accuracy = plain_label("sets_accuracy", wraps=True)
        names = tr("Rate by score"), tr("Calibration"), tr("Differences in calibration")
        self._headings = [heading(theme, name) for name in names]
        self._tables = [WordTable(theme, f"sets_calibration_{at}", name) for at, name in enumerate(names)]
        side = in_column(
            field_label(theme, tr("Variant"), self._variant),
            self._variant,
            confidence,
            self._accuracy,
            ...,
            gap=GRID_PX,
        )
        self._diagram = layout_widget(in_row(self._plot, (side, 1), gap=2 * GAP_PX))
        tables = [part for pair in zip(self._headings, self._tables, strict=True) for part in pair]
        parts = layout_widget(in_column(self._none, self._diagram, *tables, ..., gap=GAP_PX))
        described = tr("Reliability diagram, calibration error and Brier score of the variants")
        in_column((scrolling("sets_calibration_room", tr("Calibration"), parts, description=described), 1), on=self)

    def show_result(
        self, found: EvaluationVerdict, names: Sequence[str], predictions: tuple[Mapping[int, RowPrediction], ...]
    ) -> None:
        self._verdict, self._predictions = found, predictions
        self._variant.show_entries({each.arm: short(names[each.arm]) for each in found.calibrations})
        self._none.setText(NONE.format(least=LEAST_ROWS, most=max(map(len, predictions), default=0)))
        self._none.setVisible(not found.calibrations)
        self._diagram.setVisible(bool(found.calibrations))
        shown = {title: (head, rows) for title, head, rows in likelihood_tables(found, names)}
        for label, table in zip(self._headings, self._tables, strict=True):
            title = table.accessibleName()
            label.setVisible(title in shown)
            table.setVisible(title in shown)
            if title in shown:
                head, rows = shown[title]
                table.show_rows(head, rows, ["" if name == P_VALUE else of_name(name) for name in head])
        self._show()

    def _show(self) -> None:
        known = self._verdict.calibrations if self._verdict is not None else ()
        chosen = next((each for each in known if each.arm == self._variant.currentData()), None)
        self._plot.show_calibration(chosen)
        self._show_accuracy()

    def _show_accuracy(self) -> None:
        arm, least = self._variant.currentData(), self._least.value()
        if arm is None or arm >= len(self._predictions):
            self._accuracy.setText("")
            return
        rows = tuple(self._predictions[arm].values())
        count, accuracy = accuracy_at(rows, least)
        words = tr("%n rows have at least this confidence", "%n row has at least this confidence", count)
        if accuracy is not None:
            text = tr("{rows} ({share}). {rate} of them are right (95 % CI {range}).")
            rate, range_ = percent(accuracy.middle, 1), span(accuracy.low, accuracy.high)
            words = text.format(rows=words, share=percent(count, len(rows)), rate=rate, range=range_)
        self._accuracy.setText(words)


class ReliabilityPlot(QWidget):
    """Reliability diagram: for each bin the share of right rows over the mean confidence, with its interval."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "sets_reliability", tr("Reliability diagram"))
        self._theme = theme
        self._shown: Calibration | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._measure)

    def show_calibration(self, shown: Calibration | None) -> None:
        self._shown = shown
        words = tr("confidence {confidence}: {rate} right, {rows} rows")
        bins = shown.bins if shown is not None else ()
        said = (
            words.format(confidence=percent(it.confidence, 1), rate=percent(it.accuracy.middle, 1), rows=f"{it.n:,}")
            for it in bins
        )
        self.setAccessibleDescription("; ".join(said))
        self.update()

    def sizeHint(self) -> QSize:
        side = self._theme.scaled(SIDE_PX)
        return QSize(side, side)

    def _measure(self) -> None:
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), theme.color(Color.SURFACE))
        if self._shown is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(Size.SMALL))
        margin = theme.scaled(MARGIN_PX)
        room = QRectF(self.rect()).adjusted(margin, GAP_PX, -GAP_PX, -margin)
        self._draw_axes(painter, room)
        largest = max(each.n for each in self._shown.bins)
        for each in self._shown.bins:
            spot = _place(room, each.confidence, each.accuracy.middle)
            painter.setPen(QPen(theme.color(Color.DECODE, 0.5), 2))
            painter.drawLine(
                _place(room, each.confidence, each.accuracy.low), _place(room, each.confidence, each.accuracy.high)
            )
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(Color.DECODE))
            size = LEAST_DOT_PX + (MOST_DOT_PX - LEAST_DOT_PX) * float((each.n / largest) ** 0.5)
            painter.drawEllipse(spot, size, size)

    def _draw_axes(self, painter: QPainter, room: QRectF) -> None:
        theme, line = self._theme, painter.fontMetrics().height()
        for share in (0.0, 0.5, 1.0):
            painter.setPen(theme.color(Color.LINE))
            painter.drawLine(_place(room, share, 0), _place(room, share, 1))
            painter.drawLine(_place(room, 0, share), _place(room, 1, share))
            painter.setPen(theme.color(Color.MUTED))
            across, up, words = _place(room, share, 0), _place(room, 0, share), percent(share, 1)
            below = QRectF(across.x() - room.width() / 4, room.bottom() + GRID_PX, room.width() / 2, line)
            centered = Qt.AlignmentFlag.AlignHCenter
            if share:
                right = Qt.AlignmentFlag.AlignRight if share == 1 else centered
                painter.drawText(below.adjusted(0, 0, -room.width() / 4, 0) if share == 1 else below, right, words)
            left = QRectF(0, up.y() - line / 2, room.left() - GRID_PX, line)
            painter.drawText(left, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        title = QRectF(room.left(), room.bottom() + line + GRID_PX, room.width(), line)
        painter.drawText(title, Qt.AlignmentFlag.AlignCenter, tr("Confidence"))
        corner = room.topLeft() + QPointF(GRID_PX, GRID_PX)
        painter.drawText(QRectF(corner.x(), corner.y(), room.width() / 2, line), 0, tr("Right"))
        painter.setPen(QPen(theme.color(Color.MUTED), 1, Qt.PenStyle.DashLine))
        painter.drawLine(_place(room, 0, 0), _place(room, 1, 1))


def _place(room: QRectF, across: float, up: float) -> QPointF:
    return QPointF(room.left() + room.width() * across, room.bottom() - room.height() * up)
