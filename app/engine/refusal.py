"""How something is refused in the middle of the work: an exception that carries a finished Failure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.engine.types import Failure

DETAILS_LIMIT = 2_000
NOTHING = "empty"
"""The kind of failure that only says that there is no prompt yet."""
RUST = "pyo3_runtime"
"""The module of what Rust throws where it gives up."""


class RefusedError(Exception):
    """Carries a finished Failure up to the border, where it becomes a value."""

    def __init__(self, what: str, todo: str, details: str = "", kind: str = "error") -> None:
        super().__init__(what)
        self.failure = Failure(what, todo, details, kind)

    @classmethod
    def of(cls, failure: Failure) -> RefusedError:
        return cls(failure.what, failure.todo, failure.details, failure.kind)


class PanicError(Exception):
    """A tokenizer gave up in the middle of a text."""


@contextmanager
def without_panic() -> Iterator[None]:
    """The tokenizers are written in Rust, whose panics are no `Exception`: they would end a thread unheard."""
    try:
        yield
    except BaseException as panic:
        if type(panic).__module__ != RUST:
            raise
        error = PanicError(str(panic))
    else:
        return
    raise error


def details_of(error: BaseException) -> str:
    """One line about an exception. Text only: a kept traceback would pin the model in memory."""
    return f"{type(error).__name__}: {error}"[:DETAILS_LIMIT]
