"""Finds the origin of each span of a rendered prompt. Templates may trim and change their input."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.engine.types import Part, PromptSpan


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """Text of a message before rendering."""

    part: Part
    text: str

    def as_written(self) -> tuple[str, ...]:
        """Return the forms that templates usually give it."""
        text = self.text
        return text, text.strip(), text.rstrip(), text.lstrip(), text.lstrip("\n")


def find_words(
    text: str, said: Sequence[MessageSpan], skeleton: str = "", stand_ins: Sequence[str] = ()
) -> tuple[PromptSpan, ...]:
    """Return the range of each message in `text`.

    `skeleton` is the same prompt with placeholders. Text between the placeholders is the template's, so text between
    the same pieces of `text` is a message, even if it equals template text. Without a matching skeleton, messages are
    searched in order.
    """
    aligned = _align(text, said, skeleton, stand_ins) if stand_ins else None
    return tuple(_search(text, said) if aligned is None else aligned)


def _align(text: str, said: Sequence[MessageSpan], skeleton: str, stand_ins: Sequence[str]) -> list[PromptSpan] | None:
    # Computed once, because an untrusted template may repeat a placeholder many times.
    known = ((mark, words) for mark, words in zip(stand_ins, said, strict=True) if mark.strip())
    words_of = {mark: (words.part, words.as_written()) for mark, words in known}
    marks = "|".join(map(re.escape, words_of))
    first, *pieces = re.split(f"({marks})", skeleton) if marks else [skeleton]
    if not text.startswith(first):
        return None
    spans: list[PromptSpan] = []
    start = len(first)
    for mark, literal in zip(pieces[::2], pieces[1::2], strict=True):
        last = len(spans) == len(pieces) // 2 - 1
        part, forms = words_of[mark]
        end = _end_of(forms, text, start, literal, last)
        if end is None:
            return None
        spans.append(PromptSpan(part, start, end))
        start = end + len(literal)
    return spans if start == len(text) else None


def _end_of(forms: Sequence[str], text: str, start: int, literal: str, last: bool) -> int | None:
    """Return the end of the message that starts at `start` and is followed by the template text `literal`."""
    for form in forms:
        end = start + len(form)
        if text.startswith(form, start) and (text[end:] == literal if last else text.startswith(literal, end)):
            return end
    if last:
        end = len(text) - len(literal)
        return end if end >= start and text.endswith(literal) else None
    end = text.find(literal, start) if literal else -1
    return end if end >= 0 else None


def _search(text: str, said: Iterable[MessageSpan]) -> list[PromptSpan]:
    spans, start = [], 0
    for words in said:
        form = words.text.strip()
        found = text.find(form, start) if form else -1
        if found >= 0:
            start = found + len(form)
            spans.append(PromptSpan(words.part, found, start))
    return spans


def cover(length: int, words: Iterable[PromptSpan], special: Iterable[tuple[int, int]]) -> tuple[PromptSpan, ...]:
    """Return spans without gaps: special tokens over messages over template text."""
    parts = [Part.TEMPLATE] * length
    for span in words:
        parts[span.start : span.end] = [span.part] * (span.end - span.start)
    for start, end in special:
        parts[start:end] = [Part.SPECIAL] * (end - start)
    borders = [0, *(place for place in range(1, length) if parts[place] is not parts[place - 1]), length]
    return tuple(PromptSpan(parts[start], start, end) for start, end in pairwise(borders) if end > start)
