"""The dialog Quantize: bits and group size, the expected model, and a comparison of bit widths."""

import math
import time
from collections.abc import Callable, Container, Sequence
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QDialog, QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.library.types import Fit, LocalModel
from app.number_format import DASH, rough_duration, size, speed, two_percent, with_error
from app.quantization.choice import (
    BITS,
    FIXED,
    GROUPS,
    RECIPES,
    USUAL_BITS,
    QuantizationCost,
    QuantizationMode,
    QuantizationOutcome,
    QuantizationSettings,
)
from app.ui.look import GAP_PX, MARGIN_PX, Color, Size, Theme, scaled
from app.ui.picker.details import FactGrid
from app.ui.widgets import (
    Announcer,
    ChoiceBox,
    SmallPrint,
    ThinBar,
    begin_window,
    field_label,
    files,
    in_column,
    in_grid,
    in_row,
    named,
    plain_label,
    push_button,
)
from app.ui.widgets.table import Numbers, NumbersTable

FIRST_PX, MIN_PX, COMPARISON_PX = (620, 380), (480, 320), (920, 700)
ROWS_PX = 200
LEAST_SHARE = 0.03
"""The done share from which on the time left is estimated."""
GOOD_SHARE = 0.95
"""Share of positions at which the quantized model should have the original's top token."""
MAX_NAMED = 6
"""Maximum number of layers that are listed as not quantized."""
MIN_HEIGHT_PX, LINE_PX, DOT_PX, LABEL_PX = 150, 22, 4, 90
MIN_KL = 1e-6
Result = tuple[QuantizationOutcome, QuantizationCost]
Point = tuple[str, float, float]
"""Label, bits per weight, KL divergence."""
COMPARE = {USUAL_BITS: tr("Compare 8 and 4 bits"), (6, 5, 3, 2): tr("Compare 6, 5, 3 and 2 bits")}
COMPARE_REST = tr("Compare the other widths")
COLUMNS = (tr("Bits"), tr("Per weight"), tr("Weights"), tr("KL"), tr("Same top token"), tr("tok/s"), tr("Memory"))


class QuantizeDialog(QDialog):
    """The dialog to quantize a model; when it is accepted, the model is created."""

    outcome_wanted = Signal()
    """Another choice needs a new estimate."""
    comparison_wanted = Signal(object)
    """These bit widths are to be compared."""
    stop_wanted = Signal()
    """The comparison is to be stopped."""

    def __init__(
        self, theme: Theme, model: LocalModel, folder: Path, fits: Callable[[int], Fit | None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        begin_window(theme, self, "quantise", tr("Quantize {model}").format(model=model.name), FIRST_PX, MIN_PX)
        self._theme = theme
        self._name, self._folder, self._fits = model.name.rpartition("/")[2], folder, fits
        self._results: list[Result] = []
        self._wanted: tuple[int, ...] = USUAL_BITS
        """The bit widths that are compared next."""
        self._begun: float | None = None
        """Start of the running comparison, in seconds of a monotonic clock."""
        self._is_smaller = False
        """The expected model is smaller than the original."""
        tip = tr("Bits per weight, and their format")
        self._how = ChoiceBox("quantise_how", tr("Weights"), tip, _modes())
        self._how.show_value(QuantizationSettings())
        tip = tr("Number of weights that share a scale; a smaller group is more accurate")
        groups = {0: tr("largest that divides all layer widths")} | {group: f"{group}" for group in GROUPS}
        self._group = ChoiceBox("quantise_group", tr("Group"), tip, groups)
        for box in (self._how, self._group):
            box.currentIndexChanged.connect(self._on_edited)
        self._facts, self._message = FactGrid(theme), SmallPrint(theme, "quantise_told")
        self._headline = plain_label("quantise_headline", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._announcer = Announcer(self._headline)
        self._bar = ThinBar(theme, "quantise_bar")
        self._bar.hide()
        self._table, self._plot = NumbersTable(theme, "quantise_ladder", wide=len(COLUMNS) - 1), LadderPlot(theme)
        tip = tr("Choose the folder of the new model")
        self._where = push_button("quantise_place", tr("Other folder…"), tip, press=self._choose_place)
        tip = tr("Quantize to each width, and compare it with the original; no model is saved")
        self._try = push_button("quantise_try", COMPARE[USUAL_BITS], tip, press=self._press_try)
        tip = tr("Create the model, and compare it with the original")
        self._make = push_button("quantise_make", tr("Quantize"), tip, kind="primary", press=self.accept)
        self._lay_out()
        self._on_edited()

    @property
    def choice(self) -> QuantizationSettings:
        chosen: QuantizationSettings = self._how.currentData()
        free = chosen.mode == QuantizationMode.AFFINE
        return QuantizationSettings(
            chosen.bits, self._group.currentData() if free else chosen.group, chosen.mode, chosen.recipe
        )

    @property
    def to(self) -> Path:
        """The folder of the new model."""
        return self._folder / f"{self._name}-{self.choice.name}"

    def show_outcome(self, outcome: QuantizationOutcome | Failure | None, free: int = 0) -> None:
        """Show the expected model and the free disk space in bytes; None: not known yet."""
        self._try.setEnabled(isinstance(outcome, QuantizationOutcome) or self._begun is not None)
        self._is_smaller = isinstance(outcome, QuantizationOutcome) and outcome.bytes < outcome.before
        self._make.setEnabled(self._is_smaller)
        if not isinstance(outcome, QuantizationOutcome):
            self._message.say(outcome.sentence if outcome else tr("Reading the layers …"), "warning" if outcome else "")
            return
        stay = ", ".join(outcome.alone[:MAX_NAMED]) or tr("no layer")
        if len(outcome.alone) > MAX_NAMED:
            stay = tr("{layers} and %n more", "", len(outcome.alone) - MAX_NAMED).format(layers=stay)
        text = tr("{size} instead of {before}; free disk space: {free}")
        facts = (
            (tr("On disk"), text.format(size=size(outcome.bytes), before=size(outcome.before), free=size(free))),
            *self._memory_facts(outcome.bytes),
            (tr("Bits per weight"), tr("{bits}, scales included").format(bits=f"{outcome.bits_per_weight:.2f}")),
            (tr("Group"), f"{outcome.choice.group}"),
            (tr("Not quantized"), stay),
            (tr("Folder"), str(self.to)),
        )
        self._facts.show_facts(facts)
        self._message.say(
            ""
            if outcome.bytes < outcome.before
            else tr("No layer's width is a multiple of this group size, so nothing would be quantized.")
        )

    def add_result(self, outcome: QuantizationOutcome, cost: QuantizationCost) -> None:
        """Add the result of a bit width to the comparison."""
        if not self._results:
            self.resize(self.size().expandedTo(QSize(*map(self._theme.scaled, COMPARISON_PX))))
        self._results = sorted([*self._results, (outcome, cost)], key=lambda each: -each[0].choice.bits)
        self._show_results()
        self._table.show_numbers(
            Numbers(
                tr("Comparison of bit widths"),
                COLUMNS,
                (_original(*self._results[0]), *(_row(*each) for each in self._results)),
            )
        )
        points = [(_words(each.choice.bits), each.bits_per_weight, cost.kl_mean) for each, cost in self._results]
        self._plot.show_points(points)

    def show_progress(self, done: int, total: int) -> None:
        """Show the progress of the comparison, with the expected time left."""
        if self._begun is None:
            return
        words = self._counted()
        if done > LEAST_SHARE * total:
            left = rough_duration((time.monotonic() - self._begun) * (total - done) / done)
            words = " · ".join((words, tr("about {duration} left").format(duration=left)))
        self._message.say(words, "text")
        self._bar.show_share(done, total, words)

    def show_comparing(self, failure: str = "", is_done: bool = False) -> None:
        """Show that bit widths are being compared, or, with `is_done`, the end and a `failure`."""
        self._begun = None if is_done else time.monotonic()
        if not is_done:
            self._bar.show_share(0, 0, "")
        self._bar.setVisible(not is_done)
        known = self._known_widths()
        is_complete = is_done and known.issuperset(self._wanted)
        if is_done:
            self._wanted = _next_widths(known)
        self._try.setText(COMPARE.get(self._wanted, COMPARE_REST) if is_done else tr("Stop"))
        self._try.setAccessibleName(self._try.text())
        self._try.setVisible(bool(self._wanted))
        self._headline.setText(headline(self._results) if is_done and known.issuperset(USUAL_BITS) else "")
        self._headline.setVisible(bool(self._headline.text()))
        self._announcer.say(self._headline.text())
        self._show_results()
        for each in (self._how, self._where):
            each.setEnabled(is_done)
        self._group.setEnabled(is_done and self.choice.mode == QuantizationMode.AFFINE)
        self._make.setEnabled(is_done and self._is_smaller)
        self._message.say(failure or ("" if is_complete else self._counted()))
        if is_complete and (best := recommended(self._results)) is not None:
            self._how.show_value(QuantizationSettings(best[0].choice.bits))
            self._group.show_value(QuantizationSettings().group)
            self.outcome_wanted.emit()

    def _show_results(self) -> None:
        for each in (self._table, self._plot):
            each.setVisible(bool(self._results))

    def _known_widths(self) -> set[int]:
        return {outcome.choice.bits for outcome, _ in self._results}

    def _counted(self) -> str:
        known = self._known_widths()
        count = len(known.union(self._wanted))
        return tr("{number} of {count} bit widths compared").format(number=len(known), count=count)

    def _press_try(self) -> None:
        if self._begun is not None:
            self.stop_wanted.emit()
        else:
            self.comparison_wanted.emit(self._wanted)

    def _memory_facts(self, weights: int) -> tuple[tuple[str, str], ...]:
        """Return what the weights take in memory, and whether the model fits."""
        if (fit := self._fits(weights)) is None:
            return ()
        line = fit.lines[0]
        return (tr("In memory"), f"{size(line.bytes)}: {line.note}"), (tr("Does it fit?"), fit.sentence)

    def _lay_out(self) -> None:
        boxes = [(field_label(self._theme, box.accessibleName(), box), box) for box in (self._how, self._group)]
        above = in_grid(*boxes, self._facts, wide={1: 1})
        buttons = in_row(self._where, self._try, ..., self._make)
        below = self._headline, self._table, (self._plot, 20)
        in_column(above, *below, ..., self._message, self._bar, buttons, on=self, gap=GAP_PX, margins=MARGIN_PX)
        scaled(self._theme, self._table, QWidget.setMinimumHeight, ROWS_PX)
        for each in (self._headline, self._table, self._plot):
            each.hide()

    def _on_edited(self) -> None:
        self._group.setEnabled(self._how.currentData().mode == QuantizationMode.AFFINE)
        self.show_outcome(None)
        self.outcome_wanted.emit()

    def _choose_place(self) -> None:
        files.ask_folder(self, tr("Folder of the New Model"), self._set_folder)

    def _set_folder(self, folder: Path) -> None:
        self._folder = folder
        self._on_edited()


def _modes() -> dict[QuantizationSettings, str]:
    modes = {QuantizationSettings(bits): _words(bits) for bits in BITS}
    for mode, (bits, group) in FIXED.items():
        modes[QuantizationSettings(bits, group, mode)] = tr("{bits} bits, {mode}").format(bits=bits, mode=mode.upper())
    for recipe in RECIPES:
        few, many = recipe.split("_")[1:]
        modes[QuantizationSettings(recipe=recipe)] = tr("{few} bits, {many} in sensitive layers").format(
            few=few, many=many
        )
    return modes


def _next_widths(known: Container[int]) -> tuple[int, ...]:
    """Return the widths that are compared next: the usual ones, then the others."""
    usual = tuple(bits for bits in USUAL_BITS if bits not in known)
    return usual or tuple(bits for bits in BITS if bits not in known)


def _words(bits: int) -> str:
    return tr("{bits} bits").format(bits=bits)


def _original(outcome: QuantizationOutcome, cost: QuantizationCost) -> tuple[str, ...]:
    """Return the table row of the original, from a comparison with it."""
    per_weight = outcome.bits_per_weight * outcome.before / outcome.bytes
    memory = size(cost.memory) if cost.is_unpacked else DASH
    before = (tr("original"), f"{per_weight:.2f}", size(outcome.before), "0", f"{1:.1%}")
    return (*before, DASH if cost.is_unpacked else speed(cost.speed_before), memory)


def _row(outcome: QuantizationOutcome, cost: QuantizationCost) -> tuple[str, ...]:
    kl = with_error(cost.kl_mean, cost.kl_error) if cost.kl_error is not None else f"{cost.kl_mean:.4f}"
    return (
        *(f"{outcome.choice.bits}", f"{outcome.bits_per_weight:.2f}", size(outcome.bytes), kl),
        # All are computed alike then, so a difference in speed would be noise.
        *(f"{cost.same_first:.1%}", DASH if cost.is_unpacked else speed(cost.speed), size(cost.memory)),
    )


def recommended(results: Sequence[Result]) -> Result | None:
    """Return the smallest quantization that keeps the top token at most positions."""
    good = [each for each in results if each[1].same_first >= GOOD_SHARE]
    return min(good, key=lambda each: each[0].bytes, default=None)


def headline(results: Sequence[Result]) -> str:
    """Name the recommended quantization and the next smaller one; empty without results."""
    if not results:
        return ""
    words = tr("{bits} bits keep the top token at {same} of the positions, and are {times} times smaller on disk.")
    if (best := recommended(results)) is None:
        words = tr("No quantization keeps the top token at {least} of the positions. {bits} bits keep it at {same}.")
    outcome, cost = best or max(results, key=lambda each: each[1].same_first)
    sentences = [
        words.format(
            bits=outcome.choice.bits,
            least=two_percent(GOOD_SHARE),
            same=two_percent(cost.same_first),
            times=f"{outcome.before / outcome.bytes:.1f}",
        )
    ]
    fewer = [each for each in results if each[0].choice.bits < outcome.choice.bits]
    if best is not None and fewer:
        smaller, lost = max(fewer, key=lambda each: each[0].choice.bits)
        words = tr("{bits} bits keep it at {same}.")
        sentences.append(words.format(bits=smaller.choice.bits, same=two_percent(lost.same_first)))
    if all(each.is_unpacked for _, each in results):
        sentences.append(tr("Here, all are computed in float32: memory and speed are those of the original."))
    return " ".join(sentences)


class LadderPlot(QWidget):
    """A plot of KL divergence (log scale) against bits per weight. The line connects the Pareto-optimal points."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "quantise_plot", tr("KL divergence from the original by bits per weight"))
        self._theme = theme
        self._points: list[Point] = []
        scaled(theme, self, QWidget.setMinimumHeight, MIN_HEIGHT_PX)

    def show_points(self, points: Sequence[Point]) -> None:
        self._points = sorted(points, key=lambda point: point[1])
        text = tr("{name}: {bits} bits per weight, KL {kl}")
        each = (text.format(name=name, bits=f"{bits:.2f}", kl=f"{kl:.4f}") for name, bits, kl in self._points)
        self.setAccessibleDescription("; ".join(each))
        self.update()

    def _scale(self, painter: QPainter, room: QRectF, most: float, low: int, high: int) -> None:
        theme, line = self._theme, self._theme.scaled(LINE_PX)
        for power in range(low, high + 1):
            height = room.bottom() - room.height() * (power - low) / (high - low)
            painter.setPen(theme.color(Color.LINE))
            painter.drawLine(QPointF(room.left(), height), QPointF(room.right(), height))
            painter.setPen(theme.color(Color.MUTED))
            words = QRectF(0, height - line / 2, room.left() - GAP_PX, line)
            painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{10.0**power:g}")
        for bits in range(math.floor(most) + 1):
            below = QRectF(room.left() + room.width() * bits / most - line, room.bottom(), 2 * line, line)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, f"{bits}")
        title = QRectF(room.left(), room.bottom() + line, room.width(), line)
        painter.drawText(title, Qt.AlignmentFlag.AlignCenter, tr("Bits per weight"))
        painter.drawText(
            QRectF(0, 0, self.width(), line), Qt.AlignmentFlag.AlignLeft, tr("KL divergence, nats per token")
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, line = QPainter(self), self._theme, self._theme.scaled(LINE_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(Size.SMALL))
        room = QRectF(self.rect()).adjusted(line * 3, line, -theme.scaled(LABEL_PX), -2 * line)
        heights = [math.log10(max(kl, MIN_KL)) for _, _, kl in self._points] or [0.0]
        low, most = math.floor(min(heights)), max((bits for _, bits, _ in self._points), default=1.0)
        high = max(math.ceil(max(heights)), low + 1)
        self._scale(painter, room, most, low, high)
        across, up = room.width() / most, room.height() / (high - low)
        points = [
            QPointF(room.left() + across * bits, room.bottom() - up * (height - low))
            for (_, bits, _), height in zip(self._points, heights, strict=False)
        ]
        painter.setPen(QPen(theme.color(Color.DECODE, 0.5), 2))
        lowest = [max(point.y() for point in points[: number + 1]) for number in range(len(points))]
        painter.drawPolyline([point for point, y in zip(points, lowest, strict=True) if point.y() == y])
        painter.setBrush(theme.color(Color.DECODE))
        for (name, _, _), point in zip(self._points, points, strict=True):
            painter.setPen(theme.color(Color.TEXT))
            painter.drawText(point + QPointF(GAP_PX, -GAP_PX / 2), name)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(point, DOT_PX, DOT_PX)
