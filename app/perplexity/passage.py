"""The scored text: which of its tokens count, and the windows of a long one."""

from dataclasses import dataclass

from app.engine.types import ExactPrompt, Part


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """The tokens of a prompt, and the positions that count: the text's own tokens, or the model's answers."""

    ids: tuple[int, ...]
    counted: tuple[int, ...]
    bytes: int
    """UTF-8 bytes of the counted tokens."""


@dataclass(frozen=True, slots=True)
class Window:
    """Positions `start` to `end` of the tokens, scored together. Earlier windows scored those before `fresh`."""

    start: int
    fresh: int
    end: int


def passage(prompt: ExactPrompt, most: int | None = None) -> ScoredPassage:
    """Return the tokens that count, at the `most` this many. The first token never counts: it has no context."""
    part = Part.USER if prompt.raw else Part.MODEL
    within = bytearray(len(prompt.text))
    for span in prompt.spans:
        if span.part is part:
            within[span.start : span.end] = bytes([1]) * (span.end - span.start)
    counted = tuple(place for place, (start, end) in enumerate(prompt.offsets) if place and any(within[start:end]))
    counted = counted[:most]
    weighed = bytearray(len(prompt.text))
    for place in counted:
        start, end = prompt.offsets[place]
        weighed[start:end] = within[start:end]
    text = "".join(letter for letter, there in zip(prompt.text, weighed, strict=True) if there)
    return ScoredPassage(prompt.ids, counted, len(text.encode("utf-8", "surrogatepass")))


def windows(length: int, context: int | None) -> tuple[Window, ...]:
    """Split `length` tokens into windows of `context` tokens, each half a context after the last; None: no limit."""
    if context is None or length <= context:
        return (Window(0, 0, length),)
    found = [Window(0, 0, context)]
    while found[-1].end < length:
        start = found[-1].start + max(1, context // 2)
        found.append(Window(start, found[-1].end, min(start + context, length)))
    return tuple(found)
