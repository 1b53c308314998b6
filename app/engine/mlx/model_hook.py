"""A model that reports its calls and results, without changing a value."""

from collections.abc import Callable
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module

Before = Callable[[int], bool]
Look = Callable[[mx.array], None]


def _not_looked_at(_array: mx.array) -> None:
    pass


class ModelHook(Module):
    """Wraps a model for one run, because mlx-lm doesn't report the prefill of a draft model, nor raw logits.

    `before` gets the number of input tokens and returns whether the logits are needed. `after` gets the logits, and
    `given` the input tokens.
    """

    def __init__(
        self, inner: Module, before: Before, after: Look = _not_looked_at, given: Look = _not_looked_at
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.inner = inner
        self._before = before
        self._after = after
        self._given = given

    @property
    def layers(self) -> Any:
        """The model's layers. mlx-lm counts them to find the draft model's part of a cache."""
        return self.inner.layers

    def __call__(self, tokens: mx.array, cache: Any = None) -> mx.array:
        wanted = self._before(int(tokens.shape[1]))
        logits: mx.array = self.inner(tokens, cache=cache)
        if wanted:
            self._given(tokens)
            self._after(logits)
        return logits
