"""The layout of the window: the bar, the conversation beside the inspector, the instruments at the bottom."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTabWidget, QWidget

from app.i18n import tr
from app.ui.controls import ControlsPanel
from app.ui.controls.sampling_picture import SamplingPicture
from app.ui.conversation.call_card import CallCard
from app.ui.conversation.finish_line import FinishLine, RunDetails
from app.ui.conversation.progress import ProgressRow
from app.ui.conversation.queue_strip import QueueStrip
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.welcome import Welcome
from app.ui.document.text_finds import TextFinds
from app.ui.inspector.panel import InspectorPanel
from app.ui.instruments.strip import HEIGHT_PX, Strip
from app.ui.interpretability.controller import InterpretabilityPage
from app.ui.look import GRID_PX, MARGIN_PX, MEASURE_PX, UNLIMITED_PX, Size, Theme
from app.ui.picker.download_strip import DownloadStrip
from app.ui.picker.model_suggestions import FirstModels
from app.ui.prompt.answer_writer import is_soft
from app.ui.prompt.editor import EditHint, PromptEditor, WarningsRow
from app.ui.prompt.exact_prompt import ExactPromptPane
from app.ui.serving.strip import ServerStrip
from app.ui.sessions import SessionsColumn
from app.ui.tokens.scale import TokenLegend
from app.ui.widgets import (
    FindBar,
    FocusHome,
    NoticeBar,
    OneLine,
    SegmentedChoice,
    icon_button,
    in_column,
    in_row,
    layout_widget,
    named,
    one_after_another,
    plain_label,
    tool_button,
)
from app.ui.widgets.find_bar import Finder

LEAST_TITLE_PX = 64
"""Minimum width of the title; below it, buttons that the menu also has are hidden."""
MODES = {"chat": tr("Chat"), "raw": tr("Raw")}
MODE_TIPS = {
    "chat": tr("A conversation, sent with the model's chat template"),
    "raw": tr("One text, sent without a template, which the model continues"),
}


class TopBar(QWidget):
    """Actions are icon buttons; parts that can be hidden have buttons that stay pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("bar")
        tip = tr("Show or hide the sessions")
        self.sessions = icon_button(theme, "sessions_button", "sidebar", tip, tr("Sessions"))
        self.compose = icon_button(theme, "new_session", "compose", tr("Begin a new session"), tr("New session"))
        self.model = tool_button("model_button", "", tr("Open a model"), tr("Model"))
        self.title = named(OneLine(), "page_title", font=theme.font(Size.NORMAL, bold=True))
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.mode = SegmentedChoice("mode", tr("Mode"), MODES, MODE_TIPS)
        tip = tr("All runs as a table: compare, rerun, export")
        self.runs = icon_button(theme, "runs_button", "runs", tip, tr("Runs"))
        self.code = icon_button(theme, "code_button", "code", tr("The last run as a Python script"), tr("Code"))
        tip = tr("Show or hide the inspector: controls, token details and the exact prompt")
        self.inspector = icon_button(theme, "inspector_button", "inspector", tip, tr("Inspector"))
        for switch in (self.sessions, self.inspector):
            switch.setCheckable(True)
        self._firm = self.sessions, self.compose, self.model, self.mode, self.runs, self.code, self.inspector
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        first, last = (self.sessions, self.compose, GRID_PX, self.model), (self.mode, self.runs, self.code)
        in_row(*first, GRID_PX, (self.title, 1), GRID_PX, *last, self.inspector, on=self, gap=GRID_PX, margins=margins)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            firm = sum(each.sizeHint().width() + GRID_PX for each in self._firm) + 2 * (MARGIN_PX + GRID_PX)
            roomy = self.width() >= firm + self._theme.scaled(LEAST_TITLE_PX)
            for part in (self.runs, self.code):
                part.setVisible(roomy)
        return super().event(event)


COLUMNS_PX = (220, 760, 300)
MOST_OF_IT = 1_000
"""A stretch factor so large that the other parts get only their size hints."""
ROWS_PX = (540, HEIGHT_PX)
LESSON_PX, LESSON_SHARE = (280, 380), 0.28
"""Minimum and maximum width of the lesson at 100 %, and its share of the window's width."""
TIGHT_PX = 720
"""Minimum width at 100 % for two columns; it scales with the text size."""


class LessonRoom(QWidget):
    """The place of the lessons, at the left; hidden without one. It gets a share of the window's width."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lesson_room")
        in_column(on=self)
        self.hide()

    def fit(self, theme: Theme, width: int) -> None:
        least, most = map(theme.scaled, LESSON_PX)
        self.setFixedWidth(min(max(least, min(most, round(LESSON_SHARE * width))), width // 2))


class MainLayout(QWidget):
    """Creates and arranges the widgets."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.bar = TopBar(theme)
        self.sessions = SessionsColumn(theme)
        self.notice = NoticeBar(theme)
        self.not_kept = plain_label("not_kept", font=theme.font(Size.SMALL), muted=True, wraps=True)
        self.not_kept.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, GRID_PX)
        self.not_kept.hide()
        self.downloads = DownloadStrip(theme)
        self.server = ServerStrip(theme)
        self.welcome = Welcome(theme)
        self.first_models = FirstModels(theme)
        self.welcome.show_below(self.first_models, self.first_models.rearranged)
        self.transcript = Transcript(theme)
        self.find_bar = FindBar(theme, "conversation", tr("Find in the conversation"))
        self.token_legend = TokenLegend(theme)
        self.pages = named(QStackedWidget(), "pages")
        self.progress = ProgressRow(theme)
        self.ending = FinishLine(theme)
        self.run_details = RunDetails(theme)
        self.call = CallCard(theme)
        self.queue = QueueStrip(theme)
        self.edit_hint = EditHint(theme)
        self.prompt = PromptEditor(theme)
        self._page_finder = Finder(self.find_bar, TextFinds(theme, self.prompt.field, is_soft), wanted=False)
        self.lights = WarningsRow(theme)
        self.exact_prompt = ExactPromptPane(theme)
        self.inspector = InspectorPanel(theme)
        self.inside = InterpretabilityPage(theme)
        self.controls = ControlsPanel(theme)
        self.picture = SamplingPicture(theme)
        self.controls.show_below("picture", tr("Effect of sampling"), self.picture)
        self.side = named(QTabWidget(documentMode=True), "side", tr("Inspector"))
        self.instruments = Strip(theme)
        self.middle = named(QWidget(), "middle")
        self.lesson = LessonRoom()
        self.columns = named(QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False), "columns")
        self.rows = named(QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False), "rows")
        self._around_prompt = self._prompt()
        self._raw = self._tokens = self._starters = False
        self._lay_out()
        FocusHome(self, self.prompt)

    @property
    def tight(self) -> bool:
        """Whether there is room for one column only."""
        return self.free_width < self.theme.scaled(TIGHT_PX)

    @property
    def free_width(self) -> int:
        """The width beside the lesson."""
        return self.width() - (0 if self.lesson.isHidden() else self.lesson.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.lesson.fit(self.theme, self.width())
        super().resizeEvent(event)

    def _lay_out(self) -> None:
        """Nest widgets from the outside in: Qt polishes a widget and its children each time it gets a new parent."""
        beside = in_row(self.lesson, (self.rows, 1), gap=0)
        in_column(self.bar, self.notice, self.not_kept, self.downloads, self.server, (beside, 1), on=self, gap=0)
        self.rows.addWidget(self.columns)
        self._fill_columns()
        self.rows.addWidget(self.instruments)
        self.rows.setStretchFactor(0, 1)
        self.rows.setSizes(list(ROWS_PX))

    def _fill_columns(self) -> None:
        self.columns.addWidget(self.sessions)
        self.columns.addWidget(self.middle)
        self._fill_middle()
        self.columns.addWidget(self.side)
        self.side.addTab(self.controls, tr("Controls"))
        self.side.addTab(self.inspector, tr("Token"))
        self.side.addTab(self.inside, tr("Inside"))
        self.side.addTab(self.exact_prompt, tr("Prompt"))
        self.columns.setStretchFactor(1, 1)
        self.columns.setSizes(list(COLUMNS_PX))

    def _fill_middle(self) -> None:
        self.middle.setBackgroundRole(QPalette.ColorRole.Base)
        self.middle.setAutoFillBackground(True)
        # Both pages scroll, so they shrink first when messages appear below them.
        self.pages.setMinimumHeight(1)
        above = self.find_bar, self.token_legend
        column = self._conversation_column = in_column(*above, (self.pages, 1), on=self.middle, gap=0)
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(self.transcript)
        self._around_details = layout_widget(in_row(..., (self.run_details, MOST_OF_IT), ..., gap=0))
        hints = (self.queue, self.edit_hint, self.lights)
        around_call = layout_widget(
            in_row(..., (self.call, MOST_OF_IT), ..., gap=0, margins=(MARGIN_PX, 0, MARGIN_PX, 0))
        )
        for part in (self.progress, around_call, self._around_details, *hints, self._around_prompt):
            column.addWidget(part)
        self._place_ending(raw=False)
        self._fit_prompt()
        self.theme.resized.connect(self._fit_prompt)

    def set_raw(self, raw: bool) -> None:
        """Give the prompt the whole page in Raw mode."""
        turned, self._raw = raw is not self._raw, raw
        if turned:
            self.find_bar.leave()
            self._page_finder.wanted = raw
        self._show_pages()
        column = self._conversation_column
        column.removeWidget(self._around_prompt)
        column.insertWidget(1 if raw else column.count(), self._around_prompt, int(raw))
        self._fit_prompt()
        if turned:
            one_after_another(column)
        self._place_ending(raw)

    def _fit_prompt(self) -> None:
        """Set the maximum width of the prompt: that of the conversation's text, or unlimited in Raw mode."""
        self.lesson.fit(self.theme, self.width())
        for part in (self.prompt, self.run_details, self.call):
            part.setMaximumWidth(UNLIMITED_PX if self._raw else self.theme.scaled(MEASURE_PX))

    def _place_ending(self, raw: bool) -> None:
        """Place the finish line under the answer, in Raw mode below the page."""
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
        """Show the legend with the tokens; in Raw mode the tokens are below the page."""
        self._tokens = shown
        self._show_pages()

    def show_starters(self, shown: bool) -> None:
        """Show example prompts below the empty page for a base model."""
        self._starters = shown
        self._show_pages()

    def _show_pages(self) -> None:
        self.token_legend.setVisible(self._tokens)
        self.pages.setVisible(self._tokens or self._starters or not self._raw)

    def _prompt(self) -> QWidget:
        around = QWidget()
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, MARGIN_PX)
        in_row(..., (self.prompt, MOST_OF_IT), ..., on=around, gap=0, margins=margins)
        return around
