"""Groups tokens until a request's `interval` is reached."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from app.engine.protocol import Emit
from app.engine.types import AT_THE_END, Token

Item = TypeVar("Item")


class TokenBatch(Generic[Item]):
    """Waiting tokens; `tokens` converts all of them at once."""

    def __init__(self, interval: int, emit: Emit, tokens: Callable[[list[Item]], Iterable[Token]]) -> None:
        self._interval, self._emit, self._tokens = interval, emit, tokens
        self._waiting: list[Item] = []

    def add(self, item: Item) -> bool:
        """Add a token and return whether the batch is full."""
        self._waiting.append(item)
        return self._interval != AT_THE_END and len(self._waiting) >= self._interval

    def hand_over(self) -> None:
        waiting, self._waiting = self._waiting, []
        for token in self._tokens(waiting):
            self._emit(token)
