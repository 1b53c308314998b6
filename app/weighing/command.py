"""`sluice weigh`: how well a model foresees a text, and what a second one makes of the same, with no display."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from app.arguments import WEIGH
from app.engine import verb
from app.engine.protocol import Collect, Engine, StopFlag
from app.engine.refusal import BrokenOffError
from app.engine.types import Stopped
from app.weighing.result import OTHER_VOCABULARY, as_json, as_text
from app.weighing.switches import parse
from app.weighing.weighing import Order, Weighing


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted."""
    given = parse(arguments, bundled)

    def work(engine: Engine, stop: StopFlag) -> None:
        with closing(Weighing(Order(given.prompt, given.model, given.against))) as weighing:
            outcome = weighing.go(engine, None, verb.tell, stop)
            result = weighing.result() if outcome is None else None
        if result is None:
            raise BrokenOffError(outcome or Stopped())
        if given.json and result.second is not None and result.between is None:
            sys.stderr.write(f"sluice {WEIGH}: {OTHER_VOCABULARY}\n")
        sys.stdout.write(as_json(result) if given.json else as_text(result))

    return verb.run(f"sluice {WEIGH}", engine_of, work)
