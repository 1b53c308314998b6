"""Finds stop strings and channels in a reply: the text to display, its channel, and the matching stop string."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.engine.types import Channel, ExactPrompt, VisibleText

ROOT = 0


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


class Patterns:
    """An Aho-Corasick automaton. A node's depth is the number of trailing characters that can begin a pattern."""

    __slots__ = ("_edges", "_fail", "beginnings", "depth", "found", "texts")

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(texts)
        self._edges: list[dict[str, int]] = [{}]
        self._fail = [ROOT]
        self.depth = [0]
        self.found: list[int | None] = [None]
        """For each node, the pattern that is complete there: the longest, and the first of equals."""
        self.beginnings = frozenset(text[0] for text in texts if text)
        for which, text in enumerate(texts):
            if text:
                self._plant(text, which)
        self._link()

    def step(self, node: int, character: str) -> int:
        while node != ROOT and character not in self._edges[node]:
            node = self._fail[node]
        return self._edges[node].get(character, ROOT)

    def _plant(self, text: str, which: int) -> None:
        node = ROOT
        for character in text:
            if character not in self._edges[node]:
                self._edges[node][character] = len(self._edges)
                self._edges.append({})
                self._fail.append(ROOT)
                self.depth.append(self.depth[node] + 1)
                self.found.append(None)
            node = self._edges[node][character]
        if self.found[node] is None:
            self.found[node] = which

    def _link(self) -> None:
        """Set the links breadth first: a node's link leads to a shallower node."""
        waiting = deque(self._edges[ROOT].values())
        while waiting:
            node = waiting.popleft()
            if self.found[node] is None:
                self.found[node] = self.found[self._fail[node]]
            for character, child in self._edges[node].items():
                self._fail[child] = self.step(self._fail[node], character)
                waiting.append(child)


NO_PATTERNS = Patterns(())
NO_MARKERS = Markers()
VOICES = frozenset(Channel)


class Scanner:
    """Searches a stream for a set of patterns and holds back only text that can begin one."""

    __slots__ = ("_node", "_patterns", "held")

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._node = ROOT
        self.held = ""

    def read(self, text: str) -> tuple[str, int | None, str]:
        """Return released text, the pattern that matched after it if any, and the rest of `text`."""
        patterns, node = self._patterns, self._node
        if node == ROOT and patterns.beginnings.isdisjoint(text):
            return text, None, ""
        for place, character in enumerate(text, start=1):
            node = patterns.step(node, character)
            which = patterns.found[node]
            if which is not None:
                before = self.held + text[:place]
                self.held, self._node = "", ROOT
                return before[: -len(patterns.texts[which])], which, text[place:]
        self._node = node
        everything = self.held + text
        certain = len(everything) - patterns.depth[node]
        self.held = everything[certain:]
        return everything[:certain], None, ""


class ChannelSplitter:
    """Splits a reply into channels by its markers, which are never shown."""

    __slots__ = ("_edges", "_patterns", "_read", "_scanner", "_state", "_voice")

    def __init__(self, markers: Markers, start: str) -> None:
        self._edges: dict[str, list[Marker]] = {}
        for marker in markers.edges:
            self._edges.setdefault(marker.inside, []).append(marker)
        self._patterns = {state: Patterns([edge.text for edge in edges]) for state, edges in self._edges.items()}
        self._read = 0
        """Number of characters assigned to a channel, without text held back."""
        self._enter(start)

    def count_from(self, place: int) -> None:
        """Set the offset of the next text; negative before the run's own text."""
        self._read = place

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
        self._scanner = Scanner(self._patterns.get(state, NO_PATTERNS))

    def _show(self, text: str) -> list[VisibleText]:
        start = self._read
        self._read += len(text)
        return [VisibleText(self._voice, text, start)] if text and self._voice is not None else []


class ReplyReader:
    """Finds the text to display in a streaming reply. Displayed text is never withdrawn.

    The reply ends before the stop string that is complete first, and before the longest if several are. Stop strings
    are searched in all generated text, in every channel, markers included. The displayed text is the text before it,
    split into channels as if it had ended there.
    """

    __slots__ = ("_finder", "_strings", "_voices", "_written", "stopped")

    def __init__(
        self, stop_strings: Sequence[str], markers: Markers = NO_MARKERS, opens_reasoning: bool = False
    ) -> None:
        self._strings = tuple(stop_strings)
        self._finder = Scanner(Patterns(self._strings))
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
    def may_begin(self) -> tuple[str, ...]:
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
        return joined(shown)

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
        return joined(shown) if len(shown) > 1 else tuple(shown)

    def finish(self) -> tuple[VisibleText, ...]:
        """Release text held back, at the end of the run."""
        if self.stopped is not None:
            return ()
        held, self._finder = self._finder.held, Scanner(NO_PATTERNS)
        return joined([*self._voices.read(held), *self._voices.finish()])


def joined(shown: Iterable[VisibleText]) -> tuple[VisibleText, ...]:
    """Join adjacent pieces of one channel where nothing was left out between them."""
    result: list[VisibleText] = []
    for piece in shown:
        last = result[-1] if result else None
        if last is not None and last.voice is piece.voice and last.start + len(last.text) == piece.start:
            piece = VisibleText(piece.voice, result.pop().text + piece.text, last.start)
        result.append(piece)
    return tuple(result)
