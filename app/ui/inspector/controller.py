"""The one cursor: a token that is pointed at or picked in the text, on the graph or in the panel is so in all three."""

import time
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.displayed_run import DisplayedRun
from app.i18n import tr
from app.records.types import TurnId
from app.state import Phase, State
from app.ui.feature import Feature
from app.ui.inspector.controller_alternatives import CandidatesController
from app.ui.inspector.controller_subjects import InspectedTokenRef, Subjects
from app.ui.inspector.panel import InspectorPanel
from app.ui.tokens.text import NOWHERE

FOLLOWING_S = 0.25
"""So often at the most the panel follows the newest token: more is not to be read."""
WHY_NOT = {
    Phase.EMPTY: tr("Open a model first: it goes on from here."),
    Phase.LOADING: tr("Wait until the model is open."),
    Phase.PREFILLING: tr("Wait until the answer is complete, or stop it."),
    Phase.GENERATING: tr("Wait until the answer is complete, or stop it."),
    Phase.STOPPING: tr("The run is being stopped."),
}


class PointedText(Protocol):
    """Tokens go by the index of their turn and their place in it."""

    def mark_token(self, index: int, place: int | None) -> None: ...

    def point_token(self, index: int, place: int | None) -> None: ...

    def mark_stretch(self, index: int, first: int | None, last: int | None) -> None: ...

    def reveal_token(self, index: int, place: int) -> None: ...


class PointedGraph(Protocol):
    """Tokens go by their index in the run that is shown."""

    def point_token(self, index: int | None) -> None: ...


class InspectorController(Feature):
    """Pointing shows a token for as long as it lasts; picking selects it, and has its run shown everywhere.

    Nothing hidden is kept up to date.
    """

    wanted = Signal()
    """A token was picked: it is to be told of."""
    marked = Signal(int, int)
    """The selected token is another one: index of its turn, place; NOWHERE twice: none is."""

    def __init__(
        self,
        playground: Playground,
        text: PointedText,
        graph: PointedGraph,
        panel: InspectorPanel,
        other: QWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._other = other
        """A page that tells of the selected token too."""
        self._playground = playground
        self._text, self._graph, self._panel = text, graph, panel
        self._subjects = Subjects(playground)
        self._candidates = CandidatesController(playground, panel.show_replaying, self._recorded, self)
        self._recorded_for: InspectedTokenRef | None = None
        self._forked: tuple[int, int] | None = None
        """Where the answer that is being written took another way: index of the turn, place."""
        self._picked: InspectedTokenRef | None = None
        self._pointed: InspectedTokenRef | None = None
        self._marked: InspectedTokenRef | None = None
        self._shown_at = float("-inf")

    def joined(self) -> None:
        self._actions["view_tokens"].toggled.connect(self._allow)
        self._allow()
        self._panel.step_wanted.connect(self._step)
        self._panel.tokens_wanted.connect(self._show_tokens)
        self._panel.replay_wanted.connect(self._replay)
        for page in (self._panel, self._other):
            page.installEventFilter(self)
        self._playground.changed.connect(self._on_changed)
        self._playground.shown.changed.connect(self._follow)
        self._playground.traces.grew.connect(self._grow)
        self._playground.traces.changed.connect(self._grow)

    @property
    def _shown(self) -> DisplayedRun:
        return self._playground.shown.now

    def point_in_text(self, index: int, place: int) -> None:
        self._pointed = self._subjects.spot(index, place)
        self._show()

    def pick_in_text(self, index: int, place: int) -> None:
        self._pick(self._subjects.spot(index, place))

    def point_on_graph(self, number: int) -> None:
        spot = self._pointed = self._on_graph(number)
        self._text.point_token(*_at(spot))
        self._show(from_graph=True)

    def click_on_graph(self, number: int) -> None:
        spot = self._on_graph(number)
        if spot is not None:
            self._pick(spot)
            # Only there a token has a place that can be scrolled to and marked.
            if not self._actions["view_tokens"].isChecked():
                self._actions["view_tokens"].trigger()
            self._text.reveal_token(spot.index, spot.place)

    def mark_stretch(self, first: int, last: int) -> None:
        begin, end = self._on_graph(first), self._on_graph(last)
        trace = self._subjects.trace_of(begin) if begin is not None else None
        if begin is None or end is None or trace is None:
            self._text.mark_stretch(NOWHERE, None, None)
            self._panel.show_stretch(None)
        else:
            self._text.mark_stretch(begin.index, begin.place, end.place)
            self._panel.show_stretch(trace.stretch(begin.place, end.place))

    def _show_tokens(self) -> None:
        """In the text, with the one that the panel is about in sight."""
        self._actions["view_tokens"].trigger()
        if self._marked is not None:
            self._text.reveal_token(self._marked.index, self._marked.place)

    def _step(self, by: int) -> None:
        """From the token that the panel shows."""
        subject = self._panel.subject
        if subject is not None:
            spot = self._subjects.spot(subject.index, subject.token.place + by)
            if spot is not None:
                self._pick(spot)
                self._text.reveal_token(spot.index, spot.place)

    def _replay(self) -> None:
        """For the sake of the candidates of the token that the panel shows."""
        subject = self._panel.subject
        spot = self._subjects.spot(*subject.key) if subject is not None else None
        if spot is not None:
            self._recorded_for = spot
            self._candidates.start(spot.index, self._subjects.run_of(spot))

    def _recorded(self) -> None:
        """Back to the token that this was for."""
        self._pick(self._still_there(self._recorded_for))

    def _pick(self, spot: InspectedTokenRef | None) -> None:
        self._picked, self._pointed = spot, None
        if spot is not None:
            self._playground.shown.pick(spot.turn, self._subjects.run_of(spot))
            self.wanted.emit()
        self._show()

    def _show(self, from_graph: bool = False) -> None:
        """The present token, everywhere."""
        seen = self._panel.isVisible()
        self._reach_fork()
        spot = (
            self._pointed
            or self._picked
            or (self._subjects.first_guess(self._shown) if seen or self._other.isVisible() else None)
        )
        if self._pointed is None:
            follows = self._picked is None and spot is not None and self._is_open(spot)
            self._mark(None if follows else spot)
        if not from_graph:
            self._graph.point_token(self._number_on_graph(self._pointed or self._marked))
        if seen:
            self._shown_at = time.monotonic()
            self._panel.show_subject(self._subjects.of(spot) if spot is not None else None)

    def _reach_fork(self) -> None:
        """The token that was put there is picked as soon as it is known."""
        spot = self._subjects.spot(*self._forked) if self._forked is not None else None
        if spot is not None:
            self._picked, self._forked = spot, None

    def _mark(self, spot: InspectedTokenRef | None) -> None:
        """The selected token in the text."""
        if spot != self._marked:
            self._marked = spot
            self._text.mark_token(*_at(spot))
            self.marked.emit(*((spot.index, spot.place) if spot is not None else (NOWHERE, NOWHERE)))

    def _on_graph(self, number: int) -> InspectedTokenRef | None:
        """The token with this number on the graph."""
        shown = self._shown
        trace = self._playground.traces.of(shown.turn) if shown.turn and number != NOWHERE else None
        place = trace.place_in(shown.number, number) if trace is not None else None
        return self._subjects.spot(shown.index, place) if place is not None else None

    def _number_on_graph(self, spot: InspectedTokenRef | None) -> int | None:
        trace = self._subjects.trace_of(spot) if spot is not None else None
        if spot is None or trace is None or spot.turn != self._shown.turn:
            return None
        run, number = trace.run(spot.place)
        return number if run == self._shown.number else None

    def _is_open(self, spot: InspectedTokenRef) -> bool:
        turns = self._playground.state.turns
        return spot.index < len(turns) and turns[spot.index].open

    def _grow(self, turn: TurnId) -> None:
        """An answer's trace has more tokens, or is there now."""
        followed = self._panel.isVisible()
        if not (followed or self._other.isVisible()):
            return
        turns = self._playground.state.turns
        recent = self._panel.subject is not None and time.monotonic() - self._shown_at < FOLLOWING_S
        waits = not followed or self._pointed is not None or recent
        if not (waits and turns and turns[-1].id == turn and turns[-1].open):
            self._show()

    def _follow(self, old: DisplayedRun, new: DisplayedRun) -> None:
        """Another run is shown, or another page."""
        if new.live and not old.live:
            self._subjects.begin()
            self._picked = None
            turn = self._playground.state.turns[new.index] if not new.replay else None
            forked = turn.forked if turn is not None and not turn.runs else None
            self._forked = (new.index, forked.place) if forked is not None else None
        self._let_go()
        self._show()

    def _let_go(self) -> None:
        """What is no longer on the page can't be pointed at, and what is picked is of the run that is shown."""
        picked, self._pointed = self._still_there(self._picked), self._still_there(self._pointed)
        same = picked is not None and (picked.turn, self._subjects.run_of(picked)) == self._shown.key
        self._picked = picked if same else None
        if self._still_there(self._marked) is not None:
            # The text forgets marks of turns that it writes anew.
            self._text.mark_token(*_at(self._marked))

    def _still_there(self, spot: InspectedTokenRef | None) -> InspectedTokenRef | None:
        turns = self._playground.state.turns
        there = spot is not None and spot.index < len(turns) and turns[spot.index].id == spot.turn
        return spot if there else None

    def _on_changed(self, old: State, new: State) -> None:
        self._allow()
        if new.model is not old.model:
            self._show()

    def _allow(self) -> None:
        state = self._playground.state
        ids, observe = map(state.model.can.refusal, ("ids", "observe")) if state.model is not None else ("", "")
        self._panel.set_forkable(state.phase is Phase.READY and not ids, ids or WHY_NOT.get(state.phase, ""))
        self._panel.refuse_recording(observe)
        self._panel.show_recording(state.observing)
        self._panel.show_in_text(self._actions["view_tokens"].isChecked())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What comes in sight is brought up to date."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._show()
        return False


def _at(spot: InspectedTokenRef | None) -> tuple[int, int | None]:
    return (spot.index, spot.place) if spot is not None else (NOWHERE, None)
