"""The memory estimate: the verdict, the summands, and the context length that it assumes."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSpinBox, QWidget

from app.definitions import meaning
from app.i18n import tr
from app.library.types import Fit, FitLine, FitVerdict
from app.number_format import DASH, size
from app.ui.look import GRID_PX, Colour, Size, Theme, tint
from app.ui.widgets import SmallPrint, caption, in_column, in_row, named, plain_label
from app.ui.widgets.number_field import spaced

FIRST_CONTEXT = 8192
STEP = 1024
MOST_CONTEXT = 16_777_216
MOST_LINES = 5
"""Weights and KV cache of a model and of its draft model, and headroom."""
WORDS = {FitVerdict.FITS: tr("Fits"), FitVerdict.TIGHT: tr("Tight"), FitVerdict.WONT_FIT: tr("Won't fit")}
COLOURS = {FitVerdict.FITS: Colour.TEXT, FitVerdict.TIGHT: Colour.WARNING, FitVerdict.WONT_FIT: Colour.ERROR}
Labels = tuple[QLabel, QLabel]


class FitBox(QWidget):
    """The estimate. `context_chosen` carries the context length in tokens."""

    context_chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "fit", tip=meaning("fit"))
        self._theme = theme
        self._verdict = plain_label("fit_verdict", font=theme.font(Size.NORMAL, bold=True))
        self._role = Colour.TEXT
        tip = tr("Context length for the estimate, in tokens")
        self._context = spaced(named(QSpinBox(), "fit_context", tr("Context length of the estimate"), tip))
        self._context.setGroupSeparatorShown(True)
        self._context.setRange(1, MOST_CONTEXT)
        self._context.setSingleStep(STEP)
        self._context.setValue(FIRST_CONTEXT)
        self._context.setKeyboardTracking(False)
        self._wanted = FIRST_CONTEXT
        """The user's context length; the model's can be shorter."""
        self._context.valueChanged.connect(self._choose)
        self._lines = QGridLayout()
        self._labels = [self._add_line(str(number)) for number in range(MOST_LINES)]
        self._total = self._add_line("total", bold=True)
        self._limit = self._add_line("limit")
        self._sentence = SmallPrint(theme, "fit_sentence")
        self._lay_out()
        self._wear()
        theme.changed.connect(self._wear)

    @property
    def context(self) -> int:
        return self._context.value()

    def limit_context(self, most: int | None) -> None:
        """Limit the context of the estimate to the model's context length."""
        with QSignalBlocker(self._context):
            self._context.setMaximum(most or MOST_CONTEXT)
            self._context.setValue(self._wanted)

    def show_fit(self, fit: Fit) -> None:
        """Show the estimate."""
        self._role = COLOURS[fit.verdict]
        self._verdict.setText(WORDS[fit.verdict])
        self._verdict.setAccessibleName(tr("Will it fit: {verdict}").format(verdict=WORDS[fit.verdict]))
        total = FitLine(tr("Total"), fit.total, tr("sum of the rows above"))
        note = tr("recommended by the device, or its total memory; lower if the settings have a lower limit")
        limit = FitLine(tr("Memory limit"), fit.limit, note)
        for number, labels in enumerate(self._labels):
            if number < len(fit.lines):
                _fill(labels, fit.lines[number])
            for each in labels:
                each.setVisible(number < len(fit.lines))
        _fill(self._total, total)
        _fill(self._limit, limit)
        without = [f"{line.label}: {line.note}." for line in fit.lines if not line.bytes]
        self._sentence.say(" ".join((fit.sentence, *without)))
        self._wear()

    def _add_line(self, name: str, bold: bool = False) -> Labels:
        """Add a row of new labels: a label that was bold before would stay too wide."""
        row = self._lines.rowCount()
        title, figure = (
            plain_label(f"fit_{kind}_{name}", font=self._theme.font(Size.SMALL, bold=bold), muted=kind == "label")
            for kind in ("label", "bytes")
        )
        self._lines.addWidget(title, row, 0)
        self._lines.addWidget(figure, row, 1, Qt.AlignmentFlag.AlignRight)
        return title, figure

    def _lay_out(self) -> None:
        heading = plain_label("fit_heading", tr("Does it fit?"), font=self._theme.font(Size.NORMAL, bold=True))
        at = caption(self._theme, tr("Context length"), self._context, name="fit_context_label")
        at.setWordWrap(True)  # in large text the field needs most of the width
        self._lines.setVerticalSpacing(GRID_PX // 2)
        self._lines.setColumnStretch(0, 1)
        in_column(
            in_row(heading, ..., self._verdict), in_row(at, ..., self._context), self._lines, self._sentence, on=self
        )

    def _choose(self, context: int) -> None:
        self._wanted = context
        self.context_chosen.emit(context)

    def _wear(self) -> None:
        tint(self._verdict, self._theme, self._role)


def _fill(labels: Labels, line: FitLine) -> None:
    title, figure = labels
    shown = size(line.bytes) if line.bytes else DASH
    title.setText(line.label)
    figure.setText(shown)
    figure.setAccessibleName(f"{line.label}: {shown}, {line.note}")
    for each in labels:
        each.setToolTip(f"{line.note}\n{meaning('fit')}")
