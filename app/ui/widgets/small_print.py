"""A line of small print that is there only while there is something to say."""

from PySide6.QtCore import Qt

from app.ui.look import Colour, Size, Theme, tint
from app.ui.widgets.labels import Prose
from app.ui.widgets.naming import named


class SmallPrint(Prose):
    """Muted, or in the colour of a warning. It quotes what people typed, so it is never markup."""

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
        """Nothing to say hides it."""
        if kind and Colour[kind.upper()] is not self._role:
            self._role = Colour[kind.upper()]
            self._wear()
        self.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))

    def _wear(self) -> None:
        tint(self, self._theme, self._role)
