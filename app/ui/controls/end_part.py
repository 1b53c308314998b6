"""When a run ends: max tokens, stop strings, stop tokens, the reasoning budget; and the stream interval."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QPointF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from app.definitions import meaning
from app.engine.catalogue import SETTINGS
from app.engine.ranges import LONGEST_STRING, MOST_ITEMS, RANGES, clamped_strings
from app.engine.types import AT_THE_END, ENDLESS, Limits
from app.i18n import tr
from app.ui.controls.number_rows import row_for
from app.ui.controls.token_list import EndTokens
from app.ui.look import GRID_PX, Color, Theme, scaled
from app.ui.widgets import (
    ChoiceBox,
    FieldRow,
    ProseField,
    SmallPrint,
    WholeField,
    in_column,
    in_row,
    layout_widget,
    named,
)
from app.ui.widgets.escapes import read_lines, unknown_escape, visible, written_lines

NO_LIMIT = 0
LARGEST_LIMIT = int(RANGES["max_tokens"].maximum)
ALLOWED = tr("From 1 to 1,000,000; 0: until the context window is full.")
LINES_SHOWN = 3
LINES = tr("One per line. Escapes: \\n \\t \\r \\\\")
EACH, EVERY, END = "each", "every", "end"
INTERVALS = {EACH: tr("Every token"), EVERY: tr("Interval"), END: tr("Only at the end")}
FIRST_INTERVAL = 8
FIELD_PX = 72
STEPS_PER_DOUBLING = 4
LEAST = 1
MOST = 32_768
MARK_PX = 4


@dataclass(frozen=True, slots=True)
class FreeTokens:
    """How many more tokens fit into the context and into memory; None: not known, or without a limit."""

    context: int | None = None
    memory: int | None = None
    longest: int | None = None
    """The length of the whole context window."""
    without_conversation: bool = True
    """Whether the tokens of the conversation are subtracted; another model's tokenizer counts other ones."""

    @property
    def least(self) -> int | None:
        """The smaller of the two that are known."""
        return min((number for number in (self.context, self.memory) if number is not None), default=None)


class LengthPart(QWidget):
    """Max tokens: a number and a slider, with a mark for what fits. `edited` carries the limit."""

    edited = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        setting = SETTINGS["max_tokens"]
        self._limit = WholeField("max_tokens", replace(RANGES["max_tokens"], besides=NO_LIMIT), tr("No limit"))
        self._limit.setAccessibleName(setting.words)
        row = FieldRow(theme, tr("Max tokens"), f"{setting.meaning}\n{ALLOWED}", self._limit)
        marks = tr("The mark shows the largest value that fits into the context window and memory.")
        tip = "\n".join((setting.meaning, ALLOWED, marks))
        self._slider = named(LimitSlider(theme), "max_tokens_slider", tr("Max tokens, approximate"), tip)
        self._note = SmallPrint(theme, "max_tokens_room")
        self._note.setToolTip(meaning("room"))
        self._free = FreeTokens()
        in_column(row, self._slider, self._note, on=self, gap=0)
        self._limit.refused.connect(row.refuse)
        self._limit.chosen.connect(self._emit)
        self._slider.chosen.connect(self._emit)

    def show_limit(self, limit: int) -> None:
        """Set the value without a signal."""
        self._limit.show_value(NO_LIMIT if limit == ENDLESS else limit)
        self._slider.show_number(LARGEST_LIMIT if limit == ENDLESS else limit)
        self._show_note()

    def show_free(self, free: FreeTokens) -> None:
        """Show what fits into context and memory, as a mark on the slider and as text."""
        if free == self._free:
            return
        self._free = free
        self._slider.mark(() if free.least is None else (free.least,), free.longest or 0)
        self._slider.show_number(self._limit.value() or LARGEST_LIMIT)
        self._show_note()

    def _show_note(self) -> None:
        text, least = free_text(self._free), self._free.least
        if least is not None and self._limit.value() > least:
            self._note.say(tr("{room}: a run ends there, before max tokens.").format(room=text), "warning")
        else:
            self._note.say(text, "muted")

    def _emit(self, limit: int) -> None:
        self.edited.emit(ENDLESS if limit == NO_LIMIT else limit)


def free_text(free: FreeTokens) -> str:
    """Describe how many tokens fit into context and memory, whichever is less."""
    if free.least is None:
        return ""
    if free.least == free.context and not free.without_conversation:
        words = tr("{context} tokens in the context window, for the conversation and the answer")
        return words.format(context=f"{free.context:,}")
    if free.least == free.context:
        return tr("{context} tokens fit into the context window").format(context=f"{free.context:,}")
    return tr("About {memory} tokens fit into memory").format(memory=f"{rounded(free.least):,}")


def rounded(number: int) -> int:
    """Round to two digits, since the free memory isn't known more exactly."""
    step: int = 10 ** max(0, len(str(number)) - 2)
    return number // step * step


class EndPart(QWidget):
    """The section End. `edited` carries a setting's name and its new value."""

    edited = Signal(str, object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._strings = ProseField(theme, "stop_strings", LINES_SHOWN, hint=tr("One per line; \\n is a newline"))
        self._strings_row = row_for(theme, "stop_strings", self._strings, LINES, below=True)
        self._strings_note = SmallPrint(theme, "stop_strings_read")
        self.tokens = EndTokens(theme)
        self._budget = WholeField("think_budget", RANGES["think_budget"], tr("No limit"))
        self._budget.setSuffix(tr(" tokens"))
        tip = tr("0: no reasoning. One step below 0: no limit.")
        self._budget_row = row_for(theme, "think_budget", self._budget, tip)
        setting = SETTINGS["interval"]
        self._interval = ChoiceBox("stream_interval", setting.words, setting.meaning, INTERVALS)
        self._every = WholeField("stream_every", replace(RANGES["interval"], minimum=2, neutral=2))
        named(self._every, "", tr("Tokens at a time"), setting.meaning)
        scaled(theme, self._every, QWidget.setFixedWidth, FIELD_PX)
        editor = layout_widget(in_row((self._interval, 1), self._every, gap=GRID_PX))
        editor.setObjectName("interval")
        interval_row = row_for(theme, "interval", editor, below=True)
        strings = in_column(self._strings_row, self._strings_note, gap=GRID_PX)
        in_column(strings, self.tokens, self._budget_row, interval_row, on=self)
        self._strings.textChanged.connect(self._on_strings_edited)
        self.tokens.edited.connect(partial(self.edited.emit, "stop_ids"))
        self._budget.refused.connect(self._budget_row.refuse)
        self._budget.chosen.connect(partial(self.edited.emit, "think_budget"))
        self._interval.currentIndexChanged.connect(self._on_interval_chosen)
        self._every.refused.connect(interval_row.refuse)
        self._every.chosen.connect(partial(self.edited.emit, "interval"))

    def refuse(self, refusals: Mapping[str, str]) -> None:
        """Show the reasons for settings that this model refuses."""
        why = refusals.get("ids", "")
        self.tokens.setEnabled(not why)
        self.tokens.setToolTip(why)
        why = refusals.get("think_budget", "")
        self._budget_row.grey(why)
        self._budget_row.refuse(why if self._budget.value() != ENDLESS else "", "warning")

    def show_values(self, limits: Limits, interval: int) -> None:
        """Set all values without a signal; equal stop strings leave the typed text unchanged."""
        if _clamped(self._strings.toPlainText()) != limits.stop_strings:
            self._strings.show_text(written_lines(limits.stop_strings))
        self._explain_strings(limits.stop_strings)
        self.tokens.show_tokens(limits.stop_ids)
        self._budget.show_value(limits.think_budget)
        kind = {AT_THE_END: END, 1: EACH}.get(interval, EVERY)
        self._interval.show_value(kind)
        self._every.setVisible(kind == EVERY)
        if kind == EVERY:
            self._every.show_value(interval)

    def _explain_strings(self, strings: tuple[str, ...]) -> None:
        self._strings_row.refuse(strings_warning(self._strings.toPlainText()))
        has_blanks = any(string != string.strip() for string in strings)
        self._strings_note.say(tr("Stops at {strings}").format(strings=listed(strings)) if has_blanks else "")

    def _on_strings_edited(self) -> None:
        strings = _clamped(self._strings.toPlainText())
        self._explain_strings(strings)
        self.edited.emit("stop_strings", strings)

    def _on_interval_chosen(self) -> None:
        numbers = {EACH: 1, EVERY: max(FIRST_INTERVAL, self._every.value()), END: AT_THE_END}
        self.edited.emit("interval", numbers[self._interval.currentData()])


def _clamped(text: str) -> tuple[str, ...]:
    """Return the strings, limited in number and length."""
    return clamped_strings(read_lines(text))


def strings_warning(text: str) -> str:
    """Return a warning about a typed list; empty for none."""
    if escape := unknown_escape(text):
        words = tr("“{escape}” is no escape sequence, so it is taken literally; a backslash is \\\\.")
        return words.format(escape=escape)
    if _clamped(text) != read_lines(text):
        words = tr("At most {most} stop strings of {longest} characters are allowed; others are ignored.")
        return words.format(longest=f"{LONGEST_STRING:,}", most=f"{MOST_ITEMS:,}")
    twice = [string for string, times in Counter(read_lines(text)).items() if times > 1]
    return tr("“{string}” is listed twice.").format(string=visible(twice[0])) if twice else ""


def listed(strings: tuple[str, ...]) -> str:
    """Format strings for a sentence, with visible whitespace."""
    return ", ".join(f"“{visible(string)}”" for string in strings) if strings else tr("none")


class LimitSlider(QSlider):
    """A logarithmic slider. `chosen` is emitted when the user moves it."""

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self._most = MOST
        self._marks: tuple[int, ...] = ()
        self.setRange(0, _step(MOST))
        self.setPageStep(STEPS_PER_DOUBLING)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._tell)

    def show_number(self, number: int) -> None:
        """Move to the nearest step without a signal; a number beyond the end is shown at the end."""
        with QSignalBlocker(self):
            self.setValue(_step(min(max(number, LEAST), self._most)))

    def mark(self, numbers: tuple[int, ...], most: int) -> None:
        """Set marks at these numbers, and extend the scale to `most` if that is beyond the usual end."""
        self._marks, self._most = tuple(number for number in numbers if number >= LEAST), max(most, MOST)
        with QSignalBlocker(self):
            self.setMaximum(_step(self._most))
        self.update()

    def _tell(self, step: int) -> None:
        self.chosen.emit(max(LEAST, round(LEAST * 2 ** (step / STEPS_PER_DOUBLING))))

    def _place(self, number: int) -> float:
        """Return the x coordinate of the handle's center for a number."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, option, self)
        share = math.log2(min(number, self._most) / LEAST) / math.log2(self._most / LEAST)
        return handle / 2 + share * (self.width() - handle)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for number in self._marks:
            beyond = self.value() > _step(number)
            painter.setBrush(self._theme.color(Color.WARNING if beyond else Color.MUTED))
            tip = QPointF(self._place(number), self.height() - MARK_PX - 1)
            feet = (QPointF(-MARK_PX, MARK_PX), QPointF(MARK_PX, MARK_PX))
            painter.drawPolygon(QPolygonF([tip, tip + feet[0], tip + feet[1]]))


def _step(number: int) -> int:
    return round(math.log2(number / LEAST) * STEPS_PER_DOUBLING)
