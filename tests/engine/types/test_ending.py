"""How a run ended is kept under one name and shown under another."""

import pytest

from app.engine.types import Reason


@pytest.mark.parametrize("reason", Reason)
def test_in_english_the_two_are_the_same(reason: Reason) -> None:
    assert reason.words == reason.value
