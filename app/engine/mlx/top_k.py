"""The top ids of a whole vocabulary, found in the few groups with the best logits."""

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float32]"
Ids: TypeAlias = "NDArray[np.intp]"


def likeliest(logits: Floats, top: int) -> tuple[Ids, Floats]:
    """Return the `top` ids of each row, best first, and the highest logit: NaN if a logit is NaN.

    The `top` groups with the highest logits contain them all: any other token has as many before it.
    """
    count, size = logits.shape
    width = _width(size, top)
    whole = size - size % width
    highest = logits[:, :whole].reshape(count, width, -1).max(axis=1)
    groups = np.argpartition(highest, -top, axis=1)[:, None, -top:]
    ids = (groups + np.arange(0, whole, whole // width)[:, None]).reshape(count, -1)
    if whole < size:  # the last ids, too few for a group, are always candidates
        over = np.arange(whole, size)
        ids = np.concatenate((ids, np.broadcast_to(over, (count, len(over)))), axis=1)
        highest = np.concatenate((highest, logits[:, whole:]), axis=1)
    firsts = np.arange(count)[:, None]
    order = np.argsort(-logits.take(ids + firsts * size), axis=1)[:, :top]
    return ids.take(order + firsts * ids.shape[1]), highest.max(axis=1)


def _width(size: int, top: int) -> int:
    """Return the size of a group: a power of two, which divides most vocabularies, so that both steps are short."""
    return 1 << math.isqrt(size // (4 * top)).bit_length()
