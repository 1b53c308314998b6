"""What a run measures, into the instruments: the same for a run of the conversation and for a replay."""

from __future__ import annotations

from app.engine.frame import Frame
from app.state import Run
from app.ui.shell.layout import Layout

PATIENCE_S = 0.3
"""A prefill that is over sooner is not worth a row that comes and goes."""


def advance(parts: Layout, frame: Frame) -> None:
    """One helping of the run that is going on."""
    figures = frame.figures
    parts.cards.advance(figures, frame.at)
    parts.graph.advance(frame.points, figures, frame.at)
    if frame.memory is not None:
        parts.memory.show_memory(frame.memory)
    if frame.context is not None:
        parts.context.advance(frame.context, frame.at)
    if frame.prefill is not None and figures.elapsed > PATIENCE_S:
        parts.progress.show_prefill(frame.prefill)
    elif frame.tokens:
        parts.progress.clear()


def finish(parts: Layout, run: Run) -> None:
    """All that was measured."""
    parts.cards.show_figures(run.summary.figures)
    parts.graph.finish_run(run.summary.figures)
    if run.summary.context is not None:
        parts.context.show_context(run.summary.context)
    elif run.finish.wire is not None:
        parts.context.show_uncounted()
