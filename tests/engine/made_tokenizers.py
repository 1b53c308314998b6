"""Tokenizers, loaded once for all tests that need them, as mlx-lm wraps them."""

from functools import cache
from pathlib import Path
from typing import Any

BYTE_NAMES = ("llama3.2-instruct", "qwen3", "mistral-7b-instruct-v0.3")
NAMES = (*BYTE_NAMES, "t5-small")


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


class Slow:
    """A tokenizer with no fast backend, hence no offsets."""

    bos_token = bos_token_id = think_start = think_end = chat_template = None
    has_thinking = has_chat_template = False

    def __len__(self) -> int:
        return 128

    def encode(self, text: str, *, add_special_tokens: bool, verbose: bool) -> list[int]:
        return list(text.encode("ascii"))

    def decode(self, ids: list[int], *, skip_special_tokens: bool, clean_up_tokenization_spaces: bool) -> str:
        return bytes(ids).decode("ascii")

    def apply_chat_template(self, conversation: list[dict[str, str]], *, tokenize: bool, **options: object) -> str:
        raise KeyError("chat")
