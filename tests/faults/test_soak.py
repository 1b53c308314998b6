"""A random user, in short: `python -m tests.faults.soak` goes on for as long as one likes."""

import pytest

from tests.faults.soak.session import soak

SEEDS = (4, 5, 6)
"""The first of them once ended in a crash."""
STEPS, PAUSE_MS = 150, 40
"""About a minute, all together."""


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_user(seed: int) -> None:
    report, broke = soak(seed, STEPS, pause_ms=PAUSE_MS)
    assert not broke, report.told()
