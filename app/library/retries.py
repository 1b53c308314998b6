"""Trying again after what passes: cut connections, busy servers, silence."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from app.library.failures import ERRORS, hub_failure, passes, wait_asked
from app.library.types import Pace

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why nothing happens, and for how long."""

    why: str
    seconds: float


def retrying(
    act: Callable[[], Value], progress: Callable[[], int], pace: Pace, tell: Callable[[Waiting | None], None], name: str
) -> Value:
    """What `act` returns, tried again as long as there is `progress` or hope; what does not pass is raised."""
    failed, reached = 0, progress()
    while True:
        try:
            return act()
        except ERRORS as error:
            if not passes(error):
                raise
            # A file that is begun anew has gained nothing until it is further than it ever was.
            gained = progress() > reached
            failed, reached = (1 if gained else failed + 1), max(reached, progress())
            if failed >= pace.tries:
                raise
            seconds = wait_asked(error) or min(pace.longest_wait_s, pace.first_wait_s * 2 ** (failed - 1))
            if not gained or wait_asked(error):
                tell(Waiting(hub_failure(error, name).what, seconds))
                time.sleep(seconds)
                tell(None)
