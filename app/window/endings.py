"""How a run ended, in words: what the bar says, the line under the answer, the details, and the obvious next step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.bridge.state import Mode, Run
from app.engine.speeds import acceptance, stop_latency, tokens_per_step
from app.engine.stopping import Stopping, stopping_of
from app.engine.trace import Trace
from app.engine.types import Finish, Reason
from app.widgets.formatting import chance, count, duration, percent, short_duration, speed
from app.widgets.token_words import legible
from app.window.stopping_story import story_of
from app.words import tr

INTERRUPTED = "interrupted"
INTERRUPTED_WHY = "Sluice was cut off in the middle of this run"


class Step(StrEnum):
    """What a user most likely wants next."""

    CONTINUE = "Continue"
    RAISE_LIMIT = "Raise the limit"
    USE_TEMPLATE = "Use the chat template"
    RETRY = "Retry"
    STEPS = "Step by step"

    @property
    def words(self) -> str:
        """What its button says."""
        return _STEP_WORDS[self]


_STEP_WORDS = {
    Step.CONTINUE: tr("Continue"),
    Step.RAISE_LIMIT: tr("Raise the limit"),
    Step.USE_TEMPLATE: tr("Use the chat template"),
    Step.RETRY: tr("Retry"),
    Step.STEPS: tr("Step by step"),
}


@dataclass(frozen=True, slots=True)
class Ending:
    """`reason` begins with one of the six words of `Reason`, or with INTERRUPTED."""

    reason: str
    line: str
    details: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    story: tuple[tuple[str, str], ...] = ()
    """Headings and sentences: why it ended there, and what to do next."""
    unrecorded: bool = False
    """It would say more, had candidates been recorded."""


def ending_of(run: Run, chat_model: bool, trace: Trace | None = None) -> Ending:
    """All there is to say about the end of `run`; `trace` has the tokens of its answer, as far as they are known."""
    untemplated = run.mode is Mode.RAW and chat_model and run.finish.reason is Reason.LENGTH
    stopping = stopping_of(trace, run.finish) if trace is not None else None
    why = INTERRUPTED_WHY if run.interrupted else _WHY[run.finish.reason](run, stopping)
    reason = f"{_word(run)}, {why}"
    if untemplated:
        reason += ". This page went out without the chat template, so the model may not know where to end"
    steps = _steps(run, untemplated)
    told = story_of(run, stopping, [step.value for step in steps])
    return Ending(reason, line_of(run), tuple(_details(run)), steps, told.rows, told.unrecorded)


def line_of(run: Run) -> str:
    """The line under the answer: reason, tokens, time, speed, and what the cache was worth."""
    figures, finish = run.summary.figures, run.finish
    parts = [_word(run), count(figures.tokens, "token"), duration(figures.elapsed)]
    if figures.speed_mean is not None:
        parts.append(f"{speed(figures.speed_mean)} tok/s")
    prompt = finish.reused + finish.new
    if prompt:
        parts.append(f"reused {finish.reused} of {prompt}" if finish.reused else f"{prompt} new")
    return " · ".join(parts)


def _word(run: Run) -> str:
    return INTERRUPTED if run.interrupted else run.finish.reason.value


def _steps(run: Run, untemplated: bool) -> tuple[Step, ...]:
    if run.finish.reason is Reason.LENGTH:
        return (Step.CONTINUE, Step.USE_TEMPLATE if untemplated else Step.RAISE_LIMIT)
    if run.finish.reason is Reason.STOPPED:
        return (Step.CONTINUE,) if run.ids else (Step.RETRY,)
    if run.finish.reason is Reason.STOP_STRING:
        return (Step.STEPS,)
    return (Step.RETRY,) if run.finish.reason is Reason.ERROR else ()


def _stop(run: Run, stopping: Stopping | None) -> str:
    likely = stopping.last.probability if stopping is not None else None
    return f"end token {run.finish.stop_text}".rstrip() + (f", {chance(likely)} likely" if likely is not None else "")


def _length(run: Run, stopping: Stopping | None) -> str:
    limit = f"the limit of {count(run.request.limits.max_tokens, 'token')}"
    end = stopping.end if stopping is not None else None
    return limit if end is None else f"{limit}; an end was {chance(end)} likely"


def _stop_string(run: Run, _stopping: Stopping | None) -> str:
    return f"“{legible(run.finish.stop_text)}” was written"


def _stopped(run: Run, _stopping: Stopping | None) -> str:
    latency = stop_latency(run.finish.times)
    where = f", after {count(run.finish.tokens, 'token')}" if run.finish.tokens else " before the first token"
    return f"in {duration(latency)}{where}"


def _context_full(run: Run, _stopping: Stopping | None) -> str:
    if run.finish.failure is not None:
        return run.finish.failure.what
    context = run.summary.context
    return f"all {context.length} tokens are in use" if context and context.length else "no room is left"


def _error(run: Run, _stopping: Stopping | None) -> str:
    return run.finish.failure.what if run.finish.failure is not None else "the engine gave no reason"


_WHY: dict[Reason, Callable[[Run, Stopping | None], str]] = {
    Reason.STOP: _stop,
    Reason.LENGTH: _length,
    Reason.STOP_STRING: _stop_string,
    Reason.STOPPED: _stopped,
    Reason.CONTEXT_FULL: _context_full,
    Reason.ERROR: _error,
}


def _details(run: Run) -> Iterator[tuple[str, str]]:
    figures, finish, gaps = run.summary.figures, run.finish, run.summary.gaps
    yield "Tokens", f"{figures.tokens} generated, {figures.visible} visible"
    yield "First token", duration(figures.first_token)
    if not run.interrupted:
        yield "Prompt", f"{finish.reused} reused, {finish.new} new, {speed(figures.prompt_speed)} tok/s"
    yield "End to end", f"{speed(figures.end_to_end)} tok/s"
    if gaps is not None:
        between = " · ".join(
            f"{name} {short_duration(value)}" for name, value in _percentiles(gaps.p50, gaps.p95, gaps.p99)
        )
        yield "Between steps" if finish.drafted else "Between tokens", between
    yield from _drafted(finish)
    yield "Seed", str(run.seed)
    yield "mlx-lm says", finish.library_reason or "nothing"
    yield from _left_out(finish)


def _percentiles(*values: float) -> Iterator[tuple[str, float]]:
    yield from zip(("p50", "p95", "p99"), values, strict=True)


def _drafted(finish: Finish) -> Iterator[tuple[str, str]]:
    if finish.drafted is None or acceptance(finish.drafted) is None:
        return
    drafted = finish.drafted
    steps = tokens_per_step(finish.tokens, drafted) or 0.0
    yield "Draft", f"{percent(drafted.accepted, drafted.proposed)} accepted, {steps:.1f} tokens a step"


def _left_out(finish: Finish) -> Iterator[tuple[str, str]]:
    if finish.cut:
        yield "Cut off", f"the first {count(len(finish.cut), 'byte')} of a character"
