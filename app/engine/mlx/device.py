"""One operation on the default device, to know that it works at all."""

from __future__ import annotations

import mlx.core as mx

SIDE = 64


def try_device() -> str:
    """Multiply two matrices and say where. The thread is left clean, and may not use MLX afterwards."""
    ones = mx.ones((SIDE, SIDE))
    total = (ones @ ones).sum().item()
    device = str(mx.default_device())
    mx.clear_streams()
    if total != SIDE**3:
        raise ArithmeticError(f"{device} says {total} where {SIDE**3} is right")
    return device
