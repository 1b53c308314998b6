"""Stop strings and voices: what of a reply may be shown, in which voice, and where it said a stop string."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.engine.types import Channel, ExactPrompt, VisibleText

ROOT = 0


@dataclass(frozen=True, slots=True)
class Marker:
    """While the model is in state `inside`, `text` is not shown and leads over to state `then`."""

    inside: str
    text: str
    then: str


@dataclass(frozen=True, slots=True)
class Markers:
    """How a model marks its channels. A state is a `Channel`, or the name of a header, whose text is never shown."""

    edges: tuple[Marker, ...] = ()
    start: str = Channel.NORMAL

    @classmethod
    def reasoning(cls, start: str, end: str) -> Markers:
        """The common case: one pair of marks around the reasoning."""
        return cls((Marker(Channel.NORMAL, start, Channel.REASONING), Marker(Channel.REASONING, end, Channel.NORMAL)))


@dataclass(frozen=True, slots=True)
class StopMatch:
    """The stop string that ended a reply. `at` counts the characters of all that was written."""

    text: str
    at: int
    hidden: str
    """What was written from there on: the stop string and the rest of its token."""


class Patterns:
    """An Aho-Corasick automaton. A node's depth is how many of the last characters might begin a pattern."""

    __slots__ = ("_edges", "_fail", "beginnings", "depth", "found", "texts")

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(texts)
        self._edges: list[dict[str, int]] = [{}]
        self._fail = [ROOT]
        self.depth = [0]
        self.found: list[int | None] = [None]
        """For each node, which pattern is complete there: the longest, and of equals the first."""
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
        """Breadth first, since a node's link leads to a shallower one, which must be finished by then."""
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
    """Reads a text piece by piece for one set of patterns and holds back only what might begin one of them."""

    __slots__ = ("_node", "_patterns", "held")

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        self._node = ROOT
        self.held = ""

    def read(self, text: str) -> tuple[str, int | None, str]:
        """What is certain, which pattern came after it if one did, and what of `text` follows that pattern."""
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
    """Tells the voices of a reply apart by their markers, which are never shown."""

    __slots__ = ("_edges", "_patterns", "_read", "_scanner", "_state", "_voice")

    def __init__(self, markers: Markers, start: str) -> None:
        self._edges: dict[str, list[Marker]] = {}
        for marker in markers.edges:
            self._edges.setdefault(marker.inside, []).append(marker)
        self._patterns = {state: Patterns([edge.text for edge in edges]) for state, edges in self._edges.items()}
        self._read = 0
        """Characters that are told apart by now: what is held back is not among them."""
        self._enter(start)

    def count_from(self, place: int) -> None:
        """What is read next begins there; before the run's own text it is below zero."""
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
    """Reads a reply as it is written and tells what may be shown of it; nothing shown is ever withdrawn.

    The reply ends before the stop string that is complete first; of those complete at the same character, before
    the longest. Stop strings are looked for in all that is written, in every voice, markers included; what is shown
    is then the text up to there, told apart by voice as if it had ended there by itself.
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
        """Set once a stop string is complete; from then on nothing is shown."""

    @classmethod
    def behind(cls, prompt: ExactPrompt, stop_strings: Sequence[str], markers: Markers) -> ReplyReader:
        """Reads what follows a prompt; behind a page of raw text the model's marks stay where it wrote them."""
        return cls(stop_strings, NO_MARKERS if prompt.raw else markers, prompt.opens_reasoning)

    @property
    def held(self) -> str:
        """What is written and may not be shown yet: the beginning, perhaps, of a stop string or of a marker."""
        return self._voices.held + self._finder.held

    @property
    def may_begin(self) -> tuple[str, ...]:
        """The stop strings that the end of what is written may be the beginning of."""
        held = self._finder.held
        return tuple(each for each in self._strings if any(held.endswith(each[:size]) for size in range(1, len(each))))

    def resume(self, text: str) -> tuple[VisibleText, ...]:
        """What may be shown of an answer that begins with `text`, which stood there before. It ended nothing."""
        self._voices.count_from(-len(text))
        certain, which, rest = self._finder.read(text)
        shown = self._voices.read(certain)
        while which is not None:
            shown += self._voices.read(self._strings[which])
            certain, which, rest = self._finder.read(rest)
            shown += self._voices.read(certain)
        return joined(shown)

    def read(self, text: str) -> tuple[VisibleText, ...]:
        """What may be shown now that `text` has been written."""
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
        """The run ended by itself: what was held back turned out to begin nothing."""
        if self.stopped is not None:
            return ()
        held, self._finder = self._finder.held, Scanner(NO_PATTERNS)
        return joined([*self._voices.read(held), *self._voices.finish()])


def joined(shown: Iterable[VisibleText]) -> tuple[VisibleText, ...]:
    """The same, with neighbours of one voice made one where nothing was left out between them."""
    result: list[VisibleText] = []
    for piece in shown:
        last = result[-1] if result else None
        if last is not None and last.voice is piece.voice and last.start + len(last.text) == piece.start:
            piece = VisibleText(piece.voice, result.pop().text + piece.text, last.start)
        result.append(piece)
    return tuple(result)
