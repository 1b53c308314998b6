"""Looks inside the model at the token that is picked: when it is asked to, and at no other time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.playground import Playground
from app.engine.types import (
    Attention,
    AttentionMatrix,
    ExactPrompt,
    Failure,
    Inside,
    LeftOut,
    States,
    Stopped,
    Unit,
    of_answer,
)
from app.records.looks import attention_told, lens_told, matrix_told, states_told, words_told
from app.records.types import TurnId
from app.state import Phase, Run, State
from app.ui.feature import Feature
from app.ui.inside import ATTENTION, STATES, STRETCH, WORDS
from app.ui.inside.cells import told_place
from app.ui.inside.effects import tried
from app.ui.tokens.text import NOWHERE
from app.ui.widgets.lazy_page import LazyPage
from app.words import tr

if TYPE_CHECKING:
    from app.ui.inside.panel import InsidePanel

STRETCH_TOKENS = 24
BEFORE_TOKENS = 4
"""So many tokens before the picked one tell where it stands."""
BUSY = tr("Wait until what goes on is over, or stop it.")
NO_MODEL = tr("Open a model first.")


class InsideController(Feature):
    """The page is made when it is first seen, and imported then: numpy comes with it."""

    candidate_taken = Signal(int, int, int)
    """Go on from this place with another token: index of the turn, place, id."""

    def __init__(self, playground: Playground, page: LazyPage[InsidePanel], parent: QObject) -> None:
        super().__init__(parent)
        self._playground, self._page = playground, page
        self._token: tuple[TurnId, int, int] | None = None
        """Of which turn, its index, and the place in its answer."""
        self._asked: tuple[TurnId, int, bool] | None = None
        """The turn that is looked at, its first token among all that was read, and whether it is a stretch of it."""
        self._attends: tuple[TurnId, int] | None = None
        """The turn and the place that is asked about."""
        self._stands: tuple[TurnId, int, int] | None = None
        """The turn, the place whose states are asked about, and its first token among all that was read."""
        self._left_out: tuple[TurnId, int, int, ExactPrompt] | None = None
        """The turn, its index and the place whose prompt is asked about."""
        self._tried: tuple[int, ...] = ()
        """The answer that is written once more behind a shorter prompt."""
        page.then(self._join)
        playground.attended.connect(self._on_attended)
        playground.attended_whole.connect(self._on_attended_whole)
        playground.states_seen.connect(self._on_states_seen)
        playground.changed.connect(self._on_changed)
        playground.looked_inside.connect(self._on_looked)
        playground.left_out.connect(self._on_left_out)
        playground.replayed.connect(self._on_replayed)

    @Slot(int, int)
    def show_token(self, index: int, place: int) -> None:
        """What was picked; NOWHERE: nothing is."""
        turns = self._playground.state.turns
        self._token = (turns[index].id, index, place) if 0 <= index < len(turns) and place != NOWHERE else None
        self._page.if_made(self._tell)

    def _join(self, panel: InsidePanel) -> None:
        panel.look_wanted.connect(self._look)
        panel.matrix_wanted.connect(self._look_at_matrix)
        panel.taken.connect(self._take)
        panel.words.try_wanted.connect(self._try)
        self._tell(panel)
        self._allow(self._playground.state)

    def _tell(self, panel: InsidePanel) -> None:
        looked = self._asked or self._attends or self._stands or self._left_out
        if looked is not None and self._token is not None and self._token[0] != looked[0]:
            self._forget()
        if self._token is None:
            panel.show_token(None, "")
            return
        turn, _, place = self._token
        trace = self._playground.traces.of(turn)
        if trace is None or place >= len(trace):
            panel.show_token(None, "")
            return
        before = "".join(trace.token(each).text for each in range(max(0, place - BEFORE_TOKENS), place))
        name = trace.token(place).name
        panel.show_token(place, name, told_place(place, len(trace), name, before))

    @Slot(str)
    def _look(self, kind: str) -> None:
        if self._token is None:
            return
        turn, index, place = self._token
        if kind != WORDS:
            self._forget_layers()
        if kind == ATTENTION:
            self._attends = (turn, place) if self._playground.attend(index, place) else None
        elif kind == STATES:
            start = self._playground.look_at_states(index, place)
            self._stands = (turn, place, start) if start is not None else None
        elif kind == WORDS:
            part = self._page.page.words.part
            prompt = self._playground.leave_out(index, place, part) if part is not None else None
            self._left_out = (turn, index, place, prompt) if prompt is not None else None
        else:
            stretch = kind == STRETCH
            start = self._playground.look_inside(index, place, STRETCH_TOKENS if stretch else 1)
            self._asked = (turn, start, stretch) if start is not None else None

    @Slot(int, object)
    def _look_at_matrix(self, layer: int, head: int | None) -> None:
        if self._token is not None and self._attends is not None:
            self._playground.attend_whole(self._token[1], self._attends[1], layer, head)

    @Slot(int, int)
    def _take(self, place: int, token: int) -> None:
        if self._token is not None:
            self.candidate_taken.emit(self._token[1], place, token)

    @Slot(object)
    def _on_looked(self, outcome: Inside | Failure | Stopped) -> None:
        if isinstance(outcome, Inside) and self._asked is not None:
            self._playground.looks.keep("layers", lens_told(outcome))
            self._page.page.show_found(outcome, *self._asked[1:])

    @Slot(object)
    def _on_attended(self, outcome: tuple[ExactPrompt, Attention] | Failure | Stopped) -> None:
        if isinstance(outcome, tuple) and self._attends is not None:
            self._playground.looks.keep("attention", attention_told(*outcome))
            self._page.page.show_attention(self._attends[1], *outcome)

    @Slot(object)
    def _on_attended_whole(self, outcome: AttentionMatrix | Failure | Stopped) -> None:
        if isinstance(outcome, AttentionMatrix) and self._attends is not None:
            self._playground.looks.keep("matrix", matrix_told(outcome))
            self._page.page.show_matrix(outcome)

    @Slot(object)
    def _on_states_seen(self, outcome: tuple[ExactPrompt, States] | Failure | Stopped) -> None:
        if isinstance(outcome, tuple) and self._stands is not None:
            self._playground.looks.keep("states", states_told(outcome[1]))
            self._page.page.show_states(*self._stands[1:], *outcome)

    @Slot(object)
    def _on_left_out(self, outcome: tuple[Unit | None, LeftOut] | Failure | Stopped) -> None:
        if isinstance(outcome, tuple) and self._left_out is not None:
            _, _, place, prompt = self._left_out
            told = {"position": len(prompt.ids) + place, "parts": words_told(prompt, outcome[1], of_answer)}
            self._playground.looks.keep("words", told)
            self._page.page.show_left_out(place, prompt, *outcome)

    @Slot()
    def _try(self) -> None:
        found = self._page.page.words.found
        if found is not None and self._left_out is not None:
            _, index, place, _ = self._left_out
            self._tried = self._playground.try_shorter(index, place, found.kept)

    @Slot(object)
    def _on_replayed(self, run: Run) -> None:
        answer, self._tried = self._tried, ()
        if answer:
            self._page.if_made(lambda panel: panel.words.say_tried(tried(answer, run)))

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model or new.turns is not old.turns:
            self._forget()
        if (new.phase, new.model) != (old.phase, old.model):
            self._allow(new)

    def _allow(self, state: State) -> None:
        why = "" if state.phase is Phase.READY else NO_MODEL if state.phase is Phase.EMPTY else BUSY
        self._page.if_made(lambda panel: panel.allow(why))

    def _forget(self) -> None:
        """What was found is of another model, another page or another answer."""
        self._left_out, self._tried = None, ()
        self._page.if_made(lambda panel: panel.show_left_out(NOWHERE))
        self._forget_layers()

    def _forget_layers(self) -> None:
        self._asked = self._attends = self._stands = None
        self._page.if_made(lambda panel: panel.show_found(None))
