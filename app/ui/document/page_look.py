"""The formats of the transcript's text: what a theme means for headers, prose, code and lines under answers."""

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
)

from app.definitions import meanings
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Colour, Size, Theme

PROSE_LINE_PX = 24
"""At 100 %, from one line to the next, in whatever typeface."""


class PageLook:
    """Formats made once for a theme's present colours; make a new one when they change."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.mono_families = theme.font(Size.NORMAL, mono=True).families()
        self.prose = self.text(Colour.TEXT)
        self.mono = self.text(Colour.TEXT, mono=True)
        # Rounded up: Qt cuts off what is less than a 64th of a pixel.
        line = ceil(1e4 * self.scaled(PROSE_LINE_PX) / QFontMetricsF(theme.font(Size.PROSE)).lineSpacing()) / 100
        self.prose_block = _block(line)
        self.paragraph_block = _block(line, bottom=GAP_PX)
        self.mono_block = _block(100)
        self.token_block = _block(line)
        self.unseen_block = _thin()
        self.code_head_block = _block(100, bottom=GRID_PX)
        self.code_seam_block = _thin()
        self.code_seam_block.setBackground(self.brush(Colour.CODE))
        self.header_block = _block(100, top=MARGIN_PX + GRID_PX, bottom=GRID_PX)
        self.boxed_header_block = _block(100, bottom=GRID_PX)
        self.hidden_header_block = _thin(top=MARGIN_PX)
        self.hidden_header = _hidden()
        self.ending_block = _block(100, top=GAP_PX, bottom=GAP_PX)
        self.ending = self.text(Colour.MUTED, Size.NORMAL)
        self.ending.setToolTip(meanings("finish", "token_count", "elapsed", "speed_mean", "reused"))
        self.code_background = self.brush(Colour.CODE)

    def scaled(self, pixels: int) -> int:
        """Return a length that has to grow with the text."""
        return self._theme.scaled(pixels)

    def text(self, role: Colour, size: Size = Size.PROSE, *, mono: bool = False, bold: bool = False) -> QTextCharFormat:
        """Text in a role's colour."""
        made = QTextCharFormat()
        made.setForeground(self.brush(role))
        made.setProperty(QTextFormat.Property.FontPixelSize, self.scaled(Size.NORMAL if mono else size))
        if mono:
            made.setFontFamilies(self.mono_families)
            made.setFontFixedPitch(True)
        if bold:
            made.setFontWeight(QFont.Weight.DemiBold)
        return made

    def link(self, address: str, size: Size = Size.NORMAL, role: Colour = Colour.ACCENT) -> QTextCharFormat:
        made = self.text(role, size)
        made.setAnchor(True)
        made.setAnchorHref(address)
        return made

    def box(self) -> QTextFrameFormat:
        """Return the box around what the user wrote, which is tinted by whoever paints the page: Qt knows no round
        corners.
        """
        made = _frame(MARGIN_PX)
        # Further from the answer before than from its own.
        made.setTopMargin(2 * MARGIN_PX)
        made.setBottomMargin(MARGIN_PX)
        return made

    def widest(self, text: str, mono: bool) -> float:
        """How wide a text is where no line of it is broken."""
        font = self._theme.font(Size.NORMAL if mono else Size.PROSE, mono=mono)
        metrics = QFontMetricsF(font)
        return max((metrics.horizontalAdvance(line) for line in text.split("\n")), default=0.0)

    def code_frame(self) -> QTextFrameFormat:
        """Return the tinted box around code."""
        made = _frame(GAP_PX)
        made.setBackground(self.code_background)
        return made

    def brush(self, role: Colour) -> QBrush:
        return QBrush(self._theme.colour(role))


def _block(line_percent: float, top: int = 0, bottom: int = 0) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(line_percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    made.setTopMargin(top)
    made.setBottomMargin(bottom)
    return made


def _thin(top: int = 0) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    made.setTopMargin(top)
    return made


def _hidden() -> QTextCharFormat:
    """For whoever hears the page or copies from it: who speaks, which the eye sees by where it stands."""
    made = QTextCharFormat()
    made.setProperty(QTextFormat.Property.FontPixelSize, 1)
    made.setForeground(QBrush(Qt.GlobalColor.transparent))
    return made


def _frame(padding: int) -> QTextFrameFormat:
    made = QTextFrameFormat()
    made.setPadding(padding)
    made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    return made
