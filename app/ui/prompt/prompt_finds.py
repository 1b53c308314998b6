"""Find in the exact prompt; a match may begin and end within tokens."""

from bisect import bisect_right
from itertools import islice

from app.ui.document.text_finds import MOST, pattern_of
from app.ui.tokens.chips import TokenChips


class PromptFinds:
    nearest = 0

    def __init__(self, tokens: TokenChips) -> None:
        self._tokens = tokens
        self._found: list[range] = []
        self._scroll_before: int | None = None
        """Scroll position before the search."""

    def find(self, words: str) -> int:
        prompt = self._tokens.prompt
        if self._scroll_before is None:
            self._scroll_before = self._tokens.verticalScrollBar().value()
        starts = [start for start, _ in prompt.offsets] if prompt is not None else []
        text = prompt.text if prompt is not None and words else ""
        spans = [match.span() for match in islice(pattern_of(words).finditer(text), MOST)]
        self._found = [range(max(0, bisect_right(starts, a) - 1), bisect_right(starts, b - 1)) for a, b in spans]
        self._tokens.mark_found(frozenset(token for each in self._found for token in each))
        return len(self._found)

    def show(self, at: int) -> None:
        self._tokens.reveal(self._found[at].start)

    def leave(self) -> None:
        self.find("")
        home, self._scroll_before = self._scroll_before, None
        self._tokens.verticalScrollBar().setValue(home or 0)
