"""Finds whose text each stretch of a prompt is, though templates trim and alter what they are given."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.engine.types import Part, PromptSpan


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """What somebody said, before a template does anything to it."""

    part: Part
    text: str

    def as_written(self) -> tuple[str, ...]:
        """The forms in which templates usually write it."""
        text = self.text
        return text, text.strip(), text.rstrip(), text.lstrip(), text.lstrip("\n")


def find_words(
    text: str, said: Sequence[MessageSpan], skeleton: str = "", stand_ins: Sequence[str] = ()
) -> tuple[PromptSpan, ...]:
    """Where each one's words are in `text`.

    `skeleton` is the same prompt with stand-ins in their place: what lies between these is the template's own, so
    whatever stands between the same pieces of `text` is theirs, even where it equals words of the template.
    Without it, or where it doesn't fit, the words are searched for in order.
    """
    aligned = _align(text, said, skeleton, stand_ins) if stand_ins else None
    return tuple(_search(text, said) if aligned is None else aligned)


def _align(text: str, said: Sequence[MessageSpan], skeleton: str, stand_ins: Sequence[str]) -> list[PromptSpan] | None:
    # The forms are made once: a stranger's template may write a mark as often as it likes.
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
    """Where the words end that begin at `start` and are followed by the template's `literal`."""
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
    """Spans without gaps: special tokens above somebody's words above the template."""
    parts = [Part.TEMPLATE] * length
    for span in words:
        parts[span.start : span.end] = [span.part] * (span.end - span.start)
    for start, end in special:
        parts[start:end] = [Part.SPECIAL] * (end - start)
    borders = [0, *(place for place in range(1, length) if parts[place] is not parts[place - 1]), length]
    return tuple(PromptSpan(parts[start], start, end) for start, end in pairwise(borders) if end > start)
