"""The strip above the prompt: queued prompts of the displayed session, and a run that continues in another one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls import Controls
from app.engine.types import ENDLESS
from app.i18n import tr
from app.records.types import SessionId
from app.state import QueuedPrompt
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, MEASURE_PX, MUTED_ROLE, Color, Size, Theme
from app.ui.widgets import (
    OneLine,
    RoundedFrame,
    ScrollColumn,
    as_tip,
    caption,
    clear_layout,
    icon_button,
    in_column,
    in_row,
    layout_widget,
    named,
    push_button,
    tool_button,
)

MAX_SHOWN = 50
MOST_ROWS, SCROLLED_ROWS = 3, 2.5
"""Up to 3 prompts are shown whole. Of more, 2.5 rows are visible, and the list scrolls."""
EXCERPT = 300
"""Number of characters of a prompt in its line and its tooltip."""
INDENT_PX = 12 * GRID_PX


@dataclass(frozen=True, slots=True)
class QueueView:
    """What the strip shows."""

    queued: tuple[QueuedPrompt, ...] = ()
    """The prompts of the displayed session."""
    elsewhere: int = 0
    """Number of queued prompts of other sessions."""
    held: int = 0
    """Number of prompts that wait for the user; 0 if the queue continues by itself."""
    is_ready: bool = False
    """Whether a held prompt can be sent now; otherwise after the active run."""
    has_model: bool = True
    running: SessionId = 0
    """The session that is running, if another one is displayed."""
    running_title: str = ""


class QueueStrip(QWidget):
    """Hidden if there is nothing to show."""

    session_wanted = Signal(int)
    edit_wanted = Signal(object)
    """The QueuedPrompt."""
    remove_wanted = Signal(object)
    """The QueuedPrompt; None: all."""
    send_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "queue", tr("Queued prompts"))
        self._theme = theme
        self._view = QueueView()
        self._area: ScrollColumn | None = None
        """The scrolling list of prompts; None: they are few, and all are shown."""
        self._column = in_column(on=self, gap=GRID_PX, margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX))
        self.hide()

    def show_queue(self, view: QueueView) -> None:
        if view == self._view:
            return
        has_new, self._view = len(view.queued) > len(self._view.queued), view
        place = self._area.verticalScrollBar().value() if self._area is not None and not has_new else None
        self._area = None
        clear_layout(self._column)
        for line in self._lines(view, place):
            self._column.addWidget(line)
            line.show()  # at once: Qt would show it later, and the strip would flicker
        self.setVisible(self._column.count() > 0)

    def _lines(self, view: QueueView, place: int | None) -> Iterator[QWidget]:
        if view.running:
            yield self._running_line(view)
        cards = [self._card(number, prompt) for number, prompt in enumerate(view.queued[:MAX_SHOWN])]
        yield from cards if len(cards) <= MOST_ROWS else [self._scrolling(cards, place)]
        if more := len(view.queued[MAX_SHOWN:]):
            yield caption(self._theme, tr("%n more prompts are queued", "%n more prompt is queued", more))
        if (more := view.elsewhere) and not view.held:
            words = tr("%n prompts are queued in other sessions", "%n prompt is queued in another session", more)
            yield caption(self._theme, words, name="queue_more")
        if view.held or (view.queued and not view.has_model):
            yield self._held_line(view)

    def _scrolling(self, cards: Sequence[QWidget], place: int | None) -> QWidget:
        """Return the cards in a scroll area, scrolled to a place; None: to the end."""
        area = self._area = ScrollColumn("queued_prompts")
        content = layout_widget(in_column(*cards, gap=GRID_PX))
        area.setWidget(content)
        for ground in (area.viewport(), content):
            ground.setAutoFillBackground(False)
        area.setFixedHeight(round(SCROLLED_ROWS * (cards[0].sizeHint().height() + GRID_PX)))
        bar = area.verticalScrollBar()
        bar.rangeChanged.connect(lambda _, end: bar.setValue(end if place is None else place))
        return area

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Align the strip with the conversation above."""
        super().resizeEvent(event)
        side = max(0, (self.width() - self._theme.scaled(MEASURE_PX)) // 2 - MARGIN_PX)
        self.setContentsMargins(side, 0, side, 0)

    def _running_line(self, view: QueueView) -> QWidget:
        words = tr("A run continues in “{title}”").format(title=view.running_title)
        tip = tr("Show the session that is running")
        show = self._button("show_running", tr("Show"), tip, lambda: self.session_wanted.emit(view.running))
        return self._line("running_elsewhere", words, show)

    def _held_line(self, view: QueueView) -> QWidget:
        tip = tr("Remove the queued prompts of this session")
        if view.elsewhere:
            tip = tr("Remove all queued prompts, also those of other sessions")
        text = tr("Remove all") if view.held > 1 else tr("Remove")
        remove = self._button("remove_queue", text, tip, lambda: self.remove_wanted.emit(None))
        if not view.has_model:
            count = len(view.queued)
            words = tr("%n prompts are sent when a model is open", "%n prompt is sent when a model is open", count)
            return self._line("queue_held", words, remove)
        words = tr("%n prompts are queued", "%n prompt is queued", view.held)
        if view.elsewhere:
            words += ", " + tr("%n of them in other sessions", "%n of them in another session", view.elsewhere)
        tip = tr("Send the queued prompts in their order. The run before them was stopped, failed or calls a tool.")
        text = tr("Send now") if view.is_ready else tr("Send after this run")
        send = self._button("send_queue", text, tip, self.send_wanted.emit)
        return self._line("queue_held", words, send, remove)

    def _line(self, name: str, words: str, *buttons: QWidget) -> QWidget:
        label = named(OneLine(), name, words, as_tip(words), font=self._theme.font(Size.SMALL))
        label.setText(words)
        return layout_widget(in_row((label, 1), *buttons, gap=GAP_PX))

    def _button(self, name: str, text: str, tip: str, press: Callable[[], object]) -> QPushButton:
        return push_button(name, text, tip, kind="small", press=press)

    def _card(self, number: int, prompt: QueuedPrompt) -> QWidget:
        card = RoundedFrame(self._theme, Color.SURFACE, Color.LINE)
        excerpt = prompt.text[:EXCERPT]
        spoken, tip = tr("Queued: {prompt}").format(prompt=excerpt), as_tip(_tip(prompt, excerpt))
        words = named(OneLine(), "queued_prompt", spoken, tip, font=self._theme.font(Size.NORMAL))
        words.setText(" ".join(excerpt.split()))
        words.setForegroundRole(MUTED_ROLE)
        label = caption(self._theme, tr("queued"), tip=tip)
        edit = icon_button(
            self._theme, f"edit_queued_{number}", "edit", tr("Move the prompt back into the field, to edit it")
        )
        edit.clicked.connect(partial(self.edit_wanted.emit, prompt))
        tip = tr("Remove the prompt from the queue")
        remove = tool_button(f"remove_queued_{number}", "✕", tip, tip, kind="remove")
        remove.clicked.connect(partial(self.remove_wanted.emit, prompt))
        for button in (edit, remove):
            button.setAccessibleDescription(spoken)
        in_row((words, 1), label, edit, remove, on=card, gap=GRID_PX, margins=(GRID_PX * 3, 2, GRID_PX, 2))
        return layout_widget(in_row(self._theme.scaled(INDENT_PX), (card, 1), gap=0))


def _tip(prompt: QueuedPrompt, excerpt: str) -> str:
    settings = tr("Sent after the current run, with the settings from when it was queued: {settings}.")
    return f"{excerpt}\n\n{settings.format(settings=', '.join(_settings(prompt.controls)))}"


def _settings(controls: Controls) -> Sequence[str]:
    limit = controls.limits.max_tokens
    return (
        tr("temperature {value}").format(value=f"{controls.sampling.temperature:g}"),
        tr("max tokens {count}").format(count=tr("unlimited") if limit == ENDLESS else limit),
        *((tr("seed {seed}").format(seed=controls.seed),) if controls.seed is not None else ()),
        *((tr("with a system prompt"),) if controls.system.strip() else ()),
    )
