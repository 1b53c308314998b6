"""What is asked: the experiment, the prompt, and the settings that the experiment has."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from app.definitions import meaning
from app.engine.catalogue import SETTINGS, Setting
from app.engine.ranges import RANGES, Range
from app.i18n import tr
from app.ui.experiments.axes_part import AxesPart
from app.ui.experiments.values import Choice, Offer, Setup
from app.ui.look import GAP_PX, Theme
from app.ui.widgets import (
    ChoiceBox,
    FieldRow,
    NumberField,
    ProseField,
    ScrollColumn,
    SmallPrint,
    WholeField,
    in_column,
    plain_label,
)
from app.ui.widgets.escapes import read_lines, written_lines

REPEATS = Range(1, 20, 1, whole=True)
ROUNDS = Setting(
    tr("Rounds"), tr("How often each variant is run; each round is measured for itself, beside the others.")
)
LIMIT = replace(RANGES["max_tokens"], minimum=2, besides=None)
PROMPT_LINES, STOP_LINES = 6, 2
STEP = 0.05
VARIED = tr("It is varied: its values are above.")
NEEDED = 2


class Form(ScrollColumn):
    """`experiment_picked` with a name; what is set is read with `setup` when it is wanted."""

    experiment_picked = Signal(str)
    edited = Signal()

    def __init__(self, theme: Theme, offers: Sequence[Offer], parent: QWidget | None = None) -> None:
        told = tr("Which experiment, and what it is asked with")
        super().__init__("experiment_form", tr("What is asked"), told, parent)
        self._theme = theme
        self._offers = {offer.name: offer for offer in offers}
        self._offer = offers[0]
        self.inside = QWidget()
        # In its place while it is empty: moved when it is full, all in it would be dressed anew.
        self.setWidget(self.inside)
        titles = {offer.name: offer.title for offer in offers}
        tip = tr("Which question is asked")
        self._title = ChoiceBox("experiment_name", tr("Experiment"), tip, titles, narrow=True)
        self._title.activated.connect(lambda: self.experiment_picked.emit(self._title.currentData()))
        self._question = plain_label("", muted=True, wraps=True)
        tip = tr("What the model is asked, the same in every variant")
        self._prompt = ProseField(theme, "experiment_prompt", PROMPT_LINES, tr("Prompt"), tip)
        self.about = SmallPrint(theme, "experiment_about")
        """Where the prompt comes from, and what goes along with it."""
        self._limit = WholeField("experiment_max_tokens", LIMIT)
        self._temperature = NumberField("experiment_temperature", RANGES["temperature"], STEP)
        self._repeats = WholeField("experiment_repeats", REPEATS)
        stops = SETTINGS["stop_strings"]
        tip = tr("One on each line; \\n \\t \\r \\\\")
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

    def setup(self) -> Setup:
        """As it stands."""
        offer = self._offer
        return Setup(
            name=offer.name,
            prompt=self._prompt.toPlainText(),
            max_tokens=self._limit.value(),
            temperature=self._temperature.value(),
            repeats=self._repeats.value(),
            stop_strings=read_lines(self._stops.toPlainText()) if offer.stops else (),
            axes=self._axes.axes() if offer.axes else (),
            draft=self._draft.currentData() or "" if offer.drafts else "",
            other=self._other.currentData() or "" if offer.others else "",
        )

    def show_setup(self, setup: Setup) -> None:
        """Set it, telling nobody."""
        self._offer = offer = self._offers[setup.name]
        self._title.show_value(setup.name)
        self._question.setText(offer.question)
        self._prompt.show_text(setup.prompt)
        self._stops.show_text(written_lines(setup.stop_strings))
        self._limit.show_value(setup.max_tokens)
        self._temperature.show_value(setup.temperature)
        self._repeats.show_value(setup.repeats)
        self._axes.offer(offer.settings, offer.axes, min(offer.axes, NEEDED) if offer.axes == NEEDED else 1)
        self._axes.show_axes(setup.axes)
        self._fit()

    def show_needed(self, needed: int) -> None:
        """In how many rounds a difference can be told from noise: so many are run, unless somebody wanted others."""
        needed = min(needed, int(REPEATS.maximum))
        if self._repeats.value() == self._needed:
            self._repeats.show_value(needed)
        self._needed = needed
        few = self._repeats.value() < needed
        said = tr(
            "At least %n rounds are needed for a significant result.",
            "At least %n round is needed for a significant result.",
            needed,
        )
        self._rounds_words.say(said if needed > 1 else "", "warning" if few else "muted")

    def show_models(self, drafts: Sequence[Choice], others: Sequence[Choice], looking: bool = False) -> None:
        """What there is to choose from; the first of each that can be chosen is."""
        for box, words, choices in ((self._draft, self._draft_words, drafts), (self._other, self._other_words, others)):
            box.show_entries({each.folder: each.name for each in choices if not each.why_not})
            box.setEnabled(box.count() > 0)
            words.say("" if box.count() else tr("Looking at the models on this machine…") if looking else _why(choices))

    def _fit(self) -> None:
        """Only what the chosen experiment asks for is to be seen."""
        offer = self._offer
        self._stops_row.setVisible(offer.stops)
        self._axes.setVisible(bool(offer.axes))
        for row, words, wanted in (
            (self._draft_row, self._draft_words, offer.drafts),
            (self._other_row, self._other_words, offer.others),
        ):
            row.setVisible(wanted)
            words.setVisible(wanted and bool(words.text()))
        varied = {name for name, _ in self._axes.axes()} if offer.axes else set()
        for name, each in self._rows.items():
            each.grey(VARIED if name in varied else "")

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
            field.chosen.connect(self._tell)
            column.addWidget(row)
        column.addWidget(self._rounds_words)
        column.addStretch(1)
        self._prompt.textChanged.connect(self._tell)
        self._stops.textChanged.connect(self._tell)
        self._axes.edited.connect(self._tell)
        for box in (self._draft, self._other):
            box.activated.connect(self._tell)

    @Slot()
    def _tell(self) -> None:
        self._fit()
        self.edited.emit()


def _why(choices: Sequence[Choice]) -> str:
    """Why there is nothing to choose."""
    if not choices:
        return tr("No other model is on this machine: fetch one with “Open Model…”.")
    return "\n".join(f"{each.name}: {each.why_not}" for each in choices[:3])
