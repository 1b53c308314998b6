"""Tokens that still fit into the context window, and into memory, computed from the model's shape."""

from app.engine.types import KV, KVShape, Memory

BITS_IN_BYTE = 8
NUMBERS_PER_GROUP = 2
"""A quantized group has a scale and a bias besides its values."""


def kv_bytes(shape: KVShape, kv: KV) -> float:
    """Return the bytes of KV cache per token; 0 if the shape is unknown."""
    if kv.bits is None:
        return shape.values * shape.bytes_per_value
    groups = shape.values / kv.group_size
    return shape.values * kv.bits / BITS_IN_BYTE + groups * NUMBERS_PER_GROUP * shape.bytes_per_value


def memory_room(memory: Memory, shape: KVShape, kv: KV) -> int | None:
    """Return the tokens that fit into the memory left under the device's limit; None if unknown."""
    each = kv_bytes(shape, kv)
    if not memory.limit or not each or not kv.enabled:
        return None
    return max(0, int((memory.limit - memory.active) / each))


def context_room(context: int | None, used: int) -> int | None:
    """Return the tokens left in the context window; None for a model without a limit."""
    return None if context is None else max(0, context - used)
