"""Counting up and down, in figures and in words, and what comes before and after."""

from random import Random

from dialogue import Exchange, held_out
from words import in_words

LONGEST = 20
HIGHEST = 999  # so many pairs that they can't be learnt by heart
HIGHEST_IN_WORDS = 100
ALWAYS_SEEN = {(1, 5), (1, 10), (1, 3), (10, 1), (5, 1), (1, 20)}

EITHER_WAY = "Count from {a} to {b}."
UP = (
    "Count {a} to {b}.",
    "Count from {a} to {b}.",
    "Count up from {a} to {b}.",
    "Can you count from {a} to {b}?",
    "Write the numbers from {a} to {b}.",
    "Numbers from {a} to {b}.",
    "Please count from {a} to {b}.",
)
DOWN = (
    "Count down from {a} to {b}.",
    "Count backwards from {a} to {b}.",
    "Count {a} down to {b}.",
    "Can you count down from {a} to {b}?",
    "Count from {a} to {b}.",
)


def span(first: int, last: int) -> range:
    """All numbers from first to last, whichever way that goes."""
    step = 1 if last >= first else -1
    return range(first, last + step, step)


def is_new(first: int, last: int) -> bool:
    """Whether the pair is kept for the evaluation."""
    return (first, last) not in ALWAYS_SEEN and held_out("count", first, last)


def pair(rng: Random) -> tuple[int, int]:
    """Two ends of a count, small ones more often; either may be the larger."""
    lowest = rng.choices((1, 12, 97, HIGHEST - LONGEST), (1.5, 3, 5, 0.5))[0]
    low = 1 if lowest == 1 else rng.randint(0, lowest)
    # Many short ones, since the art is in knowing where to stop; but beyond ten the last digit alone doesn't tell.
    high = low + rng.randint(1, rng.choices((3, 9, LONGEST), (3, 3, 5))[0])
    return (low, high) if rng.random() < 0.6 else (high, low)


def figures(first: int, last: int) -> str:
    return ", ".join(str(n) for n in span(first, last))


def spelled(first: int, last: int) -> str:
    return ", ".join(in_words(n) for n in span(first, last))


def count(rng: Random) -> Exchange:
    """Count between two numbers that are not held out."""
    if rng.random() < 0.06:
        first, last = rng.choice(sorted(ALWAYS_SEEN))
    else:
        while is_new(*(found := pair(rng))):
            pass
        first, last = found
    return count_between(rng, first, last)


def count_between(rng: Random, first: int, last: int) -> Exchange:
    """The exchange for one pair of ends, in figures or in words."""
    form = rng.choice(UP if last >= first else DOWN) if rng.random() < 0.7 else EITHER_WAY
    thought = f"I start at {first} and stop at {last}."
    style = rng.random() if max(first, last) <= HIGHEST_IN_WORDS else 1.0
    if style < 0.14:
        ask = form.format(a=first, b=last)
        return Exchange(f"{ask[:-1]} in words{ask[-1]}", spelled(first, last), thought)
    if style < 0.24:
        ask = form.format(a=in_words(first), b=in_words(last))
        return Exchange(ask, spelled(first, last), thought)
    if style < 0.32 and first == 1:
        return Exchange(f"Count to {last}.", figures(first, last), thought)
    return Exchange(form.format(a=first, b=last), figures(first, last), thought)


def neighbour(rng: Random) -> Exchange:
    """Which number comes next to another."""
    number = rng.randint(1, 99 if rng.random() < 0.7 else HIGHEST)
    side, other = rng.choice((("after", number + 1), ("before", number - 1)))
    ask = rng.choice(("What comes {s} {n}?", "Which number comes {s} {n}?", "What number is {s} {n}?"))
    return Exchange(
        ask.format(s=side, n=number),
        f"{other} comes {side} {number}.",
        f"One step {side} {number} is {other}.",
        str(other),
    )


def by_steps(rng: Random) -> Exchange:
    """Counting by twos, fives and tens."""
    step, name = rng.choice(((2, "twos"), (5, "fives"), (10, "tens")))
    times = rng.randint(3, 10)
    first = step * rng.randint(0, 2)
    numbers = [first + step * i for i in range(times)]
    ask = f"Count by {name} from {first} to {numbers[-1]}."
    return Exchange(ask, ", ".join(map(str, numbers)), f"Each step adds {step}.")
