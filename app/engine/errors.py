"""Exceptions that carry a Failure, for code that can't return one."""

from __future__ import annotations

import traceback
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from app.engine.types import Cancellation, Failure
from app.i18n import tr

DETAILS_LIMIT = 2_000
NOTHING = "empty"
"""Kind of the failure for an empty prompt."""
LONGEST_NAME = 100
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that break a line, change the text direction, or are invisible or invalid."""
MLX_LIBRARY = "libmlx"
RUST = "pyo3_runtime"
"""Module of the exception that a Rust panic raises."""


class AbortedError(Exception):
    """The work can't continue; `outcome` is the reason."""

    def __init__(self, outcome: Failure | Cancellation) -> None:
        super().__init__()
        self.outcome = outcome


def missing_backend(error: ImportError) -> Exception:
    """Return a clear error if the error says that MLX has no backend; it is an own package on Linux."""
    if MLX_LIBRARY not in str(error):
        return error
    what, todo = tr("MLX has no backend here."), tr("Install Sluice with one: uv tool install 'sluice-lm[cpu]'.")
    return AbortedError(Failure(what, todo, str(error)))


class UserError(Exception):
    """Carries a Failure to a caller that returns it as a value."""

    def __init__(self, what: str, todo: str, details: str = "", kind: str = "error") -> None:
        super().__init__(what)
        self.failure = Failure(what, todo, details, kind)

    @classmethod
    def of(cls, failure: Failure) -> UserError:
        return cls(failure.what, failure.todo, failure.details, failure.kind)


class PanicError(Exception):
    """A tokenizer panicked."""


@contextmanager
def without_panic() -> Iterator[None]:
    """Turn Rust panics of the tokenizers into PanicError.

    They are not an `Exception`, and would end the thread silently.
    """
    try:
        yield
    except BaseException as panic:
        if type(panic).__module__ != RUST:
            raise
        error = PanicError(str(panic))
    else:
        return
    raise error


def printable_name(name: str) -> str:
    """Return a file or folder name for use in a sentence, without control characters and not too long."""
    seen = "".join("\ufffd" if unicodedata.category(each) in UNSEEN else each for each in name)
    return seen if len(seen) <= LONGEST_NAME else f"{seen[: LONGEST_NAME // 2]}…{seen[-LONGEST_NAME // 2 :]}"


def unexpected_failure(what: str, todo: str, error: BaseException) -> Failure:
    """Return a Failure with the traceback as text: an exception would hold the model in memory."""
    return Failure(what, todo, "".join(traceback.format_exception(error)), kind=type(error).__name__)


def open_failure(model: str, error: BaseException) -> Failure:
    return unexpected_failure(tr("“{model}” could not be opened.").format(model=model), tr("Try another model."), error)


def details_of(error: BaseException) -> str:
    """Return one line about an exception. Text only: a traceback would hold the model in memory."""
    return f"{type(error).__name__}: {error}"[:DETAILS_LIMIT]
