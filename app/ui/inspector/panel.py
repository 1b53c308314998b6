"""The inspector of one token: its figures, what was nearly said in its place, and the way on from there."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.engine.meter.trace import Stretch
from app.i18n import tr
from app.ui.inspector.panel_words import explained, put_in, told
from app.ui.inspector.subject import InspectedToken
from app.ui.inspector.token_head import TokenHead
from app.ui.inspector.token_page import TokenPage
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme, scaled
from app.ui.widgets import SmallPrint, in_column, in_row, named, push_button
from app.ui.widgets.plain_text import to_the_letter

SMALLEST_PX = 268
"""The four tabs side by side."""
TALL_PX = 460
RECORD_TIP = tr("Keep the likeliest alternatives of each token")


class InspectorPanel(QWidget):
    """Shows an `InspectedToken`. Its signals carry the turn's index and the token's index in the answer."""

    step_wanted = Signal(int)
    """−1: the token before, 1: the one after."""
    candidate_taken = Signal(int, int, int)
    """Go on from this place with another token: index of the turn, place, id."""
    text_taken = Signal(int, int, str)
    """Go on from this place with this text: index of the turn, place, text."""
    recording_wanted = Signal(bool)
    replay_wanted = Signal()
    """The run of this token is to happen again, so that its candidates are recorded."""
    tokens_wanted = Signal()
    """The tokens are to be seen in the text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "inspector", tr("Token inspector"))
        scaled(theme, self, QWidget.setMinimumWidth, SMALLEST_PX)
        self._theme = theme
        self.subject: InspectedToken | None = None
        self._recording = self._in_sight = False
        self._refusal = self._replaying = ""
        self._head = TokenHead(theme)
        self._stretch = SmallPrint(theme, "inspector_stretch", "text")
        self._words = SmallPrint(theme, "inspector_words")
        self._words.setFont(theme.font(Size.NORMAL))
        tip = tr("The same run again, beside the conversation, with its alternatives recorded")
        self._replay = push_button("inspector_replay", tr("Record by replaying"), tip, kind="small")
        self._record = push_button("inspector_record", tr("Record alternatives"), RECORD_TIP, kind="small")
        tip = tr("Show the tokens in the text, to point at and pick there")
        self._tokens = push_button("inspector_tokens", tr("Show tokens"), tip, kind="small")
        self._page = TokenPage(theme)
        self._lay_out()
        self._page.allow(False, "")
        self._arrange()
        self._listen()
        self.show_subject(None)

    def show_subject(self, subject: InspectedToken | None) -> None:
        """This token; None: there is none to show."""
        if subject is not None and subject == self.subject:
            return
        self.subject = subject
        self._replaying = self._replaying if subject is None else ""
        self._head.show_subject(subject)
        self._page.show_subject(subject)
        self._page.setVisible(subject is not None)
        self._show_offers()

    def show_stretch(self, stretch: Stretch | None) -> None:
        """What is said of the tokens that are marked together."""
        self._stretch.say(told(stretch) if stretch is not None else "")

    def show_recording(self, recording: bool) -> None:
        """Whether the next run records candidates."""
        self._recording = recording
        self._show_offers()

    def refuse_recording(self, why: str) -> None:
        """No candidates can be had, for this reason; empty: they can."""
        if why != self._refusal:
            self._refusal = why
            self._show_offers()

    def show_replaying(self, words: str) -> None:
        """How far it is with recording by replaying, until another token is shown."""
        self._replaying = words
        self._show_offers()

    def show_in_text(self, in_sight: bool) -> None:
        """Whether the text shows its tokens, so that they can be picked there."""
        self._in_sight = in_sight
        self._show_offers()

    def set_forkable(self, forkable: bool, why: str) -> None:
        """Whether an answer can go on another way now, and if not, why."""
        self._page.allow(forkable, why)
        self._replay.setEnabled(forkable)

    def _lay_out(self) -> None:
        offers = in_column(in_row(self._replay, ...), in_row(self._record, self._tokens, ...), gap=GRID_PX)
        margins = (MARGIN_PX, GAP_PX, MARGIN_PX, 0)
        self._top = in_column(self._head, self._stretch, self._words, offers, margins=margins)
        self._whole = in_column(self._top, (self._page, 1), on=self, margins=(0, 0, 0, MARGIN_PX))
        self._whole.addStretch()

    def _keep_edge(self, right: int) -> None:
        """What stands above ends where what scrolls does."""
        self._top.setContentsMargins(MARGIN_PX, GAP_PX, max(MARGIN_PX, right), 0)

    @property
    def _tall(self) -> bool:
        """Larger text needs more of it."""
        return self.height() >= self._theme.scaled(TALL_PX)

    def _arrange(self) -> None:
        self._page.arrange(self._tall)

    def _listen(self) -> None:
        self._page.edges_changed.connect(self._keep_edge)
        self._page.candidate_taken.connect(self._take)
        self._page.text_taken.connect(self._take_text)
        self._head.step_wanted.connect(self.step_wanted)
        self._record.clicked.connect(lambda: self.recording_wanted.emit(True))
        self._replay.clicked.connect(self.replay_wanted)
        self._tokens.clicked.connect(self.tokens_wanted)
        self._theme.resized.connect(self._arrange)

    def _show_offers(self) -> None:
        """What stands in the place of what is not known, and the steps that would help."""
        subject = self.subject
        unknown = subject is None or subject.token.observed is None
        said = explained(subject, self._recording, self._refusal) if unknown else ""
        self._words.say(self._replaying or said)
        self._record.setVisible(unknown and not (self._recording or self._refusal or put_in(subject)))
        told = subject is None or bool(subject.silent or subject.growing or self._refusal) or put_in(subject)
        self._replay.setVisible(unknown and not told)
        self._tokens.setVisible(not self._in_sight)

    def _take(self, token: int) -> None:
        if self.subject is not None:
            self.candidate_taken.emit(*self.subject.key, token)

    def _take_text(self, text: str) -> None:
        if self.subject is not None:
            self.text_taken.emit(*self.subject.key, to_the_letter(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
