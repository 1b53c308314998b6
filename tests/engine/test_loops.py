"""Where a text begins to say the same over and over."""

import random
from collections.abc import Sequence

import pytest

from app.engine.token_patterns import FEWEST_TOKENS, LONGEST_PERIOD, ROUNDS, find_loop
from app.engine.types import HiddenStates, RepetitionLoop

UNLIKE = tuple(range(100, 120))


@pytest.mark.parametrize(
    ("ids", "loop"),
    [
        ((), None),
        (UNLIKE, None),
        (UNLIKE + (1, 2, 3, 4, 5) * 2, None),
        (UNLIKE + (1, 2, 3, 4, 5) * 3, RepetitionLoop(20, 5, 35)),
        (UNLIKE + (7,) * FEWEST_TOKENS, RepetitionLoop(20, 1, 20 + FEWEST_TOKENS)),
        (UNLIKE + (7,) * (FEWEST_TOKENS - 1), None),
        (UNLIKE + (1, 2, 3, 4, 5) * 4 + (1, 2) + UNLIKE, RepetitionLoop(20, 5, 42)),
        ((1, 2) * 10 + UNLIKE + (3, 4, 5) * 9, RepetitionLoop(40, 3, 67)),
        (tuple(range(LONGEST_PERIOD)) * 3, RepetitionLoop(0, LONGEST_PERIOD, 3 * LONGEST_PERIOD)),
        (tuple(range(LONGEST_PERIOD + 1)) * 3, None),
    ],
)
def test_the_longest_stretch_of_rounds(ids: tuple[int, ...], loop: RepetitionLoop | None) -> None:
    assert find_loop(ids) == loop


def test_wherever_it_is_and_however_long_its_round() -> None:
    chance = random.Random(3)
    for _ in range(50):
        period, before = chance.randint(4, 60), [chance.randint(1000, 9000) for _ in range(chance.randint(0, 80))]
        ids = [*before, *list(range(period)) * chance.randint(3, 6), 500]
        assert find_loop(ids) == RepetitionLoop(len(before), period, len(ids) - 1)


def slowly(ids: Sequence[int]) -> RepetitionLoop | None:
    """By the definition: from each token on, with each period, as far as it goes."""
    best, longest = None, FEWEST_TOKENS - 1
    for period in range(1, len(ids) // ROUNDS + 1):
        for start in range(len(ids) - period):
            others = (at for at in range(start + period, len(ids)) if ids[at] != ids[at - period])
            size = next(others, len(ids)) - start
            if size > longest and size >= ROUNDS * period:
                best, longest = RepetitionLoop(start, period, start + size), size
    return best


def test_it_is_what_the_definition_says() -> None:
    chance = random.Random(5)
    for _ in range(300):
        kinds = chance.randint(1, 4)
        before, told, after = ([chance.randrange(kinds) for _ in range(chance.randint(0, 9))] for _ in range(3))
        ids = before + told * chance.randint(0, 6) + after
        assert find_loop(ids) == slowly(ids), ids


def test_where_the_states_agree() -> None:
    """From token 3 on; the window begins behind the loop's first token."""
    size, loop = 6, RepetitionLoop(0, 2, 8)
    cosines = [1.0 if min(row, column) >= 1 or row == column else 0.5 for row in range(size) for column in range(size)]
    assert HiddenStates(7, (), None, 2, size, (cosines,), loop).agree_from(loop) == 3
    assert HiddenStates(7, (), None, 2, size, ([0.5] * size * size,), loop).agree_from(loop) is None
