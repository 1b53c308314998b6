"""The program starts wherever it is put, in short."""

import pytest

from tests.faults import surroundings


@pytest.mark.parametrize("name", surroundings.SHORT)
def test_it_starts_and_answers(name: str) -> None:
    assert surroundings.started(name, ["--engine", "echo"]).lost == ()
