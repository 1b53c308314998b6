"""The empty page: prompts to try, or buttons to open a model."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.bridge.playground import Playground
from app.controls import Mode
from app.engine.types import LoadRequest
from app.i18n import tr
from app.state import ANSWERING, Phase, State
from app.ui.conversation.first_prompts import Bundled, FirstPrompt, prompts_for
from app.ui.conversation.progress import short_name
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, MEASURE_PX, Size, Theme, scaled
from app.ui.widgets import (
    ScrollColumn,
    as_tip,
    caption,
    heading,
    in_column,
    in_row,
    layout_widget,
    plain_label,
    push_button,
)

STRETCH = 1_000
"""Layout factor of the column, which fills the width up to its maximum."""
MAX_OFFERS = 3
BUSY = tr("Another run is active. A prompt that you write here is queued.")
TRY = tr("Try one of these, or write your own.")
RECORDED = tr("Try one of these, or write your own. Alternatives are recorded; see the Token tab.")


class Welcome(ScrollColumn):
    """The empty page. Emits `picked` with the chosen FirstPrompt."""

    picked = Signal(object)
    open_requested = Signal()
    demo_requested = Signal()
    first_lesson_requested = Signal()
    lessons_requested = Signal()
    reset_requested = Signal()
    """Set the controls to their defaults."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("welcome", tr("Welcome"), tr("Prompts to try, shown while the conversation is empty"))
        self._theme = theme
        self._bundled: Bundled = {}
        self._heading = plain_label("welcome_heading", font=theme.font(Size.LARGE, bold=True), wraps=True)
        self._words = plain_label("welcome_words", muted=True, wraps=True)
        self._buttons = [_OfferButton(theme, number, self.picked) for number in range(MAX_OFFERS)]
        self._settings = caption(theme, "", name="welcome_settings")
        self._settings.setWordWrap(True)
        tip, press = tr("Set the controls to their defaults"), self.reset_requested
        reset = push_button("welcome_reset", tr("Reset controls"), tip, kind="small", press=press)
        # A widget: an empty layout allows no width, and the heading above it would get the height of two lines.
        self._settings_line = layout_widget(in_row((self._settings, 1), reset, gap=GAP_PX))
        self.show_settings("")
        tip = tr("Choose a model on this computer or on the Hub")
        self._open = push_button("welcome_open", tr("Open a model…"), tip, kind="primary", press=self.open_requested)
        tip = tr("Open the small model that is bundled with Sluice; no download needed")
        self._demo = push_button("welcome_demo", tr("Open the demo"), tip, press=self.demo_requested)
        tip = tr("Predict, run and measure how a model streams its answer; ten minutes, beside the conversation")
        words, press = tr("Start the first lesson"), self.first_lesson_requested
        self._first_lesson = push_button("welcome_first_lesson", words, tip, kind="small", press=press)
        self._first_lesson.hide()
        tip, press = tr("Show all lessons"), self.lessons_requested
        self._lessons = push_button("welcome_lessons", tr("Lessons"), tip, kind="small", press=press)
        self._lay_out()
        theme.resized.connect(self._fit, Qt.ConnectionType.QueuedConnection)
        self.show_no_model()

    def follow(self, playground: Playground, bundled: Bundled) -> None:
        """Show the state of this playground's model from now on."""
        self._bundled = bundled
        self.demo_requested.connect(lambda: playground.load(LoadRequest(str(next(iter(bundled))))))
        playground.follow(("phase", "model", "is_recording", "elsewhere"), self._show_state, at_once=True)

    def _show_state(self, state: State) -> None:
        if state.phase is Phase.LOADING:
            self.show_loading(short_name(state.wanted), self._bundled.get(Path(state.wanted), ()))
        elif state.phase in ANSWERING:
            self._words.setText(BUSY)
            for button in self._buttons:
                button.setEnabled(False)
                button.setToolTip(as_tip(BUSY))
        elif (model := state.model) is not None:
            offers = self._bundled.get(model.folder) or prompts_for(model)
            self.show_ready(model.name, offers, state.is_recording and model.can.observe)
        else:
            self.show_no_model(state.wanted if state.failure is not None else "", bool(self._bundled))

    def show_ready(self, model: str, offers: Sequence[FirstPrompt], recorded: bool = False) -> None:
        """Offer prompts for the open model. `recorded`: runs record alternative tokens, and the text says so."""
        base = bool(offers) and offers[0].mode is Mode.RAW
        heading = tr("{model} continues your text.") if base else tr("Ask {model} something.")
        self._set_words(heading.format(model=model), RECORDED if recorded else TRY)
        self._offer(offers, ready=True)

    def show_loading(self, model: str, offers: Sequence[FirstPrompt] = ()) -> None:
        self._set_words(tr("Opening {name}").format(name=model), tr("You can send a prompt in a moment."))
        self._offer(offers, ready=False)

    def show_no_model(self, gone: str = "", demo: bool = False) -> None:
        """Show that no model is open. `gone` is a model that could not be opened."""
        words = tr("Open a folder with an MLX model. It runs on this computer.")
        missing = tr("“{model}” could not be opened. Choose another model, or try again when it is available.")
        self._set_words(tr("No model is open"), missing.format(model=gone) if gone else words)
        self._offer((), ready=False)
        self._open.show()
        self._demo.setVisible(demo)

    def show_below(self, widget: QWidget, rearranged: SignalInstance) -> None:
        """Show a widget below the prompts, whose explanations make room for it."""
        self._column.insertWidget(self._column.count() - 1, widget)
        rearranged.connect(self._fit, Qt.ConnectionType.QueuedConnection)

    def show_settings(self, settings: str) -> None:
        """Show the controls of the empty session that aren't the defaults, which it may have from the one before."""
        self._settings.setText(tr("This session uses {settings}.").format(settings=settings) if settings else "")
        self._settings_line.setVisible(bool(settings))

    def offer_lesson(self, wanted: bool) -> None:
        self._first_lesson.setVisible(wanted)

    def _lay_out(self) -> None:
        column = QWidget()
        # As wide as the answers will be.
        scaled(self._theme, column, lambda each, width: each.setMaximumWidth(width + 2 * MARGIN_PX), MEASURE_PX)
        words = in_column(self._heading, self._words, self._settings_line, gap=GRID_PX)
        ways = in_row(self._open, self._demo, ...)
        last = in_row(self._first_lesson, self._lessons, ...)
        self._column = in_column(
            ..., words, GRID_PX, *self._buttons, ways, last, (QWidget(), 2), on=column, margins=(MARGIN_PX, GAP_PX) * 2
        )
        self._whole = layout_widget(in_row(..., (column, STRETCH), ...))
        self.setWidget(self._whole)

    def _set_words(self, heading: str, words: str) -> None:
        self._heading.setText(heading)
        self._words.setText(words)
        self._open.hide()
        self._demo.hide()

    def _offer(self, offers: Sequence[FirstPrompt], *, ready: bool) -> None:
        for number, button in enumerate(self._buttons):
            button.setVisible(number < len(offers))
            button.setEnabled(ready)
            if number < len(offers):
                button.show_offer(offers[number])
        self._fit()

    def _fit(self) -> None:
        if not self.isVisible():  # Qt doesn't lay out hidden widgets
            return
        for explained in (False, True):  # showing the labels again updates their heights at once
            self._set_explained(explained)
        if self._whole.heightForWidth(self.viewport().width()) > self.viewport().height():
            self._set_explained(False)

    def _set_explained(self, explained: bool) -> None:
        self._words.setVisible(explained or not self._buttons[0].isVisibleTo(self))
        for button in self._buttons:
            button.set_explained(explained)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()


class _OfferButton(QPushButton):
    """A button with the title of a prompt, the prompt, and its purpose."""

    def __init__(self, theme: Theme, number: int, picked: SignalInstance) -> None:
        super().__init__()
        self.setObjectName(f"offer_{number + 1}")
        self._offer: FirstPrompt | None = None
        self._title, self._prompt, self._shows = heading(theme, ""), plain_label(""), caption(theme, "")
        for label in (self._title, self._prompt, self._shows):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        for label in (self._prompt, self._shows):
            label.setWordWrap(True)
        above = in_row((self._title, 0, Qt.AlignmentFlag.AlignTop), (self._prompt, 1))
        self._lines = in_column(above, self._shows, on=self, gap=GRID_PX, margins=(MARGIN_PX, GAP_PX) * 2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.clicked.connect(lambda: picked.emit(self._offer))

    def set_explained(self, explained: bool) -> None:
        above = GAP_PX if explained else GRID_PX
        self._lines.setContentsMargins(MARGIN_PX, above, MARGIN_PX, above)
        self._shows.setVisible(explained)

    def show_offer(self, offer: FirstPrompt) -> None:
        self._offer = offer
        self._title.setText(offer.title)
        self._prompt.setText(f"“{offer.prompt}”")
        self._shows.setText(offer.shows)
        self.setToolTip(as_tip(offer.shows))
        self.setAccessibleName(offer.title)
        description = tr("Sends: {prompt}. {shows}").format(prompt=offer.prompt, shows=offer.shows)
        self.setAccessibleDescription(description)
