"""Inspections: passes in their order, shared results, Stop and failures."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, Signal

from app.bridge.forks import RunTokens
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import (
    AblationResult,
    AblationUnit,
    AnswerLogprob,
    Attention,
    AttentionMatrix,
    Cancellation,
    ExactPrompt,
    Failure,
    Head,
    HeadGroup,
    HeadKind,
    HiddenStates,
    LensResult,
    Role,
)
from app.state import State, Turn
from app.ui.interpretability import ATTENTION, LADDER, MATRIX, STATES, STRETCH, WORDS
from app.ui.interpretability.inspections import CHUNK_TOKENS, AnswerToken, HeadId, Inspections
from tests.ui.interpretability.test_lens import depth

START, COUNT = 5, 70
TURN = 2
PROMPT = ExactPrompt("", (), (), ())
NOTHING = AnswerLogprob(0.0, ())
Ask = tuple[Any, ...]


class Stub(QObject):
    """A playground whose passes end when the test sends their outcome."""

    changed = Signal(object, object)
    inspected = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        turns = (Turn(Role.USER, "Hi", id=1), Turn(Role.ASSISTANT, "Ho", id=TURN))
        self.state = State(turns=turns)
        self.asked: list[Ask] = []
        self.is_busy = False
        self.traces = SimpleNamespace(of=lambda turn: [None] * COUNT if turn == TURN else None)
        self.inspection_results = SimpleNamespace(at=lambda run: {})

    def _ask(self, *wanted: object) -> RunTokens | None:
        if self.is_busy:
            return None
        self.asked.append(wanted)
        return RunTokens(tuple(range(START + COUNT)), START, cast(Any, SimpleNamespace(id=7)), PROMPT, False)

    def __getattr__(self, name: str) -> Callable[..., RunTokens | None]:
        if name in ("read_lens", "read_attention", "read_attention_matrix", "read_hidden_states", "ablate"):
            return lambda *arguments: self._ask(name, *arguments)
        raise AttributeError(name)

    def finish(self) -> None:
        """Send the result of the last pass."""
        name, _, place, *rest = self.asked[-1]
        head = Head(1, 2, (), HeadKind.SPREAD, 1.0, HeadKind.SPREAD, 1.0, {HeadGroup.INDUCTION: 0.9})
        outcome: object = None
        if name == "read_lens":
            places = range(place, min(COUNT, place + rest[0]))
            outcome = LensResult(tuple(depth("a", position=START + each - 1) for each in places), 0.0)
        elif name == "read_attention":
            outcome = PROMPT, Attention(START + place - 1, (head,), 0.0)
        elif name == "read_attention_matrix":
            outcome = AttentionMatrix(rest[0], rest[1], 1, (1.0,), 0.0)
        elif name == "read_hidden_states":
            outcome = PROMPT, HiddenStates(place, (), None, 0, 0, (), None)
        elif name == "ablate":
            outcome = rest[0], AblationResult((), NOTHING, (), NOTHING, (), (), (), 0.0, True, 0.0)
        self.inspected.emit(outcome)


@pytest.fixture
def stub(qapp: object) -> Stub:
    return Stub()


@pytest.fixture
def inspections(stub: Stub) -> Iterator[Inspections]:
    made = Inspections(cast(Playground, stub), stub)
    made.select(AnswerToken(TURN, 1, 3))
    yield made
    made.findChildren(Tasks)[0].close()


def test_compute_all_runs_what_is_missing_once(stub: Stub, inspections: Inspections) -> None:
    kinds = list[str]()
    inspections.progressed.connect(lambda kind, done, total: kinds.append(kind))
    assert inspections.compute_all(AblationUnit.SENTENCE)
    token = AnswerToken(TURN, 1, 3)
    while inspections.is_computing:
        assert not inspections.is_complete(token, AblationUnit.SENTENCE)
        stub.finish()
    assert inspections.is_complete(token, AblationUnit.SENTENCE)
    assert not inspections.is_complete(token, AblationUnit.TURN)
    last = COUNT - 1
    assert stub.asked == [
        ("read_lens", 1, 0, CHUNK_TOKENS),
        ("read_lens", 1, CHUNK_TOKENS, CHUNK_TOKENS),
        ("read_attention", 1, last),
        ("read_attention_matrix", 1, last, 1, 2),
        ("read_hidden_states", 1, 3),
        ("ablate", 1, 3, AblationUnit.SENTENCE),
    ]
    assert kinds == [LADDER, LADDER, ATTENTION, MATRIX, STATES, WORDS, ""]
    assert sorted(inspections.results.lens) == list(range(COUNT))
    assert inspections.compute_all(AblationUnit.SENTENCE) and not inspections.is_computing
    for kind in (LADDER, STRETCH, STATES):
        inspections.request(kind)
    inspections.request_matrix(inspections.map_token(AnswerToken(TURN, 1, 3)), HeadId(1, 2))
    assert len(stub.asked) == 6, "everything is known"


def test_stop_ends_all_passes_and_a_failure_only_its_own(stub: Stub, inspections: Inspections) -> None:
    inspections.compute_all(AblationUnit.TURN)
    stub.inspected.emit(Failure("No.", "Try", kind="layers"))
    assert inspections.results.failures[LADDER].what == "No." and stub.asked[-1][0] == "read_attention"
    stub.inspected.emit(Cancellation())
    assert not inspections.is_computing and len(stub.asked) == 2
    stub.is_busy = True
    assert not inspections.compute_all(AblationUnit.TURN) and not inspections.is_computing


def test_results_stay_until_another_answer_is_inspected(stub: Stub, inspections: Inspections) -> None:
    inspections.request(LADDER)
    stub.finish()
    old = stub.state
    stub.state = State(turns=(*old.turns, Turn(Role.USER, "And?", id=3)))
    stub.changed.emit(old, stub.state)
    assert list(inspections.results.lens) == [3], "a new prompt after the answer"
    stub.changed.emit(stub.state, State(turns=(Turn(Role.USER, "Else", id=9),)))
    assert not inspections.results.lens
    inspections.request(LADDER)
    inspections.select(AnswerToken(4, 1, 0))
    stub.finish()
    assert not inspections.results.lens, "its request was dropped"
