"""Converts values of the bridge to records of the journal, and back."""

from collections.abc import Mapping
from pathlib import Path

from app.bridge.active_run import ActiveRun
from app.controls import Mode
from app.engine.meter.meter import Figures, Summary
from app.engine.types import Finish, Model, NetworkTiming, Reason, Request, Times, TokenPrompt
from app.records import run_environment
from app.records import types as journal_types
from app.records.run_environment import is_on_server, model_ref
from app.state import Run, Turn

NOT_READ = Request(TokenPrompt(()))
"""Placeholder for the request of a partial run."""
NO_SUMMARY = Summary(Figures(), None, None, None)


def run_start(current: ActiveRun, model: Model, known: Mapping[Path, journal_types.ModelRef]) -> journal_types.RunStart:
    """Return the record of a run at its start."""

    def ref(name: str, folder: Path) -> journal_types.ModelRef:
        return known.get(folder) or model_ref(name, folder)

    return run_environment.run_start(current.mode.value, current.request, model, current.stop.made_at, ref)


def run_of(record: journal_types.RunRecord) -> Run:
    """Restore a run; its model is known by name only."""
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


def brief_run_of(brief: journal_types.RunBrief) -> Run:
    """Restore a partial run."""
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
        is_partial=True,
    )


def turn_of(turn: journal_types.TurnRecord, runs: Mapping[journal_types.RunId, Run]) -> Turn:
    """Restore a turn with those of its runs that are known."""
    known = tuple(runs[run] for run in turn.runs if run in runs)
    return Turn(
        turn.role, turn.text, turn.reasoning, known, id=turn.id, parent=turn.parent, next=turn.next, forked=turn.forked
    )


def _cut_off(summary: Summary, tokens: int, there: bool) -> Finish:
    """Return the Finish of a run that was interrupted by the end of the process."""
    figures = summary.figures
    times = Times(sent=0.0, first_token=figures.first_token or 0.0, last_token=figures.elapsed, ended=figures.elapsed)
    return Finish(Reason.STOPPED, tokens=tokens, times=times, wire=NetworkTiming(pieces=tokens) if there else None)
