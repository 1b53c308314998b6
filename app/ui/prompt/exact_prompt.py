"""The exact prompt: the tokens of the next or the last prompt, its size, search, cached prefix and legend."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QMenu, QSizePolicy, QStackedWidget, QToolButton, QWidget

from app.definitions import meanings
from app.engine.types import ExactPrompt, PromptPart, TokenScores
from app.i18n import tr
from app.ui.document.text_finds import MOST, pattern_of
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, UNLIMITED_PX, Color, Size, Theme, scaled
from app.ui.prompt.cache_words import CacheStatus
from app.ui.tokens.chip_lines import LOOKS, NAMES, ChipStyle, mixed
from app.ui.tokens.chips import TokenChips
from app.ui.tokens.colors import DEFINITIONS, Coloring, Scale
from app.ui.tokens.scale import SWATCH_PX, TokenScale
from app.ui.tokens.words import STALE, summarize_surprisal
from app.ui.widgets import (
    FindBar,
    OneLine,
    SegmentedChoice,
    SmallPrint,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
)
from app.ui.widgets.buttons import opening, tool_button
from app.ui.widgets.find_bar import Finder
from app.ui.widgets.plain_text import copy_text

CACHED = tr("cached")
NEXT, SENT = "next", "sent"
WORDS = {NEXT: tr("Next"), SENT: tr("Sent")}
TIPS = {NEXT: tr("The tokens that Send would pass to the model now"), SENT: tr("The tokens of the last run's prompt")}
EMPTY = {
    NEXT: tr("Type a prompt to see its tokens here."),
    SENT: tr("No prompt was sent yet."),
}
NO_STATUS = CacheStatus()
MAX_CACHE_LINES = 2
"""Maximum lines of text next to the buttons of the cache line."""
SURPRISE_TIP = tr("Run the model once over this prompt and color each token by its surprisal")


class PromptFinds:
    nearest = 0

    def __init__(self, tokens: TokenChips) -> None:
        self._tokens = tokens
        self._found: list[range] = []
        self._scroll_before: int | None = None
        """Scroll position before the search."""

    def find(self, words: str) -> int:
        prompt = self._tokens.prompt
        if self._scroll_before is None:
            self._scroll_before = self._tokens.verticalScrollBar().value()
        starts = [start for start, _ in prompt.offsets] if prompt is not None else []
        text = prompt.text if prompt is not None and words else ""
        spans = [match.span() for match in islice(pattern_of(words).finditer(text), MOST)]
        self._found = [range(max(0, bisect_right(starts, a) - 1), bisect_right(starts, b - 1)) for a, b in spans]
        self._tokens.mark_found(frozenset(token for each in self._found for token in each))
        return len(self._found)

    def show(self, at: int) -> None:
        self._tokens.reveal(self._found[at].start)

    def leave(self) -> None:
        self.find("")
        home, self._scroll_before = self._scroll_before, None
        self._tokens.verticalScrollBar().setValue(home or 0)


class PromptLegend(QStackedWidget):
    """The legend, which wraps only between its entries."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._prompt: ExactPrompt | None = None
        self._reused = False
        self._shows_scale = False
        self._words = named(QLabel(self), "exact_prompt_legend", font=theme.font(Size.SMALL))
        self._words.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, 0)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._summary = plain_label("exact_prompt_surprise_summary", font=theme.font(Size.SMALL), muted=True)
        self._scale = self._make_scale()
        self.addWidget(self._words)
        self.addWidget(self._scale)
        theme.changed.connect(self._show_legend)

    def show_prompt(self, prompt: ExactPrompt | None, reused: bool, scores: TokenScores | None) -> None:
        self._prompt, self._reused, self._shows_scale = prompt, reused, scores is not None
        if scores is not None:
            words = summarize_surprisal(scores)
            self._summary.setText(words)
            self._summary.setAccessibleName(tr("Surprisal of the prompt: {words}").format(words=words))
        self._show_legend()

    def show_pointed(self, words: str) -> None:
        """Show the description of the pointed token, or the legend."""
        if not words:
            self._show_legend()
            return
        # The height stays, so that the token stays below the pointer.
        self.setFixedHeight(self.height())
        self.setCurrentWidget(self._words)
        self._words.setWordWrap(self.height() >= 2 * self._words.fontMetrics().lineSpacing())
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setText(words)

    def _show_legend(self) -> None:
        self.setMinimumHeight(0)
        self.setMaximumHeight(UNLIMITED_PX)
        self.setCurrentWidget(self._scale if self._shows_scale else self._words)
        self._words.setWordWrap(True)
        self._words.setTextFormat(Qt.TextFormat.RichText)
        parts = {span.part for span in self._prompt.spans} if self._prompt is not None else set()
        entries = [self._entry(LOOKS[part], NAMES[part]) for part in PromptPart if part in parts]
        if self._prompt is not None and self._reused:
            mark = f'<u style="color:{self._theme.hex(Color.REUSED)}">&nbsp;&nbsp;&nbsp;</u>'
            entries.append(f'{mark}<span style="white-space:nowrap"> {CACHED}</span>')
        self._words.setText("&nbsp;&nbsp;&nbsp; ".join(entries) or "&nbsp;")

    def _make_scale(self) -> QWidget:
        """Make the color scale of surprisal, with the mean and total of the prompt."""
        scale = TokenScale(self._theme)
        scale.setObjectName("exact_prompt_scale")
        scaled(self._theme, scale, QWidget.setFixedHeight, SWATCH_PX)
        scale.show_scale(Scale(Coloring.SURPRISE))
        key = layout_widget(in_row((scale, 1), self._summary, margins=(MARGIN_PX, 0, MARGIN_PX, 0)))
        key.setToolTip(DEFINITIONS[Coloring.SURPRISE])
        return key

    def _entry(self, look: ChipStyle, name: str) -> str:
        ground = mixed(self._theme.color(look.ground), self._theme.color(Color.RAISED), look.opacity).name()
        style = f"color:{self._theme.hex(look.text)}; background-color:{ground}; white-space:nowrap"
        return f'<span style="{style}">&nbsp;{name}&nbsp;</span>'


@dataclass(frozen=True, slots=True)
class ShownPrompt:
    """A prompt to show, or the text `words` in its place."""

    prompt: ExactPrompt | None = None
    reused: int = 0
    context: int | None = None
    words: str = ""
    remark: str = ""
    cache: CacheStatus = NO_STATUS


class CacheLine(QWidget):
    """The line about the cached prefix, with buttons."""

    def __init__(
        self,
        theme: Theme,
        reveal: Callable[[], None],
        argument: SignalInstance,
        compare: SignalInstance,
        measure: SignalInstance,
    ) -> None:
        super().__init__()
        self._words = SmallPrint(theme, "cache_words", "text")
        self._words.setToolTip(meanings("reused", "new"))
        tip = tr("Show the first token that isn't cached")
        self._reveal = push_button("reveal_difference", tr("Show it"), tip, kind="small", press=reveal)
        tip = tr("Set the template argument that keeps earlier turns cached")
        self._argument = push_button("set_argument", tr("Set the argument"), tip, kind="small", press=argument)
        tip = tr("Repeat the last run without the cache. The conversation doesn't change")
        self._compare = push_button("compare_reuse", tr("Rerun without cache"), tip, kind="small", press=compare)
        tip = tr("Measure several runs with and without the cache")
        self._measure = push_button("measure_reuse", tr("Measure…"), tip, kind="small", press=measure)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(GAP_PX)
        self._line.addWidget(self._words, 1)
        buttons = (self._reveal, self._argument, self._compare, self._measure)
        self._buttons = in_row(*((each, 0, Qt.AlignmentFlag.AlignTop) for each in buttons), ...)
        self._line.addLayout(self._buttons)
        self.show_status(CacheStatus())

    def show_status(self, status: CacheStatus) -> None:
        self._words.say(status.words)
        if status.token is not None:
            self._reveal.setText(tr("Show token {number}").format(number=f"{status.token + 1:,}"))
            self._reveal.setAccessibleName(self._reveal.text())
        self._reveal.setVisible(status.token is not None)
        self._argument.setText(tr("Set {name}").format(name=status.argument))
        self._argument.setAccessibleName(self._argument.text())
        self._argument.setVisible(bool(status.argument))
        for button in (self._compare, self._measure):
            button.setVisible(status.comparable)
        self.setVisible(bool(status.words))
        self._arrange()

    def _arrange(self) -> None:
        words = self._words.fontMetrics().horizontalAdvance(self._words.text())
        room = self.contentsRect().width() - self._buttons.sizeHint().width() - GAP_PX
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._line.setDirection(across if words <= MAX_CACHE_LINES * room else down)

    def minimumSizeHint(self) -> QSize:
        """Return the width of the buttons, which are below the text in a narrow pane."""
        least = super().minimumSizeHint()
        around = self.width() - self.contentsRect().width()
        return QSize(min(least.width(), self._buttons.minimumSize().width() + around), least.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


class ExactPromptPane(QWidget):
    source_chosen = Signal(str)
    """NEXT or SENT."""
    surprise_wanted = Signal(object)
    """The token ids of the prompt, as tuple[int, ...]."""
    comparison_wanted = Signal()
    """The user wants to repeat the last run without the cache."""
    argument_wanted = Signal()
    """The user wants to set the template argument that avoids a repeated prefill."""
    template_wanted = Signal()
    measure_wanted = Signal()
    """The user wants an experiment that compares runs with and without the cache."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "exact_prompt", tr("Exact prompt"))
        self._theme = theme
        self._reading = ShownPrompt()
        self._source = SegmentedChoice("exact_prompt_source", tr("Prompt"), WORDS, TIPS)
        self._count = named(OneLine(), "exact_prompt_count", font=theme.font(Size.NORMAL))
        self._count.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        tip = tr("Show whitespace and control characters")
        self._spaces = tool_button("exact_prompt_spaces", tr("Spaces"), tip, kind="small")
        self._spaces.setCheckable(True)
        self._surprise = tool_button("exact_prompt_surprise", tr("Surprisal"), SURPRISE_TIP, kind="small")
        self._surprise.setCheckable(True)
        self._template = QAction(tr("Chat Template…"), self)
        self._template.setObjectName("exact_prompt_template")
        self._template.triggered.connect(self.template_wanted)
        self._scores: TokenScores | None = None
        self._stale = False
        self._ready = False
        self.tokens = TokenChips(theme, "exact_prompt_tokens", tr("Tokens of the exact prompt"))
        self._find = FindBar(theme, "exact_prompt", tr("Find in the exact prompt"))
        self._finder = Finder(self._find, PromptFinds(self.tokens))
        self._words = plain_label("exact_prompt_words", muted=True, wraps=True)
        self._pages = QStackedWidget()
        self._foot = PromptLegend(theme)
        self._notes = SmallPrint(theme, "exact_prompt_notes")
        self._cache = CacheLine(theme, self._reveal, self.argument_wanted, self.comparison_wanted, self.measure_wanted)
        self._lay_out()
        self._source.chosen.connect(self.source_chosen)
        self._surprise.toggled.connect(self._toggle_surprise)
        self._spaces.toggled.connect(self.tokens.set_whitespace)
        self.tokens.pointed.connect(self._foot.show_pointed)
        self.show_reading(NEXT, ShownPrompt())

    @property
    def source(self) -> str:
        return self._source.choice

    def show_reading(self, source: str, reading: ShownPrompt) -> None:
        self._reading = reading
        self._source.show_choice(source)
        prompt = reading.prompt
        self.tokens.show_prompt(prompt, reading.reused)
        self._finder.look_again()
        self._words.setText(reading.words or EMPTY[source])
        self._pages.setCurrentWidget(self._words if prompt is None else self.tokens)
        self._cache.show_status(reading.cache)
        size = _size(reading)
        self._count.setText(size)
        self._count.setToolTip(f"{size}\n{meanings('prompt_tokens', 'context')}")
        self._count.setAccessibleName(tr("Size of the prompt: {size}").format(size=size or tr("nothing yet")))
        self._stale = self._drop_stale()
        self._show_surprise()

    def allow_sent(self, allowed: bool) -> None:
        self._source.allow(SENT, allowed)

    def show_token_scores(self, scores: TokenScores) -> None:
        """Color the tokens by surprisal if this prompt is still shown."""
        self._scores = scores
        self._stale = self._drop_stale()
        self._show_surprise()

    def drop_surprise(self) -> None:
        self._scores, self._stale = None, False
        self._surprise.setChecked(False)
        self._show_surprise()

    def allow_template(self, allowed: bool) -> None:
        self._template.setEnabled(allowed)

    def allow_surprise(self, ready: bool) -> None:
        self._ready = ready
        self._surprise.setEnabled(ready and self._reading.prompt is not None)

    def _drop_stale(self) -> bool:
        """Remove the colors of another prompt. Return True if a note about it is needed."""
        prompt = self._reading.prompt
        if not self._surprise.isChecked() or self._scores is None:
            return self._stale
        if prompt is not None and prompt.ids == self._scores.ids:
            return False
        self._scores = None
        self._surprise.setChecked(False)
        return True

    def _show_surprise(self) -> None:
        scores = self._scores if self._surprise.isChecked() else None
        self.tokens.show_weights(scores.weights if scores is not None else ())
        self.allow_surprise(self._ready)
        notes = self._reading.prompt.notes if self._reading.prompt is not None else ()
        self._notes.say(" ".join(filter(None, (self._reading.remark, STALE if self._stale else "", *notes))))
        self._foot.show_prompt(self._reading.prompt, bool(self._reading.reused), scores)

    def _toggle_surprise(self) -> None:
        prompt, self._stale = self._reading.prompt, False
        known = self._scores is not None and prompt is not None and prompt.ids == self._scores.ids
        if self._surprise.isChecked() and prompt is not None and not known:
            self._scores = None
            self.surprise_wanted.emit(prompt.ids)
        self._show_surprise()

    def _lay_out(self) -> None:
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words.setMargin(MARGIN_PX)
        self._pages.addWidget(self._words)
        self._pages.addWidget(self.tokens)
        self._notes.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, 0)
        self._cache.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, 0)
        which = in_row(self._source, (self._count, 1))
        tools = in_row(self._surprise, self._spaces, self._copy_button(), ...)
        in_column(
            in_column(which, tools, gap=GRID_PX, margins=(MARGIN_PX, 0, MARGIN_PX, 0)),
            self._find,
            (self._pages, 1),
            self._cache,
            self._notes,
            self._foot,
            on=self,
            gap=GRID_PX,
            margins=(0, GRID_PX, 0, GAP_PX),
        )

    def _copy_button(self) -> QToolButton:
        tip = tr("Copy the prompt text or its token ids, or view the chat template")
        button = tool_button("copy_exact_prompt", tr("Copy ▾"), tip, tr("Copy"), kind="small")
        menu = QMenu(button)
        menu.addAction(tr("Copy Text"), self._copy_text).setObjectName("copy_exact_text")
        menu.addAction(tr("Copy Ids"), self._copy_ids).setObjectName("copy_exact_ids")
        menu.addSeparator()
        menu.addAction(self._template)
        self.tokens.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.tokens.addActions(menu.actions())
        return opening(button, menu)

    def _copy_text(self) -> None:
        if self._reading.prompt is not None:
            copy_text(self._reading.prompt.text)

    def _copy_ids(self) -> None:
        if self._reading.prompt is not None:
            copy_text(" ".join(map(str, self._reading.prompt.ids)))

    def _reveal(self) -> None:
        if self._reading.cache.token is not None:
            self.tokens.setFocus()
            self.tokens.reveal(self._reading.cache.token)

    def minimumSizeHint(self) -> QSize:
        """Include the height of wrapped lines, which a splitter doesn't ask for."""
        least, inside = super().minimumSizeHint(), self.layout()
        return least if inside is None else least.expandedTo(QSize(0, inside.minimumHeightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


def _size(reading: ShownPrompt) -> str:
    if reading.prompt is None:
        return ""
    length, context = len(reading.prompt.ids), reading.context
    if context is None:
        return tr("%n tokens", "%n token", length)
    return tr("{length} of {context} tokens").format(length=f"{length:,}", context=f"{context:,}")
