"""Caches on the disk under attack, in short."""

import pytest

from tests.faults.saving import ATTACKS, rows


@pytest.mark.parametrize("how", ATTACKS)
def test_every_answer_is_right(how: str) -> None:
    (row,) = rows({how: 2 if how in ("killed", "two") else 5})
    assert row.lost == ()
