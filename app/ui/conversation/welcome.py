"""The empty page that teaches: prompts to try, each showing something else, or the way to a model."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.controls import Mode
from app.i18n import tr
from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, MEASURE_PX, Size, Theme, scaled
from app.ui.widgets import ScrollColumn, as_tip, caption, heading, held, in_column, in_row, plain_label, push_button

MOST_OF_IT = 1_000
"""Of the room in its row: what is beside it shares what it doesn't want."""
MOST = 3
TRY = tr("Try one of these, or write your own.")
RECORDED = tr("Try one of these, or write your own. Alternatives are recorded; see the Token tab.")


class Welcome(ScrollColumn):
    """`picked` tells which prompt was chosen; the others what else is wanted: a model, the tour, the gallery."""

    picked = Signal(object)
    """A FirstPrompt."""
    open_requested = Signal()
    demo_requested = Signal()
    tour_requested = Signal()
    gallery_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__("welcome", tr("Welcome"), tr("Prompts to try, where there is no conversation yet"))
        self._theme = theme
        self._heading = plain_label("welcome_heading", font=theme.font(Size.LARGE, bold=True), wraps=True)
        self._words = plain_label("welcome_words", muted=True, wraps=True)
        self._buttons = [_OfferButton(theme, number, self.picked) for number in range(MOST)]
        tip = tr("Choose a model on this machine or on the hub")
        self._open = push_button("welcome_open", tr("Open a model…"), tip, kind="primary", press=self.open_requested)
        tip = tr("The small model that comes with Sluice: nothing to download")
        self._demo = push_button("welcome_demo", tr("Open the demo"), tip, press=self.demo_requested)
        tip = tr("Be shown the parts of the window")
        self._tour = push_button("welcome_tour", tr("Take the tour"), tip, kind="small", press=self.tour_requested)
        self._tour.hide()
        tip = tr("More prompts, and experiments, to try")
        self._gallery = push_button("welcome_gallery", tr("Gallery…"), tip, kind="small", press=self.gallery_requested)
        self._lay_out()
        theme.resized.connect(self._fit, Qt.ConnectionType.QueuedConnection)
        self.show_no_model()

    def show_ready(self, model: str, offers: Sequence[FirstPrompt], recorded: bool = False) -> None:
        """A model is open and waits. One whose first prompt is raw goes on with a text, and answers nothing.

        `recorded`: so are the candidates of its tokens.
        """
        base = bool(offers) and offers[0].mode is Mode.RAW
        heading = tr("{model} goes on with what you write.") if base else tr("Ask {model} something.")
        self._say(heading.format(model=model), RECORDED if recorded else TRY)
        self._offer(offers, ready=True)

    def show_loading(self, model: str, offers: Sequence[FirstPrompt] = ()) -> None:
        """A model is on its way; the prompts can already be read, where it is known which."""
        self._say(tr("Opening {name}").format(name=model), tr("You can send a prompt in a moment."))
        self._offer(offers, ready=False)

    def show_no_model(self, gone: str = "", demo: bool = False) -> None:
        """Nothing can be tried before a model is open. `gone`: the one that could not be."""
        words = tr("Open a folder that holds an MLX model, and it will run here, on this machine.")
        missed = tr("“{model}” could not be opened. Choose another one, or the same once it is back.")
        self._say(tr("No model is open"), missed.format(model=gone) if gone else words)
        self._offer((), ready=False)
        self._open.show()
        self._demo.setVisible(demo)

    def offer_tour(self, wanted: bool) -> None:
        """As long as it was never taken."""
        self._tour.setVisible(wanted)

    def _lay_out(self) -> None:
        column = QWidget()
        # It stands where the answers will, above the field.
        scaled(self._theme, column, lambda each, width: each.setMaximumWidth(width + 2 * MARGIN_PX), MEASURE_PX)
        said = in_column(self._heading, self._words, gap=GRID_PX)
        ways = in_row(self._open, self._demo, ...)
        last = in_row(self._tour, self._gallery, ...)
        in_column(
            ..., said, GRID_PX, *self._buttons, ways, last, (QWidget(), 2), on=column, margins=(MARGIN_PX, GAP_PX) * 2
        )
        self._whole = held(in_row(..., (column, MOST_OF_IT), ...))
        self.setWidget(self._whole)

    def _say(self, heading: str, words: str) -> None:
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
        """In a low window the prompts stand alone, each in a line; what is to be seen is told where it is asked for."""
        if not self.isVisible():  # nobody lays out what is out of sight
            return
        for told in (False, True):  # shown anew, it has its height at once
            self._tell(told)
        if self._whole.heightForWidth(self.viewport().width()) > self.viewport().height():
            self._tell(False)

    def _tell(self, told: bool) -> None:
        self._words.setVisible(told or not self._buttons[0].isVisibleTo(self))
        for button in self._buttons:
            button.tell(told)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()


class _OfferButton(QPushButton):
    """What will be sent stands in it as it will be, behind its title, and below that what is to be seen."""

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

    def tell(self, told: bool) -> None:
        """With what is to be seen, or without."""
        above = GAP_PX if told else GRID_PX
        self._lines.setContentsMargins(MARGIN_PX, above, MARGIN_PX, above)
        self._shows.setVisible(told)

    def show_offer(self, offer: FirstPrompt) -> None:
        self._offer = offer
        self._title.setText(offer.title)
        self._prompt.setText(f"“{offer.prompt}”")
        self._shows.setText(offer.shows)
        self.setToolTip(as_tip(offer.shows))
        self.setAccessibleName(offer.title)
        told = tr("Sends: {prompt}. {shows}").format(prompt=offer.prompt, shows=offer.shows)
        self.setAccessibleDescription(told)
