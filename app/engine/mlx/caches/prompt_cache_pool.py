"""The caches of conversations that were left, in memory: whoever comes back to one need not have it read again.

mlx-lm's own list of caches (`LRUPromptCache`) keeps each of them whole, knows no conversation, and lets the oldest go.
Here those that can be cut share what they have in common, in blocks, and the one that is worth least goes first.
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
"""Tokens of a block."""
MOST = 64
"""So many are kept at the most, however small they are: each is looked through for every prompt."""
CUT = (KVCache, QuantizedKVCache)
ROLLED = (*CUT, RotatingKVCache)
"""These can be rolled back, a rotating one until it has gone round. Others only go on from where they ended."""

Arrays = Any
"""An array for each token, or several: what mlx calls a tree."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Keys and values of some neighbouring tokens, for each layer; never changed, so that several may have it."""

    layers: tuple[tuple[Arrays, Arrays], ...]
    tokens: int
    size: int


@dataclass(slots=True, eq=False)
class KeptCache:
    """Of one conversation or branch, in blocks; `whole` where it can't be cut into any."""

    ids: tuple[int, ...]
    kind: object
    session: int
    layers: tuple[tuple[type, tuple[Any, ...]], ...]
    """The class of each layer, and what its state says behind keys, values and length."""
    blocks: tuple[Block, ...] = ()
    whole: list[Any] = field(default_factory=list)
    age: float = 0.0
    """How far the list had come when it was last of use."""

    @property
    def size(self) -> int:
        """In bytes, as if it shared nothing."""
        return sum(block.size for block in self.blocks) + _size(self.whole)

    def usable(self, ids: tuple[int, ...]) -> int:
        """How many tokens of a prompt it has; at least one is left to feed."""
        keep = min(common_prefix(self.ids, ids), len(ids) - 1)
        return keep if keep == len(self.ids) or self._can_be_rolled_back else 0

    def made(self, tokens: int) -> tuple[list[Any], tuple[int, ...]]:
        """A cache to go on with, and the ids in it: a block more than so many tokens, if there is one."""
        if self.whole:
            return copy.deepcopy(self.whole), self.ids
        blocks = self.blocks[: tokens // BLOCK + 1]
        count = sum(block.tokens for block in blocks)
        caches = []
        for number, (kind, rest) in enumerate(self.layers):
            keys, values = (_joined([block.layers[number][side] for block in blocks]) for side in (0, 1))
            caches.append(kind.from_state((keys, values, count, *rest)))  # type: ignore[attr-defined]
        return caches, self.ids[:count]

    @property
    def _can_be_rolled_back(self) -> bool:
        return not self.whole or (
            all(type(layer) in ROLLED for layer in self.whole) and can_trim_prompt_cache(self.whole)
        )


class PromptCachePool:
    """Of one model, within a budget of bytes: beyond it the one goes whose tokens take the most room each.

    Among equals that is the one that was of use the longest ago (GreedyDual).
    """

    def __init__(self) -> None:
        self.budget = 0
        self._kept: list[KeptCache] = []
        self._age = 0.0

    @property
    def size(self) -> int:
        """In bytes; what several have counts once."""
        blocks = {id(block): block.size for each in self._kept for block in each.blocks}
        return sum(blocks.values()) + sum(_size(each.whole) for each in self._kept)

    def find(self, ids: tuple[int, ...], kind: object, more_than: int) -> KeptCache | None:
        """The one that has most of a prompt, and more than so many tokens of it; nothing is changed by asking."""
        best, most = None, more_than
        for each in self._kept:
            # The beginning in one piece first: token by token takes long.
            if each.kind == kind and each.ids[: most + 1] == ids[: most + 1] and (count := each.usable(ids)) > most:
                best, most = each, count
        return best

    def keep(self, caches: list[Any], ids: tuple[int, ...], kind: object, session: int) -> KeptCache:
        """What the caches have of these ids. One that has all of that takes its place, and what it has all of goes."""
        cut = all(type(layer) in CUT and layer.offset == len(ids) for layer in caches)
        layers = tuple((type(layer), tuple(layer.state[3:])) for layer in caches) if cut else ()
        alike = [each for each in self._kept if (each.kind, each.layers) == (kind, layers)]
        near = max(alike, key=lambda each: common_prefix(each.ids, ids), default=None)
        if near is not None and near.ids[: len(ids)] == ids and (cut or len(near.ids) == len(ids)):
            self.use(near)
            return near
        new = KeptCache(ids, kind, session, layers)
        if cut:
            shared = near.blocks[: common_prefix(near.ids, ids) // BLOCK] if near is not None else ()
            new.blocks = (*shared, *_blocks(caches, len(shared) * BLOCK, len(ids)))
            self._kept = [each for each in self._kept if each not in alike or ids[: len(each.ids)] != each.ids]
        else:
            new.whole = copy.deepcopy(caches)
        self.use(new)
        self.shrink(self.budget)
        return new

    def use(self, kept: KeptCache) -> None:
        """It stands last, so that it is the last of its equals to go."""
        kept.age = self._age
        self._kept = [*(each for each in self._kept if each is not kept), kept]

    def shrink(self, budget: int) -> None:
        """Let go of what is worth least, until the others take no more than this."""
        while self._kept and (self.size > budget or len(self._kept) > MOST):
            owners = Counter(id(block) for each in self._kept for block in each.blocks)
            ranks = [each.age + _worth(each, owners) for each in self._kept]
            self._age = min(ranks)
            del self._kept[ranks.index(self._age)]

    def make_room(self, wanted: int) -> None:
        """Something else needs so many bytes."""
        self.shrink(max(0, self.size - wanted))
        mx.clear_cache()

    def latest(self) -> list[KeptCache]:
        """All of them, what was of use last at first."""
        return self._kept[::-1]

    def forget(self, session: int) -> None:
        """Those of a conversation that was deleted; 0 or FORGET_MEMORY: of all."""
        self._kept = [each for each in self._kept if 0 < session != each.session]

    def clear(self) -> None:
        self._kept, self._age = [], 0.0


def _worth(kept: KeptCache, owners: Counter[int]) -> float:
    """Tokens that would have to be read again, for each byte that would be free."""
    own = [block for block in kept.blocks if owners[id(block)] == 1]
    if kept.whole:
        return len(kept.ids) / max(1, _size(kept.whole))
    return sum(block.tokens for block in own) / max(1, sum(block.size for block in own))


def _blocks(caches: list[Any], start: int, end: int) -> list[Block]:
    """Copies, so that the large arrays that they are cut from can go."""
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


def _joined(parts: list[Arrays]) -> Arrays:
    """With room for as many as a block has, so that the next tokens need not have all of it copied."""
    return tree_map(_concatenated, *parts)


def _concatenated(*arrays: mx.array) -> mx.array:
    *_, tokens, size = arrays[-1].shape
    room = mx.zeros((*arrays[-1].shape[:-2], BLOCK - tokens % BLOCK, size), arrays[-1].dtype)
    return mx.concatenate([*arrays, room], axis=-2)


def _size(caches: list[Any]) -> int:
    return sum(int(layer.nbytes) for layer in caches)
