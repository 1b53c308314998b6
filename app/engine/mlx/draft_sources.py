"""The sources of draft tokens: the text of the run (prompt lookup), or a draft model."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm.generate import maybe_quantize_kv_cache
from mlx_lm.models.cache import trim_prompt_cache

from app.engine.draft_length import BY_MODEL
from app.engine.lookup import NO_PROPOSAL, Lookup
from app.engine.types import KV

AT_ONCE = 2
"""Tokens that a draft model processes in one pass after a step whose draft tokens were all accepted."""


class SharedLayers(list[Any]):
    """The layers of a KV cache. A slice replaces layers in it, too: mlx-lm quantizes slices, and drops the results."""

    def __init__(self, caches: list[Any], part: slice = slice(None)) -> None:
        super().__init__(caches[part])
        self._caches, self._start = caches, part.start or 0

    def __getitem__(self, key: Any) -> Any:
        return SharedLayers(self._caches, key) if isinstance(key, slice) else super().__getitem__(key)

    def __setitem__(self, index: Any, layer: Any) -> None:
        super().__setitem__(index, layer)
        self._caches[self._start + index] = layer


class CacheLayers:
    """The layers of one model, quantized as mlx-lm's loop does it with caches that it gets itself."""

    def __init__(self, layers: list[Any], kv: KV) -> None:
        self.layers, self._kv = layers, kv

    def forward(self, module: Module, tokens: mx.array) -> mx.array:
        """Run the model on tokens of shape (1, n)."""
        logits: mx.array = module(tokens, cache=self.layers)
        maybe_quantize_kv_cache(self.layers, self._kv.quantized_start, self._kv.group_size, self._kv.bits)
        return logits

    def trim(self, count: int) -> None:
        trim_prompt_cache(self.layers, count)


class DraftSource(Protocol):
    """Proposes the draft tokens of a step one by one."""

    def prefill(self, tokens: mx.array) -> None:
        """Process a part of the prompt, which has all tokens but the last."""

    def match(self, most: int) -> int:
        """Begin a step of `most` tokens. Return the length of the match, or BY_MODEL; 0: no token can be proposed."""

    def catch_up(self) -> None:
        """Process the tokens of steps without draft tokens, so that their time isn't the cost of this step."""

    def propose(self, sample: Callable[[mx.array], mx.array]) -> mx.array:
        """Return the next draft token; `sample` draws it from logits of shape (1, vocabulary)."""

    def take(self, token: int) -> None:
        """Add the next token of the answer."""

    def end_step(self, accepted: int) -> None:
        """End a step with this many accepted draft tokens."""


class LookupSource:
    """Proposes the continuation of the longest n-gram that occurred before."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup, self._proposal, self._given = lookup, NO_PROPOSAL, 0

    def prefill(self, tokens: mx.array) -> None:
        pass

    def match(self, most: int) -> int:
        self._proposal, self._given = self._lookup.propose(most), 0
        return self._proposal.matched

    def catch_up(self) -> None:
        pass

    def propose(self, sample: Callable[[mx.array], mx.array]) -> mx.array:
        self._given += 1
        return mx.array([self._proposal.ids[self._given - 1]], mx.uint32)

    def take(self, token: int) -> None:
        self._lookup.extend((token,))

    def end_step(self, accepted: int) -> None:
        pass


class ModelSource:
    """Proposes tokens of a draft model, which computes only tokens that are verified, and none in other steps."""

    def __init__(self, module: Module, layers: CacheLayers, new: Sequence[int], rows: int) -> None:
        """Start with the prompt tokens that aren't cached. `rows`: the size of the target model's logits."""
        self._module, self._layers, self._rows = module, layers, rows
        self._unread = list(new)
        """Tokens of the text that the draft model has not processed."""
        self._last: mx.array | None = None
        """The last draft token of this step."""
        self._read = 0
        """Draft tokens of this step that the draft model has processed."""

    def prefill(self, tokens: mx.array) -> None:
        self._layers.forward(self._module, tokens)
        mx.eval([layer.state for layer in self._layers.layers])
        del self._unread[: tokens.shape[1]]

    def match(self, most: int) -> int:
        return BY_MODEL

    def catch_up(self) -> None:
        if len(self._unread) > AT_ONCE:
            self.prefill(mx.array([self._unread[:-1]], mx.uint32))

    def propose(self, sample: Callable[[mx.array], mx.array]) -> mx.array:
        if self._last is None:
            tokens = mx.array(self._unread, mx.uint32)
            self._unread.clear()
        else:
            tokens, self._read = self._last, self._read + 1
        logits = self._layers.forward(self._module, tokens[None])[:, -1]
        self._last = sample(_resized(logits, self._rows))
        return self._last

    def take(self, token: int) -> None:
        self._unread.append(token)

    def end_step(self, accepted: int) -> None:
        valid = min(accepted, self._read)
        self._layers.trim(self._read - valid)
        del self._unread[:valid]
        self._last, self._read = None, 0


def _resized(logits: mx.array, rows: int) -> mx.array:
    """Return logits of the target model's size, so that the same random numbers belong to the same tokens."""
    missing = rows - logits.shape[-1]
    return mx.pad(logits, [(0, 0), (0, missing)], constant_values=-mx.inf) if missing > 0 else logits[:, :rows]
