import pytest

from tests.journeys import crashing
from tests.records.crash import killed_well

pytestmark = pytest.mark.slow


def test_program_killed_while_streaming_loses_nothing_older_than_half_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(crashing.ENGINE, "echo")
    assert killed_well(2, seeds=(5, 6, 7), program=crashing.PROGRAM)
