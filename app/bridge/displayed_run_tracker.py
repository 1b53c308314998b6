"""Tracks the displayed run, and notifies all instruments of a change at the same time."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.bridge.session_store import SessionStore
from app.displayed_run import DisplayedRun, Replay, SelectedRun, shown_of
from app.engine.meter.speeds import Curve
from app.records.types import TurnId
from app.state import Phase, Run, State


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
        self._now = DisplayedRun()

    @property
    def now(self) -> DisplayedRun:
        return self._now

    def follow(self, old: State, new: State) -> None:
        """Update the displayed run after a change of the state."""
        self._state = new
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING and not new.is_background:
            is_replay = not (new.turns and new.turns[-1].open)
            self._replay = Replay(new.model.name if new.model is not None else "") if is_replay else None
            self._picked = None
        elif new.turns is not old.turns:
            self._picked = None
            self._replay = self._replay if self._now.live else None
        self._update(new.turns is not old.turns)

    def pick(self, turn: TurnId, number: int) -> None:
        """Display a run of an answer on the page; not while a run is active."""
        index, found = next(((at, each) for at, each in enumerate(self._state.turns) if each.id == turn), (0, None))
        if self._now.live or found is None or not 0 <= number < len(found.runs):
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
        if self._now.run is not None:
            self._book.tasks.start(self._read_curve(self._now.run, then))

    async def _read_curve(self, run: Run, then: Callable[[Curve], None]) -> None:
        curve = await self._book.curve(run)
        if curve is not None and run == self._now.run:
            then(curve)

    def _update(self, page: bool = False) -> None:
        before, self._now = self._now, shown_of(self._state, self._replay, self._picked, self._slowed)
        if page or self._now != before:
            self.changed.emit(before, self._now)
