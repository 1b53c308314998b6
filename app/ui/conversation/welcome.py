"""The empty page that teaches: prompts to try, each showing something else, or the way to a model."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QScrollArea, QSizePolicy, QWidget

from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.look.sizes import scaled
from app.ui.look.theme import GAP_PX, MARGIN_PX, Size, Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import caption, heading, plain_label
from app.ui.widgets.naming import named
from app.ui.widgets.rows import held, in_column, in_row
from app.words import tr

WIDTH_PX = 560


class Welcome(QScrollArea):
    """`picked` tells which prompt was chosen; the others what else is wanted: a model, the tour, the gallery."""

    picked = Signal(int)
    open_requested = Signal()
    tour_requested = Signal()
    gallery_requested = Signal()

    def __init__(self, theme: Theme, offers: Sequence[FirstPrompt] = ()) -> None:
        super().__init__()
        named(self, "welcome", tr("Welcome"), told=tr("Prompts to try, where there is no conversation yet"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._theme = theme
        self._heading = plain_label("welcome_heading", font=theme.font(Size.LARGE, bold=True))
        self._words = plain_label("", muted=True, wraps=True)
        self._offers = QButtonGroup(self)
        self._offers.idClicked.connect(self.picked)
        tip = tr("Choose a model on this machine or on the hub")
        self._open = named(QPushButton(tr("Open a model…")), "welcome_open", tr("Open a model"), tip)
        self._open.clicked.connect(self.open_requested)
        tip = tr("Be shown the parts of the window")
        self._tour = push_button("welcome_tour", tr("Take the tour"), tip, kind="small", press=self.tour_requested)
        self._tour.hide()
        tip = tr("More prompts, and experiments, to try")
        self._gallery = push_button("welcome_gallery", tr("Gallery…"), tip, kind="small", press=self.gallery_requested)
        self._lay_out([_OfferButton(theme, offer, number) for number, offer in enumerate(offers)])
        self.show_no_model()

    def show_ready(self, model: str) -> None:
        """A model is open and waits."""
        offers = bool(self._offers.buttons())
        self._heading.setText(tr("{model} is open").format(model=model))
        self._words.setText(
            tr("Try one of these, or write your own below.") if offers else tr("Write your prompt below.")
        )
        self._set_open_wanted(False)
        self._enable(True)

    def show_loading(self, model: str) -> None:
        """A model is on its way; the prompts can already be read."""
        self._heading.setText(tr("Opening {name}").format(name=model))
        self._words.setText(tr("In a moment you can try one of these.") if self._offers.buttons() else "")
        self._set_open_wanted(False)
        self._enable(False)

    def show_no_model(self) -> None:
        """Nothing can be tried before a model is open."""
        self._heading.setText(tr("No model is open"))
        self._words.setText(tr("Open a folder that holds an MLX model, and it will run here, on this machine."))
        self._set_open_wanted(True)
        self._enable(False)

    def offer_tour(self, wanted: bool) -> None:
        """As long as it was never taken."""
        self._tour.setVisible(wanted)

    def _lay_out(self, buttons: list[_OfferButton]) -> None:
        column = QWidget()
        scaled(self._theme, column, QWidget.setMaximumWidth, WIDTH_PX)
        inner = in_column(..., self._heading, self._words, GAP_PX, on=column, margins=MARGIN_PX)
        for number, button in enumerate(buttons):
            self._offers.addButton(button, number)
            inner.addWidget(button)
        inner.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)
        inner.addSpacing(GAP_PX)
        inner.addLayout(in_row(self._tour, self._gallery, ...))
        inner.addStretch(2)
        self.setWidget(held(in_row(..., (column, WIDTH_PX), ...)))

    def _set_open_wanted(self, wanted: bool) -> None:
        self._open.setVisible(wanted)
        for button in self._offers.buttons():
            button.setVisible(not wanted)

    def _enable(self, ready: bool) -> None:
        for button in self._offers.buttons():
            button.setEnabled(ready)


class _OfferButton(QPushButton):
    """A button of three lines; the prompt itself is in the middle, since it is what will be sent."""

    def __init__(self, theme: Theme, offer: FirstPrompt, number: int) -> None:
        super().__init__()
        told = tr("Sends: {prompt}. {shows}").format(prompt=offer.prompt, shows=offer.shows)
        named(self, f"offer_{number + 1}", offer.title, told=told)
        self._title = heading(theme, offer.title)
        self._prompt = plain_label("", f"“{offer.prompt}”")
        self._shows = caption(theme, offer.shows)
        lines = in_column(on=self, gap=GAP_PX // 2, margins=(MARGIN_PX, GAP_PX, MARGIN_PX, GAP_PX))
        for label in (self._title, self._prompt, self._shows):
            label.setWordWrap(True)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            lines.addWidget(label)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
