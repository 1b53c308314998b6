"""How a run ended, in words: the line under the answer, the reason in full, the details, and the obvious next step."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.controls import Mode
from app.engine.meter.frame import Figures
from app.engine.meter.speeds import acceptance, stop_latency, tokens_per_step
from app.engine.meter.trace import Trace
from app.engine.stop_analysis import StopAnalysis, stopping_of
from app.engine.types import ENDLESS, CacheMissReason, ChatPrompt, Finish, NetworkTiming, Reason
from app.i18n import tr
from app.number_format import chance, duration, percent, short_duration, speed
from app.roofline.figures import Roofline
from app.state import Run
from app.ui.conversation.constraint_summary import form_story, thinking_story
from app.ui.conversation.finish_explanation import is_unrecorded, story_of, written
from app.ui.conversation.next_step import Step
from app.ui.tokens.words import legible

INTERRUPTED = tr("interrupted")
ACCESSIBLE = {Reason.FORM: tr("form at its end")}
"""Names that screen readers and scripts rely on, where the displayed words differ."""
INTERRUPTED_WHY = tr("Sluice quit during this run")
DISOBEYED = tr("The server's answer doesn't match the output format.")
UNTEMPLATED = tr("{reason}. This page went out without the chat template, so the model may not know where to end.")
LONGEST_ERROR = 1_000
"""Characters that are shown of what a library or a server said of a failure."""
TOLD_FROM_S = 0.1
"""What the sampler took before that is no part of what anybody waits for."""
CUT_OFF = tr("Interrupted: Sluice quit during this run")
SAVED = {
    CacheMissReason.DAMAGED: tr("corrupt, so it was deleted; the prompt was prefilled again"),
    CacheMissReason.STRANGE: tr("made by another model or version; the prompt was prefilled again"),
}


@dataclass(frozen=True, slots=True)
class FinishText:
    """`reason` begins with what one of `Reason` is called, or with INTERRUPTED; `line` is what is read.

    The reason is part of a sentence: whoever says that ends it.
    """

    reason: str
    line: str
    details: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    story: tuple[tuple[str, str], ...] = ()
    """Headings and sentences: why it ended there, and what to do next."""
    unrecorded: bool = False
    """It would say more, had candidates been recorded."""


def ending_of(run: Run, chat_model: bool, trace: Trace | None = None, ceiling: Roofline | None = None) -> FinishText:
    """All there is to say about the end of `run`; `trace` has the tokens of its answer, as far as they are known."""
    untemplated = run.mode is Mode.RAW and chat_model and run.finish.reason is Reason.LENGTH
    stopping = stopping_of(trace, run.finish) if trace is not None else None
    why = INTERRUPTED_WHY if run.interrupted else _WHY[run.finish.reason](run, stopping)
    reason, line = f"{_word(run)}, {why}", line_of(run)
    if untemplated:
        reason, line = UNTEMPLATED.format(reason=reason), UNTEMPLATED.format(reason=line)
    steps = _steps(run, untemplated)
    told = story_of(run, stopping, steps, ceiling)
    by_budget = ((tr("Reasoning budget"), thinking_story(run.finish.thinking)),) if run.finish.thinking else ()
    said = DISOBEYED if _disobeyed(run) else form_story(trace, run.finish)
    by_form = ((tr("Output format"), said),) if said else ()
    story = (*told, *by_budget, *by_form)
    return FinishText(reason.removesuffix("."), line, tuple(_details(run)), steps, story, is_unrecorded(run))


def _disobeyed(run: Run) -> bool:
    return run.finish.wire is not None and run.finish.wire.disobeyed


def line_of(run: Run) -> str:
    """The line under the answer, as a person would say it: how it ended, tokens, time and speed."""
    figures, finish, reason = run.summary.figures, run.finish, run.finish.reason
    parts = [CUT_OFF if run.interrupted else _SAID[reason](run)]
    if finish.failure is not None and not figures.tokens:
        return parts[0]
    if run.interrupted or reason is not Reason.LENGTH:
        parts.append(written(figures))
    if finish.thinking is not None:
        budget = finish.thinking.budget
        parts.append(tr("reasoning ended after %n tokens", "reasoning ended after %n token", budget))
    if figures.elapsed or not run.interrupted:  # the time of a run cut off before its first token isn't recorded
        parts.append(_took(figures))
    if figures.speed_mean is not None:
        parts.append(tr("{speed} tok/s").format(speed=speed(figures.speed_mean)))
    return " · ".join(parts)


def _took(figures: Figures) -> str:
    """The decode time, which the speed beside it is measured over; a single token has none."""
    if figures.speed_mean is None:
        return tr("{time} elapsed").format(time=duration(figures.elapsed))
    return tr("{time} decoding").format(time=duration((figures.tokens - 1) / figures.speed_mean))


def _failed(run: Run) -> str:
    """What it was, and what to do about it: that is told here and nowhere else."""
    failure = run.finish.failure
    return failure.sentence if failure is not None else ""


def _at_limit(run: Run) -> str:
    """A server that stops earlier than it was asked to has a limit of its own."""
    wire, most = run.finish.wire, run.request.limits.max_tokens
    own = wire is not None and (most == ENDLESS or (wire.counted and run.finish.tokens < most))
    said = tr("Reached the server's token limit ({written})") if own else tr("Reached max tokens ({written})")
    return said.format(written=written(run.summary.figures))


def _completed(run: Run) -> str:
    """Only an engine of our own knows that EOS was generated; a server's word for the end is shown as it is."""
    finish = run.finish
    if finish.ended_by_server:
        ending = tr("Ended by the server ({reason})").format(reason=finish.library_reason or tr("no reason given"))
    elif finish.wire is not None:
        ending = tr("Complete (stop)")
    elif finish.stop_id in run.request.limits.stop_ids:
        ending = tr("Complete (stop token)")
    else:
        ending = tr("Complete (EOS)")
    return tr("{ending}, not in the output format").format(ending=ending) if _disobeyed(run) else ending


_SAID: dict[Reason, Callable[[Run], str]] = {
    Reason.STOP: _completed,
    Reason.LENGTH: _at_limit,
    Reason.STOP_STRING: lambda run: tr("Stop string “{text}” reached").format(text=legible(run.finish.stop_text)),
    Reason.STOPPED: lambda run: tr("Stopped by you"),
    Reason.CONTEXT_FULL: lambda run: _failed(run) or tr("The context is full: {why}").format(why=_no_room(run)),
    Reason.FORM: lambda run: tr("Output format complete"),
    Reason.DEAD_END: lambda run: tr("No valid next token for the output format"),
    Reason.ERROR: lambda run: _failed(run) or tr("It failed for no reason that the engine gave"),
}


def _word(run: Run) -> str:
    reason = run.finish.reason
    return INTERRUPTED if run.interrupted else ACCESSIBLE.get(reason, reason.words)


def _steps(run: Run, untemplated: bool) -> tuple[Step, ...]:
    goes_on = run.finish.wire is None or run.mode is Mode.RAW
    if run.finish.reason is Reason.LENGTH:
        steps = [Step.CONTINUE] if goes_on else []
        if untemplated:
            steps.append(Step.USE_TEMPLATE)
        elif run.request.limits.max_tokens != ENDLESS:
            steps.append(Step.RAISE_LIMIT)
        return tuple(steps)
    if run.finish.reason is Reason.STOPPED:
        return (Step.CONTINUE,) if run.ids and goes_on else (Step.RETRY,)
    if run.finish.reason is Reason.STOP_STRING:
        return (Step.STEPS,)
    if run.finish.reason is Reason.CONTEXT_FULL:
        refused = run.finish.failure is not None and run.mode is Mode.CHAT
        return ((Step.EDIT,) if refused else ()) + ((Step.NEW_SESSION,) if not refused or _went_before(run) else ())
    return (Step.RETRY,) if run.finish.reason is Reason.ERROR else ()


def _went_before(run: Run) -> bool:
    """Whether most of a prompt was said earlier, so that without it there may be room."""
    said = (
        [len(each.text) for each in run.request.prompt.messages] if isinstance(run.request.prompt, ChatPrompt) else []
    )
    return sum(said[:-1]) > sum(said[-1:])


def _stop(run: Run, stopping: StopAnalysis | None) -> str:
    if run.finish.wire is not None:
        return _server_says(run)
    likely = stopping.last.probability if stopping is not None else None
    token = run.finish.stop_text.rstrip()
    if likely is None:
        return tr("EOS token {token}").format(token=token) if token else tr("EOS token")
    said = tr("EOS token {token}, probability {chance}") if token else tr("EOS token, probability {chance}")
    return said.format(token=token, chance=chance(likely))


def _server_says(run: Run) -> str:
    """A server tells a reason and no token; which of them means what is its own affair."""
    said = run.finish.library_reason
    return tr("the server says {reason}").format(reason=said) if said else tr("the server gives no reason")


def _length(run: Run, stopping: StopAnalysis | None) -> str:
    limit = run.request.limits.max_tokens
    if limit == ENDLESS:
        return tr("a limit of the server's own")
    end = stopping.end if stopping is not None else None
    if end is None:
        return tr("the limit of %n tokens", "the limit of %n token", limit)
    said = tr(
        "the limit of %n tokens; EOS probability {chance}", "the limit of %n token; EOS probability {chance}", limit
    )
    return said.format(chance=chance(end))


def _stopped(run: Run, _stopping: StopAnalysis | None) -> str:
    tokens, latency = run.finish.tokens, duration(stop_latency(run.finish.times))
    if not tokens:
        return tr("in {latency} before the first token").format(latency=latency)
    if run.summary.figures.pieces:
        return tr("in {latency}, after %n pieces", "in {latency}, after %n piece", tokens).format(latency=latency)
    return tr("in {latency}, after %n tokens", "in {latency}, after %n token", tokens).format(latency=latency)


def _context_full(run: Run, _stopping: StopAnalysis | None) -> str:
    return run.finish.failure.what if run.finish.failure is not None else _no_room(run)


def _no_room(run: Run) -> str:
    context = run.summary.context
    if context is None or not context.length:
        return tr("no room is left")
    return tr("all %n tokens are in use", "all %n token are in use", context.length)


_WHY: dict[Reason, Callable[[Run, StopAnalysis | None], str]] = {
    Reason.STOP: _stop,
    Reason.LENGTH: _length,
    Reason.STOP_STRING: lambda run, _: tr("“{text}” was written").format(text=legible(run.finish.stop_text)),
    Reason.STOPPED: _stopped,
    Reason.CONTEXT_FULL: _context_full,
    Reason.FORM: lambda run, _: tr("nothing could follow"),
    Reason.DEAD_END: lambda run, _: tr("no token could follow, and the form was not complete"),
    Reason.ERROR: lambda run, _: run.finish.failure.what if run.finish.failure else tr("the engine gave no reason"),
}


def _details(run: Run) -> Iterator[tuple[str, str]]:
    figures, finish, gaps = run.summary.figures, run.finish, run.summary.gaps
    known = finish.wire is None or finish.wire.counted
    if known:
        apart = figures.visible is not None
        tokens = tr("{generated} generated, {visible} visible") if apart else tr("{generated} generated")
        yield tr("Tokens"), tokens.format(generated=figures.tokens, visible=figures.visible)
    yield tr("First token"), duration(figures.first_token)
    yield tr("Elapsed"), duration(figures.elapsed)
    if finish.warming >= TOLD_FROM_S:
        yield tr("Of that, to compile the sampler"), duration(finish.warming)
    if not run.interrupted and known and finish.reused_known is None:
        unknown = tr(
            "%n tokens; the server does not say how many its cache had",
            "%n token; the server does not say whether its cache had it",
            finish.reused + finish.new,
        )
        yield tr("Prompt"), unknown
    elif not run.interrupted and known:
        measured = figures.prompt_speed is not None
        prompt = tr("{reused} reused, {new} new, {speed} tok/s") if measured else tr("{reused} reused, {new} new")
        values = {"reused": finish.reused, "new": finish.new, "speed": speed(figures.prompt_speed)}
        yield tr("Prompt"), prompt.format(**values)
    if finish.conditions is not None and (saved := SAVED.get(finish.conditions.hindrance)) is not None:
        yield tr("Saved cache"), saved
    yield tr("End to end"), tr("{speed} tok/s").format(speed=speed(figures.end_to_end))
    if gaps is not None:
        marks = (("p50", gaps.p50), ("p95", gaps.p95), ("p99", gaps.p99))
        between = " · ".join(f"{name} {short_duration(value)}" for name, value in marks)
        pieces = tr("Between pieces") if figures.pieces or figures.visible is None else tr("Between tokens")
        yield tr("Between steps") if finish.drafted else pieces, between
    yield from _drafted(finish)
    if run.seed is not None:
        yield tr("Seed"), str(run.seed)
    says = tr("The server says") if finish.wire is not None else tr("mlx-lm says")
    yield says, finish.library_reason or tr("nothing")
    if finish.wire is not None:
        yield from _on_the_wire(run, finish.wire)
    if finish.failure is not None and finish.failure.details:
        yield tr("The error itself"), finish.failure.details[:LONGEST_ERROR]
    if finish.cut:
        cut = tr("the first %n bytes of a character", "the first %n byte of a character", len(finish.cut))
        yield tr("Cut off"), cut


def _on_the_wire(run: Run, wire: NetworkTiming) -> Iterator[tuple[str, str]]:
    """The network's share, apart from what the model did; it is told at the end of a run."""
    if not run.interrupted:
        yield tr("Connection"), short_duration(wire.connect)
        yield tr("First byte"), tr("{time} after the connection").format(time=short_duration(wire.first_byte))
    if not wire.counted:
        yield tr("Counted as"), tr("%n pieces of text: the server tells no tokens", "%n piece of text", wire.pieces)
    if not wire.ended and run.finish.reason is not Reason.ERROR:
        yield tr("At the server"), tr("Unknown. The connection is closed, but the server may generate a little longer")


def _drafted(finish: Finish) -> Iterator[tuple[str, str]]:
    drafted = finish.drafted
    if drafted is None or acceptance(drafted) is None:
        return
    steps = tokens_per_step(finish.tokens, drafted) or 0.0
    said = tr("{share} accepted, {steps} tokens a step")
    yield tr("Draft"), said.format(share=percent(drafted.accepted, drafted.proposed), steps=f"{steps:.1f}")
