"""Tokenizers, loaded once for all tests that need them, as mlx-lm wraps them."""

from functools import cache
from pathlib import Path
from typing import Any

NAMES = ("llama3.2-instruct", "qwen3", "mistral-7b-instruct-v0.3", "t5-small")


@cache
def load(folder: Path) -> Any:
    from mlx_lm.tokenizer_utils import load as load_tokenizer

    import app.engine.mlx.chat_templates  # noqa: F401  (as the program has it: templates are rendered in their process)

    return load_tokenizer(folder)


def decoded(tokenizer: Any, ids: list[int], context: list[int]) -> str:
    before, both = (
        tokenizer.decode(some, skip_special_tokens=False, clean_up_tokenization_spaces=False)
        for some in (context, [*context, *ids])
    )
    return str(both[len(before) :])
