import pytest

from app.engine.mlx.loading.import_check import try_whole


def test_import_check_counts_modules() -> None:
    assert try_whole(["llama", "qwen2"]) == "2 architectures, 4 tokenizers"


@pytest.mark.parametrize(("types", "named"), [(["llama", "no_such_type"], "no_such_type"), ([], "all architectures")])
def test_import_check_names_missing_modules(types: list[str], named: str) -> None:
    with pytest.raises(ImportError, match=named):
        try_whole(types)
