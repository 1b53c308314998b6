"""Checks that the device works, and that a frozen program contains all modules that are imported by name."""

import importlib
from collections.abc import Iterable

import mlx.core as mx

TOKENIZERS = ("LlamaTokenizer", "Qwen2Tokenizer", "GemmaTokenizer", "GPT2Tokenizer")
"""Tokenizer classes of the most common models; transformers finds them in a list of its own source files."""
SIDE = 64


def try_whole(model_types: Iterable[str]) -> str:
    """Import the architectures of these model types and some tokenizers; return their number."""
    wanted = [("mlx_lm.models", name) for name in sorted(model_types)]
    missing = [name for place, name in wanted if not _is_there(f"{place}.{name}")]
    transformers = importlib.import_module("transformers")
    missing += [name for name in TOKENIZERS if not hasattr(transformers, name)]
    if missing or not wanted:
        raise ImportError(f"missing: {', '.join(missing) or 'all architectures'}")
    return f"{len(wanted)} architectures, {len(TOKENIZERS)} tokenizers"


def _is_there(module: str) -> bool:
    try:
        importlib.import_module(module)
    except (Exception, SystemExit):  # some call sys.exit if a package is missing
        return False
    return True


def try_device() -> str:
    """Multiply two matrices and return the device. The thread can't use MLX afterwards."""
    ones = mx.ones((SIDE, SIDE))
    total = (ones @ ones).sum().item()
    device = str(mx.default_device())
    mx.clear_streams()
    if total != SIDE**3:
        raise ArithmeticError(f"{device} says {total} where {SIDE**3} is right")
    return device
