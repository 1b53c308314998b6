import pytest

from app.engine.capacity import context_room, kv_bytes, memory_room
from app.engine.types import KV, KVShape, Memory

SHAPE = KVShape(values=1024, bytes_per_value=2, head_sizes=(64,))


@pytest.mark.parametrize(
    ("kv", "bytes_per_token"),
    [(KV(), 2048), (KV(bits=8), 1024 + 64), (KV(bits=4), 512 + 64), (KV(bits=4, group_size=32), 512 + 128)],
)
def test_kv_bytes_of_a_token(kv: KV, bytes_per_token: float) -> None:
    assert kv_bytes(SHAPE, kv) == bytes_per_token


@pytest.mark.parametrize(
    ("active", "limit", "shape", "kv", "room"),
    [
        (10_000, 30_480, SHAPE, KV(), 10),
        (10_000, 30_480, SHAPE, KV(bits=8), 18),
        (40_000, 30_480, SHAPE, KV(), 0),
        (0, 30_480, KVShape(), KV(), None),
        (0, 30_480, SHAPE, KV(enabled=False), None),
        (0, 0, SHAPE, KV(), None),
    ],
)
def test_memory_room_is_what_the_limit_leaves(
    active: int, limit: int, shape: KVShape, kv: KV, room: int | None
) -> None:
    assert memory_room(Memory(active, 0, 0, limit, 0, 0), shape, kv) == room


def test_context_room_is_never_negative() -> None:
    assert (context_room(2048, 48), context_room(10, 48), context_room(None, 48)) == (2000, 0, None)
