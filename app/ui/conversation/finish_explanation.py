"""The end of a run told in sentences: what ended it and how likely that was, and what to do next."""

from collections.abc import Iterator, Sequence

from app.controls import Mode
from app.engine.meter.frame import Figures
from app.engine.meter.speeds import stop_latency
from app.engine.slowdown_causes import slow_cause
from app.engine.stop_analysis import HIGH, NOTICED, StopAnalysis
from app.engine.types import Reason, TokenLogprobs
from app.i18n import tr
from app.number_format import chance, duration
from app.roofline.figures import DRAFTED, Roofline
from app.state import Run
from app.ui.conversation.next_step import Step
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
"""While it is not known how likely that was, when it is, and when something else was likelier."""
TELLS_MORE = frozenset({Reason.STOP, Reason.LENGTH, Reason.STOP_STRING, Reason.STOPPED})
"""Where candidates have something to say about the end."""


def written(figures: Figures) -> str:
    """How much: in tokens, or in what a server gave in their place."""
    if figures.pieces:
        return tr("%n pieces", "%n piece", figures.tokens)
    return tr("%n tokens", "%n token", figures.tokens)


def is_unrecorded(run: Run) -> bool:
    """There would be more to tell, had candidates been recorded; no server tells how likely an end was."""
    finish = run.finish
    return finish.wire is None and finish.reason in TELLS_MORE and bool(finish.tokens) and not run.request.observe


def story_of(
    run: Run, stopping: StopAnalysis | None, steps: Sequence[Step], ceiling: Roofline | None = None
) -> tuple[tuple[str, str], ...]:
    """Headings and sentences. `steps` are those that there are buttons for beside it."""
    why = [*_what(run, stopping), *([UNRECORDED] if is_unrecorded(run) else [])]
    rows = [(tr("Why it stopped"), " ".join(why))]
    if run.finish.conditions is not None and run.finish.tokens:
        rows.append((tr("Why no faster"), _slow(run, ceiling)))
    return (*rows, (tr("What next"), _next(run, steps)))


def _slow(run: Run, ceiling: Roofline | None) -> str:
    """And how near it came to what could be."""
    cause = slow_cause(run.finish, bool(run.request.form))
    said = cause.sentence if cause is not None else tr("Nothing unusual slowed it down.")
    if ceiling is None:
        return said
    seen = ceiling.reached(run.finish, run.summary.figures.speed_mean)
    told = DRAFTED if run.finish.drafted is not None else seen.sentence if seen is not None else ""
    return f"{said} {told}".rstrip()


def _what(run: Run, stopping: StopAnalysis | None) -> Iterator[str]:
    reason = run.finish.reason
    if run.interrupted:
        cut = tr("Sluice quit after {written}. The text up to there was saved.")
        yield cut.format(written=written(run.summary.figures))
    elif reason is Reason.STOP:
        yield _end_token(run, stopping) if run.finish.wire is None else _ended_there(run)
    elif reason is Reason.STOP_STRING:
        yield from _stop_string(run, stopping)
    elif reason is Reason.LENGTH:
        yield tr("The token limit was reached before the model generated EOS.")
    elif reason is Reason.STOPPED:
        yield _stopped(run, stopping)
    elif reason is Reason.FORM:
        yield tr("The output format was complete and allows no further token. The model did not generate EOS itself.")
    elif reason is Reason.DEAD_END:
        yield tr("The output format allows no token of this model's vocabulary here, or was too complex to compute.")
    elif reason is Reason.ERROR:
        words = tr("It failed after {written}.").format(written=written(run.summary.figures))
        yield words if run.finish.tokens else tr("It failed before the first token.")
    else:
        yield _no_room(run.finish.tokens)
    if stopping is not None and reason not in (Reason.ERROR, Reason.FORM, Reason.DEAD_END):
        yield from _nearness(run, stopping)


def _ended_there(run: Run) -> str:
    """A server's `stop` is EOS or a stop string of its own; any other reason may be a filter or a tool call."""
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
        yield tr("“{text}” was written and is not shown.").format(text=legible(hidden))


def _stopped(run: Run, stopping: StopAnalysis | None) -> str:
    tokens, latency = run.finish.tokens, duration(stop_latency(run.finish.times))
    if run.finish.wire is not None and not run.finish.wire.ended:
        said = tr("Stopped by you. Closing the connection took {latency}.")
    elif stopping is not None and stopping.in_reasoning:
        said = (
            tr(
                "Stopped by you after %n tokens, during reasoning. Stopping took {latency}.",
                "Stopped by you after %n token, during reasoning. Stopping took {latency}.",
                tokens,
            )
            if tokens
            else tr("Stopped by you before the first token, during reasoning. Stopping took {latency}.")
        )
    else:
        said = (
            tr(
                "Stopped by you after %n tokens. Stopping took {latency}.",
                "Stopped by you after %n token. Stopping took {latency}.",
                tokens,
            )
            if tokens
            else tr("Stopped by you before the first token. Stopping took {latency}.")
        )
    return said.format(latency=latency)


def _no_room(tokens: int) -> str:
    if not tokens:
        return tr("The prompt alone is too long for it.")
    return tr("There was no room left after %n tokens.", "There was no room left after %n token.", tokens)


def _with_chance(words: tuple[str, str, str], observed: TokenLogprobs | None, **values: object) -> str:
    """How likely a token was, and what would have been likelier."""
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


def _nearness(run: Run, stopping: StopAnalysis) -> Iterator[str]:
    """The EOS probability at the last token, and its peak among the tokens that did not end the answer."""
    nearest, ended = stopping.likeliest, run.finish.reason is Reason.STOP
    if stopping.end is not None and not ended:
        yield tr("EOS probability at the last token: {chance}.").format(chance=chance(stopping.end))
    if nearest is None or nearest.place == stopping.last.place:
        return
    if stopping.end is not None and not ended and chance(nearest.probability) == chance(stopping.end):
        yield tr("EOS probability was never higher.")
        return
    values = {"place": f"{nearest.place + 1:,}", "chance": chance(nearest.probability)}
    if nearest.probability >= HIGH and ended:
        yield tr("EOS probability had peaked before, at token {place}: {chance}.").format(**values)
    elif not ended and nearest.probability < NOTICED:
        yield tr("EOS probability never reached {chance}.").format(chance=chance(NOTICED))
    elif not ended:
        yield tr("EOS probability peaked at token {place}: {chance}.").format(**values)


def _next(run: Run, steps: Sequence[Step]) -> str:
    """One sentence, which names the buttons there are."""
    reason = run.finish.reason
    if run.finish.failure is not None:
        return run.finish.failure.todo
    if reason is Reason.CONTEXT_FULL:
        return tr("Begin a new session, or delete turns that are not needed any more.")
    if reason is Reason.STOP_STRING:
        return tr("If that came too early, change the stop strings and regenerate the answer.")
    if reason is Reason.STOP:
        page = run.mode is Mode.RAW
        return tr("Write on, and send the page.") if page else tr("Say something, or regenerate for another answer.")
    offered = [step.words for step in steps]
    if not offered:
        return tr("Say something, or regenerate for another answer.")
    if tuple(steps) == (Step.RETRY,):
        return tr("“{button}” sends it again.").format(button=offered[0])
    if len(offered) == 1:
        return tr("“{button}”, or regenerate for another answer.").format(button=offered[0])
    both = tr("“{button}” or “{other}”, or regenerate for another answer.")
    return both.format(button=offered[0], other=offered[1])
