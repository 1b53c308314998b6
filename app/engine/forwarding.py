"""An engine that another one works for: what it does not do in its own way it hands on."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from app.engine.protocol import ComparingEngine, Engine, LookingEngine, MeasuringEngine, SavingEngine
from app.engine.types import Failure
from app.words import tr

Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")


def no_logits() -> Failure:
    """Of an engine that sees no distributions."""
    what = tr("A server does not tell what its model would have said.")
    return Failure(what, tr("Open a model on this machine."), kind="logits")


def unmeasured() -> Failure:
    """Of an engine whose tokens are made elsewhere, or by nobody."""
    what = tr("What a token costs a server can't be measured from here.")
    return Failure(what, tr("Open a model on this machine."), kind="logits")


def _nothing() -> None:
    """Of an engine that keeps nothing."""


def handed_on(
    verb: Callable[Concatenate[Any, Given], Outcome], instead: Callable[[], Outcome] | None = None
) -> Callable[Concatenate[ForwardingEngine, Given], Outcome]:
    """The verb, done by the engine that works; `instead` is what comes of it where that one has no such verb."""

    @wraps(verb)
    def hand_on(self: ForwardingEngine, /, *given: Given.args, **named: Given.kwargs) -> Outcome:
        done: Callable[Given, Outcome] | None = getattr(self._now, verb.__name__, None)
        if done is not None:
            return done(*given, **named)
        assert instead is not None
        return instead()

    return hand_on


class ForwardingEngine:
    """`_now` is the one that works; it may change."""

    _now: Engine

    load = handed_on(Engine.load)
    has_model = handed_on(Engine.has_model)
    render = handed_on(Engine.render)
    take_apart = handed_on(Engine.take_apart)
    reusable = handed_on(Engine.reusable)
    generate = handed_on(Engine.generate)
    weigh = handed_on(Engine.weigh)
    tune = handed_on(Engine.tune)
    memory = handed_on(Engine.memory)
    unload = handed_on(Engine.unload)
    close = handed_on(Engine.close)
    weigh_into = handed_on(ComparingEngine.weigh_into, no_logits)
    weigh_against = handed_on(ComparingEngine.weigh_against, no_logits)
    token_reads = handed_on(MeasuringEngine.token_reads, unmeasured)
    speeds = handed_on(MeasuringEngine.speeds, unmeasured)
    decode = handed_on(MeasuringEngine.decode, unmeasured)
    measure_run = handed_on(MeasuringEngine.measure_run, unmeasured)
    look_inside = handed_on(LookingEngine.look_inside, no_logits)
    attention = handed_on(LookingEngine.attention, no_logits)
    leave_out = handed_on(LookingEngine.leave_out, no_logits)
    attention_matrix = handed_on(LookingEngine.attention_matrix, no_logits)
    hidden_states = handed_on(LookingEngine.hidden_states, no_logits)
    save = handed_on(SavingEngine.save, _nothing)
    forget = handed_on(SavingEngine.forget, _nothing)
