import pytest

import prompt_sets


@pytest.mark.parametrize("name", list(prompt_sets.SETS))
def test_prompt_set_file_equals_the_generated_one(name: str) -> None:
    assert (prompt_sets.TO / f"{name}.jsonl").read_text(encoding="utf-8") == prompt_sets.written(name)
