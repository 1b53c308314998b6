"""The details in the picker: facts about the chosen model, why it can't be opened, and whether it fits in memory."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QSpinBox, QWidget

from app.definitions import meaning, of_name
from app.i18n import tr
from app.library.types import Fit, FitLine, FitVerdict, HubDetails, HubModel, LocalModel, ModelLocation
from app.number_format import DASH, parameters, size, weight_format
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme, scaled, tint
from app.ui.picker.models_table import day, rough
from app.ui.widgets import ScrollColumn, SmallPrint, as_tip, caption, in_column, in_grid, in_row, named, plain_label
from app.ui.widgets.number_field import with_text_margins

FIRST_CONTEXT = 8192
STEP = 1024
MOST_CONTEXT = 16_777_216
MAX_LINES = 5
"""Weights and KV cache of a model and of its draft model, and headroom."""
WORDS = {FitVerdict.FITS: tr("Fits"), FitVerdict.TIGHT: tr("Tight"), FitVerdict.WONT_FIT: tr("Won't fit")}
COLOURS = {FitVerdict.FITS: Color.TEXT, FitVerdict.TIGHT: Color.WARNING, FitVerdict.WONT_FIT: Color.ERROR}
Labels = tuple[QLabel, QLabel]
WIDTH_PX = 284
LONG_WORD = re.compile(r"(/|\S{16})")
MAY_BREAK = "\\1\u200b"
PLACES = {
    ModelLocation.BUNDLED: tr("bundled with Sluice"),
    ModelLocation.CACHE: tr("Hugging Face cache"),
    ModelLocation.FOLDER: tr("your folder"),
}
Facts = tuple[tuple[str, str], ...]


class FitBox(QWidget):
    """The estimate. `context_chosen` carries the context length in tokens."""

    context_chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "fit", tip=meaning("fit"))
        self._theme = theme
        self._verdict = plain_label("fit_verdict", font=theme.font(Size.NORMAL, bold=True))
        self._color = Color.TEXT
        tip = tr("Context length for the estimate, in tokens")
        self._context = with_text_margins(named(QSpinBox(), "fit_context", tr("Context length of the estimate"), tip))
        self._context.setGroupSeparatorShown(True)
        self._context.setRange(1, MOST_CONTEXT)
        self._context.setSingleStep(STEP)
        self._context.setValue(FIRST_CONTEXT)
        self._context.setKeyboardTracking(False)
        self._wanted = FIRST_CONTEXT
        """The user's context length; the model's can be shorter."""
        self._context.valueChanged.connect(self._choose)
        self._lines = QGridLayout()
        self._labels = [self._add_line(str(number)) for number in range(MAX_LINES)]
        self._total = self._add_line("total", bold=True)
        self._limit = self._add_line("limit")
        self._sentence = SmallPrint(theme, "fit_sentence")
        self._lay_out()
        self._color_verdict()
        theme.changed.connect(self._color_verdict)

    @property
    def context(self) -> int:
        return self._context.value()

    def limit_context(self, most: int | None) -> None:
        """Limit the context of the estimate to the model's context length."""
        with QSignalBlocker(self._context):
            self._context.setMaximum(most or MOST_CONTEXT)
            self._context.setValue(self._wanted)

    def show_fit(self, fit: Fit) -> None:
        self._color = COLOURS[fit.verdict]
        self._verdict.setText(WORDS[fit.verdict])
        self._verdict.setAccessibleName(tr("Does it fit: {verdict}").format(verdict=WORDS[fit.verdict]))
        total = FitLine(tr("Total"), fit.total, tr("sum of the rows above"))
        note = tr(
            "recommended by the device, or its total memory (90 % on CUDA); lower if the settings have a lower limit"
        )
        limit = FitLine(tr("Memory limit"), fit.limit, ": ".join(filter(None, (fit.device, note))))
        for number, labels in enumerate(self._labels):
            if number < len(fit.lines):
                _fill(labels, fit.lines[number])
            for each in labels:
                each.setVisible(number < len(fit.lines))
        _fill(self._total, total)
        _fill(self._limit, limit)
        notes = [f"{line.label}: {line.note}." for line in fit.lines if line.shows_note]
        self._sentence.say(" ".join((fit.sentence, *notes)))
        self._color_verdict()

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

    def _color_verdict(self) -> None:
        tint(self._verdict, self._theme, self._color)


def _fill(labels: Labels, line: FitLine) -> None:
    title, figure = labels
    shown = size(line.bytes) if line.bytes else DASH
    title.setText(line.label)
    figure.setText(shown)
    figure.setAccessibleName(f"{line.label}: {shown}, {line.note}")
    for each in labels:
        each.setToolTip(f"{line.note}\n{meaning('fit')}")


class FactGrid(QWidget):
    """A grid of names and values, which may have several lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._grid = in_grid(on=self, gap=(MARGIN_PX, GRID_PX // 2), wide={1: 1})

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        for number, (name, value) in enumerate(facts):
            if number == len(self._labels):
                self._add(number)
            title, text = self._labels[number]
            title.setText(name)
            text.setText(LONG_WORD.sub(MAY_BREAK, value))
            text.setToolTip(as_tip("\n".join(filter(None, (value, of_name(name))))))
            text.setAccessibleName(f"{name}: {value}")
        for number, pair in enumerate(self._labels):
            for each in pair:
                each.setVisible(number < len(facts))

    def _add(self, number: int) -> None:
        title = caption(self._theme, "", name=f"fact_name_{number}")
        text = plain_label(f"fact_{number}", font=self._theme.font(Size.SMALL), wraps=True)
        text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._grid.addWidget(title, number, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(text, number, 1)
        self._labels.append((title, text))


def local_facts(model: LocalModel) -> Facts:
    """Return the known facts about a model on this machine."""
    known = (
        (tr("Parameters"), parameters(model.parameters) if model.parameters else ""),
        (tr("Precision"), weight_format(model.bits, model.group_size, model.dtype)),
        (tr("Architecture"), model.model_type),
        (tr("Context"), tr("%n tokens", "%n token", model.context) if model.context else ""),
        (tr("Vocabulary"), tr("%n tokens", "%n token", model.vocabulary) if model.vocabulary else ""),
        (tr("Chat template"), tr("yes") if model.chat else tr("none: use Raw mode")),
        (tr("On disk"), size(model.size)),
        (tr("Last used"), day(model.last_used) if model.last_used else tr("not in Sluice yet")),
        (tr("From"), PLACES[model.source]),
        (tr("Folder"), str(model.folder)),
    )
    return tuple((name, value) for name, value in known if value)


def hub_facts(model: HubModel, details: HubDetails | None) -> Facts:
    """Return the facts from the search and, once loaded, from the model's files."""
    detailed = (
        (tr("Architecture"), details.model_type if details else model.model_type),
        (tr("Context"), tr("%n tokens", "%n token", details.context) if details and details.context else ""),
        (tr("Download size"), _to_download(details) if details else ""),
    )
    known = (
        (tr("Author"), model.author),
        (tr("Parameters"), parameters(model.parameters) if model.parameters else ""),
        (tr("Precision"), weight_format(model.bits, model.group_size, model.dtype)),
        *detailed,
        (tr("License"), model.license or tr("not specified")),
        (tr("Gated"), tr("yes: requires a login and the owner's consent") if model.gated else tr("no")),
        (tr("MLX format"), tr("yes") if model.mlx else tr("no; mlx-lm may still be able to load it")),
        (tr("Likes"), rough(model.likes)),
        (tr("Changed"), day(model.changed)),
    )
    return tuple((name, value) for name, value in known if value)


def _to_download(details: HubDetails) -> str:
    return tr("{size} in %n files", "{size} in %n file", len(details.files)).format(size=size(details.size))


class Details(ScrollColumn):
    """Shows a model of any page; each page adds its own widgets."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, tr("Details"), tr("Details of the selected model"), parent)
        scaled(theme, self, QWidget.setMaximumWidth, WIDTH_PX)
        self._name = plain_label(f"{name}_name", font=theme.font(Size.PROSE, bold=True), wraps=True, selectable=True)
        self._reason = SmallPrint(theme, f"{name}_reason", "warning")
        for each in (self._name, self._reason):  # a word that is too long doesn't widen the other lines
            each.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._facts = FactGrid(theme)
        self.fit = FitBox(theme)
        inside = QWidget()
        # Set while it is empty: otherwise Qt would polish each widget in it again.
        self.setWidget(inside)
        parts = (self._name, self._reason, self._facts, self.fit)
        self._column = in_column(*parts, ..., on=inside, gap=MARGIN_PX, margins=(MARGIN_PX, 0, MARGIN_PX, GAP_PX))
        self.clear()

    def show_model(self, name: str, facts: Sequence[tuple[str, str]], reason: str = "") -> None:
        """Show a model; `reason` says why it can't be opened."""
        self._name.setText(name)
        self._name.setToolTip(as_tip(name))
        self._name.setAccessibleName(name)
        self._facts.show_facts(facts)
        self._reason.say(reason)
        self._reason.setToolTip(as_tip(reason))

    def show_fit(self, fit: Fit | None) -> None:
        """Show the memory estimate; None: there is none."""
        self.fit.setVisible(fit is not None)
        if fit is not None:
            self.fit.show_fit(fit)

    def add(self, widget: QWidget, below_name: bool = False) -> None:
        """Add a widget of the page, at the end or above the facts."""
        self._column.insertWidget(2 if below_name else self._column.count() - 1, widget)

    def clear(self) -> None:
        self.show_model("", ())
        self.show_fit(None)
