"""The alphabet, the days of the week and the months, whole, in part and by neighbour."""

from random import Random

from dialogue import Exchange
from words import LETTERS, MONTHS, WEEKDAYS

NAMED: tuple[tuple[str, list[str], tuple[str, ...]], ...] = (
    ("letter", LETTERS, ("Say the alphabet.", "Recite the alphabet.", "Write the alphabet.", "Say the ABC.")),
    (
        "day",
        WEEKDAYS,
        ("List the days of the week.", "Name the days of the week.", "Say the weekdays.", "What are the weekdays?"),
    ),
    (
        "month",
        MONTHS,
        ("List the months.", "Name the months of the year.", "Say the twelve months.", "What are the months?"),
    ),
)


def whole(rng: Random) -> Exchange:
    _, items, asks = rng.choice(NAMED)
    thought = f"There are {len(items)} of them. I start with {items[0]}."
    return Exchange(rng.choice(asks), ", ".join(items), thought)


def part(rng: Random) -> Exchange:
    kind, items, _ = rng.choice(NAMED)
    first, last = sorted(rng.sample(range(len(items)), 2))
    if rng.random() < 0.3:
        passed = items[first : last + 1][::-1]
        ask = f"Say the {kind}s backwards from {passed[0]} to {passed[-1]}."
    else:
        passed = items[first : last + 1]
        verb = rng.choice(("Say", "List", "Name"))
        ask = f"{verb} the {kind}s from {passed[0]} to {passed[-1]}."
    return Exchange(ask, ", ".join(passed), f"I start at {passed[0]} and stop at {passed[-1]}.")


def neighbour(rng: Random) -> Exchange:
    kind, items, _ = rng.choice(NAMED)
    here = rng.randrange(len(items) - 1)
    if rng.random() < 0.65:
        side, given, found = "after", items[here], items[here + 1]
    else:
        side, given, found = "before", items[here + 1], items[here]
    ask = rng.choice(("What {k} comes {s} {g}?", "Which {k} is {s} {g}?", "What comes {s} {g}?"))
    ask = ask.format(k=kind, s=side, g=given)
    return Exchange(ask, f"{found} comes {side} {given}.", f"The {kind} {side} {given} is {found}.", found)
