"""`sluice weigh`: how well a model foresees a text, and what a second one makes of the same, with no display."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app.arguments import WEIGH
from app.engine.interruption import INTERRUPTION, interruptible
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import Event, Failure, Prefill
from app.weighing.result import OTHER_VOCABULARY, as_json, as_text
from app.weighing.switches import parse
from app.weighing.weighing import Order, Weighing

DONE, FAILED, INTERRUPTED = 0, 1, 130


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted."""
    given = parse(arguments, bundled)
    stop = StopFlag()
    engine = engine_of(gc.collect)
    weighing = Weighing(Order(given.prompt, given.model, given.against))
    try:
        with interruptible(stop):
            outcome = weighing.go(engine, None, _tell, stop)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        weighing.close()
        engine.close()
    result = weighing.result() if outcome is None else None
    if result is None:
        failure = outcome if isinstance(outcome, Failure) else INTERRUPTION
        sys.stderr.write(f"sluice {WEIGH}: {failure.sentence}\n")
        return INTERRUPTED if stop.asked else FAILED
    if given.json and result.second is not None and result.between is None:
        sys.stderr.write(f"sluice {WEIGH}: {OTHER_VOCABULARY}\n")
    sys.stdout.write(as_json(result) if given.json else as_text(result))
    return DONE


def _tell(event: Event) -> None:
    """Only where somebody looks on."""
    if isinstance(event, Prefill) and sys.stderr.isatty():
        sys.stderr.write(f"\r{event.done:,} of {event.total:,} tokens ")
