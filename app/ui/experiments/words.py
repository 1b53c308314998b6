"""What is said of an experiment that goes on, or is over."""

from __future__ import annotations

from app.engine.frame import Frame
from app.engine.types import Failure
from app.experiments.types import WARM_UP, Outcome, Step
from app.figures import speed
from app.words import tr

STOPPED = Failure(tr("It was stopped before a run had ended."), "", kind="stopped")


def going(step: Step, frame: Frame | None = None) -> str:
    """Run 5 of 12 · without the cache · round 2."""
    parts = [tr("Run {number} of {total}").format(number=step.number, total=step.total), step.name]
    parts.append(tr("warming up") if step.round == WARM_UP else tr("round {number}").format(number=step.round))
    if frame is not None and frame.figures.tokens:
        figures = tr("%n tokens, {speed} tok/s", "%n token, {speed} tok/s", frame.figures.tokens)
        parts.append(figures.format(speed=speed(frame.figures.speed_now)))
    return " · ".join(parts)


def caution(outcome: Outcome) -> str:
    """Where a conclusion rests on less than was planned; empty: nowhere."""
    said = []
    if outcome.stopped:
        stopped = tr("Stopped: {done} of %n rounds done.", "Stopped: {done} of %n round done.", outcome.plan.repeats)
        said.append(stopped.format(done=_whole_rounds(outcome)))
    if outcome.failure is not None:
        said.append(outcome.failure.sentence)
    said += _failures(outcome)
    return " ".join(said)


def _failures(outcome: Outcome) -> list[str]:
    """What is wrong in many arms is said once."""
    failed: dict[str, list[str]] = {}
    for run in outcome.results:
        arm, failure = outcome.plan.arms[run.arm].name, run.finish.failure
        if failure is not None and arm not in failed.setdefault(failure.what, []):
            failed[failure.what].append(arm)
    names = {what: arms[0] if len(arms) == 1 else tr("%n arms", "%n arm", len(arms)) for what, arms in failed.items()}
    return [f"{name}: {what}" for what, name in names.items()]


def why_nothing(outcome: Outcome) -> Failure | None:
    """Why there is no measured run; None: there is one."""
    if outcome.measured():
        return None
    failures = [run.finish.failure for run in outcome.results if run.finish.failure is not None]
    return outcome.failure or (failures[0] if failures else STOPPED)


def _whole_rounds(outcome: Outcome) -> int:
    """Rounds in which every arm was run."""
    done = [run.round for run in outcome.results]
    arms = len(outcome.plan.arms)
    return sum(1 for at in range(1, outcome.plan.repeats + 1) if done.count(at) == arms)
