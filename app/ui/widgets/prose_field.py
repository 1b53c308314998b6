"""A field for a few lines of text, which the Tab key leaves."""

from PySide6.QtGui import QFont

from app.ui.look import Theme, show_lines
from app.ui.widgets.naming import named
from app.ui.widgets.plain_text import PlainText


class ProseField(PlainText):
    """A text field `lines` high; `hint` is its placeholder."""

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
