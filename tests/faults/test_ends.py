"""Told to end in some of its states, in short."""

import pytest

from tests.faults.ends import BY_NAME, ended


@pytest.mark.parametrize("state", ["a run", "a load that hangs", "a disk that hangs"])
def test_it_is_gone_in_time_and_the_text_is_kept(state: str) -> None:
    row = ended(BY_NAME[state])
    if row.skipped:
        pytest.skip(row.skipped)
    assert row.lost == ()
