"""Made-up looks inside: each layer's guesses at one place."""

import math
import zlib

from app.engine.types import Alternative, LayerPrediction, LensPosition


def guess(*pairs: tuple[int, str, float]) -> LayerPrediction:
    return LayerPrediction(
        tuple(Alternative(each, text, math.log(share), 0.0) for each, text, share in pairs), 1.0, math.log(0.5)
    )


def depth(*firsts: str, said: str = "fox", position: int = 7) -> LensPosition:
    """Each layer's first guess; the second one is always “cat”."""
    guesses = tuple(guess((_id(first), first, 0.6), (1001, "cat", 0.3)) for first in firsts)
    return LensPosition(position, _id(said), said, guesses, guesses[-1])


def _id(text: str) -> int:
    """The same in each process; words of a test are told apart."""
    return zlib.crc32(text.encode()) % 1000
