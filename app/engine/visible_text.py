"""Maps positions of the generated text to the displayed text, and back."""

from bisect import bisect_right
from collections.abc import Iterator

TRIES = 200
"""Maximum number of attempts to align an answer with interleaved reasoning; each piece needs one or two."""

Piece = tuple[int, int, int]
"""1 for reasoning, offset in the generated text, length."""


class Stream:
    """Displayed pieces of a text: offsets in the displayed and in the generated text."""

    def __init__(self) -> None:
        self._seen: list[int] = []
        self._written: list[int] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, written: int, length: int) -> None:
        if not self._written or self._written[-1] + self._length - self._seen[-1] != written:
            self._seen.append(self._length)
            self._written.append(written)
        self._length += length

    def written(self, offset: int) -> int | None:
        """Return the offset in the generated text."""
        if not 0 <= offset < self._length:
            return None
        piece = bisect_right(self._seen, offset) - 1
        return self._written[piece] + offset - self._seen[piece]

    def seen(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the displayed range of the generated range `start` to `end`."""
        found: tuple[int, int] | None = None
        piece = max(0, bisect_right(self._written, start) - 1)
        while start < end and piece < len(self._written) and self._written[piece] < end:
            written, seen = self._written[piece], self._seen[piece]
            length = (self._seen[piece + 1] if piece + 1 < len(self._seen) else self._length) - seen
            if start < written + length:
                first = found[0] if found else max(start - written, 0) + seen
                found = first, min(end - written, length) + seen
            piece += 1
        return found


def find_both(written: str, text: str, reasoning: str) -> tuple[Stream, Stream]:
    """Find answer and reasoning in the generated text, with tags between them.

    Usually all reasoning comes first; it can also alternate with the answer.
    """
    streams = Stream(), Stream()
    taken = _find(written, reasoning, 0, streams[True])
    _find(written, text, taken, streams[False])
    found, whole = sum(map(len, streams)), len(text) + len(reasoning)
    if found < whole and _length(by_turns := _align_pieces(written, (text, reasoning), whole)) > found:
        streams = Stream(), Stream()
        for voice, start, length in by_turns:
            streams[voice].add(start, length)
    return streams


def _align_pieces(written: str, texts: tuple[str, str], whole: int) -> tuple[Piece, ...]:
    """Align pieces in order; try another order if that leaves text out."""
    best, waiting = tuple[Piece, ...](), [tuple[Piece, ...]()]
    for _ in range(TRIES):
        if not waiting or _length(best) == whole:
            break
        pieces = waiting.pop()
        best = max(best, pieces, key=_length)
        waiting += [(*pieces, piece) for piece in _candidates(written, texts, pieces)]
    return best


def _candidates(written: str, texts: tuple[str, str], pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """Yield candidates for the next piece; the last is the likeliest."""
    start = sum(pieces[-1][1:]) if pieces else 0
    rests = [text[_length(pieces, voice) :] for voice, text in enumerate(texts)]
    found = [
        (written.find(rest[:length], start), -length, voice)
        for voice, rest in enumerate(rests)
        if (length := _matching_length(written, rest, 0, start))
    ]
    if not found:
        return
    place, length, voice = min(found)
    other = 1 - voice
    if before := _matching_length(written[:place], rests[other], 0, start):
        yield other, written.find(rests[other][:before], start), before
    yield voice, place, -length


def _length(pieces: tuple[Piece, ...], voice: int | None = None) -> int:
    return sum(length for of, _, length in pieces if voice in (None, of))


def _find(written: str, text: str, start: int, stream: Stream) -> int:
    """Add positions of `text` in the generated text from `start` on; hidden text may interrupt it."""
    done = 0
    while done < len(text):
        length = _matching_length(written, text, done, start)
        if not length:
            break
        start = written.find(text[done : done + length], start)
        stream.add(start, length)
        start += length
        done += length
    return start


def _matching_length(written: str, text: str, done: int, start: int) -> int:
    """Return how much of `text` from `done` on occurs in one piece."""
    low, high = 0, len(text) - done
    while low < high:
        middle = (low + high + 1) // 2
        if written.find(text[done : done + middle], start) >= 0:
            low = middle
        else:
            high = middle - 1
    return low
