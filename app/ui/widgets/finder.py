"""Connects a find bar with a view that finds and shows matches."""

from typing import Protocol

from PySide6.QtCore import QObject

from app.ui.widgets.find_bar import FindBar


class Finds(Protocol):
    """A view that can be searched."""

    @property
    def nearest(self) -> int:
        """The index of the first match after the reading position."""

    def find(self, words: str) -> int:
        """Mark all matches and return their number; an empty text has none."""

    def show(self, at: int) -> None: ...

    def leave(self) -> None:
        """Remove the marks and restore the reading position."""


class Finder(QObject):
    """Steps through the matches while it is `wanted`, since two views may share a bar."""

    def __init__(self, bar: FindBar, finds: Finds, wanted: bool = True) -> None:
        super().__init__(bar)
        self.wanted = wanted
        self._bar, self._finds = bar, finds
        self._at = self._count = 0
        bar.sought.connect(self.seek)
        bar.stepped.connect(self._step)
        bar.left.connect(self._leave)

    def seek(self) -> None:
        """Search for a changed text, and show the nearest match."""
        if self.wanted:
            self._count = self._finds.find(self._bar.words)
            self._at = self._finds.nearest
            self._step(0)

    def look_again(self) -> None:
        """Search for the same words in a changed text, without moving."""
        if self.wanted and self._bar.words:
            self._count = self._finds.find(self._bar.words)
            self._bar.show_count(min(self._at, max(0, self._count - 1)), self._count)

    def _step(self, by: int) -> None:
        if self.wanted:
            self._at = (self._at + by) % max(1, self._count)
            self._bar.show_count(self._at, self._count)
            if self._count:
                self._finds.show(self._at)

    def _leave(self) -> None:
        if self.wanted:
            self._finds.leave()
