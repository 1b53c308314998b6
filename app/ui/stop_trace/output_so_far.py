"""What a reader sees after a step, and behind it what is written and kept from them."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy

from app.experiments.stop_trace import Reading
from app.i18n import tr
from app.ui.look import GAP_PX, Colour, Size, Theme, show_lines
from app.ui.stop_trace.words import hexadecimal
from app.ui.tokens.chip import mixed
from app.ui.tokens.words import legible

LAST = 160
"""So many characters of what was let out are enough to see where one is."""
GROUND = 0.25
LINES = 3


class SoFar(QLabel):
    """Let out as it stands, held back underlined on a ground, a stop string struck out, bytes in brackets."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("steps_so_far")
        self._theme = theme
        self._steps: Sequence[Reading] = ()
        self.setFont(theme.font(Size.PROSE))
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        show_lines(theme, self, LINES)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setContentsMargins(GAP_PX, GAP_PX, GAP_PX, GAP_PX)
        theme.changed.connect(self._show)

    def show_steps(self, steps: Sequence[Reading]) -> None:
        """Up to and with the last of these."""
        self._steps = steps
        self._show()

    @Slot()
    def _show(self) -> None:
        if not self._steps:
            self.clear()
            self.setAccessibleName(tr("Nothing yet"))
            return
        last, out = self._steps[-1], "".join(step.shown for step in self._steps)
        begin = "…" if len(out) > LAST else ""
        kept = last.stop or last.held
        self.setText(f"{begin}{_html(out[-LAST:])}{self._kept(kept, bool(last.stop))}{self._bytes(last.waiting)}")
        self.setAccessibleName(_spoken(out[-LAST:], last))

    def _kept(self, text: str, stopped: bool) -> str:
        if not text:
            return ""
        role, line = (Colour.ERROR, "line-through") if stopped else (Colour.MUTED, "underline")
        ground = mixed(self._theme.colour(role), self._theme.colour(Colour.SURFACE), GROUND).name()
        said = _html(legible(text))
        return f'<span style="background-color:{ground}; text-decoration:{line}">{said}</span>'

    def _bytes(self, waiting: bytes) -> str:
        if not waiting:
            return ""
        style = f"color:{self._theme.hex(Colour.MUTED)}; font-size:small"
        return f' <span style="{style}">[{hexadecimal(waiting)} …]</span>'


def _spoken(out: str, last: Reading) -> str:
    parts = [tr("Shown: {text}").format(text=out)]
    if last.stop:
        parts.append(tr("stop string: {text}").format(text=legible(last.stop)))
    elif last.held:
        parts.append(tr("held back: {text}").format(text=legible(last.held)))
    if last.waiting:
        parts.append(tr("bytes waiting: {bytes}").format(bytes=hexadecimal(last.waiting)))
    return ", ".join(parts)


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>").replace("  ", "&nbsp; ")
