"""How something is refused in the middle of the work: an exception that carries a finished Failure."""

from __future__ import annotations

import traceback
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from app.engine.types import Failure, Stopped
from app.i18n import tr

DETAILS_LIMIT = 2_000
NOTHING = "empty"
"""The kind of failure that only says that there is no prompt yet."""
LONGEST_NAME = 100
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Kinds of characters that break a line, turn the direction of the text, have no ink, or are no text."""
RUST = "pyo3_runtime"
"""The module of what Rust throws where it gives up."""


class AbortedError(Exception):
    """Nothing more can be done now, and why."""

    def __init__(self, outcome: Failure | Stopped) -> None:
        super().__init__()
        self.outcome = outcome


class UserError(Exception):
    """Carries a finished Failure up to the border, where it becomes a value."""

    def __init__(self, what: str, todo: str, details: str = "", kind: str = "error") -> None:
        super().__init__(what)
        self.failure = Failure(what, todo, details, kind)

    @classmethod
    def of(cls, failure: Failure) -> UserError:
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


def named(name: str) -> str:
    """The name of a file or of a folder, as it can stand in a sentence: the system allows anything but a slash."""
    seen = "".join("\ufffd" if unicodedata.category(each) in UNSEEN else each for each in name)
    return seen if len(seen) <= LONGEST_NAME else f"{seen[: LONGEST_NAME // 2]}…{seen[-LONGEST_NAME // 2 :]}"


def unexpected_failure(what: str, todo: str, error: BaseException) -> Failure:
    """What nobody foresaw, with its traceback as text: a kept exception would keep the model alive through it."""
    return Failure(what, todo, "".join(traceback.format_exception(error)), kind=type(error).__name__)


def unopened(model: str, error: BaseException) -> Failure:
    return unexpected_failure(tr("“{model}” could not be opened.").format(model=model), tr("Try another model."), error)


def details_of(error: BaseException) -> str:
    """One line about an exception. Text only: a kept traceback would pin the model in memory."""
    return f"{type(error).__name__}: {error}"[:DETAILS_LIMIT]
