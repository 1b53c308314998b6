"""What is imported by name is looked for, and what is missing is named."""

import pytest

from app.engine.mlx.loading.import_check import try_whole


def test_what_is_there_is_counted() -> None:
    assert try_whole(["llama", "qwen2"]) == "2 architectures, 4 tokenizers"


@pytest.mark.parametrize(("types", "named"), [(["llama", "no_such_type"], "no_such_type"), ([], "all architectures")])
def test_what_is_missing_is_named(types: list[str], named: str) -> None:
    with pytest.raises(ImportError, match=named):
        try_whole(types)
