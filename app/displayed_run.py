"""The run that is shown: graph, figures, gauges, inspector and ending all tell of this one, and of no other."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from app.records.types import TurnId
from app.state import Run, State

NOWHERE = -1
READING_TOKENS_PER_S = 25
"""As fast as one can follow with the eyes."""
FACTORS = (1, 2, 5, 10, 20, 50, 100, 200)


class PlaybackSpeed(StrEnum):
    """How fast a run is watched again."""

    READING = "reading"
    OWN = "own"
    SLOWED = "slowed"
    VERY_SLOW = "very_slow"


def slowness(pace: PlaybackSpeed, mean: float | None) -> int:
    """How many times slower than it was; never faster."""
    if pace is PlaybackSpeed.READING:
        return min(FACTORS, key=lambda factor: abs(math.log(factor * READING_TOKENS_PER_S / (mean or 1))))
    return {PlaybackSpeed.OWN: 1, PlaybackSpeed.SLOWED: 10, PlaybackSpeed.VERY_SLOW: 100}[pace]


@dataclass(frozen=True, slots=True)
class SelectedRun:
    """A run that was asked for, read whole: where it stands as long as the page is this one."""

    index: int
    number: int
    run: Run


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay, which stands beside the page; its run is there when it is over."""

    model: str
    run: Run | None = None


@dataclass(frozen=True, slots=True)
class DisplayedRun:
    """One run: the one that goes on, the one that the page ends with, one that was picked, a replay; or none."""

    run: Run | None = None
    """As it ended; None while it goes on, and where there is none."""
    model: str = ""
    """What writes it, or wrote it."""
    turn: TurnId = 0
    """The answer that it is a run of; 0: of none."""
    index: int = NOWHERE
    """Where that answer stands on the page."""
    number: int = 0
    """Which of the answer's runs it is."""
    live: bool = False
    """It goes on: its figures are in the frames."""
    replay: bool = False
    earlier: bool = False
    """The page went on after it."""
    length: int | None = None
    """How much the open model can see, for a run that goes on and where there is none; None: unknown."""
    slowed: int = 0
    """It is watched again, so many times slower than it was; 0: it is not."""

    @property
    def key(self) -> tuple[TurnId, int]:
        """Which run it is among those of the page."""
        return self.turn, self.number


def shown_of(
    state: State, replay: Replay | None = None, picked: SelectedRun | None = None, slowed: int = 0
) -> DisplayedRun:
    """What is to be shown in this moment; what is no answer's run, or goes on, can't be watched again."""
    found = _shown_of(state, replay, picked)
    return replace(found, slowed=slowed) if found.turn and found.run is not None else found


def _shown_of(state: State, replay: Replay | None, picked: SelectedRun | None) -> DisplayedRun:
    """A run of the page that goes on comes before everything else."""
    length = state.model.context if state.model is not None else None
    turns = state.turns
    last = turns[-1] if turns else None
    if last is not None and last.open:
        model = state.model.name if state.model is not None else ""
        return DisplayedRun(None, model, last.id, len(turns) - 1, len(last.runs), live=True, length=length)
    if replay is not None:
        live = replay.run is None
        return DisplayedRun(replay.run, replay.model, live=live, replay=True, length=length if live else None)
    run = state.last_run
    if picked is not None and (own := turns[picked.index].runs[picked.number]) is not run:
        whole, turn = replace(picked.run, id=own.id), turns[picked.index].id
        return DisplayedRun(whole, whole.model, turn, picked.index, picked.number, earlier=True)
    if last is None or run is None:
        return DisplayedRun(length=length)
    return DisplayedRun(run, run.model, last.id, len(turns) - 1, len(last.runs) - 1)
