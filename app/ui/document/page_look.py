"""The text formats of the transcript: headers, prose, code and finish lines in the colors of a theme."""

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
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme

PROSE_LINE_PX = 24
"""Line spacing of prose in pixels at 100 % text size, in any typeface."""


class PageLook:
    """The text formats for the current colors of a theme. Make a new one when the colors change."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.mono_families = theme.font(Size.NORMAL, mono=True).families()
        self.prose = self.text(Color.TEXT)
        self.mono = self.text(Color.TEXT, mono=True)
        # Rounded up, since Qt truncates to a 64th of a pixel.
        line = ceil(1e4 * self.scaled(PROSE_LINE_PX) / QFontMetricsF(theme.font(Size.PROSE)).lineSpacing()) / 100
        self.prose_block = _block_format(line)
        self.paragraph_block = _block_format(line, bottom=GAP_PX)
        self.mono_block = _block_format(100)
        self.token_block = _block_format(line)
        self.unseen_block = _thin_block_format()
        self.code_head_block = _block_format(100, bottom=GRID_PX)
        self.code_seam_block = _thin_block_format()
        self.code_seam_block.setBackground(self.brush(Color.CODE))
        self.header_block = _block_format(100, top=MARGIN_PX + GRID_PX, bottom=GRID_PX)
        self.divider_block = _block_format(100, top=MARGIN_PX + GRID_PX)
        whole_line = QTextLength(QTextLength.Type.PercentageLength, 100)
        self.divider_block.setProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth, whole_line)
        self.divider_block.setBackground(self.brush(Color.LINE))  # Qt draws the ruler in this color, and no background
        self.boxed_header_block = _block_format(100, bottom=GRID_PX)
        self.hidden_header_block = _thin_block_format(top=MARGIN_PX)
        self.hidden_header = _hidden_role_format()
        self.ending_block = _block_format(100, top=GAP_PX, bottom=GAP_PX)
        self.ending = self.text(Color.MUTED, Size.NORMAL)
        self.ending.setToolTip(meanings("finish", "token_count", "elapsed", "speed_mean", "reused"))
        self.code_background = self.brush(Color.CODE)

    def scaled(self, pixels: int) -> int:
        return self._theme.scaled(pixels)

    def text(self, role: Color, size: Size = Size.PROSE, *, mono: bool = False, bold: bool = False) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setForeground(self.brush(role))
        made.setProperty(QTextFormat.Property.FontPixelSize, self.scaled(Size.NORMAL if mono else size))
        if mono:
            made.setFontFamilies(self.mono_families)
            made.setFontFixedPitch(True)
        if bold:
            made.setFontWeight(QFont.Weight.DemiBold)
        return made

    def link(self, address: str, size: Size = Size.NORMAL, role: Color = Color.ACCENT) -> QTextCharFormat:
        made = self.text(role, size)
        made.setAnchor(True)
        made.setAnchorHref(address)
        return made

    def box(self) -> QTextFrameFormat:
        """Return the frame of a user turn. The view paints its rounded background, which Qt's frames don't support."""
        made = _frame_format(MARGIN_PX)
        # The distance to the previous answer is larger than to its own answer.
        made.setTopMargin(2 * MARGIN_PX)
        made.setBottomMargin(MARGIN_PX)
        return made

    def unwrapped_width(self, text: str, mono: bool) -> float:
        """Return the width of a text without line wrapping."""
        font = self._theme.font(Size.NORMAL if mono else Size.PROSE, mono=mono)
        metrics = QFontMetricsF(font)
        return max((metrics.horizontalAdvance(line) for line in text.split("\n")), default=0.0)

    def code_frame(self) -> QTextFrameFormat:
        made = _frame_format(GAP_PX)
        made.setBackground(self.code_background)
        return made

    def brush(self, role: Color) -> QBrush:
        return QBrush(self._theme.color(role))


def _block_format(line_percent: float, top: int = 0, bottom: int = 0) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(line_percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    made.setTopMargin(top)
    made.setBottomMargin(bottom)
    return made


def _thin_block_format(top: int = 0) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    made.setTopMargin(top)
    return made


def _hidden_role_format() -> QTextCharFormat:
    """Return the format of an invisible role name, which screen readers and copies contain."""
    made = QTextCharFormat()
    made.setProperty(QTextFormat.Property.FontPixelSize, 1)
    made.setForeground(QBrush(Qt.GlobalColor.transparent))
    return made


def _frame_format(padding: int) -> QTextFrameFormat:
    made = QTextFrameFormat()
    made.setPadding(padding)
    made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    return made
