"""The prompt sets that come with the program are those that this code writes."""

import pytest

import prompt_sets


@pytest.mark.parametrize("name", list(prompt_sets.SETS))
def test_a_set_is_what_the_code_writes(name: str) -> None:
    assert (prompt_sets.TO / f"{name}.jsonl").read_text(encoding="utf-8") == prompt_sets.written(name)
