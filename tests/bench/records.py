"""What keeping everything costs the model, and how long the window would wait for what was kept."""

import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from app.controls import Controls
from app.engine.protocol import StopFlag
from app.engine.types import ENDLESS, Event, Limits, PromptEvent, RawPrompt, Request, Role, Token
from app.records.journal import Journal, open_journal
from app.records.recording import RunRecorder
from app.records.types import ModelRef, RunId, RunStart, WholeRun, WholeSession, WholeTurn
from tests.bench.lengths import length
from tests.bench.machine import Delays
from tests.bench.row import Row
from tests.bench.segments import SEGMENT_S, WANTED_PAIRS, Pair, Segment, enough, ratio_of, window_first
from tests.bench.sources import ANSWER, PROMPT, Pace, SimulatedEngine, Writer, finish_of

PACE = Pace(400, 2.1)
"""A small model on a fast device: hardly any time passes in which the interpreter is free."""
OBSERVED = 10
SETTLING_TOKENS = 3
SESSIONS = length(10_000, 3)
LONG_TOKENS = length(100_000, 20_000)
TRIES = length(7, 1)
WRITTEN_S = 600


class Feed:
    """Gives every other segment of a run to the journal, and drops those between."""

    def __init__(self, recorder: RunRecorder, stop: StopFlag) -> None:
        self.pairs: list[Pair] = []
        self._recorder = recorder
        self._stop = stop
        self._delays = Delays(threading.get_native_id())
        self._halves: dict[bool, Segment] = {}
        self._recording = False
        self._seen = -SETTLING_TOKENS
        self._began = 0.0
        self._delayed: float | None = None

    def emit(self, event: Event) -> None:
        if self._recording:
            self._recorder.put(event)
        if not isinstance(event, Token):
            return
        now = time.perf_counter()
        self._seen += 1
        if self._seen == 0:
            self._began, self._delayed = now, self._delays.seconds()
        elif self._seen > 0 and now - self._began >= SEGMENT_S:
            self._end(now)

    def _end(self, now: float) -> None:
        after = self._delays.seconds()
        seconds = now - self._began
        delay = None if after is None or self._delayed is None else (after - self._delayed) / seconds
        self._halves[self._recording] = Segment(self._seen, seconds, delay)
        self._seen = -SETTLING_TOKENS
        if len(self._halves) == 2:
            self.pairs.append(Pair(self._halves[False], self._halves[True]))
            self._halves = {}
            if enough(self.pairs, WANTED_PAIRS):
                self._stop.ask()
            self._recording = window_first(len(self.pairs))
        else:
            self._recording = not self._recording


def rows() -> list[Row]:
    return [
        _throughput("records.throughput_ratio", 0),
        _throughput("records.throughput_ratio.observed", OBSERVED),
        _opening(),
    ]


def _throughput(name: str, observe: int) -> Row:
    """Tokens/s with the journal on ÷ off, in one run."""
    engine = SimulatedEngine(PACE)
    stop = StopFlag()
    request = Request(RawPrompt("Tell me."), limits=Limits(ENDLESS), observe=observe)
    with tempfile.TemporaryDirectory() as folder:
        journal = open_journal(Path(folder))
        recorder = _begun(journal, request, stop)
        feed = Feed(recorder, stop)
        recorder.finish(engine.generate(request, feed.emit, stop))
        journal.close()
    ratio = ratio_of(feed.pairs)
    return Row(name, ratio.value, ratio.detail())


def _begun(journal: Journal, request: Request, stop: StopFlag) -> RunRecorder:
    session = journal.sessions.new()
    turn = journal.sessions.add_turn(session, Role.ASSISTANT, "")
    return journal.begin(session, turn, RunStart("raw", request, ModelRef("simulated"), stop.made_at))


def _opening() -> Row:
    """The longest of the steps in which the window reads: the list, a long session, a search, the table of runs."""
    with tempfile.TemporaryDirectory() as folder:
        run = _fill(Path(folder))
        opening = []
        for _ in range(TRIES):
            started = time.perf_counter()
            journal = open_journal(Path(folder))
            opening.append(1000 * (time.perf_counter() - started))
            journal.close()
        journal = open_journal(Path(folder))
        try:
            steps = {name: _median_ms(step) for name, step in _steps(journal, run)}
        finally:
            journal.close()
    steps["open the file"] = statistics.median(opening)
    detail = {name: round(value, 2) for name, value in steps.items()}
    return Row("records.open_10000_ms", max(steps.values()), detail)


def _steps(journal: Journal, run: RunId) -> Iterator[tuple[str, Callable[[], object]]]:
    """What the window asks for in one go."""
    session = journal.sessions.rows()[0].id
    yield "first page of the list", journal.sessions.rows
    yield "last page of the list", lambda: journal.sessions.rows(max(0, SESSIONS - 100))
    yield "long session", lambda: journal.sessions.get(session)
    yield "its turns", lambda: journal.sessions.turns(session)
    yield "its run", lambda: journal.runs.get(run)
    yield "some of its tokens", lambda: journal.runs.tokens(run, LONG_TOKENS // 2)
    yield "its arrivals", lambda: journal.runs.arrivals(run)
    yield "search", lambda: journal.sessions.search("question about rivers")
    yield "table of all runs", journal.runs.rows
    yield "table by speed", lambda: journal.runs.rows(sort="speed_mean")
    yield "table by a setting", lambda: journal.runs.rows(sort="sampling.temperature")


def _fill(folder: Path) -> RunId:
    """Many sessions, each with an answer and its run, and a long one; tells the long one's run."""
    journal = open_journal(folder)
    request = Request(RawPrompt("Tell me."), limits=Limits(ENDLESS))
    run = _begun(journal, request, StopFlag())
    writer = Writer(ANSWER)
    run.put(PromptEvent(PROMPT, 0, len(PROMPT.ids)))
    for _ in range(LONG_TOKENS):
        run.put(writer.token(time.monotonic()))
    run.finish(finish_of(StopFlag(), time.monotonic(), LONG_TOKENS, True))
    _written(journal)
    whole = journal.sessions.whole(journal.sessions.rows()[0].id)
    assert whole is not None
    record = whole.turns[0].runs[0].run
    for number in range(SESSIONS - 1):
        start = number % len(ANSWER)
        small = replace(record, text=ANSWER[start : start + 600], finish=None, ids=(1,))
        answer = WholeTurn(Role.ASSISTANT, small.text, "", (WholeRun(small, whole.turns[0].runs[0].tokens[:1]),))
        turns = (WholeTurn(Role.USER, f"Question {number} about rivers", "", ()), answer)
        journal.sessions.add(WholeSession(f"Session {number}", True, False, 1.0, 2.0, Controls(), "", turns))
    _written(journal)
    journal.close()
    return run.run


def _written(journal: Journal) -> None:
    """What was posted is in the file, where it can be read."""
    assert journal.flush(WRITTEN_S), journal.failure


def _median_ms(step: Callable[[], object]) -> float:
    times = []
    for _ in range(TRIES):
        started = time.perf_counter()
        step()
        times.append(1000 * (time.perf_counter() - started))
    return statistics.median(times)
