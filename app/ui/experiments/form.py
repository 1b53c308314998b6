"""The form of an experiment: prompt, settings, variants."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionComboBox, QWidget

from app.definitions import meaning
from app.engine.catalogue import SETTINGS, Setting
from app.engine.ranges import RANGES, NumberRange
from app.i18n import tr
from app.ui.experiments.setup import ExperimentKind, ExperimentSetup, ModelChoice, Pair
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.widgets import (
    ChoiceBox,
    FieldRow,
    NumberField,
    ProseField,
    ScrollColumn,
    SmallPrint,
    WholeField,
    in_column,
    in_grid,
    named,
    plain_label,
)
from app.ui.widgets.escapes import read_lines, written_lines

REPEATS = NumberRange(1, 20, 1, whole=True)
ROUNDS = Setting(
    tr("Rounds"), tr("Number of rounds. Variants alternate in each round, so that drift affects them equally.")
)
LIMIT = replace(RANGES["max_tokens"], minimum=2, besides=None)
PROMPT_LINES, STOP_LINES = 6, 2
STEP = 0.05
GRID_AXES = 2
MOST_AXES = 3
NONE = "–"
COPIES = tr("“Compare Quantizations…” in the menu Experiments compares this model with quantized copies of it.")


class ExperimentForm(ScrollColumn):
    """The form of an experiment. `experiment_picked` carries the name of an experiment. `setup` reads the fields."""

    experiment_picked = Signal(str)
    edited = Signal()

    def __init__(self, theme: Theme, kinds: Sequence[ExperimentKind], parent: QWidget | None = None) -> None:
        described = tr("The experiment, its prompt and its settings")
        super().__init__("experiment_form", tr("Form of the experiment"), described, parent)
        self._theme = theme
        self._kinds = {kind.name: kind for kind in kinds}
        self._kind = kinds[0]
        self.inside = QWidget()
        # Inserted while it is empty: Qt restyles all children of a widget that moves.
        self.setWidget(self.inside)
        titles = {kind.name: kind.title for kind in kinds}
        tip = tr("Measured experiment")
        self._title = ChoiceBox("experiment_name", tr("Experiment"), tip, titles, narrow=True)
        self._title.activated.connect(lambda: self.experiment_picked.emit(self._title.currentData()))
        self._question = plain_label("", muted=True, wraps=True)
        tip = tr("The prompt, the same in every variant")
        self._prompt = ProseField(theme, "experiment_prompt", PROMPT_LINES, tr("Prompt"), tip)
        self.about = SmallPrint(theme, "experiment_about")
        """Says where the prompt comes from."""
        self._limit = WholeField("experiment_max_tokens", LIMIT)
        self._temperature = NumberField("experiment_temperature", RANGES["temperature"], STEP)
        self._repeats = WholeField("experiment_repeats", REPEATS)
        stops = SETTINGS["stop_strings"]
        tip = tr("One per line. Escapes: \\n \\t \\r \\\\")
        self._stops = ProseField(theme, "experiment_stops", STOP_LINES, stops.words, tip)
        self._axes = AxesPart(theme)
        self._draft = ChoiceBox("experiment_draft", SETTINGS["draft"].words, SETTINGS["draft"].meaning, narrow=True)
        self._other = ChoiceBox(
            "experiment_other", tr("Second model"), tr("The model that this one is compared with"), narrow=True
        )
        self._draft_words = SmallPrint(theme, "experiment_draft_words")
        self._other_words = SmallPrint(theme, "experiment_other_words")
        self._stops_row = FieldRow(theme, stops.words, stops.meaning, self._stops, below=True)
        self._draft_row = FieldRow(theme, SETTINGS["draft"].words, self._draft.toolTip(), self._draft, below=True)
        self._other_row = FieldRow(theme, tr("Second model"), self._other.toolTip(), self._other, below=True)
        self._rounds_words = SmallPrint(theme, "experiment_rounds_words")
        self._rounds_words.setToolTip(meaning("repeats"))
        self._needed = 1
        self._rows: dict[str, FieldRow] = {}
        self._lay_out()
        self._fit()

    def setup(self) -> ExperimentSetup:
        kind = self._kind
        return ExperimentSetup(
            name=kind.name,
            prompt=self._prompt.toPlainText(),
            max_tokens=self._limit.value(),
            temperature=self._temperature.value(),
            repeats=self._repeats.value(),
            stop_strings=read_lines(self._stops.toPlainText()) if kind.stops else (),
            axes=self._axes.axes() if kind.axes else (),
            draft=self._draft.currentData() or "" if kind.drafts else "",
            other=self._other.currentData() or "" if kind.others else "",
        )

    def show_setup(self, setup: ExperimentSetup) -> None:
        """Set the fields without signals."""
        self._kind = kind = self._kinds[setup.name]
        self._title.show_value(setup.name)
        self._question.setText(kind.question)
        self._prompt.show_text(setup.prompt)
        self._stops.show_text(written_lines(setup.stop_strings))
        self._limit.show_value(setup.max_tokens)
        self._temperature.show_value(setup.temperature)
        self._repeats.show_value(setup.repeats)
        self._axes.set_choices(kind.settings, kind.axes, GRID_AXES if kind.axes == GRID_AXES else 1)
        self._axes.show_axes(setup.axes)
        self._fit()

    def show_needed(self, needed: int) -> None:
        """Say how many rounds a significant result needs, and run as many unless the user set a number."""
        needed = min(needed, int(REPEATS.maximum))
        if self._repeats.value() == self._needed:
            self._repeats.show_value(needed)
        self._needed = needed
        few = self._repeats.value() < needed
        words = tr(
            "At least %n rounds are needed for a significant result.",
            "At least %n round is needed for a significant result.",
            needed,
        )
        self._rounds_words.say(words if needed > 1 else "", "warning" if few else "muted")

    def show_models(
        self, drafts: Sequence[ModelChoice], others: Sequence[ModelChoice], is_searching: bool = False
    ) -> None:
        """Offer these models; the first suitable one of each is chosen."""
        for box, words, choices in ((self._draft, self._draft_words, drafts), (self._other, self._other_words, others)):
            entries = {each.folder: each.name for each in choices if not each.why_not}
            box.show_entries(entries or {"": tr("none")})
            box.setEnabled(bool(entries))
            found = COPIES if box is self._other else ""
            missing = tr("Searching for models on this computer…") if is_searching else _why(choices)
            words.say(found if entries else missing)
        self._fit()

    def _fit(self) -> None:
        """Show only the fields of the chosen experiment."""
        kind = self._kind
        self._stops_row.setVisible(kind.stops)
        self._axes.setVisible(bool(kind.axes))
        for row, words, wanted in (
            (self._draft_row, self._draft_words, kind.drafts),
            (self._other_row, self._other_words, kind.others),
        ):
            row.setVisible(wanted)
            words.setVisible(wanted and bool(words.text()))
        varied = {name for name, _ in self._axes.axes()} if kind.axes else set()
        for name, each in self._rows.items():
            each.grey(tr("Not available: this setting is varied above.") if name in varied else "")

    def _lay_out(self) -> None:
        prompt = FieldRow(self._theme, tr("Prompt"), self._prompt.toolTip(), self._prompt, below=True)
        column = in_column(
            self._title,
            self._question,
            prompt,
            self.about,
            self._axes,
            self._stops_row,
            self._draft_row,
            self._draft_words,
            self._other_row,
            self._other_words,
            on=self.inside,
            margins=(0, 0, GAP_PX, 0),
        )
        for name, field, setting in (
            ("limits.max_tokens", self._limit, SETTINGS["max_tokens"]),
            ("sampling.temperature", self._temperature, SETTINGS["temperature"]),
            ("", self._repeats, ROUNDS),
        ):
            row = self._rows[name] = FieldRow(self._theme, setting.words, setting.meaning, field)
            field.refused.connect(row.refuse)
            field.chosen.connect(self._on_changed)
            column.addWidget(row)
        column.addWidget(self._rounds_words)
        column.addStretch(1)
        self._prompt.textChanged.connect(self._on_changed)
        self._stops.textChanged.connect(self._on_changed)
        self._axes.edited.connect(self._on_changed)
        for box in (self._draft, self._other):
            box.activated.connect(self._on_changed)

    def _on_changed(self) -> None:
        self._fit()
        self.edited.emit()


def _why(choices: Sequence[ModelChoice]) -> str:
    if not choices:
        return tr("No other model is on this computer. Download one with “Open Model…”.")
    return "\n".join(f"{each.name}: {each.why_not}" for each in choices[:3])


class AxesPart(QWidget):
    edited = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._names: list[ChoiceBox] = []
        self._values: list[QLineEdit] = []
        title = plain_label("", tr("Varied settings and their values"), font=theme.font(Size.NORMAL))
        for number in range(MOST_AXES):
            spoken = tr("Varied setting {number}").format(number=number + 1)
            name = NameBox(
                f"experiment_axis_{number}", spoken, tr("A setting in which the variants differ"), narrow=True
            )
            spoken = tr("Values of the varied setting {number}").format(number=number + 1)
            tip = tr("The values, separated by commas: 0, 0.7, 1")
            values = named(QLineEdit(), f"experiment_values_{number}", spoken, tip)
            values.setPlaceholderText("0, 0.7, 1")
            name.activated.connect(self._on_changed)
            values.textEdited.connect(self._on_changed)
            self._names.append(name)
            self._values.append(values)
        lines = [[name, values] for name, values in zip(self._names, self._values, strict=True)]
        in_grid(title, *lines, on=self, gap=GRID_PX, wide={0: 1, 1: 1})

    def axes(self) -> tuple[Pair, ...]:
        """Return the names of the settings and their values as typed."""
        rows = zip(self._names, self._values, strict=True)
        return tuple((name.currentData(), values.text()) for name, values in rows if name.currentData())

    def set_choices(self, settings: Sequence[Pair], most: int, needed: int) -> None:
        """Offer these settings, at most `most` of them; the first `needed` must be chosen."""
        for number, (name, values) in enumerate(zip(self._names, self._values, strict=True)):
            name.show_entries(({"": NONE} if number >= needed else {}) | dict(settings))
            name.setVisible(number < most)
            values.setVisible(number < most)

    def show_axes(self, axes: Sequence[Pair]) -> None:
        """Set them without signals."""
        for number, (name, values) in enumerate(zip(self._names, self._values, strict=True)):
            full, text = axes[number] if number < len(axes) else ("", "")
            name.show_value(full)
            values.setText(text)
            values.setCursorPosition(0)
            values.setEnabled(bool(name.currentData()))
            name.updateGeometry()

    def _on_changed(self) -> None:
        for name, values in zip(self._names, self._values, strict=True):
            values.setEnabled(bool(name.currentData()))
            name.updateGeometry()
        self.edited.emit()


class NameBox(ChoiceBox):
    """A box that is wide enough for its current entry; the field beside it gets the rest."""

    def minimumSizeHint(self) -> QSize:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        words = QSize(self.fontMetrics().horizontalAdvance(self.currentText()), self.fontMetrics().height())
        return self.style().sizeFromContents(QStyle.ContentsType.CT_ComboBox, option, words, self)
