"""A field for a few lines of text; the Tab key leads out of it."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QPlainTextEdit

from app.ui.look import Theme, show_lines
from app.ui.widgets.naming import named


class ProseField(QPlainTextEdit):
    """As high as so many `lines`; `hint` stands in it while it is empty."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        lines: int,
        spoken: str = "",
        tip: str = "",
        *,
        hint: str = "",
        font: QFont | None = None,
    ) -> None:
        super().__init__(tabChangesFocus=True, placeholderText=hint)
        named(self, name, spoken, tip, font=font)
        show_lines(theme, self, lines)

    def show_text(self, text: str) -> None:
        """Set it, telling nobody; where it stands there already, the cursor and Undo are left alone."""
        if text != self.toPlainText():
            with QSignalBlocker(self):
                self.setPlainText(text)
