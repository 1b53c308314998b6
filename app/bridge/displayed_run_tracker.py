"""Follows which run is shown, and tells all instruments of another one in the same moment."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.bridge.session_store import SessionStore
from app.displayed_run import DisplayedRun, Replay, SelectedRun, shown_of
from app.engine.meter.curve import Curve
from app.records.types import TurnId
from app.state import Phase, Run, State


class DisplayedRunTracker(QObject):
    """The playground has it follow each change, after everybody has heard of that."""

    changed = Signal(object, object)
    """The Shown of before, and the one of now; both are the same where only the page is another."""

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
        """What is shown after this change."""
        self._state = new
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING and not new.is_background:
            beside = not (new.turns and new.turns[-1].open)
            self._replay = Replay(new.model.name if new.model is not None else "") if beside else None
            self._picked = None
        elif new.turns is not old.turns:
            self._picked = None
            self._replay = self._replay if self._now.live else None
        self._tell(new.turns is not old.turns)

    def pick(self, turn: TurnId, number: int) -> None:
        """A run of an answer in sight is to be shown; not while another one goes on."""
        index, found = next(((at, each) for at, each in enumerate(self._state.turns) if each.id == turn), (0, None))
        if self._now.live or found is None or not 0 <= number < len(found.runs):
            return
        self._picked, self._replay = SelectedRun(index, number, self._book.load_full(found.runs[number])), None
        self._slowed = 0
        self._tell()

    def watch(self, slowed: int) -> None:
        """The run that is shown comes once more, so many times slower than it was; 0: no longer."""
        self._slowed = slowed
        self._tell()

    def end_replay(self, run: Run) -> None:
        """The replay is over; it is shown until something else is."""
        self._replay = Replay(run.model, run)
        self._tell()

    def read_curve(self, then: Callable[[Curve], None]) -> None:
        """Have the speed curve of the run that is shown read from the journal, unless another one is shown by then."""
        if self._now.run is not None:
            self._book.tasks.start(self._bring(self._now.run, then))

    async def _bring(self, run: Run, then: Callable[[Curve], None]) -> None:
        curve = await self._book.curve(run)
        if curve is not None and run == self._now.run:
            then(curve)

    def _tell(self, page: bool = False) -> None:
        before, self._now = self._now, shown_of(self._state, self._replay, self._picked, self._slowed)
        if page or self._now != before:
            self.changed.emit(before, self._now)
