"""The displayed run, which graph, cards, gauges, inspector and finish line show."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from app.records.types import TurnId
from app.state import Run, State

NOWHERE = -1
READING_TOKENS_PER_S = 25
"""Reading speed of a playback, in tokens per second."""
FACTORS = (1, 2, 5, 10, 20, 50, 100, 200)


class PlaybackSpeed(StrEnum):
    """The speed of a playback."""

    READING = "reading"
    OWN = "own"
    SLOWED = "slowed"
    VERY_SLOW = "very_slow"


def slowness(pace: PlaybackSpeed, mean: float | None) -> int:
    """Return the factor by which playback is slower than the recording; at least 1."""
    if pace is PlaybackSpeed.READING:
        return min(FACTORS, key=lambda factor: abs(math.log(factor * READING_TOKENS_PER_S / (mean or 1))))
    return {PlaybackSpeed.OWN: 1, PlaybackSpeed.SLOWED: 10, PlaybackSpeed.VERY_SLOW: 100}[pace]


@dataclass(frozen=True, slots=True)
class SelectedRun:
    """A run that the user selected, loaded fully, and its position on the page."""

    index: int
    number: int
    run: Run


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay, which is not on the page. `run` is None until it has ended."""

    model: str
    run: Run | None = None


@dataclass(frozen=True, slots=True)
class DisplayedRun:
    """The displayed run: an active one, the last one of the page, a selected one, a replay, or none."""

    run: Run | None = None
    """The run; None while it is active, or if there is none."""
    model: str = ""
    """Name of its model."""
    turn: TurnId = 0
    """Id of the answer that it belongs to; 0: none."""
    index: int = NOWHERE
    """Index of that answer on the page."""
    number: int = 0
    """Its index in the runs of the answer."""
    live: bool = False
    """Whether it is active: its numbers are in the frames."""
    replay: bool = False
    earlier: bool = False
    """Whether it isn't the last run of the page."""
    length: int | None = None
    """Context window of the open model in tokens, for an active run or none; None: unknown."""
    slowed: int = 0
    """Factor by which its playback is slower; 0: it isn't played back."""

    @property
    def key(self) -> tuple[TurnId, int]:
        """Identifies the run among those of the page."""
        return self.turn, self.number


def shown_of(
    state: State, replay: Replay | None = None, picked: SelectedRun | None = None, slowed: int = 0
) -> DisplayedRun:
    """Return the run to display. Only a finished run of an answer can be played back."""
    found = _shown_of(state, replay, picked)
    return replace(found, slowed=slowed) if found.turn and found.run is not None else found


def _shown_of(state: State, replay: Replay | None, picked: SelectedRun | None) -> DisplayedRun:
    """Return the displayed run; an active run of the page comes first."""
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
