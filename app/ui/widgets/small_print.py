"""A line of small print, hidden while it is empty."""

from PySide6.QtCore import Qt

from app.ui.look import Colour, Size, Theme, tint
from app.ui.widgets.labels import Prose
from app.ui.widgets.naming import named


class SmallPrint(Prose):
    """A small label, muted or in the color of a warning. Its text is never markup, since it quotes user input."""

    def __init__(self, theme: Theme, name: str, kind: str = "muted") -> None:
        super().__init__()
        self._theme = theme
        self._role = Colour[kind.upper()]
        named(self, name, font=theme.font(Size.SMALL))
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._wear()
        theme.changed.connect(self._wear)
        self.hide()

    def say(self, words: str, kind: str = "") -> None:
        """Set the text; an empty one hides the line."""
        if kind and Colour[kind.upper()] is not self._role:
            self._role = Colour[kind.upper()]
            self._wear()
        self.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))

    def _wear(self) -> None:
        tint(self, self._theme, self._role)
