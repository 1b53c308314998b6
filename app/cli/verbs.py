"""The headless verbs: their table, and their execution: Ctrl-C, error messages on stderr, exit codes."""

import gc
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from app.engine.errors import AbortedError
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import Event, Failure, Prefill

Engines = Mapping[str, Callable[[Collect], Engine]]


@dataclass(frozen=True, slots=True)
class Verb:
    """A command that needs no display.

    `main` of its module runs it and returns the exit code: 0 done, 1 failed, 2 bad arguments, 130 interrupted.
    """

    name: str
    module: str
    alias: str = ""
    """An older name, with the same switches and JSON output."""

    def run(self, arguments: Sequence[str], engines: Engines, resources: Path) -> int:
        code: int = import_module(self.module).main(arguments, engines, resources)
        return code


VERBS = (
    Verb("ask", "app.cli.ask"),
    Verb("draft-check", "app.cli.draft_check"),
    Verb("eval", "app.cli.evaluation", "run"),
    Verb("experiment", "app.cli.experiment"),
    Verb("lesson", "app.cli.lesson"),
    Verb("lens", "app.cli.lens", "inside"),
    Verb("perplexity", "app.cli.perplexity", "weigh"),
    Verb("profile", "app.cli.profile", "why"),
    Verb("quantize", "app.cli.quantize", "quantise"),
)


def find_verb(words: Sequence[str]) -> Verb | None:
    """Return the verb of the first argument; None if it isn't one. A file with a verb's name is opened as ./NAME."""
    word = words[0] if words else ""
    return next((each for each in VERBS if word and word in (each.name, each.alias)), None)


DONE, FAILED, INTERRUPTED = 0, 1, 130
INTERRUPTION = Failure("It was interrupted.", "Start it again.", kind="interrupted")


def run(verb: str, engine_of: Callable[[Collect], Engine], work: Callable[[Engine, StopFlag], None]) -> int:
    """Run `work`, which prints the result. Return the exit code: 0 done, 1 failed, 130 interrupted."""
    stop = StopFlag()
    try:
        with closing(engine_of(gc.collect)) as engine, _interruptible(stop):
            work(engine, stop)
    except AbortedError as aborted:
        failure = aborted.outcome if isinstance(aborted.outcome, Failure) else INTERRUPTION
        warn(verb, failure.sentence)
        return INTERRUPTED if stop.asked or failure is INTERRUPTION else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
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
