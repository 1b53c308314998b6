"""What a quantisation costs, in one sentence."""

import math
from dataclasses import replace

import pytest

from app.quantising.cost import Cost

BIT = math.log(2)
COST = Cost(0.02 * BIT, 0.01 * BIT, 0.004, 0.001, 0.984, 80.0, 40.0, 300)


def test_it_says_what_is_saved_what_is_lost_and_how_fast_it_is_here() -> None:
    assert COST.sentence(3.14) == (
        "3.1 times smaller, 0.020 ± 0.010 bits a token worse, 98.4% of first choices the same. "
        "On this machine it is faster: 80.0 tokens/s instead of 40.0."
    )


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (replace(COST, worse=-0.02 * BIT), "0.020 ± 0.010 bits a token better"),
        (replace(COST, worse_error=None), " 0.02 bits a token worse"),
        (replace(COST, speed=20.0), "it is slower: 20.0 tokens/s instead of 40.0."),
        (replace(COST, speed=41.0), "it is as fast: 41.0 tokens/s instead of 40.0."),
    ],
)
def test_it_says_the_contrary_too(cost: Cost, words: str) -> None:
    assert words in cost.sentence(3.14)


def test_of_a_speed_that_is_not_known_nothing_is_said() -> None:
    assert replace(COST, speed=None).sentence(2).endswith("the same.")
