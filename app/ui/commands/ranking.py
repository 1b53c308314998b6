"""The entries of the command palette and their fuzzy search: “ns” finds New Session. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Command:
    """An entry of the palette. `menu` contains it; `keys` are written as the system does."""

    name: str
    text: str
    menu: str
    tip: str = ""
    keys: str = ""
    enabled: bool = True
    checked: bool = False
    needs: str = ""
    """The reason why it is disabled; empty: it is enabled."""

    @property
    def spoken(self) -> str:
        """The text for screen readers."""
        state = () if self.enabled else (tr("not available"), self.needs)
        return ", ".join(filter(None, (self.text, self.menu, tr("on") if self.checked else "", self.keys, *state)))


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A row of the shortcuts' window. `keys` are portable; without a name they are fixed."""

    name: str
    text: str
    group: str
    keys: tuple[str, ...] = ()
    tip: str = ""
    changed: bool = False


FIRST = 12
"""Score of a letter at the beginning of the text."""
BEGINS = 10
"""Score of a letter at the beginning of a word."""
FOLLOWS = 8
"""Score of a letter next to the previous match."""
SKIPPED = -1
"""Score of each skipped letter, up to `FAR` of them."""
FAR = 6
WHOLE = 6
"""Added if the typed words are the complete text."""
ELSEWHERE = 2
"""Score of a match in the menu's name, not in the text."""
SLIP = 2
"""Within a word, one letter may be skipped."""
PIECE = 3
"""Minimum number of adjacent letters that match in the middle of a word."""
NONE = -1_000_000
UNSEEN = -1_000
"""Added to a match of the command's name, which isn't shown: these come after all matches of shown text."""


@dataclass(frozen=True, slots=True)
class TextMatch:
    """The score of a match, and the positions of the matched letters."""

    score: int
    marks: tuple[int, ...] = ()


def match_text(typed: str, text: str, keywords: str = "") -> TextMatch | None:
    """Match the typed words; None if one isn't found.

    Each must match letters of the text in their order, or the beginning of a word in `keywords`.
    """
    score, marks = 0, set[int]()
    letters, words, starts = _folded(text), _folded(typed).split(), _folded(keywords).split()
    for word in words:
        found = _in_text(word, letters)
        if found is not None:
            score += found.score
            marks.update(found.marks)
        elif any(start.startswith(word) for start in starts):
            score += ELSEWHERE
        else:
            return None
    whole = bool(words) and words == letters.split()
    return TextMatch(score + WHOLE * whole, tuple(sorted(marks)))


def _folded(text: str) -> str:
    """Fold case without changing the number of letters, so that positions stay valid."""
    return "".join(letter.casefold()[:1] or letter for letter in text)


def _in_text(word: str, text: str) -> TextMatch | None:
    """Return the best match of the letters in this order, at beginnings of words or next to each other."""
    if not _has_in_order(word, text):
        return None
    starts = [FIRST, *(BEGINS if _begins(text, at) else NONE for at in range(1, len(text)))]
    row = [starts[at] if text[at] == word[0] else NONE for at in range(len(text))]
    came: list[list[int]] = []
    for letter in word[1:]:
        row, steps = _next_scores(letter, text, row)
        came.append(steps)
    best = max(range(len(row)), key=lambda at: row[at])
    if row[best] <= NONE // 2:
        return _inside(word, text)
    return TextMatch(row[best], _way_back(came, best))


def _next_scores(letter: str, text: str, before: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the best score with this letter at each position, and the previous position of each."""
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
    """Return a match of adjacent letters within a word, which has a low score; None if there is none."""
    at = text.find(word)
    return TextMatch(len(word), tuple(range(at, at + len(word)))) if at >= 0 and len(word) >= PIECE else None


def _has_in_order(word: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in word)


def _begins(text: str, at: int) -> bool:
    return at == 0 or (text[at].isalnum() and not text[at - 1].isalnum())


@dataclass(frozen=True, slots=True)
class RankedCommand:
    """A command and the positions of the matched letters. `line_above`: a new group begins here."""

    command: Command
    marks: tuple[int, ...] = ()
    line_above: bool = False


def ranked(commands: Sequence[Command], typed: str, recent: Sequence[str]) -> tuple[RankedCommand, ...]:
    """Sort by match, then by last use; unavailable commands come last."""
    found = [(command, _match(typed, command)) for command in commands]
    ages = {name: age for age, name in enumerate(recent)}
    hits = [
        (not command.enabled, -match.score, ages.get(command.name, len(ages)), index, command, match.marks)
        for index, (command, match) in enumerate(found)
        if match is not None
    ]
    hits.sort(key=lambda hit: hit[:4])
    groups = [(disabled, not typed.strip() and age < len(ages)) for disabled, _, age, *_ in hits]
    starts = [index > 0 and groups[index] != groups[index - 1] for index in range(len(hits))]
    return tuple(RankedCommand(hit[4], hit[5], start) for hit, start in zip(hits, starts, strict=True))


def _match(typed: str, command: Command) -> TextMatch | None:
    """Match the text, or else the English name or the tooltip, of which no letters are shown and marked."""
    found = match_text(typed, command.text, command.menu)
    if found is not None:
        return found
    named = match_text(typed, command.name.replace("_", " "))
    if named is not None:
        return TextMatch(named.score + UNSEEN)
    described = match_text(typed, "", command.tip)
    return None if described is None else TextMatch(described.score + 2 * UNSEEN)
