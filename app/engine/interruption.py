"""Ctrl-C for what runs without a window."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from app.engine.protocol import StopFlag
from app.engine.types import Failure

INTERRUPTION = Failure("It was interrupted.", "Start it again.", kind="interrupted")


@contextmanager
def interruptible(stop: StopFlag) -> Iterator[None]:
    """Ctrl-C asks the run to end, and what has ended is kept; a second one ends the program."""

    def ask(number: int, frame: object) -> None:
        if stop.asked:
            raise KeyboardInterrupt
        stop.ask()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
