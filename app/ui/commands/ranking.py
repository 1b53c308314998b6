"""In which order commands are offered. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.ui.commands.fuzzy import Found, find
from app.ui.commands.values import Command

UNSEEN = -1_000
"""Found by what isn't shown: after all that is found by what is."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A command with the letters of its text that were typed. `line_above`: something else begins here."""

    command: Command
    marks: tuple[int, ...] = ()
    line_above: bool = False


def ranked(commands: Sequence[Command], typed: str, recent: Sequence[str]) -> tuple[Hit, ...]:
    """What fits best first, and of those that fit alike what was used last; what can't be used comes at the end."""
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
    return tuple(Hit(hit[4], hit[5], start) for hit, start in zip(hits, starts, strict=True))


def _found(typed: str, command: Command) -> Found | None:
    """By its text, or by its name, which is English in every language and marks nothing since it isn't shown."""
    found = find(typed, command.text, command.place)
    if found is not None:
        return found
    named = find(typed, command.name.replace("_", " "))
    return None if named is None else Found(named.score + UNSEEN)
