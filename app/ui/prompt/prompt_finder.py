"""What the find bar seeks in the exact prompt: the tokens that hold it are marked, one find after the other shown."""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice

from PySide6.QtCore import QObject, Slot

from app.ui.document.text_finds import MOST, pattern_of
from app.ui.prompt.chips import TokenChips
from app.ui.widgets.find_bar import FindBar


class PromptFinder(QObject):
    """Words may begin in the midst of a token and end in another."""

    def __init__(self, bar: FindBar, tokens: TokenChips) -> None:
        super().__init__(bar)
        self._bar, self._tokens = bar, tokens
        self._found: list[range] = []
        self._at = 0
        self._home: int | None = None
        """How far was scrolled before."""
        bar.sought.connect(self._seek)
        bar.stepped.connect(self._step)
        bar.left.connect(self._leave)

    def look_again(self) -> None:
        """Another prompt may be shown."""
        if self._bar.words:
            self._find()
            self._at = min(self._at, max(0, len(self._found) - 1))
            self._bar.show_count(self._at, len(self._found))

    def _find(self) -> None:
        prompt, words = self._tokens.prompt, self._bar.words
        starts = [start for start, _ in prompt.offsets] if prompt is not None else []
        text = prompt.text if prompt is not None and words else ""
        spans = [match.span() for match in islice(pattern_of(words).finditer(text), MOST)]
        self._found = [
            range(max(0, bisect_right(starts, first) - 1), bisect_right(starts, end - 1)) for first, end in spans
        ]
        self._tokens.mark_found(frozenset(token for each in self._found for token in each))

    @Slot()
    def _seek(self) -> None:
        if self._home is None:
            self._home = self._tokens.verticalScrollBar().value()
        self._find()
        self._at = 0
        self._step(0)

    @Slot(int)
    def _step(self, by: int) -> None:
        count = len(self._found)
        self._at = (self._at + by) % count if count else 0
        self._bar.show_count(self._at, count)
        if count:
            self._tokens.reveal(self._found[self._at].start)

    @Slot()
    def _leave(self) -> None:
        self._tokens.mark_found(frozenset())
        if self._home is not None:
            self._tokens.verticalScrollBar().setValue(self._home)
            self._home = None
