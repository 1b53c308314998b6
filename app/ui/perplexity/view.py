"""The window in which a text is weighed: what and with which models on the left, what was found on the right."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.i18n import tr
from app.library.types import LocalModel
from app.ui.look import GAP_PX, MARGIN_PX, Theme, scaled
from app.ui.perplexity.results import WeighResults
from app.ui.perplexity.words import Findings
from app.ui.widgets import (
    ChoiceBox,
    PlainText,
    SegmentedChoice,
    add_entry,
    as_tip,
    field_label,
    file_opening,
    held,
    in_column,
    in_row,
    named,
    plain_label,
    push_button,
    split,
)
from app.ui.widgets.start_window import StartWindow

HALVES_PX = (320, 780)
LEAST_FORM_PX = 216
RAW, ANSWER = "raw", "answer"
WAYS = {RAW: tr("As raw text"), ANSWER: tr("As an answer")}
TIPS = {RAW: tr("Without the chat template"), ANSWER: tr("Through the chat template, as if the model had written it")}
EMPTY = tr(
    "Measures the perplexity of a text, token by token. With a second model, it also measures the KL divergence and "
    "shows where the two models differ."
)


@dataclass(frozen=True, slots=True)
class Setup:
    """The form as it stands. `source` is the name of a file or a session that takes the place of the typed text."""

    text: str
    source: str
    raw: bool
    against: str


class WeighView(StartWindow):
    """A form, and what was found."""

    edited = Signal()
    session_wanted = Signal()
    """The one that is open."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        tip = tr("Have the text read")
        super().__init__(theme, parent, "weigh", tr("Perplexity of a text"), tip, takes_files=True)
        tip = tr("The text that is weighed")
        self._text = named(PlainText(), "weigh_typed", tr("Text"), tip)
        self._text.setPlaceholderText(tr("Paste a text, or drop a file."))
        self._text.setTabChangesFocus(True)
        self._text.setAcceptDrops(False)
        self._text.textChanged.connect(lambda: self.show_source(""))
        self._is_session = False
        self._source = plain_label("weigh_source", wraps=True)
        self._source.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._file = push_button("weigh_file", tr("File…"), tr("A text or a session of a file"), press=self._ask)
        tip = tr("The answers of the session that is open")
        self.session = push_button("weigh_session", tr("This Session"), tip, press=self.session_wanted)
        self._way = SegmentedChoice("weigh_way", tr("How the model reads it"), WAYS, TIPS)
        self._way.chosen.connect(self.edited)
        self._model = plain_label("weigh_model", muted=True, wraps=True)
        tip = tr("A second model that is held against the first on the same text")
        self._against = ChoiceBox("weigh_against", tr("Against"), tip, narrow=True)
        self._against.activated.connect(self.edited)
        self.fields = (self._text, self._file, self.session, self._against)
        self.results = WeighResults(theme)
        self._pages = QStackedWidget()
        self._lay_out(theme)

    def setup(self) -> Setup:
        """As it stands."""
        raw = self._way.choice == RAW
        return Setup(self._text.toPlainText(), self._source.text(), raw, self._against.currentData() or "")

    def show_source(self, name: str, is_session: bool = False) -> None:
        """A file or a session takes the place of what is typed, until something is typed again."""
        self._source.setText(name)
        self._source.setVisible(bool(name))
        self._is_session = is_session
        self._way.setEnabled(not is_session)
        self.edited.emit()

    def show_models(self, present: str, others: Sequence[LocalModel]) -> None:
        """The open one, and those that it can be held against."""
        chosen = self._against.currentData()
        self._model.setText(present)
        self._against.show_entries({"": tr("No other model")})
        for each in others:
            tip = as_tip(each.why_not or str(each.folder))
            add_entry(self._against, each.name, str(each.folder), tip, not each.why_not)
        self._against.show_value(chosen)

    def hold_against(self, folder: str) -> None:
        """As if it had been chosen."""
        self._against.show_value(folder)
        self.edited.emit()

    def name_of(self, folder: str) -> str:
        """Of a model that can be chosen."""
        return self._against.itemText(max(0, self._against.findData(folder)))

    def show_findings(self, found: Findings) -> None:
        self.results.show_findings(found)
        self._pages.setCurrentIndex(1)

    def allow(self, allowed: bool) -> None:
        super().allow(allowed)
        self._way.setEnabled(allowed and not self._is_session)

    def _lay_out(self, theme: Theme) -> None:
        self._source.hide()
        form = in_column(
            (self._text, 1),
            self._source,
            in_row(self._file, self.session, ...),
            self._way,
            field_label(theme, tr("Model"), self._model),
            self._model,
            field_label(theme, tr("Against"), self._against),
            self._against,
            self.foot,
            margins=(0, 0, GAP_PX, 0),
        )
        left = held(form)
        scaled(theme, left, QWidget.setMinimumWidth, LEAST_FORM_PX)
        empty = plain_label("weigh_empty", EMPTY, muted=True, wraps=True)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for page in (empty, self.results):
            self._pages.addWidget(page)
        sizes = (theme.scaled(HALVES_PX[0]), theme.scaled(HALVES_PX[1]))
        in_column(split(Qt.Orientation.Horizontal, left, self._pages, sizes), on=self, margins=MARGIN_PX)

    @Slot()
    def _ask(self) -> None:
        kinds = tr("All files (*)")
        file_opening.ask_file(self, tr("Weigh a File"), kinds, self.file_taken.emit)
