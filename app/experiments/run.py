"""Runs a plan on an engine, arm by arm, on the caller's thread, and tells how it goes."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TypeAlias

from app.engine.frame import Frame
from app.engine.protocol import Engine, StopFlag
from app.engine.types import (
    ENDLESS,
    Event,
    Failure,
    Finish,
    Loading,
    LoadRequest,
    Model,
    Reason,
    Request,
    Times,
)
from app.experiments.order import steps
from app.experiments.taking import Taking
from app.experiments.types import WARM_UP, Arm, Given, Outcome, Plan, Result, Step

WARM_UP_TOKENS = 16
"""Enough for what a device does once for each new kind of work, such as compiling its kernels."""

Note: TypeAlias = Step | Loading | Frame | Result
Tell: TypeAlias = Callable[[Note], None]


class Sink(Protocol):
    """Where a run is written down as it goes on: the journal's recorder is one."""

    run: int

    def put(self, event: Event) -> None: ...

    def finish(self, finish: Finish) -> None: ...


Keep: TypeAlias = Callable[[Request, Model, float], Sink]
"""Called at the Send of each measured run, whose moment is the last argument."""


def conduct(
    engine: Engine,
    plan: Plan,
    model: Model,
    stop: StopFlag,
    tell: Tell = lambda note: None,
    keep: Keep | None = None,
) -> Outcome:
    """All of the plan, or what was done of it when `stop` was asked; `model` is the one that is open.

    A `Step` is told before each run, and for a measured one its `Frame`s about thirty times a second, and its
    `Result` after it. The step of a run that warms up has round WARM_UP.
    """
    return _Conducted(engine, plan, model, stop, tell, keep).go()


class _RunFlag(StopFlag):
    """A run's own flag, with its own moment of Send; the experiment's flag ends the run too."""

    __slots__ = ("_outer",)

    def __init__(self, outer: StopFlag) -> None:
        super().__init__()
        self._outer = outer

    @property
    def asked(self) -> bool:
        if self._outer.asked:
            self.ask()
            self.asked_at = self._outer.asked_at
        return super().asked

    def wait(self, seconds: float) -> bool:
        self._outer.wait(seconds)
        return self.asked


class _Conducted:
    """The state of one experiment. What prepares an arm is seen by nobody."""

    def __init__(self, engine: Engine, plan: Plan, model: Model, stop: StopFlag, tell: Tell, keep: Keep | None) -> None:
        self._engine, self._plan, self._stop, self._tell, self._keep = engine, plan, stop, tell, keep
        self._model = model
        self._opened: LoadRequest | None = None
        self._warm: set[int] = set()
        self._results: list[Result] = []
        self._warm_ups: list[Result] = []
        self._failure: Failure | None = None

    def go(self) -> Outcome:
        for step in steps(self._plan):
            arm = self._plan.arms[step.arm]
            if self._stop.asked or not self._open(arm) or not self._warm_up(step):
                break
            self._tell(step)
            result = self._run(step.arm, step.round)
            if self._stop.asked and result.finish.reason is Reason.STOPPED:
                break
            self._results.append(result)
            self._tell(result)
        return Outcome(
            self._plan, self._model, tuple(self._results), tuple(self._warm_ups), self._stop.asked, self._failure
        )

    def _open(self, arm: Arm) -> bool:
        """Whether what the arm needs is open, or could be opened now."""
        if arm.load is None or arm.load == self._opened:
            return True
        opened = self._engine.load(arm.load, self._loading, _RunFlag(self._stop))
        if isinstance(opened, Model):
            self._model, self._opened = opened, arm.load
            self._warm.clear()
            return True
        self._failure = opened if isinstance(opened, Failure) else None
        return False

    def _loading(self, event: Event) -> None:
        if isinstance(event, Loading):
            self._tell(event)

    def _warm_up(self, step: Step) -> bool:
        """A short run before the first one, and after each load."""
        if step.arm not in self._warm:
            self._warm.add(step.arm)
            self._tell(replace(step, round=WARM_UP))
            self._warm_ups.append(self._run(step.arm, WARM_UP))
        return not self._stop.asked

    def _run(self, number: int, at: int) -> Result:
        arm = self._plan.arms[number]
        before = None
        if arm.before is not None:
            before = self._generate(number, WARM_UP, arm.before)
        request = arm.ask(Given(at, self._model, before))
        return self._generate(number, at, request if at != WARM_UP else _shortened(request))

    def _generate(self, number: int, at: int, request: Request) -> Result:
        flag = _RunFlag(self._stop)
        measured = at != WARM_UP
        sink = self._keep(request, self._model, flag.made_at) if measured and self._keep is not None else None
        taking = Taking(request, self._model, flag.made_at, self._tell if measured else None)

        def emit(event: Event) -> None:
            if sink is not None:
                sink.put(event)
            taking.take(event)

        finish = self._finish(request, emit, flag)
        if sink is not None:
            sink.finish(finish)
        return taking.result(number, at, finish, sink.run if sink is not None else None)

    def _finish(self, request: Request, emit: Callable[[Event], None], flag: StopFlag) -> Finish:
        """One arm that breaks must not take the others' results along."""
        try:
            return self._engine.generate(request, emit, flag)
        except Exception as error:
            details = "".join(traceback.format_exception(error))
            failure = Failure("The engine failed in the middle of this run.", "Try again.", details)
            return Finish(Reason.ERROR, times=Times(flag.made_at, ended=time.monotonic()), failure=failure)


def _shortened(request: Request) -> Request:
    limit = request.limits.max_tokens
    short = WARM_UP_TOKENS if limit == ENDLESS else min(WARM_UP_TOKENS, limit)
    return replace(request, limits=replace(request.limits, max_tokens=short))
