"""The page of one token: output format, alternatives, figures, and the fork controls."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from app.i18n import tr
from app.number_format import chance, precision_words
from app.ui.inspector.alternatives_table import AlternativesTable
from app.ui.inspector.facts import FactsGrid
from app.ui.inspector.rows import BEFORE, BEFORE_FORM, AlternativeRow, Distribution, rows_after, rows_before
from app.ui.inspector.subject import FormatState, InspectedToken
from app.ui.look import GRID_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import ScrollColumn, SegmentedChoice, SmallPrint, heading, in_column, in_row, named, push_button
from app.ui.widgets.menus import offer_buttons
from app.ui.widgets.plain_text import keep_byte_order_mark

MAX_CHARACTERS = 16
PICK = tr("Pick an alternative in the table first.")
TIP = tr("Keep the answer up to here and continue with this token in place of the sampled one")
TEXT_TIP = tr(
    "Keep the answer up to this token and continue with your text. The text is tokenized separately, "
    "so it never merges with the token before it"
)
WORDS = {Distribution.BEFORE.value: tr("Before"), Distribution.AFTER.value: tr("After")}
TIPS = {
    Distribution.BEFORE.value: tr("Probabilities of the model, after penalties and bias"),
    Distribution.AFTER.value: tr("Probabilities after temperature, top-k, top-p, min-p and XTC"),
}


class ForkStrip(QWidget):
    """The fork controls. `fork` gets a token id, `fork_text` a text, which is cleared when a run begins with it."""

    def __init__(self, theme: Theme, fork: Callable[[int], object], fork_text: Callable[[str], object]) -> None:
        super().__init__()
        self._fork, self._fork_text = fork, fork_text
        self._alternative: AlternativeRow | None = None
        self._why = ""
        self._sent = False
        self.go = push_button("fork_candidate", "", press=self._ask_fork)
        self.go.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._text = named(QLineEdit(), "fork_text", tr("Continue with your own text"))
        self._text.setPlaceholderText(tr("…or with your own text"))
        self._theme = theme
        self.take_font()
        spoken = tr("Fork here with your own text")
        self._go_text = push_button("fork_with_text", tr("Fork"), "", spoken, press=self._ask_text_fork)
        self._reason = SmallPrint(theme, "fork_reason")
        in_column(self.go, in_row((self._text, 1), self._go_text), self._reason, on=self, gap=GRID_PX)
        self._text.returnPressed.connect(self._ask_text_fork)
        self._text.textChanged.connect(self._enable)
        self._enable()

    @property
    def is_forkable(self) -> bool:
        return not self._why

    def set_unavailable(self, why: str) -> None:
        """Set the reason that answers can't be forked now; empty if they can."""
        self._why = why
        if why and self._sent:
            self._text.clear()
        self._sent = False
        self._enable()

    def take_font(self) -> None:
        self._text.setFont(self._theme.font(Size.NORMAL))

    def show_alternative(self, alternative: AlternativeRow | None) -> None:
        """Offer the current row of the table."""
        self._alternative = alternative if alternative is not None and alternative.id is not None else None
        self._enable()

    def _enable(self) -> None:
        alternative = self._alternative
        name = "…" if alternative is None else f"“{_shorten(alternative.name)}”"
        self.go.setText(tr("Fork here with {token}").format(token=name))
        self.go.setAccessibleName(self.go.text())
        self.go.setEnabled(self.is_forkable and alternative is not None)
        self.go.setToolTip(self._why or (TIP if alternative is not None else PICK))
        self._text.setEnabled(self.is_forkable)
        self._text.setToolTip(self._why or TEXT_TIP)
        self._go_text.setEnabled(self.is_forkable and bool(self._text.text()))
        self._go_text.setToolTip(self._why or TEXT_TIP)
        self._reason.say(self._why)

    def _ask_fork(self) -> None:
        if self.is_forkable and self._alternative is not None and self._alternative.id is not None:
            self._fork(self._alternative.id)

    def _ask_text_fork(self) -> None:
        if self.is_forkable and self._text.text():
            self._sent = True
            self._fork_text(keep_byte_order_mark(self._text.text()))


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_CHARACTERS else f"{name[: MAX_CHARACTERS - 1]}…"


class TokenPage(QWidget):
    """The page of one token. The signals have the index of the turn and the place of the token in the answer."""

    fork_wanted = Signal(int, int, int)
    """Index, place, id of the new token."""
    text_fork_wanted = Signal(int, int, str)
    """Index, place, text."""
    edges_changed = Signal(int)
    """Width of the scroll bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._subject: InspectedToken | None = None
        self._last_row: tuple[tuple[int, int], int | None] | None = None
        """Key of the token, and the alternative that was last current."""
        self._facts = FactsGrid(theme)
        self._output_format = self._make_output_format(theme)
        self._alternatives = self._make_alternatives(theme)
        self._fork = ForkStrip(theme, self._ask_fork, self._ask_text_fork)
        self._body = QWidget()
        self._column = in_column(..., on=self._body, gap=MARGIN_PX, margins=(MARGIN_PX, 0, MARGIN_PX, 0))
        self._scroll = SteadyScroll("inspector_scroll")
        self._scroll.edges_changed.connect(self._keep_edges)
        self._scroll.setWidget(self._body)
        self._whole = in_column((self._scroll, 1), on=self)
        self._tall: bool | None = None
        offer_buttons(self._table, self._fork.go)

    def _make_output_format(self, theme: Theme) -> QWidget:
        widget = QWidget()
        self._expected = SmallPrint(theme, "form_expected", "text")
        self._tree = SmallPrint(theme, "form_tree")
        self._tree.setFont(theme.font(Size.SMALL, mono=True))
        in_column(heading(theme, tr("Output format")), self._expected, self._tree, on=widget, gap=GRID_PX)
        return widget

    def _make_alternatives(self, theme: Theme) -> QWidget:
        alternatives = QWidget()
        self._which = SegmentedChoice("distribution", tr("Distribution"), WORDS, TIPS)
        self._caption = SmallPrint(theme, "distribution_said")
        self._table = AlternativesTable(theme)
        head = in_row(heading(theme, tr("Alternatives")), ..., self._which)
        in_column(head, self._caption, self._table, on=alternatives)
        self._which.chosen.connect(self._show_alternatives)
        self._table.stepped_to.connect(self._on_stepped)
        self._table.fork_wanted.connect(self._ask_fork)
        return alternatives

    def show_subject(self, subject: InspectedToken | None) -> None:
        self._subject = subject
        if subject is not None:
            self._facts.show_token(subject.token)
        self._alternatives.setVisible(subject is not None and subject.token.observed is not None)
        self._which.allow(Distribution.AFTER.value, subject is not None and subject.sampling is not None)
        self._show_alternatives()
        self._show_output_format(subject.output_format if subject is not None else None)

    def set_unavailable(self, why: str) -> None:
        """Set the reason that the answer can't be forked now; empty if it can."""
        self._fork.set_unavailable(why)

    def arrange(self, tall: bool) -> None:
        """In a tall panel the fork controls stay below the page; in a low one they scroll with it."""
        if tall is self._tall:
            return
        self._tall = tall
        for position, part in enumerate((self._output_format, self._alternatives, self._facts)):
            self._column.insertWidget(position, part)
        if tall:
            self._whole.addWidget(self._fork)
        else:
            self._column.insertWidget(2, self._fork)
        margin = MARGIN_PX if tall else 0
        self._fork.setContentsMargins(margin, 0, margin, 0)
        # Qt's style sheets reset the font of a reparented widget.
        self._fork.take_font()

    def _show_output_format(self, state: FormatState | None) -> None:
        self._output_format.setVisible(state is not None)
        if state is not None:
            self._expected.say(tr("Expected here: {what}.").format(what=state.expected) if state.expected else "")
            self._tree.say(state.tree)

    def _show_alternatives(self) -> None:
        subject = self._subject
        observed = subject.token.observed if subject is not None else None
        if subject is None or observed is None:
            self._on_stepped(None)
            return
        if self._which.choice == Distribution.AFTER and subject.sampling is not None:
            rows, words = rows_after(observed, subject.sampling, subject.ends)
            distribution = Distribution.AFTER
        else:
            rows, words, distribution = rows_before(observed), BEFORE, Distribution.BEFORE
            if observed.formed is not None:
                words = BEFORE_FORM.format(share=chance(observed.formed.removed))
        self._caption.say(" ".join(filter(None, (words, precision_words(subject.precision)))))
        last = self._last_row
        row = last[1] if last is not None and last[0] == subject.key else None
        self._table.show_rows(
            rows, distribution, row, subject.output_format.expected if subject.output_format is not None else ""
        )

    def _on_stepped(self, row: AlternativeRow | None) -> None:
        """Remember the row, since another token may be pointed at meanwhile, and scroll to it."""
        if self._subject is not None and row is not None:
            self._last_row = (self._subject.key, row.id)
        if row is not None and self._table.hasFocus():
            position = self._table.visualRect(self._table.currentIndex())
            at = self._table.viewport().mapTo(self._body, position.center() if position.isValid() else QPoint())
            self._scroll.ensureVisible(0, at.y(), 0, position.height())
        self._fork.show_alternative(row)

    def _keep_edges(self, left: int, right: int) -> None:
        """Count frame and scroll bar as margins, so that the page is aligned with the head above."""
        self._column.setContentsMargins(max(0, MARGIN_PX - left), 0, max(0, MARGIN_PX - right), 0)
        self.edges_changed.emit(right)

    def _ask_fork(self, token: int) -> None:
        if self._fork.is_forkable and self._subject is not None:
            self.fork_wanted.emit(*self._subject.key, token)

    def _ask_text_fork(self, text: str) -> None:
        if self._subject is not None:
            self.text_fork_wanted.emit(*self._subject.key, text)


class SteadyScroll(ScrollColumn):
    """A scroll area that emits `edges_changed` with the widths of its frame and scroll bar at the left and right."""

    edges_changed = Signal(int, int)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        visible = self.viewport().geometry()
        self.edges_changed.emit(visible.left(), self.width() - 1 - visible.right())
