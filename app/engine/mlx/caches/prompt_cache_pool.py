"""KV caches of inactive conversations in memory, so that returning to one needs no prefill.

mlx-lm's `LRUPromptCache` stores each cache separately, has no sessions, and drops the oldest first. Here caches share
the blocks of common prefixes, and the one with the least value for its size is dropped first.
"""

import copy
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten, tree_map
from mlx_lm.models.cache import KVCache, QuantizedKVCache, RotatingKVCache, can_trim_prompt_cache

from app.engine.text import common_prefix

BLOCK = KVCache.step
"""In tokens."""
MOST = 64
"""Maximum number of caches: each is searched for every prompt."""
CUT = (KVCache, QuantizedKVCache)
ROLLED = (*CUT, RotatingKVCache)
"""Classes that can be trimmed; a rotating cache only until it wraps. Others only continue from their end."""

Arrays = Any
"""An array, or a tree of arrays in mlx's sense, with an axis of tokens."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Keys and values of some adjacent tokens, for each layer. Immutable, so that caches can share it."""

    layers: tuple[tuple[Arrays, Arrays], ...]
    tokens: int
    size: int


@dataclass(slots=True, eq=False)
class PooledCache:
    """The cache of a conversation or branch, in blocks. `whole` is set instead if it can't be divided."""

    ids: tuple[int, ...]
    kind: object
    session: int
    layers: tuple[tuple[type, tuple[Any, ...]], ...]
    """The class of each layer, and its state besides keys, values and length."""
    blocks: tuple[Block, ...] = ()
    whole: list[Any] = field(default_factory=list)
    age: float = 0.0
    """GreedyDual clock value at the last use (for eviction)."""

    @property
    def size(self) -> int:
        """Size in bytes; shared blocks count fully."""
        return sum(block.size for block in self.blocks) + _size(self.whole)

    def usable(self, ids: tuple[int, ...]) -> int:
        """Return how many tokens of a prompt can be reused; at least one is left to prefill."""
        keep = min(common_prefix(self.ids, ids), len(ids) - 1)
        if keep == len(self.ids) or not self.whole:
            return keep
        return keep if all(type(layer) in ROLLED for layer in self.whole) and can_trim_prompt_cache(self.whole) else 0

    def restore(self, tokens: int) -> tuple[list[Any], tuple[int, ...]]:
        """Return a copy to continue, and its ids: up to one block more than this many tokens."""
        if self.whole:
            return copy.deepcopy(self.whole), self.ids
        blocks = self.blocks[: tokens // BLOCK + 1]
        count = sum(block.tokens for block in blocks)
        caches = []
        for number, (kind, rest) in enumerate(self.layers):
            parts = ([block.layers[number][side] for block in blocks] for side in (0, 1))
            keys, values = (tree_map(_concatenate, *each) for each in parts)
            caches.append(kind.from_state((keys, values, count, *rest)))  # type: ignore[attr-defined]
        return caches, self.ids[:count]


class PromptCachePool:
    """The caches of one model, within a budget of bytes.

    Caches with the most bytes per token are dropped first, among equals the least recently used (GreedyDual).
    """

    def __init__(self) -> None:
        self.budget = 0
        self._caches: list[PooledCache] = []
        self._age = 0.0

    @property
    def size(self) -> int:
        """Size in bytes; shared blocks count once."""
        blocks = {id(block): block.size for each in self._caches for block in each.blocks}
        return sum(blocks.values()) + sum(_size(each.whole) for each in self._caches)

    def find(self, ids: tuple[int, ...], kind: object, more_than: int) -> PooledCache | None:
        """Return the cache with most of a prompt; None if none has more than `more_than` tokens of it."""
        best, most = None, more_than
        for each in self._caches:
            # The first part is compared in one piece: token by token takes long.
            if each.kind == kind and each.ids[: most + 1] == ids[: most + 1] and (count := each.usable(ids)) > most:
                best, most = each, count
        return best

    def keep(self, caches: list[Any], ids: tuple[int, ...], kind: object, session: int) -> PooledCache:
        """Add a cache of these ids. It replaces caches that it contains."""
        cut = all(type(layer) in CUT and layer.offset == len(ids) for layer in caches)
        layers = tuple((type(layer), tuple(layer.state[3:])) for layer in caches) if cut else ()
        alike = [each for each in self._caches if (each.kind, each.layers) == (kind, layers)]
        near = max(alike, key=lambda each: common_prefix(each.ids, ids), default=None)
        if near is not None and near.ids[: len(ids)] == ids and (cut or len(near.ids) == len(ids)):
            self.use(near)
            return near
        new = PooledCache(ids, kind, session, layers)
        if cut:
            shared = near.blocks[: common_prefix(near.ids, ids) // BLOCK] if near is not None else ()
            new.blocks = (*shared, *_blocks(caches, len(shared) * BLOCK, len(ids)))
            self._caches = [each for each in self._caches if each not in alike or ids[: len(each.ids)] != each.ids]
        else:
            new.whole = copy.deepcopy(caches)
        self.use(new)
        self.shrink(self.budget)
        return new

    def use(self, cache: PooledCache) -> None:
        """Mark a cache as the most recently used."""
        cache.age = self._age
        self._caches = [*(each for each in self._caches if each is not cache), cache]

    def shrink(self, budget: int) -> None:
        """Drop the least valuable caches until the rest fits into this many bytes."""
        while self._caches and (self.size > budget or len(self._caches) > MOST):
            owners = Counter(id(block) for each in self._caches for block in each.blocks)
            ranks = [each.age + _value(each, owners) for each in self._caches]
            self._age = min(ranks)
            del self._caches[ranks.index(self._age)]

    def make_room(self, wanted: int) -> None:
        """Free this many bytes for something else."""
        self.shrink(max(0, self.size - wanted))
        mx.clear_cache()

    def latest(self) -> list[PooledCache]:
        """All caches, most recently used first."""
        return self._caches[::-1]

    def forget(self, session: int) -> None:
        """Drop the caches of a session; 0 or FORGET_MEMORY: of all."""
        self._caches = [each for each in self._caches if 0 < session != each.session]

    def clear(self) -> None:
        self._caches, self._age = [], 0.0


def _value(cache: PooledCache, owners: Counter[int]) -> float:
    """Return the tokens to prefill again for each byte that dropping the cache would free."""
    own = [block for block in cache.blocks if owners[id(block)] == 1]
    if cache.whole:
        return len(cache.ids) / max(1, _size(cache.whole))
    return sum(block.tokens for block in own) / max(1, sum(block.size for block in own))


def _blocks(caches: list[Any], start: int, end: int) -> list[Block]:
    """Divide keys and values into blocks. They are copies, so that the large arrays can be freed."""
    blocks = []
    for first in range(start, end, BLOCK):
        last = min(first + BLOCK, end)
        layers = tuple((_part(layer.keys, first, last), _part(layer.values, first, last)) for layer in caches)
        flat: Any = tree_flatten(list(layers))
        blocks.append(Block(layers, last - first, sum(array.nbytes for _, array in flat)))
    mx.eval([block.layers for block in blocks])
    return blocks


def _part(arrays: Arrays, first: int, last: int) -> Arrays:
    return tree_map(lambda array: mx.contiguous(array[..., first:last, :]), arrays)


def _concatenate(*arrays: mx.array) -> mx.array:
    """Join arrays, with room for one more block, so that the next tokens need no copy of all."""
    *_, tokens, size = arrays[-1].shape
    room = mx.zeros((*arrays[-1].shape[:-2], BLOCK - tokens % BLOCK, size), arrays[-1].dtype)
    return mx.concatenate([*arrays, room], axis=-2)


def _size(caches: list[Any]) -> int:
    return sum(int(layer.nbytes) for layer in caches)
