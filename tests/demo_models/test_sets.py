"""The prompt sets that come with the program are those that this code writes."""

from __future__ import annotations

import pytest

import sets


@pytest.mark.parametrize("name", list(sets.SETS))
def test_a_set_is_what_the_code_writes(name: str) -> None:
    assert (sets.TO / f"{name}.jsonl").read_text(encoding="utf-8") == sets.written(name)
