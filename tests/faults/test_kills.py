"""Killed in some of its moments, in short."""

import pytest

from tests.faults.kills import killed


@pytest.mark.parametrize("moment", ["opening", "rescue", "experiment"])
def test_what_was_shown_half_a_second_before_a_kill_is_kept(moment: str) -> None:
    assert killed(moment, 2).lost == ()
