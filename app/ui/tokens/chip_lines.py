"""A prompt's chips: their painting, and their layout in lines, computed in steps."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.engine.types import ExactPrompt, PromptPart
from app.i18n import tr
from app.ui.look import Color, Theme

SPACE_PX = 2
"""Distance between two chips in pixels."""
PADDING_PX = 2
BAND_PX = 2
RADIUS_PX = 3
SHADE = 0.13
NAMES = {
    PromptPart.SPECIAL: tr("special token"),
    PromptPart.TEMPLATE: tr("template"),
    PromptPart.SYSTEM: tr("system prompt"),
    PromptPart.USER: tr("your text"),
    PromptPart.MODEL: tr("the model's text"),
}
NEWLINE, TAB, SPACE = "⏎", "⇥", "·"
CONTINUED = "…"
"""Text of a token that continues the previous token's character."""
STEP_TOKENS = 256
Measure = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class ChipStyle:
    """The colors and the border of the chips of one prompt part."""

    text: Color
    ground: Color
    opacity: float
    border: bool = False


LOOKS: dict[PromptPart, ChipStyle] = {
    PromptPart.SPECIAL: ChipStyle(Color.KEYWORD, Color.KEYWORD, 0.12, border=True),
    PromptPart.TEMPLATE: ChipStyle(Color.MUTED, Color.RAISED, 1.0, border=True),
    PromptPart.SYSTEM: ChipStyle(Color.TEXT, Color.DECODE, 0.14),
    PromptPart.USER: ChipStyle(Color.TEXT, Color.ACCENT, 0.12),
    PromptPart.MODEL: ChipStyle(Color.MODEL, Color.SURFACE, 1.0, border=True),
}
GROUNDED = ChipStyle(Color.TEXT, Color.SURFACE, 1.0)


def mixed(over: QColor, under: QColor, opacity: float) -> QColor:
    """Return one color over another with this opacity."""
    pairs = zip((over.red(), over.green(), over.blue()), (under.red(), under.green(), under.blue()), strict=True)
    return QColor(*(round(opacity * one + (1 - opacity) * other) for one, other in pairs))


def paint_chip(
    painter: QPainter,
    position: QRectF,
    text: str,
    part: PromptPart,
    theme: Theme,
    *,
    cached: bool,
    chosen: bool,
    background: QColor | None,
) -> None:
    """Paint a chip. The shade and band of cached ones reach to the next chip. `background`: instead of the part's."""
    look = LOOKS[part] if background is None else GROUNDED
    if chosen or look.border:
        painter.setPen(QPen(theme.color(Color.ACCENT if chosen else Color.LINE), 1))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(look.ground, look.opacity) if background is None else background)
    painter.drawRoundedRect(position.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_PX, RADIUS_PX)
    if cached and background is None:
        painter.fillRect(position.adjusted(0, 0, SPACE_PX, 0), theme.color(Color.REUSED, SHADE))
        band = QRectF(position.left(), position.bottom() - BAND_PX, position.width() + SPACE_PX, BAND_PX)
        painter.fillRect(band, theme.color(Color.REUSED))
    painter.setPen(theme.color(look.text))
    inside = position.adjusted(PADDING_PX, 0, 0, 0)
    painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)


class ChipLines:
    """The lines of a prompt at one width. `measure` returns the width of a chip with some text."""

    def __init__(self, prompt: ExactPrompt, width: float, measure: Measure, whitespace: bool = False) -> None:
        self.prompt = prompt
        self.width = width
        self.whitespace = whitespace
        self._measure = measure
        self._starts = [0]
        """The first token of each line."""
        self._next = 0
        self._left = 0.0
        self._span_starts = [span.start for span in prompt.spans]

    @property
    def is_done(self) -> bool:
        return self._next >= len(self.prompt.ids)

    def __len__(self) -> int:
        return len(self._starts)

    def reuse_lines(self, other: ChipLines) -> None:
        """Copy the lines of the tokens that both prompts begin with."""
        if (other.width, other.whitespace) != (self.width, self.whitespace):
            return
        same = min(common_tokens(self.prompt, other.prompt), other._next)
        lines = bisect_right(other._starts, max(0, same - 1)) - 1
        self._starts = other._starts[: lines + 1]
        self._next = self._starts[-1]

    def extend(self, enough: Callable[[], bool]) -> None:
        """Lay out tokens until all are done or `enough`, which is called after each step."""
        while not self.is_done:
            self._extend(min(self._next + STEP_TOKENS, len(self.prompt.ids)))
            if enough():
                return

    def _extend(self, end: int) -> None:
        measure, starts, left, width = self._measure, self._starts, self._left, self.width
        for index in range(self._next, end):
            text = self.text(index)
            wide = measure(text)
            if left and left + wide > width:
                starts.append(index)
                left = 0.0
            left += wide
            if NEWLINE in text:
                if index + 1 < len(self.prompt.ids):
                    starts.append(index + 1)
                left = 0.0
        self._next, self._left = end, left

    def tokens(self, line: int) -> range:
        end = self._starts[line + 1] if line + 1 < len(self._starts) else self._next
        return range(self._starts[line], end)

    def line_of(self, token: int) -> int:
        return bisect_right(self._starts, token) - 1

    def text(self, token: int) -> str:
        start, end = self.prompt.offsets[token]
        if token and start < self.prompt.offsets[token - 1][1]:
            start = self.prompt.offsets[token - 1][1]
            if start >= end:
                return CONTINUED
        text = self.prompt.text[start:end]
        return text if text.isascii() and text.isalnum() else shown(text, self.whitespace)

    def part(self, token: int) -> PromptPart:
        """Return the part of a token's first character."""
        start, end = self.prompt.offsets[token]
        if not self.prompt.spans:
            return PromptPart.TEMPLATE
        found = self.prompt.spans[max(0, bisect_right(self._span_starts, start) - 1)]
        # A space before a word is part of its token, but often of the template's text.
        if found.part is PromptPart.TEMPLATE and found.end < end:
            following = bisect_left(self._span_starts, found.end)
            found = self.prompt.spans[min(following, len(self.prompt.spans) - 1)]
        return found.part


def shown(text: str, whitespace: bool) -> str:
    """Make line ends visible, and with `whitespace` all invisible characters."""
    if whitespace:
        return "".join(map(_visible, text)) or CONTINUED
    return text.replace("\r", NEWLINE).replace("\n", NEWLINE).replace("\t", TAB) or CONTINUED


def _visible(character: str) -> str:
    if character in "\r\n":
        return NEWLINE
    if character == "\t":
        return TAB
    if character == " ":
        return SPACE
    if unicodedata.category(character) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Co", "Cn"):
        return f"‹{ord(character):04X}›"
    return character


def common_tokens(one: ExactPrompt, other: ExactPrompt) -> int:
    """Return the number of tokens, with equal ids and texts, that two prompts begin with."""
    low, high = 0, min(len(one.ids), len(other.ids))
    while low < high:
        middle = (low + high + 1) // 2
        if one.ids[low:middle] == other.ids[low:middle]:
            low = middle
        else:
            high = middle - 1
    end = one.offsets[low - 1][1] if low else 0
    return low if one.text[:end] == other.text[:end] and one.offsets[:low] == other.offsets[:low] else 0
