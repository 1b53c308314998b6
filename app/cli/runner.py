"""A verb of the command line at work on an engine: Ctrl-C, one sentence where something went wrong, the exit code."""

import gc
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from app.engine.errors import AbortedError
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import Event, Failure, Prefill, Stopped

DONE, FAILED, INTERRUPTED = 0, 1, 130
INTERRUPTION = Failure("It was interrupted.", "Start it again.", kind="interrupted")
Known = TypeVar("Known")


def run(name: str, engine_of: Callable[[Collect], Engine], work: Callable[[Engine, StopFlag], None]) -> int:
    """The exit code: 0 done, 1 it could not be done, 130 interrupted. `work` writes what there is to be read."""
    stop, engine = StopFlag(), engine_of(gc.collect)
    try:
        with _interruptible(stop):
            work(engine, stop)
    except AbortedError as broken:
        failure = broken.outcome if isinstance(broken.outcome, Failure) else INTERRUPTION
        sys.stderr.write(f"{name}: {failure.sentence}\n")
        return INTERRUPTED if stop.asked or failure is INTERRUPTION else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        engine.close()
    return INTERRUPTED if stop.asked else DONE


def certain(outcome: Known | Failure | Stopped, stop: StopFlag) -> Known:
    """What was wanted; raises BrokenOffError."""
    if stop.asked or isinstance(outcome, Stopped):
        raise AbortedError(Stopped())
    if isinstance(outcome, Failure):
        raise AbortedError(outcome)
    return outcome


def tell(event: Event) -> None:
    """How far a prompt has been read, where somebody looks on."""
    if isinstance(event, Prefill) and sys.stderr.isatty():
        sys.stderr.write(f"\r{event.done:,} of {event.total:,} tokens ")


@contextmanager
def _interruptible(stop: StopFlag) -> Iterator[None]:
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
