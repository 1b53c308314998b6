"""The panel of the token inspector, with the head that names the token."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.definitions import meaning
from app.engine.meter.trace import Origin, TokenRange
from app.i18n import tr
from app.number_format import short_duration
from app.ui.inspector.subject import InspectedToken
from app.ui.inspector.token_page import TokenPage
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme, scaled
from app.ui.tokens.words import legible
from app.ui.widgets import OneLine, SmallPrint, as_tip, in_column, in_row, named, push_button, tool_button

NO_TEXT = "…"
"""Text of a token that is part of a character."""
MIN_WIDTH_PX = 268
"""Minimum width, which the four tabs need."""
TALL_PX = 460
EMPTY = tr(
    "Click a word of an answer, or show the tokens and point at one. This tab shows its probability, alternatives "
    "and latency. You can also fork the answer there."
)
INSERTED = tr("You inserted this token; the model didn't sample it.")
NOT_RECORDED = tr("No alternatives were recorded for this token.")
SWITCH_ON = tr("Turn on “Record alternatives” for the next answers.")
IS_ON = tr("Alternatives are recorded from the next answer on.")
REPLAY = tr("“Rerun and record” repeats this run and records its alternatives.")
EMPTY_WITHOUT_LOGPROBS = tr("Click a word of an answer, or show the tokens and point at one, to see its latency.")


class TokenHead(QWidget):
    """Index and text of the token, and buttons that `step` to its neighbors: −1 or 1."""

    def __init__(self, theme: Theme, step: Callable[[int], object]) -> None:
        super().__init__()
        previous, following = tr("Previous token"), tr("Next token")
        self._previous = tool_button(
            "inspector_previous", "‹", previous, previous, kind="small", press=lambda: step(-1)
        )
        self._next = tool_button("inspector_next", "›", following, following, kind="small", press=lambda: step(1))
        self._position = named(OneLine(), "inspector_position", font=theme.font(Size.NORMAL, bold=True))
        self._text = named(OneLine(), "inspector_text", font=theme.font(Size.LARGE, mono=True))
        self._text.setBackgroundRole(QPalette.ColorRole.Base)
        self._text.setAutoFillBackground(True)
        self._text.setContentsMargins(GAP_PX, GRID_PX, GAP_PX, GRID_PX)
        self._group = SmallPrint(theme, "inspector_group")
        self._rejected = SmallPrint(theme, "inspector_rejected", "draft_rejected")
        in_column(
            in_row(self._previous, self._next, GRID_PX, (self._position, 1), gap=GRID_PX),
            self._text,
            self._group,
            self._rejected,
            on=self,
            gap=GRID_PX,
        )
        self.show_subject(None)

    def show_subject(self, subject: InspectedToken | None) -> None:
        position, of = (subject.token.position, subject.of) if subject is not None else (0, 0)
        more = "…" if subject is not None and subject.growing else ""
        words = tr("Token inspector")
        if subject is not None:
            words = tr("Token {place} of {all}").format(place=f"{position + 1:,}", all=f"{of:,}{more}")
        self._position.setText(words)
        self._position.setToolTip(meaning("number") if subject is not None else "")
        self._position.setAccessibleName(words)
        for button, wanted in ((self._previous, position > 0), (self._next, position < of - 1)):
            button.setVisible(subject is not None)
            button.setEnabled(wanted)
        self._text.setVisible(subject is not None)
        text = legible(subject.name) if subject is not None else ""
        self._text.setText(text or NO_TEXT)
        tip = tr("Token text, with visible whitespace and control characters")
        self._text.setToolTip(as_tip(f"{text}\n{tip}" if text else tip))
        self._text.setAccessibleName(tr("Text: {text}").format(text=text) if text else tr("Text: none"))
        self._group.say(_group(subject) if subject is not None else "")
        self._rejected.say(_rejected(subject))


def _group(subject: InspectedToken) -> str:
    if not subject.group:
        return ""
    first, last = subject.group[0].position, subject.group[-1].position
    ids = " · ".join(
        f"[{token.id}]" if token.position == subject.token.position else f"{token.id}" for token in subject.group
    )
    words = tr("Part {part} of {parts} of “{character}” (tokens {first} to {last}): ids {ids}")
    return words.format(
        part=subject.token.position - first + 1,
        parts=len(subject.group),
        character=legible(subject.character),
        first=f"{first + 1:,}",
        last=f"{last + 1:,}",
        ids=ids,
    )


def _rejected(subject: InspectedToken | None) -> str:
    text = subject.token.rejected if subject is not None else ""
    words = tr("Proposed as draft tokens and rejected: “{text}”")
    return words.format(text=legible(text)) if text else ""


class InspectorPanel(QWidget):
    """The panel of an `InspectedToken`. Its signals have the index of the turn and the place of the token in the
    answer.
    """

    step_wanted = Signal(int)
    """−1: previous token, 1: next."""
    fork_wanted = Signal(int, int, int)
    """Index of the turn, place of the token, id of the new token."""
    text_fork_wanted = Signal(int, int, str)
    """Index of the turn, place, text."""
    recording_wanted = Signal(bool)
    replay_wanted = Signal()
    tokens_wanted = Signal()
    """The user wants the token view."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "inspector", tr("Token inspector"))
        scaled(theme, self, QWidget.setMinimumWidth, MIN_WIDTH_PX)
        self._theme = theme
        self.subject: InspectedToken | None = None
        self._recording = self._in_token_view = False
        self._refusal = self._replaying = ""
        self._head = TokenHead(theme, self.step_wanted.emit)
        self._latencies = SmallPrint(theme, "inspector_stretch", "text")
        self._words = SmallPrint(theme, "inspector_words")
        self._words.setFont(theme.font(Size.NORMAL))
        tip = tr("Repeat this run outside the conversation and record its alternatives")
        replay, record, show = tr("Rerun and record"), tr("Record alternatives"), tr("Show tokens")
        self._replay = push_button("inspector_replay", replay, tip, kind="small", press=self.replay_wanted)
        tip = tr("Record the most probable alternatives of each token")
        self._record = push_button(
            "inspector_record", record, tip, kind="small", press=lambda: self.recording_wanted.emit(True)
        )
        tip = tr("Switch the conversation to the token view")
        self._tokens = push_button("inspector_tokens", show, tip, kind="small", press=self.tokens_wanted)
        self._page = TokenPage(theme)
        self._page.edges_changed.connect(self._keep_edge)
        self._page.fork_wanted.connect(self.fork_wanted)
        self._page.text_fork_wanted.connect(self.text_fork_wanted)
        theme.resized.connect(self._arrange)
        self._lay_out()
        self._arrange()
        self.show_subject(None)

    def show_subject(self, subject: InspectedToken | None) -> None:
        if subject is not None and subject == self.subject:
            return
        self.subject = subject
        self._replaying = self._replaying if subject is None else ""
        self._head.show_subject(subject)
        self._page.show_subject(subject)
        self._page.setVisible(subject is not None)
        self._show_offers()

    def show_stretch(self, stretch: TokenRange | None) -> None:
        """Show the latencies of a range of tokens; None for no range."""
        self._latencies.say(describe_latencies(stretch) if stretch is not None else "")

    def show_replaying(self, words: str) -> None:
        """Show the progress of recording by a rerun, until another token is shown."""
        self._replaying = words
        self._show_offers()

    def set_availability(
        self, *, no_fork: str = "", no_recording: str = "", is_recording: bool = False, is_token_view: bool = False
    ) -> None:
        """Set the reasons that answers can't be forked and alternatives can't be recorded; empty if they can.

        `is_recording`: the next run records them. `is_token_view`: the conversation is in the token view.
        """
        self._page.set_unavailable(no_fork)
        self._replay.setEnabled(not no_fork)
        self._refusal, self._recording, self._in_token_view = no_recording, is_recording, is_token_view
        self._show_offers()

    def _lay_out(self) -> None:
        offers = in_column(in_row(self._replay, ...), in_row(self._record, self._tokens, ...), gap=GRID_PX)
        margins = (MARGIN_PX, GAP_PX, MARGIN_PX, 0)
        self._top = in_column(self._head, self._latencies, self._words, offers, margins=margins)
        self._whole = in_column(self._top, (self._page, 1), on=self, margins=(0, 0, 0, MARGIN_PX))
        self._whole.addStretch()

    def _keep_edge(self, right: int) -> None:
        """Align the head with the scrolled page."""
        self._top.setContentsMargins(MARGIN_PX, GAP_PX, max(MARGIN_PX, right), 0)

    def _arrange(self) -> None:
        self._page.arrange(self.height() >= self._theme.scaled(TALL_PX))

    def _show_offers(self) -> None:
        """Explain missing figures, and show the buttons that would help."""
        subject = self.subject
        unknown = subject is None or subject.token.observed is None
        missing = explain_missing(subject, self._recording, self._refusal) if unknown else ""
        self._words.say(self._replaying or missing)
        self._record.setVisible(unknown and not (self._recording or self._refusal or is_inserted(subject)))
        hidden = (
            subject is None or bool(subject.unavailable or subject.growing or self._refusal) or is_inserted(subject)
        )
        self._replay.setVisible(unknown and not hidden)
        self._tokens.setVisible(not self._in_token_view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def is_inserted(subject: InspectedToken | None) -> bool:
    return subject is not None and subject.token.origin is Origin.USER


def explain_missing(subject: InspectedToken | None, recording: bool, refusal: str) -> str:
    """Explain missing figures, and how to record them."""
    if subject is None:
        return f"{EMPTY_WITHOUT_LOGPROBS} {refusal}" if refusal else EMPTY
    if is_inserted(subject):
        return INSERTED
    advice = refusal or (IS_ON if recording else SWITCH_ON)
    return " ".join((NOT_RECORDED, subject.unavailable or ("" if subject.growing else REPLAY), advice)).replace(
        "  ", " "
    )


def describe_latencies(stretch: TokenRange) -> str:
    """Return the inter-token latencies of a range of tokens."""
    alone = stretch.first == stretch.last
    tokens = tr("Token {first}") if alone else tr("Tokens {first} to {last}")
    tokens = tokens.format(first=f"{stretch.first + 1:,}", last=f"{stretch.last + 1:,}")
    if stretch.mean is None or stretch.p95 is None:
        drafted, unknown = tr("{tokens}: one speculative step."), tr("{tokens}: inter-token latencies unknown.")
        return (drafted if stretch.drafted else unknown).format(tokens=tokens)
    words = tr("{tokens}: mean {mean}, p95 {p95} between tokens.")
    if stretch.drafted:
        words = tr("{tokens}: mean {mean}, p95 {p95} between speculative steps.")
    return words.format(tokens=tokens, mean=short_duration(stretch.mean), p95=short_duration(stretch.p95))
