"""Which of the characters that were written the reader sees, and where."""

from __future__ import annotations

from bisect import bisect_right


class Stream:
    """What is seen of a text, piece by piece: where each begins for the reader, and where in what was written."""

    def __init__(self) -> None:
        self._seen: list[int] = []
        self._written: list[int] = []
        self._length = 0

    def add(self, written: int, length: int) -> None:
        if not self._written or self._written[-1] + self._length - self._seen[-1] != written:
            self._seen.append(self._length)
            self._written.append(written)
        self._length += length

    def written(self, offset: int) -> int | None:
        """Where the character `offset` was written."""
        if not 0 <= offset < self._length:
            return None
        piece = bisect_right(self._seen, offset) - 1
        return self._written[piece] + offset - self._seen[piece]

    def seen(self, start: int, end: int) -> tuple[int, int] | None:
        """What is seen of the characters written from `start` to `end`."""
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


def find(written: str, text: str, start: int, stream: Stream) -> int:
    """Add the places of `text` in what was written from `start` on; it may be interrupted by what is not shown."""
    done = 0
    while done < len(text):
        length = _longest(written, text, done, start)
        if not length:
            break
        start = written.find(text[done : done + length], start)
        stream.add(start, length)
        start += length
        done += length
    return start


def _longest(written: str, text: str, done: int, start: int) -> int:
    """How much of `text` from `done` on is to be found in one piece."""
    low, high = 0, len(text) - done
    while low < high:
        middle = (low + high + 1) // 2
        if written.find(text[done : done + middle], start) >= 0:
            low = middle
        else:
            high = middle - 1
    return low
