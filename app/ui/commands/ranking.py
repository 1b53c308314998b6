"""Commands by some letters of their words, and their order: “ns” finds New Session, “exp ses” Export Session. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.ui.commands.values import Command

FIRST = 12
"""The letter begins the text."""
BEGINS = 10
"""The letter begins a word."""
FOLLOWS = 8
"""The letter follows the one matched before."""
SKIPPED = -1
"""For each letter left out, up to `FAR` of them."""
FAR = 6
WHOLE = 6
"""The text has no other word than what was typed."""
ELSEWHERE = 2
"""Found beside the text, in its menu."""
SLIP = 2
"""Within a word one letter may be left out."""
PIECE = 3
"""So many letters are found within a word, too."""
NONE = -1_000_000
UNSEEN = -1_000
"""Found by what isn't shown: after all that is found by what is."""


@dataclass(frozen=True, slots=True)
class TextMatch:
    """How well something fits, and which letters of its text were meant."""

    score: int
    marks: tuple[int, ...] = ()


def find(typed: str, text: str, beside: str = "") -> TextMatch | None:
    """Every word typed must be found in the text, letter after letter, or as the beginning of a word beside it."""
    score, marks = 0, set[int]()
    letters, words, places = _folded(text), _folded(typed).split(), _folded(beside).split()
    for word in words:
        found = _in_text(word, letters)
        if found is not None:
            score += found.score
            marks.update(found.marks)
        elif any(place.startswith(word) for place in places):
            score += ELSEWHERE
        else:
            return None
    whole = bool(words) and words == letters.split()
    return TextMatch(score + WHOLE * whole, tuple(sorted(marks)))


def _folded(text: str) -> str:
    """Small letters, one for each letter of the text."""
    return "".join(letter.casefold()[:1] or letter for letter in text)


def _in_text(word: str, text: str) -> TextMatch | None:
    """Return the best way to find the letters in this order: at the beginnings of words, and on from there."""
    if not _has_in_order(word, text):
        return None
    starts = [FIRST, *(BEGINS if _begins(text, at) else NONE for at in range(1, len(text)))]
    row = [starts[at] if text[at] == word[0] else NONE for at in range(len(text))]
    came: list[list[int]] = []
    for letter in word[1:]:
        row, steps = _next_row(letter, text, row)
        came.append(steps)
    best = max(range(len(row)), key=lambda at: row[at])
    if row[best] <= NONE // 2:
        return _inside(word, text)
    return TextMatch(row[best], _way_back(came, best))


def _next_row(letter: str, text: str, before: Sequence[int]) -> tuple[list[int], list[int]]:
    """How well it goes on with this letter at each place, and from which place each was reached."""
    row, steps = [NONE] * len(text), [0] * len(text)
    for at in range(1, len(text)):
        if text[at] != letter:
            continue
        choices = [(before[at - 1] + FOLLOWS, at - 1)]
        if _begins(text, at):
            choices += [(before[left] + BEGINS + SKIPPED * min(FAR, at - left - 1), left) for left in range(at)]
        elif at >= SLIP and text[at - 1].isalnum():
            choices.append((before[at - SLIP], at - SLIP))
        row[at], steps[at] = max(choices)
    return row, steps


def _way_back(came: Sequence[Sequence[int]], last: int) -> tuple[int, ...]:
    marks = [last]
    for steps in reversed(came):
        marks.append(steps[marks[-1]])
    return tuple(reversed(marks))


def _inside(word: str, text: str) -> TextMatch | None:
    """Return the letters in one piece within a word: better than nothing, if there are some."""
    at = text.find(word)
    return TextMatch(len(word), tuple(range(at, at + len(word)))) if at >= 0 and len(word) >= PIECE else None


def _has_in_order(word: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in word)


def _begins(text: str, at: int) -> bool:
    return at == 0 or (text[at].isalnum() and not text[at - 1].isalnum())


@dataclass(frozen=True, slots=True)
class RankedCommand:
    """A command with the letters of its text that were typed. `line_above`: something else begins here."""

    command: Command
    marks: tuple[int, ...] = ()
    line_above: bool = False


def ranked(commands: Sequence[Command], typed: str, recent: Sequence[str]) -> tuple[RankedCommand, ...]:
    """Sort by match, then by last use; unavailable commands come last."""
    found = [(command, _found(typed, command)) for command in commands]
    ages = {name: age for age, name in enumerate(recent)}
    hits = [
        (not command.enabled, -match.score, ages.get(command.name, len(ages)), place, command, match.marks)
        for place, (command, match) in enumerate(found)
        if match is not None
    ]
    hits.sort(key=lambda hit: hit[:4])
    groups = [(disabled, not typed.strip() and age < len(ages)) for disabled, _, age, *_ in hits]
    starts = [place > 0 and groups[place] != groups[place - 1] for place in range(len(hits))]
    return tuple(RankedCommand(hit[4], hit[5], start) for hit, start in zip(hits, starts, strict=True))


def _found(typed: str, command: Command) -> TextMatch | None:
    """By its text, or by its name, which is English in every language and marks nothing since it isn't shown."""
    found = find(typed, command.text, command.place)
    if found is not None:
        return found
    named = find(typed, command.name.replace("_", " "))
    return None if named is None else TextMatch(named.score + UNSEEN)
