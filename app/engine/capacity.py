"""How many more tokens there is room for: in the context, and in memory from the model's shape."""

from app.engine.types import KV, KVShape, Memory

BITS_IN_BYTE = 8
NUMBERS_PER_GROUP = 2
"""A quantised group has a scale and a bias besides its values."""


def kv_bytes(shape: KVShape, kv: KV) -> float:
    """What the cache takes for each token; 0 where the shape does not tell."""
    if kv.bits is None:
        return shape.values * shape.bytes_per_value
    groups = shape.values / kv.group_size
    return shape.values * kv.bits / BITS_IN_BYTE + groups * NUMBERS_PER_GROUP * shape.bytes_per_value


def memory_room(memory: Memory, shape: KVShape, kv: KV) -> int | None:
    """How many tokens the free memory could hold, what the device's limit leaves; None where that is not known."""
    each = kv_bytes(shape, kv)
    if not memory.limit or not each or not kv.enabled:
        return None
    return max(0, int((memory.limit - memory.active) / each))


def context_room(context: int | None, used: int) -> int | None:
    """How many tokens the context has left; None for a model without a limit."""
    return None if context is None else max(0, context - used)
