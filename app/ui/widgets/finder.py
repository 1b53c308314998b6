"""Goes through the finds of whatever is looked through, as the find bar above it asks."""

from typing import Protocol

from PySide6.QtCore import QObject

from app.ui.widgets.find_bar import FindBar


class Finds(Protocol):
    """The places of some words in one view."""

    @property
    def nearest(self) -> int:
        """Which of them comes first from where the reader was."""

    def find(self, words: str) -> int:
        """Mark all there are; no words: none. Tells how many."""

    def show(self, at: int) -> None: ...

    def leave(self) -> None:
        """No marks, and back to where the reader was."""


class Finder(QObject):
    """As long as it is `wanted`: two views may share a bar."""

    def __init__(self, bar: FindBar, finds: Finds, wanted: bool = True) -> None:
        super().__init__(bar)
        self.wanted = wanted
        self._bar, self._finds = bar, finds
        self._at = self._count = 0
        bar.sought.connect(self.seek)
        bar.stepped.connect(self._step)
        bar.left.connect(self._leave)

    def seek(self) -> None:
        """Other words: to the nearest."""
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
