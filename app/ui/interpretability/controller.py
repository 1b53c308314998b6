"""Looks inside the model at the token that is picked: when it is asked to, and at no other time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.bridge.forks import Reading
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import (
    AblationResult,
    Attention,
    AttentionMatrix,
    ExactPrompt,
    HiddenStates,
    LensResult,
    Unit,
    of_answer,
)
from app.i18n import tr
from app.records.inspection_results import Told, attention_told, lens_told, matrix_told, states_told, words_told
from app.records.types import TurnId
from app.state import Phase, Run, State
from app.ui.feature import Feature
from app.ui.interpretability import ATTENTION, STATES, STRETCH, WORDS
from app.ui.interpretability.page import InsidePage
from app.ui.tokens.text import NOWHERE

if TYPE_CHECKING:
    from app.ui.interpretability.panel import InsidePanel

STRETCH_TOKENS = 24
BEFORE_TOKENS = 4
"""So many tokens before the picked one tell where it stands."""
BUSY = tr("Wait until what goes on is over, or stop it.")
NO_MODEL = tr("Open a model first.")


@dataclass(frozen=True, slots=True)
class InspectionRequest:
    """A look: at what, at which token of which answer, and what is read for it."""

    kind: str
    turn: TurnId
    index: int
    place: int
    read: Reading


class InsideController(Feature):
    """What the user asks on the page goes to the playground, and the answers go back."""

    fork_wanted = Signal(int, int, int)
    """Go on from this place with another token: index of the turn, place, id."""

    def __init__(self, playground: Playground, page: InsidePage, parent: QObject) -> None:
        super().__init__(parent)
        self._playground, self._page = playground, page
        self._token: tuple[TurnId, int, int] | None = None
        """Of which turn, its index, and the place in its answer."""
        self._asked: InspectionRequest | None = None
        """The latest look at layers, heads or states."""
        self._left_out: InspectionRequest | None = None
        """The latest look at words."""
        self._tried: tuple[int, ...] = ()
        """The answer that is written once more behind a shorter prompt."""
        self._tasks = Tasks(self)
        page.made.connect(self._join)
        playground.changed.connect(self._on_changed)
        playground.looked.connect(self._on_looked)
        playground.replayed.connect(self._on_replayed)

    def show_token(self, index: int, place: int) -> None:
        """What was picked; NOWHERE: nothing is."""
        turns = self._playground.state.turns
        self._token = (turns[index].id, index, place) if 0 <= index < len(turns) and place != NOWHERE else None
        if self._page.panel is not None:
            self._tell(self._page.panel)

    def _join(self, panel: InsidePanel) -> None:
        panel.look_wanted.connect(self._look)
        panel.matrix_wanted.connect(self._look_at_matrix)
        panel.taken.connect(self._take)
        panel.words.try_wanted.connect(self._try)
        self._tell(panel)
        self._allow(self._playground.state)

    def _tell(self, panel: InsidePanel) -> None:
        looked = self._asked or self._left_out
        if looked is not None and self._token is not None and self._token[0] != looked.turn:
            self._forget()
        turn, _, place = self._token or (0, 0, 0)
        trace = self._playground.traces.of(turn) if self._token is not None else None
        if trace is None or place >= len(trace):
            panel.show_token(None)
            return
        before = "".join(trace.token(each).text for each in range(max(0, place - BEFORE_TOKENS), place))
        panel.show_token(place, trace.token(place).name, len(trace), before)

    def _look(self, kind: str) -> None:
        if self._token is None:
            return
        turn, index, place = self._token
        read = self._ask(kind, index, place)
        asked = InspectionRequest(kind, turn, index, place, read) if read is not None else None
        if kind == WORDS:
            self._left_out = asked
        else:
            self._forget_layers()
            self._asked = asked

    def _ask(self, kind: str, index: int, place: int) -> Reading | None:
        ask = self._playground
        if kind == ATTENTION:
            return ask.attend(index, place)
        if kind == STATES:
            return ask.look_at_states(index, place)
        if kind == WORDS:
            part = self._page.panel.words.part if self._page.panel is not None else None
            return ask.leave_out(index, place, part) if part is not None else None
        return ask.look_inside(index, place, STRETCH_TOKENS if kind == STRETCH else 1)

    def _look_at_matrix(self, layer: int, head: int | None) -> None:
        asked = self._asked
        if asked is not None:
            self._playground.attend_whole(asked.index, asked.place, layer, head)

    def _take(self, place: int, token: int) -> None:
        if self._token is not None:
            self.fork_wanted.emit(self._token[1], place, token)

    def _on_looked(self, outcome: object) -> None:
        """Of a look that was forgotten meanwhile nothing is told."""
        if (panel := self._page.panel) is None:
            return
        match outcome, self._asked, self._left_out:
            case LensResult() as inside, InspectionRequest() as asked, _:
                self._keep(asked, "layers", partial(lens_told, inside))
                panel.show_found(inside, asked.read.start, asked.kind == STRETCH)
            case (ExactPrompt() as prompt, Attention() as attention), InspectionRequest() as asked, _:
                self._keep(asked, "attention", partial(attention_told, prompt, attention))
                panel.show_attention(asked.place, prompt, attention)
            case AttentionMatrix() as matrix, InspectionRequest() as asked, _:
                self._keep(asked, "matrix", partial(matrix_told, matrix))
                panel.show_matrix(matrix)
            case (ExactPrompt() as prompt, HiddenStates() as states), InspectionRequest() as asked, _:
                self._keep(asked, "states", partial(states_told, states))
                panel.show_states(asked.place, asked.read.start, prompt, states)
            case ((Unit() | None) as unit, AblationResult() as found), _, InspectionRequest() as asked:
                self._keep(asked, "words", partial(_effects_told, asked, found))
                panel.show_left_out(asked.place, asked.read.prompt, unit, found)

    def _keep(self, asked: InspectionRequest, kind: str, tell: Callable[[], Told]) -> None:
        run = asked.read.run.id
        self._tasks.start(self._kept(self._playground.looks.at(run), kind, tell), f"{kind} {run}")

    async def _kept(self, looks: dict[str, Told], kind: str, tell: Callable[[], Told]) -> None:
        looks[kind] = await self._tasks.in_thread(tell)

    def _try(self) -> None:
        found = self._page.panel.words.found if self._page.panel is not None else None
        asked = self._left_out
        if found is not None and asked is not None and self._playground.try_shorter(asked.read, found.kept):
            self._tried = asked.read.answer

    def _on_replayed(self, run: Run) -> None:
        answer, self._tried = self._tried, ()
        if answer and self._page.panel is not None:
            self._page.panel.words.show_tried(answer, run)

    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model or new.turns is not old.turns:
            self._forget()
        if (new.phase, new.model) != (old.phase, old.model):
            self._allow(new)

    def _allow(self, state: State) -> None:
        why = "" if state.phase is Phase.READY else NO_MODEL if state.phase is Phase.EMPTY else BUSY
        if state.model is not None:
            why = state.model.can.refusal("ids") or why
        if self._page.panel is not None:
            self._page.panel.allow(why)

    def _forget(self) -> None:
        """What was found is of another model, another page or another answer."""
        self._left_out, self._tried = None, ()
        if self._page.panel is not None:
            self._page.panel.show_left_out(NOWHERE)
        self._forget_layers()

    def _forget_layers(self) -> None:
        self._asked = None
        if self._page.panel is not None:
            self._page.panel.show_found(None)


def _effects_told(asked: InspectionRequest, found: AblationResult) -> Told:
    parts = words_told(asked.read.prompt, found, of_answer)
    return {"position": asked.read.start + asked.place, "parts": parts}
