"""Killed in the middle of a stream, the program loses nothing that is older than half a second."""

from __future__ import annotations

from tests.records.crash import kill

KILLS = 4


def test_nothing_old_is_lost() -> None:
    found = kill(KILLS, seed=11)
    assert [one.wrong for one in found] == [()] * KILLS
    assert sum(one.due for one in found) > 0
