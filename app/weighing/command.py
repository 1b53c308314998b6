"""`sluice weigh`: how well a model foresees a text, and what a second one makes of the same, with no display."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app.arguments import WEIGH
from app.engine.interruption import interruptible
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.types import Event, Failure, LoadRequest, Prefill
from app.weighing.figures import Figures
from app.weighing.result import Result, as_json
from app.weighing.switches import parse
from app.weighing.weighing import OTHER_VOCABULARY, Order, Weighing

DONE, FAILED, INTERRUPTED = 0, 1, 130
INTERRUPTION = Failure("It was interrupted.", "Start it again.", kind="interrupted")


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted."""
    given = parse(arguments, bundled)
    stop = StopFlag()
    engine = engine_of(gc.collect)
    against = LoadRequest(given.against) if given.against else None
    weighing = Weighing(Order(given.prompt, LoadRequest(given.model), against))
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
    if result.second is not None and result.between is None:
        sys.stderr.write(f"sluice {WEIGH}: {OTHER_VOCABULARY}\n")
    sys.stdout.write(as_json(result) if given.json else as_text(result))
    return DONE


def _tell(event: Event) -> None:
    """Only where somebody looks on."""
    if isinstance(event, Prefill) and sys.stderr.isatty():
        sys.stderr.write(f"\r{event.done:,} of {event.total:,} tokens ")


def as_text(result: Result) -> str:
    """In lines."""
    first, second, between = result.first, result.second, result.between
    lines = [_line("", first) if second is None else _line("first model: ", first)]
    if second is not None:
        lines.append(_line("second model: ", second))
    if result.windows > 1:
        lines.append(f"Longer than the context: read in {result.windows} windows, each half a context further.")
    if between is not None:
        low, high = between.kl_bounds
        mean = f"{low:.4g}{_error(between.kl_standard_error)}" if low == high else f"between {low:.4g} and {high:.4g}"
        lines += (
            f"KL of the first from the second: {mean} nats a token; 99 of 100 tokens up to {between.kl_p99:.4g}",
            f"same first choice: {between.same_first:.1%} of the tokens; of the first ten {between.same_ten:.1%}",
        )
    return "\n".join(lines) + "\n"


def _line(who: str, found: Figures) -> str:
    nats = f"{found.nats_per_token:.4f}{_error(found.standard_error)} nats a token"
    bits = f"{found.bits_per_byte:.4f} bits a byte"
    return f"{who}{found.tokens:,} tokens, {nats}, perplexity {found.perplexity:.4g}, {bits}"


def _error(error: float | None) -> str:
    return "" if error is None else f" ± {error:.2g}"
