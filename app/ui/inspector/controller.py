"""Controller of the token cursor: a token pointed at or picked in text, graph or panel is shown in all three."""

import time
from collections.abc import Callable
from itertools import takewhile
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from app.bridge import conversation
from app.bridge.playground import Playground
from app.engine.meter.meter import Frame
from app.engine.types import Reason, Token
from app.i18n import tr
from app.records.types import TurnId
from app.state import DisplayedRun, Phase, Run, State
from app.ui.feature import Feature
from app.ui.inspector.controller_subjects import InspectedTokenRef, TokenLookup
from app.ui.inspector.panel import InspectorPanel
from app.ui.tokens.text import NOWHERE

FOLLOW_S = 0.25
"""Minimum interval between updates of the panel while an answer streams."""
WHY_NOT = {
    Phase.EMPTY: tr("Open a model first."),
    Phase.LOADING: tr("Wait until the model is open."),
    Phase.PREFILLING: tr("Wait until the answer is complete, or stop it."),
    Phase.GENERATING: tr("Wait until the answer is complete, or stop it."),
    Phase.STOPPING: tr("Wait until the run has stopped."),
}
NOTHING_CLICKED: tuple[TurnId, int, bool, int] = (0, NOWHERE, False, 0)
RUNNING = tr("Repeating the run…")
DIFFERENT = tr("The repeated run differed: alternatives are recorded up to token {place}.")
STOPPED = tr("Stopped by you: alternatives are recorded up to token {place}.")
FAILED = tr("The repeated run failed: {what}")


class TokenView(Protocol):
    """A view with token signals. Tokens are addressed by the index of their turn and their place in it."""

    def mark_token(self, index: int, position: int | None) -> None: ...

    def mark_pointed_token(self, index: int, position: int | None) -> None: ...

    def mark_stretch(self, index: int, first: int | None, last: int | None) -> None: ...

    def reveal_token(self, index: int, position: int) -> None: ...


class GraphTokenView(Protocol):
    """The speed graph's token signals. Tokens are addressed by their index in the displayed run."""

    def mark_token(self, index: int | None) -> None: ...


class InspectorController(Feature):
    """Controller of the inspector. Pointing shows a token temporarily; picking selects it and displays its run.

    Hidden pages aren't updated.
    """

    wanted = Signal()
    """A token was picked, so its tab should be shown."""
    marked = Signal(int, int)
    """The selected token changed: index of its turn, place; NOWHERE twice for none."""

    def __init__(
        self,
        playground: Playground,
        text: TokenView,
        graph: GraphTokenView,
        panel: InspectorPanel,
        other: QWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._other = other
        """Another page that shows the selected token."""
        self._playground = playground
        self._text, self._graph, self._panel = text, graph, panel
        self._lookup = TokenLookup(playground)
        self._recording = AlternativesRecorder(playground, panel.show_replaying, self._on_recorded, self)
        self._recorded_for: InspectedTokenRef | None = None
        self._forked: tuple[int, int] | None = None
        """Index of the turn and place where the streaming answer was forked; None without a fork."""
        self._picked: InspectedTokenRef | None = None
        self._pointed: InspectedTokenRef | None = None
        self._clicked = NOTHING_CLICKED
        """A clicked word: its turn's id and index, whether it is reasoning, and its offset in that text."""
        self._marked: InspectedTokenRef | None = None
        self._shown_at = float("-inf")

    def connect_actions(self) -> None:
        self._actions["view_tokens"].toggled.connect(self._update_availability)
        self._update_availability()
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

    def point_in_text(self, index: int, position: int) -> None:
        self._pointed = self._lookup.spot(index, position)
        self._show()

    def pick_in_text(self, index: int, position: int) -> None:
        self._pick(self._lookup.spot(index, position))

    def pick_offset(self, index: int, is_reasoning: bool, offset: int) -> None:
        """Pick the token at this offset of an answer's text, if a page shows tokens."""
        turns = self._playground.state.turns
        if index < len(turns) and (self._panel.isVisible() or self._other.isVisible()):
            turn = turns[index]
            self._clicked = turn.id, index, is_reasoning, offset
            self._playground.traces.want(turn)
            self._pick_clicked()

    def _pick_clicked(self) -> None:
        """Pick the clicked token as soon as its trace is known."""
        turn, index, is_reasoning, offset = self._clicked
        trace = self._playground.traces.of(turn) if turn else None
        position = trace.position_at(is_reasoning, offset) if trace is not None else None
        if position is not None:
            self._clicked = NOTHING_CLICKED
            self._pick(self._lookup.spot(index, position))

    def point_on_graph(self, number: int) -> None:
        spot = self._pointed = self._on_graph(number)
        self._text.mark_pointed_token(*_at(spot))
        self._show(from_graph=True)

    def click_on_graph(self, number: int) -> None:
        spot = self._on_graph(number)
        if spot is not None:
            self._pick(spot)
            # Only the token view can scroll to a token and mark it.
            if not self._actions["view_tokens"].isChecked():
                self._actions["view_tokens"].trigger()
            self._text.reveal_token(spot.index, spot.position)

    def mark_stretch(self, first: int, last: int) -> None:
        begin, end = self._on_graph(first), self._on_graph(last)
        trace = self._lookup.trace_of(begin) if begin is not None else None
        if begin is None or end is None or trace is None:
            self._text.mark_stretch(NOWHERE, None, None)
            self._panel.show_stretch(None)
        else:
            self._text.mark_stretch(begin.index, begin.position, end.position)
            self._panel.show_stretch(trace.stretch(begin.position, end.position))

    def _show_tokens(self) -> None:
        """Switch to the token view, at the selected token."""
        self._actions["view_tokens"].trigger()
        if self._marked is not None:
            self._text.reveal_token(self._marked.index, self._marked.position)

    def _step(self, by: int) -> None:
        subject = self._panel.subject
        if subject is not None:
            spot = self._lookup.spot(subject.index, subject.token.position + by)
            if spot is not None:
                self._pick(spot)
                self._text.reveal_token(spot.index, spot.position)

    def _replay(self) -> None:
        """Record the alternatives of the shown token by a rerun."""
        subject = self._panel.subject
        spot = self._lookup.spot(*subject.key) if subject is not None else None
        if spot is not None:
            self._recorded_for = spot
            self._recording.start(spot.index, self._lookup.run_of(spot))

    def _on_recorded(self) -> None:
        """Return to the token that was shown when the rerun began."""
        self._pick(self._if_present(self._recorded_for))

    def _pick(self, spot: InspectedTokenRef | None) -> None:
        self._picked, self._pointed = spot, None
        if spot is not None:
            self._playground.shown.pick(spot.turn, self._lookup.run_of(spot))
            self.wanted.emit()
        self._show()

    def _show(self, from_graph: bool = False) -> None:
        """Show the current token everywhere."""
        visible = self._panel.isVisible()
        self._pick_fork()
        spot = (
            self._pointed
            or self._picked
            or (self._lookup.first_guess(self._shown) if visible or self._other.isVisible() else None)
        )
        if self._pointed is None:
            follows = self._picked is None and spot is not None and self._is_open(spot)
            self._mark(None if follows else spot)
        if not from_graph:
            self._graph.mark_token(self._number_on_graph(self._pointed or self._marked))
        if visible:
            self._shown_at = time.monotonic()
            self._panel.show_subject(self._lookup.inspect(spot) if spot is not None else None)

    def _pick_fork(self) -> None:
        """Pick the inserted token as soon as its trace is known."""
        spot = self._lookup.spot(*self._forked) if self._forked is not None else None
        if spot is not None:
            self._picked, self._forked = spot, None

    def _mark(self, spot: InspectedTokenRef | None) -> None:
        if spot != self._marked:
            self._marked = spot
            self._text.mark_token(*_at(spot))
            self.marked.emit(*((spot.index, spot.position) if spot is not None else (NOWHERE, NOWHERE)))

    def _on_graph(self, number: int) -> InspectedTokenRef | None:
        shown = self._shown
        trace = self._playground.traces.of(shown.turn) if shown.turn and number != NOWHERE else None
        position = trace.position_in(shown.number, number) if trace is not None else None
        return self._lookup.spot(shown.index, position) if position is not None else None

    def _number_on_graph(self, spot: InspectedTokenRef | None) -> int | None:
        trace = self._lookup.trace_of(spot) if spot is not None else None
        if spot is None or trace is None or spot.turn != self._shown.turn:
            return None
        run, number = trace.run(spot.position)
        return number if run == self._shown.number else None

    def _is_open(self, spot: InspectedTokenRef) -> bool:
        turns = self._playground.state.turns
        return spot.index < len(turns) and turns[spot.index].open

    def _grow(self, turn: TurnId) -> None:
        """Follow an answer whose trace has grown or was loaded."""
        if self._clicked[0] == turn:
            self._pick_clicked()
        followed = self._panel.isVisible()
        if not (followed or self._other.isVisible()):
            return
        turns = self._playground.state.turns
        recent = self._panel.subject is not None and time.monotonic() - self._shown_at < FOLLOW_S
        waits = not followed or self._pointed is not None or recent
        if not (waits and turns and turns[-1].id == turn and turns[-1].open):
            self._show()

    def _follow(self, old: DisplayedRun, new: DisplayedRun) -> None:
        if new.live and not old.live:
            self._lookup.begin()
            self._picked = None
            turn = self._playground.state.turns[new.index] if not new.replay else None
            forked = turn.forked if turn is not None and not turn.runs else None
            self._forked = (new.index, forked.place) if forked is not None else None
        self._drop_stale()
        self._show()

    def _drop_stale(self) -> None:
        """Drop tokens that are no longer on the page, and a picked token of another run."""
        picked, self._pointed = self._if_present(self._picked), self._if_present(self._pointed)
        same = picked is not None and (picked.turn, self._lookup.run_of(picked)) == self._shown.key
        self._picked = picked if same else None
        if self._if_present(self._marked) is not None:
            # The text loses the marks of rewritten turns.
            self._text.mark_token(*_at(self._marked))

    def _if_present(self, spot: InspectedTokenRef | None) -> InspectedTokenRef | None:
        turns = self._playground.state.turns
        present = spot is not None and spot.index < len(turns) and turns[spot.index].id == spot.turn
        return spot if present else None

    def _on_changed(self, old: State, new: State) -> None:
        self._update_availability()
        if new.model is not old.model:
            self._show()

    def _update_availability(self) -> None:
        state = self._playground.state
        ids, observe = map(state.model.can.refusal, ("ids", "observe")) if state.model is not None else ("", "")
        self._panel.set_availability(
            no_fork=ids or WHY_NOT.get(state.phase, ""),
            no_recording=observe,
            is_recording=state.is_recording,
            is_token_view=self._actions["view_tokens"].isChecked(),
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update a page when it is shown."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._show()
        return False


def _at(spot: InspectedTokenRef | None) -> tuple[int, int | None]:
    return (spot.index, spot.position) if spot is not None else (NOWHERE, None)


class AlternativesRecorder(QObject):
    """A rerun that records alternatives. It reports by `show_progress`, and calls `done` at the end."""

    def __init__(
        self, playground: Playground, show_progress: Callable[[str], None], done: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._show_progress, self._done = show_progress, done
        self._original: tuple[int, int, Run] | None = None
        """Index of the turn, number of the run, and the run."""
        self._tokens: list[Token] = []
        playground.replay_advanced.connect(self._on_advanced)
        playground.replayed.connect(self._on_replayed)

    def start(self, index: int, number: int) -> None:
        """Repeat run `number` of the answer at `index`, if that is possible now."""
        run = self._playground.load_full(self._playground.state.turns[index].runs[number])
        if run.prompt is None or not run.ids:
            return
        request = conversation.replay_request(run.request, run.prompt, len(run.ids), run.adapter)
        if self._playground.replay(request):
            self._original, self._tokens = (index, number, run), []
            self._show_progress(RUNNING)

    def _on_advanced(self, frame: Frame) -> None:
        if self._original is not None:
            self._tokens += frame.tokens

    def _on_replayed(self, again: Run) -> None:
        if self._original is None:
            return
        (index, number, run), self._original = self._original, None
        same = [*takewhile(lambda pair: pair[0].id == pair[1], zip(self._tokens, run.ids, strict=False))]
        seen = [token.observed for token, _ in same if token.observed is not None]
        self._playground.traces.store_logprobs(self._playground.state.turns[index], number, seen)
        self._done()
        self._show_progress(
            _summary(again, len(seen), len(same) == len(self._tokens)) if len(seen) < len(run.ids) else ""
        )


def _summary(again: Run, seen: int, same: bool) -> str:
    """Explain why only `seen` tokens were recorded; empty if the rerun was stopped during prefill."""
    if same and again.finish.failure is not None:
        return FAILED.format(what=again.finish.failure.sentence)
    if same and again.finish.reason is Reason.STOPPED:
        return STOPPED.format(place=f"{seen:,}") if seen else ""
    return DIFFERENT.format(place=f"{seen:,}")
