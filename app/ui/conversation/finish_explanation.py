"""The finish reason of a run explained in sentences: its cause, its probability, and the next step."""

from collections.abc import Iterator, Sequence

from app.controls import Mode
from app.engine.meter.first_token import FirstTokenTime
from app.engine.meter.meter import RunMetrics
from app.engine.meter.speeds import stop_latency
from app.engine.meter.trace import Trace
from app.engine.run_analysis import HIGH, NOTICED, StopAnalysis, slow_cause
from app.engine.types import Finish, Reason, ReasoningStats, TokenLogprobs
from app.i18n import WordedEnum, tr
from app.number_format import chance, duration, percent
from app.roofline.roofline import DRAFTED, Roofline
from app.state import Run
from app.ui.tokens.words import legible

UNRECORDED = tr(
    "EOS probability unknown: no alternatives were recorded. Turn on “Record alternatives” for the next run."
)
CHOSE = (
    tr("The model generated {token}."),
    tr("The model generated {token}, with a probability of {chance}."),
    tr("The model generated {token}, with a probability of {chance} (rank {rank}); “{best}” had {best_chance}."),
)
COMPLETED = (
    tr("“{string}” was completed by the token “{token}” (id {id})."),
    tr("“{string}” was completed by the token “{token}” (id {id}), with a probability of {chance}."),
    tr(
        "“{string}” was completed by the token “{token}” (id {id}), with a probability of {chance} (rank "
        "{rank}); “{best}” had {best_chance}."
    ),
)
"""The sentence without a probability, with a probability, and with another token that was more probable."""
EXPLAINED_BY_LOGPROBS = frozenset({Reason.STOP, Reason.LENGTH, Reason.STOP_STRING, Reason.STOPPED})


class NextStep(WordedEnum):
    """A likely next action after a run: a button next to the finish line."""

    CONTINUE = "Continue", tr("Continue")
    RAISE_LIMIT = "Raise the limit", tr("Raise the limit")
    USE_TEMPLATE = "Use the chat template", tr("Use the chat template")
    RETRY = "Retry", tr("Retry")
    EDIT = "Edit", tr("Edit the prompt")
    NEW_SESSION = "New session", tr("New session")
    STEPS = "Step by step", tr("Step by step")


def token_count(metrics: RunMetrics) -> str:
    """Return the length of an answer in tokens, or in pieces if a server doesn't report tokens."""
    if metrics.pieces:
        return tr("%n pieces", "%n piece", metrics.tokens)
    return tr("%n tokens", "%n token", metrics.tokens)


def lacks_logprobs(run: Run) -> bool:
    """Return True if recorded alternatives would explain more. A server reports no EOS probability."""
    finish = run.finish
    explained = finish.wire is None and finish.reason in EXPLAINED_BY_LOGPROBS
    return explained and bool(finish.tokens) and not run.request.observe


def explain_finish(
    run: Run, stopping: StopAnalysis | None, steps: Sequence[NextStep], roofline: Roofline | None = None
) -> tuple[tuple[str, str], ...]:
    """Return headings and sentences. `steps` are the offered buttons."""
    why = [*_causes(run, stopping), *([UNRECORDED] if lacks_logprobs(run) else [])]
    rows = [(tr("Why it stopped"), " ".join(why))]
    if run.finish.conditions is not None and run.finish.tokens:
        rows.append((tr("Bottleneck"), _slowdown(run, roofline)))
    if (parts := FirstTokenTime.of(run.finish)) is not None:
        rows.append((tr("Time to first token"), parts.sentence))
    return (*rows, (tr("Next steps"), _next_steps(run, steps)))


def summarize_constraint(trace: Trace | None, finish: Finish) -> str:
    """Return the effect of the output format on sampling; empty without a format or recorded alternatives."""
    positions = range(max(0, len(trace) - finish.tokens), len(trace)) if trace is not None else range(0)
    looks = [
        (position, seen) for position in positions if trace and (seen := trace.logprobs_at(position)) and seen.formed
    ]
    formed = [seen.formed for _, seen in looks if seen.formed]
    if not formed:
        return ""
    removed, forced = sum(each.removed for each in formed), sum(each.forced for each in formed)
    summary = tr(
        "%n tokens were constrained; {forced} had only one valid choice. On average {share} of the probability was "
        "ruled out (sum: {mass}).",
        "%n token was constrained; {forced} had only one valid choice. On average {share} of the probability was "
        "ruled out (sum: {mass}).",
        len(formed),
    ).format(forced=forced, share=percent(removed, len(formed)), mass=f"{removed:.2f}")
    invalid = [(seen.formed.removed, position, seen.wanted) for position, seen in looks if seen.formed and seen.wanted]
    if not invalid:
        return summary
    _, position, most = max(invalid)
    words = tr(
        "At {count} of {all} tokens the model's top choice was invalid; most clearly at token {place}: “{token}”."
    )
    values = {"count": len(invalid), "all": len(formed), "place": f"{position + 1:,}", "token": legible(most.text)}
    return f"{summary} {words.format(**values)}"


def summarize_budget(thinking: ReasoningStats) -> str:
    """Describe where the reasoning budget ended the reasoning, and whether the model resumed it."""
    ended = tr(
        "The budget ended the reasoning after %n tokens",
        "The budget ended the reasoning after %n token",
        thinking.budget,
    )
    words = tr("{ended}; the end-of-reasoning tag was inserted.")
    if thinking.again:
        words = tr("{ended}. The model started to reason again {times}; the tag was inserted at once.")
    if thinking.late:
        words += " " + tr("Later it generated the tag itself: it had continued to reason in its answer.")
    return words.format(ended=ended, times=tr("%n times", "once", thinking.again))


def _slowdown(run: Run, roofline: Roofline | None) -> str:
    cause = slow_cause(run.finish)
    sentence = cause.sentence if cause is not None else tr("Nothing unusual slowed it down.")
    if roofline is None:
        return sentence
    reached = roofline.reached(run.finish, run.summary.figures.speed_mean)
    limit = DRAFTED if run.finish.drafted is not None else reached.sentence if reached is not None else ""
    return f"{sentence} {limit}".rstrip()


def _causes(run: Run, stopping: StopAnalysis | None) -> Iterator[str]:
    reason, length = run.finish.reason, token_count(run.summary.figures)
    if run.interrupted:
        yield tr("Sluice quit after {written}. The text up to there was saved.").format(written=length)
    elif reason is Reason.STOP:
        yield _end_token(run, stopping) if run.finish.wire is None else _ended_by_server(run)
    elif reason is Reason.STOP_STRING:
        yield from _stop_string(run, stopping)
    elif reason is Reason.LENGTH:
        yield tr("The token limit was reached before the model generated EOS.")
    elif reason is Reason.STOPPED:
        yield _cancelled(run, stopping)
    elif reason is Reason.FORM:
        yield tr("The output format was complete and allows no further token. The model did not generate EOS itself.")
    elif reason is Reason.DEAD_END:
        yield tr("The output format allows no token of this model's vocabulary here, or was too complex to compute.")
    elif reason is Reason.ERROR:
        failed = (
            tr("The run failed after {written}.") if run.finish.tokens else tr("The run failed before the first token.")
        )
        yield failed.format(written=length)
    else:
        full = tr("The context was full after {written}.") if run.finish.tokens else tr("The prompt alone is too long.")
        yield full.format(written=length)
    if stopping is not None and reason not in (Reason.ERROR, Reason.FORM, Reason.DEAD_END):
        yield from _eos_probability(run, stopping)


def _ended_by_server(run: Run) -> str:
    """Explain a server's reason: `stop` is EOS or its own stop string; others can be a filter or a tool call."""
    reason = run.finish.library_reason
    if not reason:
        return tr("The server ended the answer without a finish reason.")
    if not run.finish.ended_by_server:
        return tr("The server reported “stop”: an EOS token, or a stop string of its own.")
    return tr("The server ended the answer with the finish reason “{reason}”.").format(reason=reason)


def _end_token(run: Run, stopping: StopAnalysis | None) -> str:
    finish = run.finish
    if finish.stop_id is None:
        token = tr("EOS")
    else:
        token = tr("{token} (id {id})").format(token=finish.stop_text or tr("EOS"), id=finish.stop_id)
    if finish.stop_id in run.request.limits.stop_ids:
        token = tr("{token}, one of your stop tokens").format(token=token)
    return _with_chance(CHOSE, stopping.last.observed if stopping is not None else None, token=token)


def _stop_string(run: Run, stopping: StopAnalysis | None) -> Iterator[str]:
    if stopping is not None:
        last, string = stopping.last, legible(run.finish.stop_text)
        yield _with_chance(COMPLETED, last.observed, string=string, token=legible(last.text), id=last.id)
    hidden = run.finish.hidden
    if hidden:
        yield tr("“{text}” was generated and isn't shown.").format(text=legible(hidden))


def _cancelled(run: Run, stopping: StopAnalysis | None) -> str:
    if run.finish.wire is not None and not run.finish.wire.ended:
        sentence = tr("Stopped by you. Closing the connection took {latency}.")
    elif not run.finish.tokens:
        sentence = tr("Stopped by you before the first token. Stopping took {latency}.")
    elif stopping is not None and stopping.in_reasoning:
        sentence = tr("Stopped by you after {written}, during reasoning. Stopping took {latency}.")
    else:
        sentence = tr("Stopped by you after {written}. Stopping took {latency}.")
    latency = duration(stop_latency(run.finish.times))
    return sentence.format(written=token_count(run.summary.figures), latency=latency)


def _with_chance(words: tuple[str, str, str], observed: TokenLogprobs | None, **values: object) -> str:
    unknown, known, ranked = words
    if observed is None:
        return unknown.format(**values)
    values["chance"] = chance(observed.chosen.probability)
    if observed.rank <= 1 or not observed.top:
        return known.format(**values)
    best = observed.top[0]
    return ranked.format(
        **values, rank=f"{observed.rank:,}", best=legible(best.text), best_chance=chance(best.probability)
    )


def _eos_probability(run: Run, stopping: StopAnalysis) -> Iterator[str]:
    """Yield sentences about the EOS probability at the last token, and about its peak before."""
    nearest, ended = stopping.likeliest, run.finish.reason is Reason.STOP
    if stopping.end is not None and not ended:
        yield tr("EOS probability at the last token: {chance}.").format(chance=chance(stopping.end))
    if nearest is None or nearest.position == stopping.last.position:
        return
    if stopping.end is not None and not ended and chance(nearest.probability) == chance(stopping.end):
        yield tr("EOS probability was never higher.")
        return
    values = {"place": f"{nearest.position + 1:,}", "chance": chance(nearest.probability)}
    if nearest.probability >= HIGH and ended:
        yield tr("EOS probability had peaked before, at token {place}: {chance}.").format(**values)
    elif not ended and nearest.probability < NOTICED:
        yield tr("EOS probability never reached {chance}.").format(chance=chance(NOTICED))
    elif not ended:
        yield tr("EOS probability peaked at token {place}: {chance}.").format(**values)


def _next_steps(run: Run, steps: Sequence[NextStep]) -> str:
    reason = run.finish.reason
    if run.finish.failure is not None:
        return run.finish.failure.todo
    if reason is Reason.CONTEXT_FULL:
        return tr("Begin a new session, or delete turns that are not needed any more.")
    if reason is Reason.STOP_STRING:
        return tr("If that came too early, change the stop strings and regenerate the answer.")
    if reason is Reason.STOP:
        page = run.mode is Mode.RAW
        return (
            tr("Write more text at the end, and send it again.")
            if page
            else tr("Write the next prompt, or regenerate the answer.")
        )
    offered = [step.words for step in steps]
    if not offered:
        return tr("Write the next prompt, or regenerate the answer.")
    if tuple(steps) == (NextStep.RETRY,):
        return tr("“{button}” sends the prompt again.").format(button=offered[0])
    if len(offered) == 1:
        return tr("Press “{button}”, or regenerate the answer.").format(button=offered[0])
    both = tr("Press “{button}” or “{other}”, or regenerate the answer.")
    return both.format(button=offered[0], other=offered[1])
