"""Splits a prompt into the parts of an ablation: tokens, sentences or turns."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from app.engine.types import AblationUnit, ExactPrompt, PromptPart

MOST = 200
"""Maximum number of parts: each needs a forward pass over everything after it."""
SENTENCE = re.compile(r"""[.!?…]+["'”’)\]]*(?=\s)|[。！？]+[」』）]*|\n+""")
OWN = frozenset({PromptPart.TEMPLATE, PromptPart.SPECIAL})
"""Spans of the template."""


def parts_of(prompt: ExactPrompt, end: int, unit: AblationUnit) -> tuple[AblationUnit, tuple[range, ...]]:
    """Return the parts of the first `end` ids as index ranges, and their unit: a coarser one if there are too many.

    The first id is in no part, because a model needs at least one token.
    """
    for each in list(AblationUnit)[list(AblationUnit).index(unit) :]:
        parts = _ranges_of(prompt, end, each)
        if len(parts) <= MOST:
            return each, parts
    width = -(-len(parts) // MOST)
    together = [parts[first : first + width] for first in range(0, len(parts), width)]
    return AblationUnit.STRETCH, tuple(range(each[0].start, each[-1].stop) for each in together)


def text_of(prompt: ExactPrompt, part: range) -> str:
    return prompt.text[prompt.offsets[part[0]][0] : prompt.offsets[part[-1]][1]]


def is_templates(prompt: ExactPrompt, part: range) -> bool:
    """Return whether all text of a part comes from the template. False if the prompt has no known user text."""
    start, end = prompt.offsets[part[0]][0], prompt.offsets[part[-1]][1]
    said = [span for span in prompt.spans if span.part not in OWN]
    return bool(said) and not any(span.start < end and start < span.end for span in said)


def by_effect(prompt: ExactPrompt, parts: Sequence[range], effects: Sequence[float]) -> list[tuple[bool, range, float]]:
    """Sort parts by effect, those of the template last."""
    lines = zip((is_templates(prompt, part) for part in parts), parts, effects, strict=True)
    return sorted(lines, key=lambda line: (line[0], -line[2]))


def _ranges_of(prompt: ExactPrompt, end: int, unit: AblationUnit) -> tuple[range, ...]:
    if unit is AblationUnit.TOKEN:
        return tuple(range(position, position + 1) for position in range(1, end))
    borders = list(_part_starts(prompt, unit is AblationUnit.SENTENCE))
    # By its last character: a token may begin with the space that ends the sentence before.
    ends = (max(start, end - 1) for start, end in prompt.offsets[1:end])
    numbered = groupby(enumerate(ends, 1), lambda each: bisect_right(borders, each[1]))
    found = [[position for position, _ in positions] for _, positions in numbered]
    return tuple(range(positions[0], positions[-1] + 1) for positions in found)


def _part_starts(prompt: ExactPrompt, sentences: bool) -> Iterator[int]:
    """Yield the offsets at which parts begin. Template text between two messages is one part."""
    unknown = all(span.part in OWN for span in prompt.spans)
    # Ids of unknown origin may be user text.
    own_parts = {PromptPart.SPECIAL} if unknown else OWN
    for own, spans in groupby(prompt.spans, lambda span: span.part in own_parts):
        together = list(spans)
        if own:
            yield together[0].start
            continue
        for span in together:
            yield span.start
            found = SENTENCE.finditer(prompt.text, span.start, span.end) if sentences else ()
            yield from (match.end() for match in found if match.end() < span.end)
