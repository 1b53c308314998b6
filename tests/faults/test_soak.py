"""A random user, in short: `python -m tests.faults.soak` goes on for as long as one likes."""

from __future__ import annotations

import pytest

from tests.faults.soak.session import soak

SEED, STEPS = 4, 120
"""This one once ended in a crash."""


@pytest.mark.usefixtures("qapp")
def test_a_random_user() -> None:
    told, broke = soak(SEED, STEPS, pause_ms=40)
    assert not broke, told
