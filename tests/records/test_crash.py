"""Killed in the middle of a stream, the program loses nothing that is older than half a second."""

from tests.records.crash import killed_well


def test_nothing_old_is_lost() -> None:
    assert killed_well(4, seeds=(11, 12, 13))
