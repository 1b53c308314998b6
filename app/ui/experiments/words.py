"""What is said of an experiment that goes on."""

from __future__ import annotations

from app.engine.frame import Frame
from app.experiments.types import WARM_UP, Step
from app.figures import speed
from app.words import tr


def going(step: Step, frame: Frame | None = None) -> str:
    """Run 5 of 12 · without the cache · round 2."""
    parts = [tr("Run {number} of {total}").format(number=step.number, total=step.total), step.name]
    parts.append(tr("warming up") if step.round == WARM_UP else tr("round {number}").format(number=step.round))
    if frame is not None and frame.figures.tokens:
        figures = tr("%n tokens, {speed} tok/s", "%n token, {speed} tok/s", frame.figures.tokens)
        parts.append(figures.format(speed=speed(frame.figures.speed_now)))
    return " · ".join(parts)
