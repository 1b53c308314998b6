"""The displayed run: tracks it for all instruments, and plays it back at a slower speed."""

from array import array
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from app.bridge.clock import FRAME_MS
from app.bridge.session_store import SessionStore
from app.bridge.traces import Traces
from app.engine.meter.meter import Meter
from app.engine.meter.speeds import Curve
from app.engine.meter.trace import Origin, Trace
from app.engine.types import Channel, PromptEvent, Token
from app.engine.types import VisibleText as Piece
from app.records.types import TurnId
from app.state import DisplayedRun, Phase, PlaybackSpeed, Replay, Run, SelectedRun, State, Turn, shown_of, slowness


class DisplayedRunTracker(QObject):
    """Tracks the displayed run. The playground passes it each change of state, after all other listeners."""

    changed = Signal(object, object)
    """The old and the new DisplayedRun; equal if only the page changed."""

    def __init__(self, book: SessionStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._state = State()
        self._replay: Replay | None = None
        self._picked: SelectedRun | None = None
        self._slowed = 0
        self.now = DisplayedRun()

    def follow(self, old: State, new: State) -> None:
        self._state = new
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING and not new.is_background:
            is_replay = not (new.turns and new.turns[-1].open)
            self._replay = Replay(new.model.name if new.model is not None else "") if is_replay else None
            self._picked = None
        elif new.turns is not old.turns:
            self._picked = None
            self._replay = self._replay if self.now.live else None
        self._update(new.turns is not old.turns)

    def pick(self, turn: TurnId, number: int) -> None:
        """Display a run of an answer on the page; not while a run is active."""
        index, found = next(((at, each) for at, each in enumerate(self._state.turns) if each.id == turn), (0, None))
        if self.now.live or found is None or not 0 <= number < len(found.runs):
            return
        self._picked, self._replay = SelectedRun(index, number, self._book.load_full(found.runs[number])), None
        self._slowed = 0
        self._update()

    def watch(self, slowed: int) -> None:
        """Play back the displayed run, slowed by this factor; 0: stop."""
        self._slowed = slowed
        self._update()

    def end_replay(self, run: Run) -> None:
        """Display a finished rerun until another run is displayed."""
        self._replay = Replay(run.model, run)
        self._update()

    def read_curve(self, then: Callable[[Curve], None]) -> None:
        """Read the speed curve of the displayed run from the journal.

        The result is dropped if another run is displayed then.
        """
        if self.now.run is not None:
            self._book.tasks.start(self._read_curve(self.now.run, then))

    async def _read_curve(self, run: Run, then: Callable[[Curve], None]) -> None:
        curve = await self._book.curve(run)
        if curve is not None and run == self.now.run:
            then(curve)

    def _update(self, page: bool = False) -> None:
        before, self.now = self.now, shown_of(self._state, self._replay, self._picked, self._slowed)
        if page or self.now != before:
            self.changed.emit(before, self.now)


LEAD_S = 1.0
"""Maximum seconds before the first token."""


class RecordedRun:
    """The tokens of a recorded run, created on demand."""

    def __init__(self, turn: Turn, number: int, run: Run, trace: Trace) -> None:
        self._turn = turn
        self._trace = trace
        positions = trace.positions(number)
        inserted = sum(trace.origin(position) is Origin.USER for position in positions)
        self._positions = positions[inserted:]
        self.arrivals = array("d", trace.arrivals(self._positions))
        self.run = run

    @property
    def before(self) -> tuple[Piece, ...]:
        """Return the text of the answer before this run."""
        text = reasoning = 0
        for position in range(self._positions.start):
            seen = self._trace.seen(position)
            if seen is not None:
                text, reasoning = (text, seen.end) if seen.reasoning else (seen.end, reasoning)
        thought = Piece(Channel.REASONING, self._turn.reasoning[:reasoning])
        return tuple(piece for piece in (thought, Piece(Channel.NORMAL, self._turn.text[:text])) if piece.text)

    def token(self, index: int) -> Token:
        position = self._positions[index]
        traced, seen = self._trace.token(position), self._trace.seen(position)
        shown: tuple[Piece, ...] = ()
        if seen is not None:
            voice, text = Channel.NORMAL, self._turn.text
            if seen.reasoning:
                voice, text = Channel.REASONING, self._turn.reasoning
            shown = (Piece(voice, text[seen.start : seen.end]),)
        drafted = traced.origin is Origin.DRAFT
        return Token(index, traced.id, traced.text, shown, self.arrivals[index], drafted)


class Playback(QObject):
    """Plays back a recorded run. Stops when another run is displayed. Writes nothing."""

    advanced = Signal(object)
    """A Frame, as in an active run."""

    def __init__(
        self, shown: DisplayedRunTracker, traces: Traces, book: SessionStore, now: Callable[[], float], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._shown, self._traces, self._book, self._now = shown, traces, book, now
        self._pending: tuple[Turn, PlaybackSpeed] | None = None
        """The turn to play back when its tokens have been read, and its speed."""
        self._recording: RecordedRun | None = None
        self._meter = Meter(0.0, 0, None)
        self._next, self._factor = 0, 1
        self._began = self._skipped = 0.0
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._advance)
        shown.changed.connect(self._follow)
        traces.changed.connect(self._store_trace)

    @property
    def before(self) -> tuple[Piece, ...]:
        """Return the text of the answer before the run that is played back."""
        return self._recording.before if self._recording is not None else ()

    def begin(self, turn: Turn, pace: PlaybackSpeed) -> bool:
        """Play back the displayed run, which must belong to this answer; return whether that is possible."""
        shown = self._shown.now
        if shown.run is None or not shown.turn or shown.live or not shown.run.summary.figures.tokens:
            return False
        trace = self._traces.of(shown.turn)
        if trace is None:
            self._pending = turn, pace
            self._traces.want(turn)
            return True
        self._shown.watch(0)
        self._start(RecordedRun(turn, shown.number, self._book.load_full(shown.run), trace), pace)
        return True

    def leave(self) -> None:
        self._timer.stop()

    def _start(self, recording: RecordedRun, pace: PlaybackSpeed) -> None:
        if not recording.arrivals:
            return
        run, prompt = recording.run, recording.run.prompt
        context = run.summary.context
        self._recording, self._next = recording, 0
        self._meter = Meter(0.0, run.request.limits.max_tokens, context.length if context is not None else None)
        if prompt is not None:
            self._meter.fold(PromptEvent(prompt, run.finish.reused, run.finish.new))
        self._factor = slowness(pace, run.summary.figures.speed_mean)
        self._began, self._skipped = self._now(), max(0.0, recording.arrivals[0] - LEAD_S / self._factor)
        self._shown.watch(self._factor)
        self._timer.start()

    def _advance(self) -> None:
        recording, now = self._recording, self._now()
        if recording is None:
            return
        then = self._skipped + (now - self._began) / self._factor
        due = bisect_right(recording.arrivals, then)
        for index in range(self._next, due):
            self._meter.fold(recording.token(index))
        self._next = due
        self.advanced.emit(replace(self._meter.frame(then), at=now))
        if due == len(recording.arrivals):
            self._shown.watch(0)

    def _follow(self, old: DisplayedRun, new: DisplayedRun) -> None:
        if old.slowed and not new.slowed:
            self._timer.stop()
            self._recording = None
        if new.key != old.key:
            self._pending = None

    def _store_trace(self, turn: TurnId) -> None:
        pending = self._pending
        if pending is not None and pending[0].id == turn:
            self._pending = None
            self.begin(*pending)
