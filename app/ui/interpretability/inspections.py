"""The inspections of one answer and their results, which the Inside tab and its window share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QObject, Signal

from app.bridge import conversation
from app.bridge.forks import RunTokens
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import (
    WHOLE_TOKENS,
    AblationResult,
    AblationUnit,
    Attention,
    AttentionMatrix,
    Cancellation,
    ExactPrompt,
    Failure,
    HeadGroup,
    HiddenStates,
    LensPosition,
    LensResult,
    of_answer,
)
from app.records.inspection_results import (
    JsonObject,
    attention_json,
    attribution_json,
    lens_json,
    matrix_json,
    states_json,
)
from app.records.types import RunId, TurnId
from app.state import State
from app.ui.interpretability import ATTENTION, LADDER, MATRIX, STATES, STRETCH, WORDS

STRETCH_TOKENS, CHUNK_TOKENS, LENS_TOKENS = 24, 64, 256
"""Tokens of the tab's range, of one pass, and of the window's lens."""
MOST_KEPT, MOST_MATRICES = 2, 8
"""Most tokens whose attention or states are kept, and most attention matrices: each takes up to 4 MB."""
VIEWS = (LADDER, ATTENTION, MATRIX, STATES, WORDS)
"""The kinds in the order in which all views are computed."""
HEAD_ORDER = (HeadGroup.INDUCTION, HeadGroup.PREVIOUS, HeadGroup.DUPLICATE, HeadGroup.LOCAL, HeadGroup.BROAD)


@dataclass(frozen=True, slots=True)
class AnswerToken:
    """A token of an answer."""

    turn: TurnId
    index: int
    """Index of the turn."""
    place: int
    """Place in the answer."""


class HeadId(NamedTuple):
    layer: int
    head: int | None
    """None for the mean over the layer's heads."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """The attribution for the token at `place`."""

    place: int
    part: AblationUnit | range
    """The parts that were wanted."""
    read: RunTokens
    unit: AblationUnit | None
    found: AblationResult

    @property
    def prompt(self) -> ExactPrompt:
        return self.read.prompt


@dataclass(slots=True)
class AnswerResults:
    """All results for one answer. Keys are places of the answer's tokens. Only the UI thread uses it."""

    start: int = 0
    """Position of the answer's first token."""
    lens: dict[int, LensPosition] = field(default_factory=dict)
    lens_difference: float = 0.0
    attention: dict[int, tuple[ExactPrompt, Attention]] = field(default_factory=dict)
    matrices: dict[tuple[int, HeadId], AttentionMatrix] = field(default_factory=dict)
    states: dict[int, tuple[ExactPrompt, HiddenStates]] = field(default_factory=dict)
    ablation: Ablation | None = None
    failures: dict[str, Failure] = field(default_factory=dict)
    """By kind of inspection: why it isn't available."""

    def lens_result(self) -> LensResult | None:
        """Return the lens at all known tokens, in their order."""
        found = tuple(self.lens[place] for place in sorted(self.lens))
        return LensResult(found, self.lens_difference) if found else None

    def place_of(self, depth: LensPosition) -> int:
        """Return the place of the token that the lens at this position predicts."""
        return depth.position + 1 - self.start


@dataclass(frozen=True, slots=True)
class InspectionPass:
    """One pass of the model: what it computes, for which token, and the function that starts it."""

    kind: str
    token: AnswerToken
    start: Callable[[], RunTokens | None]
    part: AblationUnit | range = AblationUnit.SENTENCE
    """The parts of the prompt for attribution."""


Key = TypeVar("Key")
Value = TypeVar("Value")


class Inspections(QObject):
    """Runs one pass at a time, and keeps the results for one answer until another one is inspected."""

    token_changed = Signal()
    arrived = Signal(str)
    """The kind of a result that has come."""
    forgotten = Signal()
    progressed = Signal(str, int, int)
    """While all views are computed: the kind of the current one, the number of finished ones, and of all. An empty kind
    is the end.
    """

    def __init__(self, playground: Playground, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self.token: AnswerToken | None = None
        """The selected token."""
        self.results = AnswerResults()
        self.inspected_turn: TurnId = 0
        """The answer that the results are for; 0 without results."""
        self._index = 0
        """Its index among the turns."""
        self._running: tuple[InspectionPass, RunTokens] | None = None
        """The running pass, and its input."""
        self._steps: Iterator[InspectionPass] | None = None
        """The remaining passes while all views are computed."""
        self._tasks = Tasks(self)
        playground.changed.connect(self._on_changed)
        playground.inspected.connect(self._on_inspected)

    @property
    def subject(self) -> AnswerToken | None:
        """The selected token, or else the last token of the last answer; None without an answer."""
        turns, token = self._playground.state.turns, self.token
        if token is not None and token.index < len(turns) and turns[token.index].id == token.turn:
            return token
        for index in reversed(range(len(turns))):
            trace = self._playground.traces.of(turns[index].id)
            if conversation.is_answer(turns, index) and trace is not None and len(trace):
                return AnswerToken(turns[index].id, index, len(trace) - 1)
        return None

    def read_last(self) -> None:
        """Read the tokens of the last answer; those of an earlier session are only in the session database."""
        turns = self._playground.state.turns
        last = next((index for index in reversed(range(len(turns))) if conversation.is_answer(turns, index)), None)
        if last is not None:
            self._playground.traces.want(turns[last])

    @property
    def is_computing(self) -> bool:
        """Whether all views are being computed."""
        return self._steps is not None

    def select(self, token: AnswerToken | None) -> None:
        self.token = token
        if token is not None and self.inspected_turn not in (0, token.turn):
            self.forget()
        self.token_changed.emit()

    def token_count(self, token: AnswerToken) -> int:
        trace = self._playground.traces.of(token.turn)
        return len(trace) if trace is not None else 0

    def request(self, kind: str, part: AblationUnit | range = AblationUnit.SENTENCE) -> None:
        """Compute one view for the selected token, unless it is known."""
        token = self.token
        if token is None:
            return
        if self._is_known(kind, token):
            self.arrived.emit(kind)
        else:
            self._begin(self._pass_of(kind, token, part))

    def request_matrix(self, token: AnswerToken, head: HeadId) -> None:
        """Compute the attention matrix of a head up to a token, unless it is known."""
        if (token.place, head) in self.results.matrices:
            self.arrived.emit(MATRIX)
        else:
            self._begin(self._matrix_pass(token, head))

    def compute_all(self, part: AblationUnit | range) -> bool:
        """Compute all views that aren't known yet. Return False without an answer, or if the model is busy."""
        token = self.subject
        if token is None or self.is_computing:
            return False
        if token.turn != self.inspected_turn:
            self.forget()
        self.results.failures.clear()
        self._steps = self._missing(token, part)
        return self._begin_next()

    def is_complete(self, token: AnswerToken, part: AblationUnit | range) -> bool:
        """Return whether all views at a token are known."""
        is_inspected = token.turn == self.inspected_turn and not self.results.failures
        return is_inspected and next(self._missing(token, part), None) is None

    def map_token(self, token: AnswerToken) -> AnswerToken:
        """Return the token up to which attention patterns are computed: the last one whose matrix isn't too large."""
        last, start = self.token_count(token) - 1, self.results.start
        return replace(token, place=max(token.place, min(last, WHOLE_TOKENS - start)) if start else last)

    def best_head(self, place: int) -> HeadId | None:
        """Return the head with the clearest pattern."""
        known = self.results.attention.get(place)
        groups = known[1].by_group() if known is not None else {}
        return next((HeadId(each[0].layer, each[0].head) for group in HEAD_ORDER if (each := groups.get(group))), None)

    def lens_places(self, token: AnswerToken) -> range:
        """Return the tokens of the window's lens: the whole answer, or a part around the selected token."""
        count = self.token_count(token)
        first = max(0, min(token.place - LENS_TOKENS // 2, count - LENS_TOKENS))
        return range(first, min(count, first + LENS_TOKENS))

    def forget(self) -> None:
        """Drop the results of another model, page or answer."""
        self.results, self.inspected_turn, self._running = AnswerResults(), 0, None
        self.forgotten.emit()

    def _missing(self, token: AnswerToken, part: AblationUnit | range) -> Iterator[InspectionPass]:
        """Yield the passes of all views, as far as their results are missing and available for this model."""
        playground, index = self._playground, token.index
        for place in self.lens_places(token):
            if place not in self.results.lens and LADDER not in self.results.failures:
                start = partial(playground.read_lens, index, place, CHUNK_TOKENS)
                yield InspectionPass(LADDER, replace(token, place=place), start)
        end = self.map_token(token)
        if end.place not in self.results.attention:
            yield self._pass_of(ATTENTION, end)
        head = self.best_head(end.place)
        if head is not None and (end.place, head) not in self.results.matrices:
            yield self._matrix_pass(end, head)
        if token.place not in self.results.states:
            yield self._pass_of(STATES, token)
        ablation = self.results.ablation
        if ablation is None or (ablation.place, ablation.part) != (token.place, part):
            yield self._pass_of(WORDS, token, part)

    def _is_known(self, kind: str, token: AnswerToken) -> bool:
        results, place = self.results, token.place
        if kind == STRETCH:
            count = self.token_count(token)
            return all(each in results.lens for each in range(place, min(count, place + STRETCH_TOKENS)))
        known: dict[str, Collection[int]] = {
            LADDER: results.lens,
            ATTENTION: results.attention,
            STATES: results.states,
        }
        return place in known.get(kind, ())

    def _pass_of(
        self, kind: str, token: AnswerToken, part: AblationUnit | range = AblationUnit.SENTENCE
    ) -> InspectionPass:
        playground, at = self._playground, (token.index, token.place)
        starts = {
            ATTENTION: partial(playground.read_attention, *at),
            STATES: partial(playground.read_hidden_states, *at),
            WORDS: partial(playground.ablate, *at, part),
            STRETCH: partial(playground.read_lens, *at, STRETCH_TOKENS),
            LADDER: partial(playground.read_lens, *at, 1),
        }
        return InspectionPass(kind, token, starts[kind], part)

    def _matrix_pass(self, token: AnswerToken, head: HeadId) -> InspectionPass:
        start = partial(self._playground.read_attention_matrix, token.index, token.place, *head)
        return InspectionPass(MATRIX, token, start)

    def _begin(self, wanted: InspectionPass) -> bool:
        read, token = wanted.start(), wanted.token
        if read is None:
            return False
        if token.turn != self.inspected_turn:
            self.forget()
        self.inspected_turn, self._index, self.results.start = token.turn, token.index, read.start
        self._running = wanted, read
        return True

    def _begin_next(self) -> bool:
        """Begin the next pass, if there is one. Return False if the model is busy."""
        wanted = next(self._steps, None) if self._steps is not None else None
        has_begun = wanted is not None and self._begin(wanted)
        if wanted is not None and has_begun:
            self.progressed.emit(wanted.kind, VIEWS.index(wanted.kind), len(VIEWS))
        else:
            self._end()
        return has_begun or wanted is None

    def _end(self) -> None:
        if self._steps is not None:
            self._steps = None
            self.progressed.emit("", 0, 0)

    def _on_inspected(self, outcome: object) -> None:
        """Keep a result unless its request was dropped."""
        running, self._running = self._running, None
        if running is None or isinstance(outcome, Cancellation):
            self._end()
            return
        kind = running[0].kind
        if isinstance(outcome, Failure):
            self.results.failures[kind] = outcome
        else:
            self.results.failures.pop(kind, None)
            self._keep(*running, outcome)
        self.arrived.emit(kind)
        self._begin_next()

    def _keep(self, done: InspectionPass, read: RunTokens, outcome: object) -> None:
        results, place, run = self.results, done.token.place, read.run.id
        match outcome:
            case LensResult() as lens:
                results.lens |= {results.place_of(each): each for each in lens.positions}
                results.lens_difference = max(results.lens_difference, lens.max_difference)
                self._save(run, "layers", partial(lens_json, lens))
            case (ExactPrompt() as prompt, Attention() as attention):
                _put(results.attention, place, (prompt, attention), MOST_KEPT)
                self._save(run, "attention", partial(attention_json, prompt, attention))
            case AttentionMatrix() as matrix:
                _put(results.matrices, (place, HeadId(matrix.layer, matrix.head)), matrix, MOST_MATRICES)
                self._save(run, "matrix", partial(matrix_json, matrix))
            case (ExactPrompt() as prompt, HiddenStates() as states):
                _put(results.states, place, (prompt, states), MOST_KEPT)
                self._save(run, "states", partial(states_json, states))
            case ((AblationUnit() | None) as unit, AblationResult() as found):
                ablation = results.ablation = Ablation(place, done.part, read, unit, found)
                self._save(run, "words", partial(_ablation_json, ablation))

    def _save(self, run: RunId, kind: str, serialize: Callable[[], JsonObject]) -> None:
        looks = self._playground.inspection_results.at(run)
        self._tasks.start(self._add_to(looks, kind, serialize), f"{kind} {run}")

    async def _add_to(self, looks: dict[str, JsonObject], kind: str, serialize: Callable[[], JsonObject]) -> None:
        looks[kind] = await self._tasks.in_thread(serialize)

    def _on_changed(self, old: State, new: State) -> None:
        is_same = new.turns is old.turns or self._answer(old) == self._answer(new)
        if self.inspected_turn and (new.model is not old.model or not is_same):
            self.forget()

    def _answer(self, state: State) -> tuple[TurnId, str, str]:
        """Return what identifies the inspected answer; a new one has the same text only if it is the same."""
        turns, index = state.turns, self._index
        return (turns[index].id, turns[index].text, turns[index].reasoning) if index < len(turns) else (0, "", "")


def _put(known: dict[Key, Value], key: Key, value: Value, most: int) -> None:
    """Add a value; beyond `most` values, drop those that were added first."""
    known.pop(key, None)
    known[key] = value
    for old in list(known)[:-most]:
        del known[old]


def _ablation_json(known: Ablation) -> JsonObject:
    parts = attribution_json(known.prompt, known.found, of_answer)
    return {"position": known.read.start + known.place, "parts": parts}
