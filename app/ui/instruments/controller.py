"""What a run measures, into the instruments: the same for a run of the conversation and for a replay."""

from __future__ import annotations

from app.engine.frame import Frame
from app.state import Run
from app.ui.shell.layout import Layout


def advance(parts: Layout, frame: Frame) -> None:
    """One helping of the run that is going on."""
    figures = frame.figures
    parts.cards.advance(figures, frame.at)
    parts.graph.advance(frame.points, figures, frame.at)
    if frame.memory is not None:
        parts.memory.show_memory(frame.memory)
    if frame.context is not None:
        parts.context.advance(frame.context, frame.at)


def finish(parts: Layout, run: Run) -> None:
    """All that was measured."""
    parts.cards.show_figures(run.summary.figures)
    parts.graph.finish_run(run.summary.figures)
    if run.summary.context is not None:
        parts.context.show_context(run.summary.context)
    elif run.finish.wire is not None:
        parts.context.show_uncounted()
