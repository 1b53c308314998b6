"""Where everything stands: the bar, the conversation beside the controls, the instruments along the bottom."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QSplitter, QStackedWidget, QToolButton, QWidget

from app.ui.controls import ControlsPanel
from app.ui.controls.sampling_picture import SamplingPicture
from app.ui.controls.template_part import TemplatePart
from app.ui.conversation.ending_line import EndingLine
from app.ui.conversation.progress import ProgressRow
from app.ui.conversation.run_details import RunDetails
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.welcome import Welcome
from app.ui.document.page import MEASURE_PX
from app.ui.guide.try_hint import TryHint
from app.ui.inspector import InspectorPanel
from app.ui.instruments.strip import HEIGHT_PX, Strip
from app.ui.look.sizes import UNLIMITED_PX
from app.ui.look.theme import GRID_PX, MARGIN_PX, Size, Theme
from app.ui.picker.download_strip import DownloadStrip
from app.ui.prompt.edit_hint import EditHint
from app.ui.prompt.editor import PromptEditor
from app.ui.prompt.exact_prompt import ExactPromptPane
from app.ui.prompt.lights_row import LightsRow
from app.ui.sessions import SessionsColumn
from app.ui.tokens.legend import TokenLegend
from app.ui.widgets.buttons import tool_button
from app.ui.widgets.labels import plain_label
from app.ui.widgets.naming import named
from app.ui.widgets.notice_bar import NoticeBar
from app.ui.widgets.rows import held, in_column, in_row
from app.ui.widgets.segmented_choice import SegmentedChoice
from app.ui.widgets.tab_order import one_after_another
from app.words import tr

COLUMNS_PX = (220, 700, 376, 280)
MOST_OF_IT = 1_000
"""Of the room in a row: what is beside it shares what it doesn't want."""
BELOW_SYSTEM = 1
BELOW_SAMPLING = 4
ROWS_PX = (540, HEIGHT_PX)
MIDDLE_PX = (400, 170)
MODES = {"chat": tr("Chat"), "raw": tr("Raw")}
MODE_TIPS = {
    "chat": tr("A conversation: the model's template is put around what you say"),
    "raw": tr("One page that goes to the model as it stands, and on which it goes on writing"),
}
TIGHT_PX = 720
"""At 100 %, where no window is as small as that: below this width there is room for one column."""


class Layout(QWidget):
    """Makes the widgets and puts them in their places; it knows nothing of what they show."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.model_button = tool_button("model_button", "", tr("Open a model"), tr("Model"))
        runs_tip = tr("All runs as a table: compare them, replay one, export")
        self.runs_button = tool_button("runs_button", tr("Runs"), runs_tip)
        self.inspector_button = _toggle(
            "inspector_button", tr("Inspector"), tr("Show or hide what is known of each token")
        )
        self.controls_button = _toggle("controls_button", tr("Controls"), tr("Show or hide the controls"))
        self.sessions_button = _toggle("sessions_button", "≡", tr("Show or hide the sessions"), tr("Sessions"))
        self.sessions = SessionsColumn(theme)
        self.notice = NoticeBar(theme)
        self.not_kept = plain_label("not_kept", font=theme.font(Size.SMALL), muted=True, wraps=True)
        self.not_kept.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, GRID_PX)
        self.not_kept.hide()
        self.downloads = DownloadStrip(theme)
        self.welcome = Welcome(theme)
        self.transcript = Transcript(theme)
        self.token_legend = TokenLegend(theme)
        self.pages = named(QStackedWidget(), "pages")
        self.progress = ProgressRow(theme)
        self.ending = EndingLine(theme)
        self.run_details = RunDetails(theme)
        self.edit_hint = EditHint(theme)
        self.try_hint = TryHint(theme)
        self.prompt = PromptEditor(theme)
        self.lights = LightsRow(theme)
        self.exact_prompt = ExactPromptPane(theme)
        self.exact_prompt_button = _toggle(
            "exact_prompt_button", tr("Exact prompt"), tr("Show or hide what goes to the model")
        )
        self.mode = SegmentedChoice("mode", tr("Mode"), MODES, MODE_TIPS)
        self.inspector = InspectorPanel(theme)
        self.controls = ControlsPanel(theme)
        self.template = TemplatePart(theme)
        self.controls.add_section("template", tr("Reply and template"), self.template, BELOW_SYSTEM)
        self.picture = SamplingPicture(theme)
        self.controls.add_section("picture", tr("What sampling does"), self.picture, BELOW_SAMPLING)
        self.instruments = Strip(theme)
        self.middle = named(QSplitter(Qt.Orientation.Vertical), "middle")
        self.columns = named(QSplitter(Qt.Orientation.Horizontal), "columns")
        self.rows = named(QSplitter(Qt.Orientation.Vertical), "rows")
        self._around_prompt = self._prompt()
        self._raw = self._tokens = False
        self._lay_out()

    @property
    def tight(self) -> bool:
        """Whether large text leaves hardly any room."""
        return self.width() < self.theme.scaled(TIGHT_PX)

    @property
    def tour_stops(self) -> tuple[tuple[QWidget, ...], ...]:
        """What each step of the tour may speak of: the first one that is in sight."""
        return (
            (self.prompt,),
            (self.pages, self.prompt),
            (self.controls, self.controls_button),
            (self.instruments,),
            (self.inspector_button,),
            (self.runs_button, self.pages, self.prompt),
        )

    def _lay_out(self) -> None:
        """From the outside in: Qt dresses a part, and all that is in it, anew each time that it is put into another."""
        in_column(self._bar(), self.notice, self.not_kept, self.downloads, (self.rows, 1), on=self, gap=0)
        self.rows.addWidget(self.columns)
        self._fill_columns()
        self.rows.addWidget(self.instruments)
        self.rows.setStretchFactor(0, 1)
        self.rows.setChildrenCollapsible(False)
        self.rows.setSizes(list(ROWS_PX))

    def _fill_columns(self) -> None:
        self.columns.addWidget(self.sessions)
        self.columns.addWidget(self.middle)
        self._fill_middle()
        self.columns.addWidget(self.inspector)
        self.columns.addWidget(self.controls)
        self.columns.setStretchFactor(1, 1)
        self.columns.setCollapsible(0, False)
        self.columns.setCollapsible(1, False)
        self.columns.setSizes(list(COLUMNS_PX))

    def _bar(self) -> QWidget:
        bar = QWidget()
        first = (self.sessions_button, self.model_button, ..., self.mode, ...)
        last = (self.runs_button, self.inspector_button, self.exact_prompt_button, self.controls_button)
        in_row(*first, *last, on=bar, margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX))
        return bar

    def _fill_middle(self) -> None:
        middle = QWidget()
        middle.setBackgroundRole(QPalette.ColorRole.Base)
        middle.setAutoFillBackground(True)
        self.middle.addWidget(middle)
        # Both pages scroll, so they make room first for what is said below them.
        self.pages.setMinimumHeight(1)
        column = self._conversation_column = in_column(self.token_legend, (self.pages, 1), on=middle, gap=0)
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(self.transcript)
        self._around_details = held(in_row(..., (self.run_details, MOST_OF_IT), ..., gap=0))
        hints = (self.edit_hint, self.try_hint, self.lights)
        for part in (self.progress, self._around_details, *hints, self._around_prompt):
            column.addWidget(part)
        self._place_ending(raw=False)
        self._fit_prompt()
        self.theme.resized.connect(self._fit_prompt)
        self.middle.addWidget(self.exact_prompt)
        self.middle.setStretchFactor(0, 1)
        self.middle.setCollapsible(0, False)
        self.middle.setSizes(list(MIDDLE_PX))

    def set_raw(self, raw: bool) -> None:
        """In raw mode the prompt is the whole page, and the conversation makes room for it."""
        turned, self._raw = raw is not self._raw, raw
        self._show_pages()
        column = self._conversation_column
        column.removeWidget(self._around_prompt)
        column.insertWidget(0 if raw else column.count(), self._around_prompt, int(raw))
        self._fit_prompt()
        if turned:
            one_after_another(column)
        self._place_ending(raw)

    @Slot()
    def _fit_prompt(self) -> None:
        """As wide as a line of the conversation, and in raw mode as wide as there is room."""
        for part in (self.prompt, self.run_details):
            part.setMaximumWidth(UNLIMITED_PX if self._raw else self.theme.scaled(MEASURE_PX))

    def _place_ending(self, raw: bool) -> None:
        """Under the answer, or in raw mode below the page."""
        hidden = self.ending.isHidden()
        column = self._conversation_column
        if raw:
            column.insertWidget(column.indexOf(self._around_details), self.ending)
            self.ending.setContentsMargins(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        else:
            column.removeWidget(self.ending)
            self.ending.setParent(self.transcript.viewport())
            self.ending.setContentsMargins(0, 0, 0, 0)
        self.ending.come_after(self.prompt.last_button if raw else self.transcript)
        self.ending.setHidden(hidden)

    def show_tokens(self, shown: bool) -> None:
        """With the tokens comes their legend; in raw mode, where the page is the prompt, they stand below it."""
        self._tokens = shown
        self._show_pages()

    def _show_pages(self) -> None:
        self.token_legend.setVisible(self._tokens)
        self.pages.setVisible(self._tokens or not self._raw)

    def _prompt(self) -> QWidget:
        around = QWidget()
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, MARGIN_PX)
        in_row(..., (self.prompt, MOST_OF_IT), ..., on=around, gap=0, margins=margins)
        return around


def _toggle(name: str, text: str, tip: str, spoken: str = "") -> QToolButton:
    button = tool_button(name, text, tip, spoken)
    button.setCheckable(True)
    return button
