"""Small sums: adding and taking away up to 20, and the small multiplication table."""

from random import Random

from dialogue import Exchange, held_out
from words import in_words

HIGHEST = 20
HIGHEST_NOW_AND_THEN = 60

ADD = (
    "What is {a} + {b}?",
    "What is {a} plus {b}?",
    "{a} + {b}",
    "{a}+{b}",
    "{a} + {b} = ?",
    "{a} + {b} =",
    "How much is {a} + {b}?",
    "How much is {a} plus {b}?",
    "Add {a} and {b}.",
    "Calculate {a} + {b}.",
    "What do you get if you add {a} and {b}?",
)
TAKE = (
    "What is {a} - {b}?",
    "What is {a} minus {b}?",
    "{a} - {b}",
    "{a} - {b} = ?",
    "How much is {a} - {b}?",
    "How much is {a} minus {b}?",
    "Calculate {a} - {b}.",
)
TIMES = ("What is {a} times {b}?", "{a} x {b}", "How much is {a} times {b}?", "What is {a} x {b}?")


def is_new(a: int, b: int) -> bool:
    """Held out in this order alone: the turned-round sum may be in the corpus."""
    return a < b and held_out("sum", a, b)


def new_pairs() -> list[tuple[int, int]]:
    """Every ordered pair that the corpus never adds."""
    numbers = range(HIGHEST + 1)
    return [(a, b) for a in numbers for b in numbers if is_new(a, b)]


def steps(a: int, b: int, sign: int) -> str:
    """How one counts on or back from a by b."""
    if b == 0:
        return f"Nothing changes, so it stays {a}."
    if b > HIGHEST:
        return f"{b} is a lot, so I take the tens and the ones."
    way = "on" if sign > 0 else "back"
    passed = ", ".join(str(a + sign * i) for i in range(1, b + 1))
    return f"I start at {a} and go {way} {b}: {passed}."


def add(rng: Random) -> Exchange:
    """A sum whose ordered pair is not held out."""
    highest = HIGHEST if rng.random() < 0.7 else HIGHEST_NOW_AND_THEN
    while is_new(*(found := (rng.randint(0, highest), rng.randint(0, highest)))):
        pass
    return add_pair(rng, *found)


def add_pair(rng: Random, a: int, b: int) -> Exchange:
    total = a + b
    if total <= 2 * HIGHEST and rng.random() < 0.1:
        ask = f"What is {in_words(a)} plus {in_words(b)}?"
        answer = f"{in_words(a)} plus {in_words(b)} is {in_words(total)}"
        return Exchange(ask, answer, steps(a, b, 1), in_words(total))
    ask = rng.choice(ADD).format(a=a, b=b)
    return Exchange(ask, f"{a} + {b} = {total}", steps(a, b, 1), str(total))


def take(rng: Random) -> Exchange:
    a = rng.randint(0, HIGHEST)
    b = rng.randint(0, a)
    ask = rng.choice(TAKE).format(a=a, b=b)
    return Exchange(ask, f"{a} - {b} = {a - b}", steps(a, b, -1), str(a - b))


def times(rng: Random) -> Exchange:
    a, b = rng.randint(1, 10), rng.randint(1, 10)
    ask = rng.choice(TIMES).format(a=a, b=b)
    return Exchange(ask, f"{a} x {b} = {a * b}", f"{a} times {b} is {a * b}.", str(a * b))


def compare(rng: Random) -> Exchange:
    a, b = rng.sample(range(100), 2)
    big, small = max(a, b), min(a, b)
    ask = rng.choice(("Which is larger, {a} or {b}?", "Which number is bigger: {a} or {b}?")).format(a=a, b=b)
    return Exchange(ask, f"{big} is larger than {small}.", f"{small} comes before {big}.", str(big))
