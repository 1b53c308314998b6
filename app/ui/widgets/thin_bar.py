"""A thin progress bar in the color of a role."""

from PySide6.QtWidgets import QProgressBar

from app.ui.look import Colour, Theme

STEPS = 1000
HEIGHT_PX = 4


class ThinBar(QProgressBar):
    """A progress bar without text or accessible name; a label beside it has both."""

    def __init__(self, theme: Theme, name: str, role: Colour = Colour.ACCENT, height_px: int = HEIGHT_PX) -> None:
        super().__init__()
        self._theme = theme
        self._role = role
        self._radius_px = height_px // 2
        self.setObjectName(name)
        self.setTextVisible(False)
        self.setFixedHeight(height_px)
        self.setRange(0, STEPS)
        self._wear()
        theme.changed.connect(self._wear)

    def show_share(self, done: int, whole: int, words: str) -> None:
        """Set the filled share, 0 to 1."""
        self.setValue(STEPS * done // whole if whole else 0)
        self.setAccessibleName(words)

    def _wear(self) -> None:
        line, full = self._theme.hex(Colour.LINE), self._theme.hex(self._role)
        self.setStyleSheet(
            f"QProgressBar {{ background: {line}; border: none; border-radius: {self._radius_px}px; }}"
            f"QProgressBar::chunk {{ background: {full}; border-radius: {self._radius_px}px; }}"
        )
