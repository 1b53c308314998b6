"""The bridge's values as the journal keeps them, and back."""

from collections.abc import Mapping
from pathlib import Path

from app.bridge.active_run import ActiveRun
from app.controls import Mode
from app.engine.meter.frame import Figures, Summary
from app.engine.types import Finish, Model, NetworkTiming, Reason, Request, Times, TokenPrompt
from app.records import run_environment
from app.records import types as kept
from app.records.run_environment import is_on_server, model_ref
from app.state import Run, Turn

NOT_READ = Request(TokenPrompt(()))
"""Stands where a run's request was not read."""
NO_SUMMARY = Summary(Figures(), None, None, None)


def run_start(current: ActiveRun, model: Model, known: Mapping[Path, kept.ModelRef]) -> kept.RunStart:
    """What is known of a run when it is sent."""

    def ref(name: str, folder: Path) -> kept.ModelRef:
        return known.get(folder) or model_ref(name, folder)

    return run_environment.run_start(current.mode.value, current.request, model, current.stop.made_at, ref)


def run_of(record: kept.RunRecord) -> Run:
    """A run as it was, but for the model, which is only known by name."""
    summary = record.summary or NO_SUMMARY
    return Run(
        model=record.model.name,
        mode=Mode(record.mode),
        request=record.request,
        prompt=record.prompt,
        ids=record.ids,
        text=record.text,
        reasoning=record.reasoning,
        finish=record.finish or _cut_off(summary, len(record.ids), is_on_server(record.model)),
        summary=summary,
        adapter=record.model.adapter,
        id=record.id,
        interrupted=record.finish is None,
    )


def brief_run_of(brief: kept.RunBrief) -> Run:
    """What is said of a run under its answer."""
    summary = brief.summary or NO_SUMMARY
    return Run(
        model=brief.model,
        mode=Mode(brief.mode),
        request=NOT_READ,
        prompt=None,
        ids=(),
        text="",
        reasoning="",
        finish=brief.finish or _cut_off(summary, summary.figures.tokens, summary.figures.pieces),
        summary=summary,
        adapter=brief.adapter,
        id=brief.id,
        interrupted=brief.finish is None,
        brief=True,
    )


def turn_of(turn: kept.Turn, runs: Mapping[kept.RunId, Run]) -> Turn:
    """A turn with those of its runs that are known."""
    known = tuple(runs[run] for run in turn.runs if run in runs)
    return Turn(
        turn.role, turn.text, turn.reasoning, known, id=turn.id, parent=turn.parent, next=turn.next, forked=turn.forked
    )


def _cut_off(summary: Summary, tokens: int, there: bool) -> Finish:
    """Nobody had a last word on it: what is known of its end."""
    figures = summary.figures
    times = Times(sent=0.0, first_token=figures.first_token or 0.0, last_token=figures.elapsed, ended=figures.elapsed)
    return Finish(Reason.STOPPED, tokens=tokens, times=times, wire=NetworkTiming(pieces=tokens) if there else None)
