"""Execution of a headless verb on an engine: Ctrl-C, error messages on stderr, exit codes."""

import gc
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.engine.errors import AbortedError
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import Event, Failure, Prefill

DONE, FAILED, INTERRUPTED = 0, 1, 130
INTERRUPTION = Failure("It was interrupted.", "Start it again.", kind="interrupted")


def run(verb: str, engine_of: Callable[[Collect], Engine], work: Callable[[Engine, StopFlag], None]) -> int:
    """Run `work`, which prints the result. Return the exit code: 0 done, 1 failed, 130 interrupted."""
    stop, engine = StopFlag(), engine_of(gc.collect)
    try:
        with _interruptible(stop):
            work(engine, stop)
    except AbortedError as aborted:
        failure = aborted.outcome if isinstance(aborted.outcome, Failure) else INTERRUPTION
        warn(verb, failure.sentence)
        return INTERRUPTED if stop.asked or failure is INTERRUPTION else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        engine.close()
    return INTERRUPTED if stop.asked else DONE


def warn(verb: str, sentence: str) -> None:
    sys.stderr.write(f"sluice {verb}: {sentence}\n")


def show(words: str) -> None:
    """Show progress on stderr if it is a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(words)


def show_prefill(event: Event) -> None:
    if isinstance(event, Prefill):
        show(f"\r{event.done:,} of {event.total:,} tokens ")


@contextmanager
def _interruptible(stop: StopFlag) -> Iterator[None]:
    """Handle Ctrl-C: the first one stops the work and keeps its results, the second one ends the program."""

    def ask(number: int, frame: object) -> None:
        if stop.asked:
            raise KeyboardInterrupt
        stop.ask()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
