"""Runs that are started and stopped, over and over: memory, threads and handles stay where they were."""

import gc
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.bridge.playground import Playground
from app.bridge.traces import KEPT_ANSWERS
from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine
from app.engine.types import ENDLESS, LoadRequest
from app.records.journal import open_journal
from app.state import Phase
from tests.faults.soak.holdings import Holdings, holdings
from tests.faults.soak.waiting import Waiting
from tests.faults.table import Row
from tests.faults.windows import ENDLESS_TEXT

TRIED = "starts and stops, all flat"
TASKS = Path("/proc/self/task")
CYCLES = 10_000
FLAT_KB = 5_000
OF_A_SESSION = 50
"""Each page that is sent anew leaves a branch behind, which is no leak."""
WARM_UP = KEPT_ANSWERS
"""Runs after which all that is kept of earlier ones is full."""


def cycled(times: int = CYCLES) -> Row:
    """So many of them, on a journal in a file: one in memory would rightly grow. A short form warms up as briefly."""
    warm_up = min(WARM_UP, times)
    lost: list[str] = []
    waiting = Waiting()
    with tempfile.TemporaryDirectory() as folder, _opened(Path(folder), waiting) as playground:
        before = None
        for number in range(times + warm_up):
            if number == warm_up:
                before = _settled()
            if not _cycle(playground, waiting, number):
                lost.append(f"cycle {number} never ended")
                break
        after = _settled()
    if before is None or after is None:
        return Row("time", TRIED, times, tuple(lost), "" if lost else "this system does not tell what a process has")
    return Row("time", TRIED, times, (*lost, *_grown(before, after)))


def _grown(before: Holdings, after: Holdings) -> list[str]:
    grown = after.memory_kb - before.memory_kb
    if grown > FLAT_KB or (after.threads, after.handles) != (before.threads, before.handles):
        return [f"{before} became {after}"]
    return []


def _cycle(playground: Playground, waiting: Waiting, number: int) -> bool:
    if number % OF_A_SESSION == 0:
        playground.new_session()
    playground.send("Go")
    playground.stop()
    return waiting.until(lambda: playground.state.phase is Phase.READY, playground.changed)


@contextmanager
def _opened(folder: Path, waiting: Waiting) -> Iterator[Playground]:
    """With a model, ready to write pages without an end."""
    playground = Playground(lambda _collect: EchoEngine(ENDLESS_TEXT), opener=partial(open_journal, folder))
    ready: list[bool] = []
    playground.book.ready.connect(lambda: ready.append(True))
    try:
        playground.open()
        playground.load(LoadRequest("echo"))
        waiting.until(lambda: bool(ready), playground.book.ready)
        waiting.until(lambda: playground.state.phase is Phase.READY, playground.changed)
        limits = replace(playground.state.controls.limits, max_tokens=ENDLESS)
        playground.set_controls(Controls(mode=Mode.RAW, limits=limits))
        yield playground
    finally:
        playground.close()
        # The next one's worker freezes what it finds: this one has to be collectable until then.
        gc.unfreeze()


def _settled() -> Holdings | None:
    """With the threads of libraries, which Python knows nothing of."""
    gc.collect()
    found = holdings()
    return replace(found, threads=len(list(TASKS.iterdir()))) if found is not None else None
