"""The whole program killed while it streams loses nothing that is older than half a second."""

from __future__ import annotations

import pytest

from tests.journeys import crashing
from tests.records.crash import kill

KILLS = 2


def test_nothing_old_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(crashing.ENGINE, "echo")
    found = kill(KILLS, seed=5, program=crashing.PROGRAM)
    assert [one.wrong for one in found] == [()] * KILLS
    assert sum(one.due for one in found) > 0
