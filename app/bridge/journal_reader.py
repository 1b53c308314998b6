"""Reads sessions, answers and tokens from the journal on a worker thread; converts runs to its records and back."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.bridge.conversation import link_turns, reachable
from app.bridge.runner import ActiveRun
from app.controls import Mode
from app.engine.meter.meter import RunMetrics, Summary
from app.engine.meter.speeds import Curve, recorded_curve
from app.engine.meter.trace import Trace
from app.engine.types import Finish, Model, NetworkTiming, Reason, Request, Times, TokenPrompt
from app.records import run_environment
from app.records import types as journal_types
from app.records.journal import Journal
from app.records.run_environment import is_on_server, model_ref
from app.state import ConversationSnapshot, Run, Turn

NOT_READ = Request(TokenPrompt(()))
"""Placeholder for the request of a partial run."""
NO_SUMMARY = Summary(RunMetrics(), None, None, None)


def run_start(current: ActiveRun, model: Model, known: Mapping[Path, journal_types.ModelRef]) -> journal_types.RunStart:
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
        format=record.model.format,
        adapter=record.model.adapter,
        id=record.id,
        interrupted=record.finish is None,
    )


def brief_run_of(brief: journal_types.RunBrief) -> Run:
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
        format=brief.format,
        adapter=brief.adapter,
        id=brief.id,
        interrupted=brief.finish is None,
        is_partial=True,
    )


def turn_of(turn: journal_types.TurnRecord, runs: Mapping[journal_types.RunId, Run]) -> Turn:
    known = tuple(runs[run] for run in turn.runs if run in runs)
    return Turn(
        turn.role, turn.text, turn.reasoning, known, id=turn.id, parent=turn.parent, next=turn.next, forked=turn.forked
    )


def _cut_off(summary: Summary, tokens: int, there: bool) -> Finish:
    """Return the Finish of a run that was interrupted by the end of the process."""
    metrics = summary.figures
    times = Times(sent=0.0, first_token=metrics.first_token or 0.0, last_token=metrics.elapsed, ended=metrics.elapsed)
    return Finish(Reason.STOPPED, tokens=tokens, times=times, wire=NetworkTiming(pieces=tokens) if there else None)


IN_A_STEP = 50
TOKENS_IN_A_STEP = 2000
NOTHING = ConversationSnapshot((), ())

Step = Callable[[int, int], tuple[journal_types.TurnRecord, ...]]


def session_of(
    journal: Journal, session: journal_types.SessionId
) -> tuple[journal_types.Session | None, ConversationSnapshot]:
    """Return a session for the page and Continue; only the last run is loaded fully."""
    journal.flush()
    found = journal.sessions.get(session)
    if found is None:
        return None, NOTHING
    runs = {brief.id: brief_run_of(brief) for brief in journal.runs.briefs(session)}
    turns, others = (
        tuple(turn_of(turn, runs) for turn in _all(partial(read, session)))
        for read in (journal.sessions.turns, journal.sessions.branches)
    )
    others = reachable(turns, others)
    return found, ConversationSnapshot(with_last_run_loaded(journal, link_turns(turns, others)), others)


def load_full(journal: Journal, run: Run) -> Run:
    """Return a run with its request, prompt, ids and text."""
    record = journal.runs.get(run.id) if run.is_partial else None
    return replace(run_of(record), on=run.on) if record is not None else run


def with_last_run_loaded(journal: Journal, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Return the turns with the last run loaded fully, since Continue needs its ids."""
    runs = turns[-1].runs if turns else ()
    if not runs or not runs[-1].is_partial:
        return turns
    return (*turns[:-1], replace(turns[-1], runs=(*runs[:-1], load_full(journal, runs[-1]))))


def trace_of(journal: Journal, turn: Turn) -> Trace | None:
    """Return the tokens of an answer and their visible text. Slow for a long answer."""
    journal.flush()
    trace = _tokens_of(journal, turn.forked, tuple(run.id for run in turn.runs), frozenset())
    if trace is None or not len(trace):
        return None
    trace.align(turn.text, turn.reasoning)
    return trace


def curve_of(journal: Journal, run: journal_types.RunId) -> Curve:
    journal.flush()
    return recorded_curve(journal.runs.arrivals(run), journal.runs.drafts(run))


def _all(step: Step) -> list[journal_types.TurnRecord]:
    turns: list[journal_types.TurnRecord] = []
    while found := step(len(turns), IN_A_STEP):
        turns += found
    return turns


def _tokens_of(
    journal: Journal,
    forked: journal_types.Fork | None,
    runs: tuple[journal_types.RunId, ...],
    above: frozenset[journal_types.TurnId],
) -> Trace | None:
    """Return the tokens of an answer.

    `above`: the forks that were followed to it; an imported file may contain a cycle.
    """
    trace = Trace()
    if forked is not None and not _add_fork_origin(journal, trace, forked, runs, above):
        return None
    for number, run in enumerate(runs):
        if number or forked is None:
            trace.begin_run()
        start = 0
        while tokens := journal.runs.tokens(run, start, TOKENS_IN_A_STEP):
            trace.extend(tokens)
            start += len(tokens)
        trace.reject(journal.runs.rejected(run))
        record = journal.runs.get(run)
        if record is not None and record.finish is not None and record.finish.thinking is not None:
            trace.mark_inserted(record.finish.thinking.put)
    return trace


def _add_fork_origin(
    journal: Journal,
    trace: Trace,
    forked: journal_types.Fork,
    runs: tuple[journal_types.RunId, ...],
    above: frozenset[journal_types.TurnId],
) -> bool:
    """Add the tokens before the fork and those inserted there to the trace; return whether they were found."""
    origin = journal.sessions.turn(forked.turn) if forked.turn not in above else None
    record = journal.runs.get(runs[0]) if runs else None
    if origin is None or record is None or record.prompt is None:
        return False
    before = _tokens_of(journal, origin.forked, origin.runs, above | {forked.turn})
    begun = record.prompt.begun
    if before is None or not forked.place < min(len(before), len(begun)):
        return False
    trace.fork(before, forked.place, record.prompt.ids[len(record.prompt.ids) - len(begun) :], begun)
    return True
