"""Finds stop strings and channels in a reply: the text to display, its channel, and the matching stop string."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.engine.types import Channel, ExactPrompt, VisibleText


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker: in state `inside`, `text` is hidden and changes the state to `then`."""

    inside: str
    text: str
    then: str


@dataclass(frozen=True, slots=True)
class Markers:
    """The markers of a model's channels. A state is a `Channel`, or the name of a header, whose text is never shown."""

    edges: tuple[Marker, ...] = ()
    start: str = Channel.NORMAL

    @classmethod
    def reasoning(cls, start: str, end: str) -> Markers:
        """Build the common case: one pair of tags around the reasoning."""
        return cls((Marker(Channel.NORMAL, start, Channel.REASONING), Marker(Channel.REASONING, end, Channel.NORMAL)))


@dataclass(frozen=True, slots=True)
class StopMatch:
    """The stop string that ended a reply. `at` is its offset in the generated text."""

    text: str
    at: int
    hidden: str
    """Generated text from that offset on: the stop string and the rest of its token."""


NO_MARKERS = Markers()
VOICES = frozenset(Channel)


class Scanner:
    """Searches a stream for a set of patterns and holds back only text that can begin one."""

    __slots__ = ("_beginnings", "_longest", "_patterns", "_sorted", "held")

    def __init__(self, patterns: Sequence[str]) -> None:
        self._patterns = tuple(patterns)
        self._longest = max(map(len, patterns), default=0)
        self._sorted = sorted(patterns)
        self._beginnings = frozenset(each[0] for each in patterns if each)
        self.held = ""

    def read(self, text: str) -> tuple[str, int | None, str]:
        """Return released text, the pattern that matched after it if any, and the rest of `text`.

        Of several patterns the one that ends first matches; of those that end together, the longest.
        """
        if not self.held and self._beginnings.isdisjoint(text):
            return text, None, ""
        everything = self.held + text
        starts = ((everything.find(each), len(each), which) for which, each in enumerate(self._patterns) if each)
        found = [(start + length, start, which) for start, length, which in starts if start >= 0]
        if found:
            self.held = ""
            end, start, which = min(found)
            return everything[:start], which, everything[end:]
        tails = range(max(0, len(everything) - self._longest + 1), len(everything))
        certain = next((at for at in tails if self._may_begin(everything[at:])), len(everything))
        self.held = everything[certain:]
        return everything[:certain], None, ""

    def _may_begin(self, tail: str) -> bool:
        """Return whether a pattern starts with `tail`. If any does, so does the first one not sorted before `tail`."""
        index = bisect_left(self._sorted, tail)
        return index < len(self._sorted) and self._sorted[index].startswith(tail)


class ChannelSplitter:
    """Splits a reply into channels by its markers, which are never shown."""

    __slots__ = ("_edges", "_read", "_scanner", "_state", "_voice")

    def __init__(self, markers: Markers, start: str) -> None:
        self._edges: dict[str, list[Marker]] = {}
        for marker in markers.edges:
            self._edges.setdefault(marker.inside, []).append(marker)
        self._read = 0
        """Number of characters assigned to a channel, without text held back."""
        self._enter(start)

    def count_from(self, index: int) -> None:
        """Set the offset of the next text; negative before the run's own text."""
        self._read = index

    def read(self, text: str) -> list[VisibleText]:
        shown: list[VisibleText] = []
        which: int | None = 0
        while which is not None:
            certain, which, text = self._scanner.read(text)
            shown += self._show(certain)
            if which is not None:
                edge = self._edges[self._state][which]
                self._read += len(edge.text)
                self._enter(edge.then)
        return shown

    @property
    def held(self) -> str:
        return self._scanner.held

    def finish(self) -> list[VisibleText]:
        held, self._scanner.held = self._scanner.held, ""
        return self._show(held)

    def _enter(self, state: str) -> None:
        self._state = state
        self._voice = Channel(state) if state in VOICES else None
        self._scanner = Scanner([edge.text for edge in self._edges.get(state, ())])

    def _show(self, text: str) -> list[VisibleText]:
        start = self._read
        self._read += len(text)
        return [VisibleText(self._voice, text, start)] if text and self._voice is not None else []


class ReplyReader:
    """Finds the text to display in a streaming reply. Displayed text is never withdrawn.

    The reply ends before the stop string that ends first; of those that end together, before the longest. Stop strings
    are searched in all generated text, in every channel, markers included. The displayed text is the text before the
    stop string, split into channels as if the model had stopped there.
    """

    __slots__ = ("_finder", "_strings", "_voices", "_written", "stopped")

    def __init__(
        self, stop_strings: Sequence[str], markers: Markers = NO_MARKERS, opens_reasoning: bool = False
    ) -> None:
        self._strings = tuple(stop_strings)
        self._finder = Scanner(self._strings)
        start = Channel.REASONING if opens_reasoning and markers.start == Channel.NORMAL else markers.start
        self._voices = ChannelSplitter(markers, start)
        self._written = 0
        self.stopped: StopMatch | None = None
        """Set once a stop string matched; nothing is displayed after that."""

    @classmethod
    def behind(cls, prompt: ExactPrompt, stop_strings: Sequence[str], markers: Markers) -> ReplyReader:
        """Create a reader for the text after a prompt. In raw mode the model's markers are text."""
        return cls(stop_strings, NO_MARKERS if prompt.raw else markers, prompt.opens_reasoning)

    @property
    def held(self) -> str:
        """Text held back: the possible beginning of a stop string or a marker."""
        return self._voices.held + self._finder.held

    @property
    def possible_stops(self) -> tuple[str, ...]:
        """The stop strings that may begin at the end of the text."""
        held = self._finder.held
        return tuple(each for each in self._strings if any(held.endswith(each[:size]) for size in range(1, len(each))))

    def resume(self, text: str) -> tuple[VisibleText, ...]:
        """Return the displayed part of a reply prefix. It can't match a stop string."""
        self._voices.count_from(-len(text))
        certain, which, rest = self._finder.read(text)
        shown = self._voices.read(certain)
        while which is not None:
            shown += self._voices.read(self._strings[which])
            certain, which, rest = self._finder.read(rest)
            shown += self._voices.read(certain)
        return merge_texts(shown)

    def read(self, text: str) -> tuple[VisibleText, ...]:
        """Return text that can be displayed after `text` was generated."""
        if self.stopped is not None:
            return ()
        held = len(self._finder.held)
        certain, which, rest = self._finder.read(text)
        shown = self._voices.read(certain)
        if which is not None:
            string = self._strings[which]
            self.stopped = StopMatch(string, self._written - held + len(certain), string + rest)
            shown += self._voices.finish()
        self._written += len(text)
        return merge_texts(shown) if len(shown) > 1 else tuple(shown)

    def finish(self) -> tuple[VisibleText, ...]:
        """Release text held back, at the end of the run."""
        if self.stopped is not None:
            return ()
        held, self._finder = self._finder.held, Scanner(())
        return merge_texts([*self._voices.read(held), *self._voices.finish()])


def merge_texts(shown: Iterable[VisibleText]) -> tuple[VisibleText, ...]:
    """Join adjacent pieces of one channel where nothing was left out between them."""
    result: list[VisibleText] = []
    for piece in shown:
        last = result[-1] if result else None
        if last is not None and last.voice is piece.voice and last.start + len(last.text) == piece.start:
            piece = VisibleText(piece.voice, result.pop().text + piece.text, last.start)
        result.append(piece)
    return tuple(result)
