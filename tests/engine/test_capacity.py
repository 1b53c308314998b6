"""How much room there is, from the shape of a cache."""

import pytest

from app.engine.capacity import context_room, kv_bytes, memory_room
from app.engine.types import KV, KVShape, Memory

SHAPE = KVShape(values=1024, bytes_per_value=2, head_sizes=(64,))


@pytest.mark.parametrize(
    ("kv", "bytes_per_token"),
    [(KV(), 2048), (KV(bits=8), 1024 + 64), (KV(bits=4), 512 + 64), (KV(bits=4, group_size=32), 512 + 128)],
)
def test_bytes_of_a_token(kv: KV, bytes_per_token: float) -> None:
    assert kv_bytes(SHAPE, kv) == bytes_per_token


def test_room_in_memory_is_what_the_limit_leaves() -> None:
    memory = Memory(active=10_000, cache=0, peak=0, limit=30_480, weights=0, kv=0)
    assert memory_room(memory, SHAPE, KV()) == 10
    assert memory_room(memory, SHAPE, KV(bits=8)) == 18
    full = Memory(active=40_000, cache=0, peak=0, limit=30_480, weights=0, kv=0)
    assert memory_room(full, SHAPE, KV()) == 0


def test_room_is_not_known_without_shape_limit_or_cache() -> None:
    memory = Memory(active=0, cache=0, peak=0, limit=30_480, weights=0, kv=0)
    assert memory_room(memory, KVShape(), KV()) is None
    assert memory_room(memory, SHAPE, KV(enabled=False)) is None
    assert memory_room(Memory(0, 0, 0, 0, 0, 0), SHAPE, KV()) is None


def test_room_in_the_context() -> None:
    assert context_room(2048, 48) == 2000
    assert context_room(10, 48) == 0
    assert context_room(None, 48) is None
