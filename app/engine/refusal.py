"""How something is refused in the middle of the work: an exception that carries a finished Failure."""

from __future__ import annotations

from app.engine.types import Failure

DETAILS_LIMIT = 2_000


class RefusedError(Exception):
    """Carries a finished Failure up to the border, where it becomes a value."""

    def __init__(self, what: str, todo: str, details: str = "", kind: str = "error") -> None:
        super().__init__(what)
        self.failure = Failure(what, todo, details, kind)

    @classmethod
    def of(cls, failure: Failure) -> RefusedError:
        return cls(failure.what, failure.todo, failure.details, failure.kind)


def details_of(error: BaseException) -> str:
    """One line about an exception. Text only: a kept traceback would pin the model in memory."""
    return f"{type(error).__name__}: {error}"[:DETAILS_LIMIT]
