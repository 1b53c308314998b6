"""The Inside tab, and its controller: it runs interpretability jobs for the selected token on request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.bridge.forks import RunTokens
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import (
    AblationResult,
    AblationUnit,
    Attention,
    AttentionMatrix,
    ExactPrompt,
    HiddenStates,
    LensResult,
    of_answer,
)
from app.i18n import tr
from app.records.inspection_results import (
    JsonObject,
    attention_json,
    attribution_json,
    lens_json,
    matrix_json,
    states_json,
)
from app.records.types import TurnId
from app.state import Phase, Run, State
from app.ui.feature import Feature
from app.ui.interpretability import ATTENTION, STATES, STRETCH, WORDS
from app.ui.look import Theme
from app.ui.tokens.text import NOWHERE
from app.ui.widgets import come_after, in_column, named

if TYPE_CHECKING:
    from app.ui.interpretability.panel import InterpretabilityPanel

STRETCH_TOKENS = 24
BEFORE_TOKENS = 4
"""Tokens shown before the selected one."""
BUSY = tr("Not available during a run.")
NO_MODEL = tr("Open a model first.")


class InterpretabilityPage(QWidget):
    """The Inside tab. It creates its panel when first shown, since importing numpy would delay the first paint."""

    made = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "inside", tr("Inside"))
        self._theme = theme
        self._place = in_column(on=self)
        self.panel: InterpretabilityPanel | None = None

    def make(self) -> None:
        if self.panel is not None:
            return
        from app.ui.interpretability.panel import InterpretabilityPanel

        self.panel = InterpretabilityPanel(self._theme, self)
        self._place.addWidget(self.panel)
        come_after(self, self.panel)
        self.made.emit(self.panel)
        self.panel.show()

    def showEvent(self, event: QShowEvent) -> None:
        self.make()
        super().showEvent(event)


@dataclass(frozen=True, slots=True)
class InspectionRequest:
    """A request: tab, token, and the input of the forward pass."""

    kind: str
    turn: TurnId
    index: int
    position: int
    read: RunTokens


class InterpretabilityController(Feature):
    fork_wanted = Signal(int, int, int)
    """Index of the turn, place of the token, id of the new token."""

    def __init__(self, playground: Playground, page: InterpretabilityPage, parent: QObject) -> None:
        super().__init__(parent)
        self._playground, self._page = playground, page
        self._token: tuple[TurnId, int, int] | None = None
        """Id of the turn, its index, and the place in the answer; None for no token."""
        self._latest_request: InspectionRequest | None = None
        """The latest request for lens, attention or states."""
        self._ablation: InspectionRequest | None = None
        """The latest request for attribution."""
        self._tried_answer: tuple[int, ...] = ()
        """Token ids of the answer that is generated again with a shorter prompt."""
        self._tasks = Tasks(self)
        page.made.connect(self._connect_panel)
        playground.changed.connect(self._on_changed)
        playground.inspected.connect(self._on_result)
        playground.replayed.connect(self._on_replayed)

    def show_token(self, index: int, position: int) -> None:
        """Set the selected token; NOWHERE for none."""
        turns = self._playground.state.turns
        self._token = (turns[index].id, index, position) if 0 <= index < len(turns) and position != NOWHERE else None
        if self._page.panel is not None:
            self._show_selected(self._page.panel)

    def look(self, kind: str) -> None:
        """Compute the result of this tab for the selected token."""
        self._page.make()
        if self._page.panel is not None:
            self._page.panel.choose(kind)
        self._request(kind)

    def _connect_panel(self, panel: InterpretabilityPanel) -> None:
        panel.look_wanted.connect(self._request)
        panel.matrix_wanted.connect(self._request_matrix)
        panel.fork_wanted.connect(self._ask_fork)
        panel.words.try_wanted.connect(self._try_shorter_prompt)
        self._show_selected(panel)
        self._update_availability(self._playground.state)

    def _show_selected(self, panel: InterpretabilityPanel) -> None:
        looked = self._latest_request or self._ablation
        if looked is not None and self._token is not None and self._token[0] != looked.turn:
            self._forget()
        turn, _, position = self._token or (0, 0, 0)
        trace = self._playground.traces.of(turn) if self._token is not None else None
        if trace is None or position >= len(trace):
            panel.show_token(None)
            return
        before = "".join(trace.token(each).text for each in range(max(0, position - BEFORE_TOKENS), position))
        panel.show_token(position, trace.token(position).name, len(trace), before)

    def _request(self, kind: str) -> None:
        if self._token is None:
            return
        turn, index, position = self._token
        read = self._ask(kind, index, position)
        request = InspectionRequest(kind, turn, index, position, read) if read is not None else None
        if kind == WORDS:
            self._ablation = request
        else:
            self._forget_results()
            self._latest_request = request

    def _ask(self, kind: str, index: int, position: int) -> RunTokens | None:
        playground = self._playground
        if kind == ATTENTION:
            return playground.read_attention(index, position)
        if kind == STATES:
            return playground.read_hidden_states(index, position)
        if kind == WORDS:
            part = self._page.panel.words.part if self._page.panel is not None else None
            return playground.ablate(index, position, part) if part is not None else None
        return playground.read_lens(index, position, STRETCH_TOKENS if kind == STRETCH else 1)

    def _request_matrix(self, layer: int, head: int | None) -> None:
        request = self._latest_request
        if request is not None:
            self._playground.read_attention_matrix(request.index, request.position, layer, head)

    def _ask_fork(self, position: int, token: int) -> None:
        if self._token is not None:
            self.fork_wanted.emit(self._token[1], position, token)

    def _on_result(self, outcome: object) -> None:
        """Show a result unless its request was dropped."""
        if (panel := self._page.panel) is None:
            return
        match outcome, self._latest_request, self._ablation:
            case LensResult() as lens, InspectionRequest() as request, _:
                self._save(request, "layers", partial(lens_json, lens))
                panel.show_found(lens, request.read.start, request.kind == STRETCH)
            case (ExactPrompt() as prompt, Attention() as attention), InspectionRequest() as request, _:
                self._save(request, "attention", partial(attention_json, prompt, attention))
                panel.show_attention(request.position, prompt, attention)
            case AttentionMatrix() as matrix, InspectionRequest() as request, _:
                self._save(request, "matrix", partial(matrix_json, matrix))
                panel.show_matrix(matrix)
            case (ExactPrompt() as prompt, HiddenStates() as states), InspectionRequest() as request, _:
                self._save(request, "states", partial(states_json, states))
                panel.show_states(request.position, request.read.start, prompt, states)
            case ((AblationUnit() | None) as unit, AblationResult() as found), _, InspectionRequest() as request:
                self._save(request, "words", partial(_ablation_json, request, found))
                panel.show_ablation(request.position, request.read.prompt, unit, found)

    def _save(self, request: InspectionRequest, kind: str, serialize: Callable[[], JsonObject]) -> None:
        run = request.read.run.id
        self._tasks.start(self._add_to(self._playground.inspection_results.at(run), kind, serialize), f"{kind} {run}")

    async def _add_to(self, looks: dict[str, JsonObject], kind: str, serialize: Callable[[], JsonObject]) -> None:
        looks[kind] = await self._tasks.in_thread(serialize)

    def _try_shorter_prompt(self) -> None:
        found = self._page.panel.words.found if self._page.panel is not None else None
        request = self._ablation
        if found is not None and request is not None and self._playground.try_shorter(request.read, found.kept):
            self._tried_answer = request.read.answer

    def _on_replayed(self, run: Run) -> None:
        answer, self._tried_answer = self._tried_answer, ()
        if answer and self._page.panel is not None:
            self._page.panel.words.show_tried(answer, run)

    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model or new.turns is not old.turns:
            self._forget()
        if (new.phase, new.model) != (old.phase, old.model):
            self._update_availability(new)

    def _update_availability(self, state: State) -> None:
        why = "" if state.phase is Phase.READY else NO_MODEL if state.phase is Phase.EMPTY else BUSY
        if state.model is not None:
            why = state.model.can.refusal("ids") or why
        if self._page.panel is not None:
            self._page.panel.set_unavailable(why)

    def _forget(self) -> None:
        """Drop the results of another model, page or answer."""
        self._ablation, self._tried_answer = None, ()
        if self._page.panel is not None:
            self._page.panel.show_ablation(NOWHERE)
        self._forget_results()

    def _forget_results(self) -> None:
        self._latest_request = None
        if self._page.panel is not None:
            self._page.panel.show_found(None)


def _ablation_json(request: InspectionRequest, found: AblationResult) -> JsonObject:
    parts = attribution_json(request.read.prompt, found, of_answer)
    return {"position": request.read.start + request.position, "parts": parts}
