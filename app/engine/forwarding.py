"""An engine that another one works for: what it does not do in its own way it hands on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.engine.protocol import (
    Begun,
    ComparingEngine,
    Emit,
    Engine,
    LookingEngine,
    MeasuringEngine,
    SavingEngine,
    StopFlag,
)
from app.engine.types import (
    Attention,
    AttentionMatrix,
    Decoded,
    Difference,
    ExactPrompt,
    Failure,
    Finish,
    Inside,
    LeftOut,
    LoadRequest,
    Matrix,
    Memory,
    Model,
    PromptSource,
    Reads,
    Request,
    Reusable,
    Speeds,
    Spelt,
    States,
    Stopped,
    Tuning,
    Weighed,
    Where,
)
from app.words import tr

if TYPE_CHECKING:
    from app.engine.distributions import Distributions  # and numpy with it, which waits


def no_logits() -> Failure:
    """Of an engine that sees no distributions."""
    what = tr("A server does not tell what its model would have said.")
    return Failure(what, tr("Open a model on this machine."), kind="logits")


def unmeasured() -> Failure:
    """Of an engine whose tokens are made elsewhere, or by nobody."""
    what = tr("What a token costs a server can't be measured from here.")
    return Failure(what, tr("Open a model on this machine."), kind="logits")


class ForwardingEngine:
    """`_now` is the one that works; it may change."""

    _now: Engine

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
        return self._now.load(request, emit, stop)

    def has_model(self) -> bool:
        return self._now.has_model()

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        return self._now.render(source)

    def take_apart(self, source: PromptSource) -> tuple[Spelt, ...] | Failure:
        return self._now.take_apart(source)

    def reusable(self, ids: tuple[int, ...], request: Request) -> Reusable:
        return self._now.reusable(ids, request)

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        return self._now.generate(request, emit, stop)

    def weigh(
        self, source: PromptSource, emit: Emit, stop: StopFlag, strength: float = 1.0
    ) -> Weighed | Failure | Stopped:
        return self._now.weigh(source, emit, stop, strength)

    def weigh_into(
        self, source: PromptSource, kept: Distributions | None, emit: Emit, stop: StopFlag, begun: Begun = None
    ) -> Weighed | Failure | Stopped:
        now = self._now
        return now.weigh_into(source, kept, emit, stop, begun) if isinstance(now, ComparingEngine) else no_logits()

    def weigh_against(
        self,
        source: PromptSource,
        kept: Distributions,
        found: list[Difference],
        emit: Emit,
        stop: StopFlag,
        begun: Begun = None,
    ) -> Weighed | Failure | Stopped:
        now = self._now
        return (
            now.weigh_against(source, kept, found, emit, stop, begun)
            if isinstance(now, ComparingEngine)
            else no_logits()
        )

    def token_reads(self, context: int) -> Reads | Failure:
        return self._now.token_reads(context) if isinstance(self._now, MeasuringEngine) else unmeasured()

    def speeds(self, matrix: Matrix, working_set: int) -> Speeds | Failure:
        return self._now.speeds(matrix, working_set) if isinstance(self._now, MeasuringEngine) else unmeasured()

    def decode(self, context: int, emit: Emit, stop: StopFlag) -> Decoded | Failure | Stopped:
        return self._now.decode(context, emit, stop) if isinstance(self._now, MeasuringEngine) else unmeasured()

    def measure_run(self, request: Request, emit: Emit, keep: Emit, stop: StopFlag) -> Where | Failure | Stopped:
        now = self._now
        return now.measure_run(request, emit, keep, stop) if isinstance(now, MeasuringEngine) else unmeasured()

    def look_inside(
        self, source: PromptSource, places: range, emit: Emit, stop: StopFlag, strength: float = 1.0
    ) -> Inside | Failure | Stopped:
        now = self._now
        return now.look_inside(source, places, emit, stop, strength) if isinstance(now, LookingEngine) else no_logits()

    def attention(
        self, source: PromptSource, place: int, emit: Emit, stop: StopFlag, strength: float = 1.0
    ) -> Attention | Failure | Stopped:
        now = self._now
        return now.attention(source, place, emit, stop, strength) if isinstance(now, LookingEngine) else no_logits()

    def leave_out(
        self,
        source: PromptSource,
        answer: int,
        place: int,
        parts: Sequence[range],
        emit: Emit,
        stop: StopFlag,
        strength: float = 1.0,
    ) -> LeftOut | Failure | Stopped:
        now = self._now
        if not isinstance(now, LookingEngine):
            return no_logits()
        return now.leave_out(source, answer, place, parts, emit, stop, strength)

    def attention_matrix(
        self, source: PromptSource, layer: int, head: int | None, stop: StopFlag, strength: float = 1.0
    ) -> AttentionMatrix | Failure | Stopped:
        now = self._now
        if not isinstance(now, LookingEngine):
            return no_logits()
        return now.attention_matrix(source, layer, head, stop, strength)

    def hidden_states(
        self, source: PromptSource, place: int, emit: Emit, stop: StopFlag, strength: float = 1.0
    ) -> States | Failure | Stopped:
        now = self._now
        return now.hidden_states(source, place, emit, stop, strength) if isinstance(now, LookingEngine) else no_logits()

    def tune(self, tuning: Tuning) -> None:
        self._now.tune(tuning)

    def memory(self) -> Memory:
        return self._now.memory()

    def save(self) -> None:
        if isinstance(self._now, SavingEngine):
            self._now.save()

    def forget(self, session: int) -> None:
        if isinstance(self._now, SavingEngine):
            self._now.forget(session)

    def unload(self) -> None:
        self._now.unload()

    def close(self) -> None:
        self._now.close()
