"""What belongs to one run of an experiment: a flag of its own, a shorter limit to warm up, an end when it breaks."""

from __future__ import annotations

import time
import traceback
from dataclasses import replace

from app.engine.protocol import StopFlag
from app.engine.types import ENDLESS, Failure, Finish, Reason, Request, Times
from app.words import tr

WARM_UP_TOKENS = 16
"""Enough for what a device does once for each new kind of work, such as compiling its kernels."""


class RunFlag(StopFlag):
    """A run's own flag, with its own moment of Send; the experiment's flag ends the run too."""

    __slots__ = ("_outer",)

    def __init__(self, outer: StopFlag) -> None:
        super().__init__()
        self._outer = outer

    @property
    def asked(self) -> bool:
        if self._outer.asked:
            self.ask()
            self.asked_at = self._outer.asked_at
        return super().asked

    def wait(self, seconds: float) -> bool:
        self._outer.wait(seconds)
        return self.asked


def failed(flag: StopFlag, failure: Failure) -> Finish:
    """The end of a run that the engine did not even begin, or did not survive."""
    return Finish(Reason.ERROR, times=Times(flag.made_at, ended=time.monotonic()), failure=failure)


def broken(error: Exception) -> Failure:
    """As plain text: a kept exception would keep the model alive through its traceback."""
    details = "".join(traceback.format_exception(error))
    return Failure(tr("The engine failed in the middle of this run."), tr("Try again."), details)


def unopened(model: str, error: BaseException) -> Failure:
    """The same for a model that can't be opened."""
    what = tr("“{model}” could not be opened.").format(model=model)
    return Failure(what, tr("Try another model."), "".join(traceback.format_exception(error)))


def shortened(request: Request) -> Request:
    """The same, only to warm up."""
    limit = request.limits.max_tokens
    short = WARM_UP_TOKENS if limit == ENDLESS else min(WARM_UP_TOKENS, limit)
    return replace(request, limits=replace(request.limits, max_tokens=short))
