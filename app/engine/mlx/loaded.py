"""A loaded model with its properties. It never leaves the engine thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.utils import tree_flatten
from mlx_lm.models.cache import KVCache, make_prompt_cache
from mlx_lm.tokenizer_utils import StreamingDetokenizer, TokenizerWrapper

from app.engine.draft_length import StepCosts
from app.engine.mlx.adapter import AttachedAdapter
from app.engine.mlx.prefill import PrefillPace
from app.engine.stop_strings import Markers
from app.engine.text import TokenDecoder
from app.engine.types import ExactPrompt, KVShape, Model, PromptSource


class SilentDetokenizer(StreamingDetokenizer):
    """Replaces mlx-lm's detokenizer, whose text is not used: some drop a space, repeat text or fail on padded ids."""

    text = ""
    last_segment = ""

    def __init__(self, tokenizer: object) -> None:
        self.tokens: list[int] = []

    def reset(self) -> None:
        pass

    def add_token(self, token: int) -> None:
        pass

    def finalize(self) -> None:
        pass


@dataclass(slots=True)
class LoadedModel:
    """Module, tokenizer and the findings of a first pass."""

    module: Module
    tokenizer: TokenizerWrapper
    model: Model
    pace: PrefillPace
    plain_cache: bool
    rows: int
    """The size of the logits, which may be larger than the vocabulary."""
    silent: TokenizerWrapper
    """The tokenizer for `stream_generate`: without text, with the EOS ids of each run."""
    spelling: TokenDecoder
    markers: Markers
    line_ends: frozenset[int]
    grammars: dict[frozenset[int], Any] = field(default_factory=dict)
    """The vocabulary for llguidance, by EOS ids."""
    adapted: AttachedAdapter | None = None
    step_costs: StepCosts = field(default_factory=StepCosts)
    """Of prompt lookup; on a draft model, of steps with it."""
    previewed: tuple[PromptSource, ExactPrompt, float] | None = None
    """The last previewed prompt, and the time of rendering."""

    def at_strength(self, strength: float) -> LoadedModel:
        """Return the model with this adapter strength."""
        if self.adapted is not None:
            self.adapted.set_strength(self.module, strength)
        return self

    def new_cache(self, max_size: int | None = None) -> list[Any]:
        """Create an empty KV cache. `max_size` makes it a rotating one, unless the model makes its own."""
        return list(make_prompt_cache(self.module, max_size))

    def forward(self, ids: tuple[int, ...], cache: list[Any]) -> mx.array:
        """Return the logits after each of these ids, which go into the cache. They are not evaluated."""
        logits: mx.array = self.module(mx.array(ids, mx.uint32)[None], cache=cache)[0]
        return logits

    def eos_ids(self) -> frozenset[int]:
        return frozenset(token for token, _ in self.model.eos)


def silent_wrapper(tokenizer: TokenizerWrapper) -> TokenizerWrapper:
    """Wrap a tokenizer without its detokenizer. Done once, since the wrapper reads the whole vocabulary."""
    return TokenizerWrapper(tokenizer._tokenizer, SilentDetokenizer)


def has_plain_cache(cache: list[Any]) -> bool:
    """Return whether all layers can be trimmed safely; rotating caches claim to until they wrap."""
    return bool(cache) and all(type(layer) is KVCache for layer in cache)


def kv_shape(cache: list[Any]) -> KVShape:
    """Return the shape of a used plain cache for each token: heads × head size in each layer, keys and values."""
    arrays = [array for layer in cache for array in (layer.keys, layer.values) if isinstance(array, mx.array)]
    return KVShape(
        values=sum(int(array.shape[1]) * int(array.shape[-1]) for array in arrays),
        bytes_per_value=max((int(array.itemsize) for array in arrays), default=0),
        head_sizes=tuple(sorted({int(array.shape[-1]) for array in arrays})),
    )


def arrays_of(module: Module) -> list[mx.array]:
    flat: list[tuple[str, mx.array]] = list(tree_flatten(module.parameters()))  # type: ignore[arg-type]
    return [array for _, array in flat]
