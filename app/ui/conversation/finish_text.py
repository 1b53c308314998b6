"""The finish of a run as text: the line below the answer, the full reason, the details and the next steps."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from app.controls import Mode
from app.engine.meter.first_token import FirstTokenTime, prefill_time
from app.engine.meter.speeds import acceptance, stop_latency, tokens_per_step
from app.engine.meter.trace import Trace
from app.engine.run_analysis import StopAnalysis, analyze_stop, step_cost
from app.engine.types import (
    ENDLESS,
    CacheMissReason,
    ChatPrompt,
    DraftStats,
    Finish,
    FormatKind,
    NetworkTiming,
    Reason,
)
from app.files import json_reader
from app.i18n import tr
from app.number_format import chance, computed_format, duration, percent, short_duration, speed
from app.roofline.roofline import Roofline
from app.state import Run
from app.ui.conversation.finish_explanation import (
    NextStep,
    explain_finish,
    lacks_logprobs,
    summarize_budget,
    summarize_constraint,
    token_count,
)
from app.ui.tokens.words import legible

INTERRUPTED = tr("interrupted")
ACCESSIBLE = {Reason.FORM: tr("form at its end")}
"""Names that screen readers and scripts rely on, where the displayed words differ."""
INVALID_FORMAT = tr("The server's answer doesn't match the output format.")
UNTEMPLATED = tr("{reason}. The text was sent without the chat template, so the model may not stop.")
MAX_ERROR_CHARACTERS = 1_000
MIN_COMPILE_S = 0.1
"""Minimum time in seconds of a sampler compilation that is shown."""
CUT_OFF = tr("Interrupted: Sluice ended unexpectedly during this run")
SAVED = {
    CacheMissReason.DAMAGED: tr("corrupt, so it was deleted; the prompt was prefilled again"),
    CacheMissReason.STRANGE: tr("made by another model or version; the prompt was prefilled again"),
}


@dataclass(frozen=True, slots=True)
class FinishText:
    """Texts about a finish. `reason` begins with the name of a `Reason`, or with INTERRUPTED."""

    reason: str
    line: str
    details: tuple[tuple[str, str], ...]
    steps: tuple[NextStep, ...]
    explanation: tuple[tuple[str, str], ...] = ()
    """Headings and sentences: the cause and what to do next."""
    lacks_logprobs: bool = False
    """Whether recorded alternatives would explain more."""


def describe_finish(
    run: Run, chat_model: bool, trace: Trace | None = None, roofline: Roofline | None = None
) -> FinishText:
    """Return all texts about the finish of `run`. `trace` holds the known tokens of its answer."""
    untemplated = run.mode is Mode.RAW and chat_model and run.finish.reason is Reason.LENGTH
    stopping = analyze_stop(trace, run.finish) if trace is not None else None
    why = (
        tr("Sluice ended unexpectedly during this run")
        if run.interrupted
        else _REASONS[run.finish.reason](run, stopping)
    )
    word = INTERRUPTED if run.interrupted else ACCESSIBLE.get(run.finish.reason, run.finish.reason.words)
    reason, line = f"{word}, {why}", finish_line(run)
    if untemplated:
        reason, line = UNTEMPLATED.format(reason=reason), UNTEMPLATED.format(reason=line)
    steps = _steps(run, untemplated)
    explanation = list(explain_finish(run, stopping, steps, roofline))
    if run.finish.thinking is not None:
        explanation.append((tr("Reasoning budget"), summarize_budget(run.finish.thinking)))
    if constraint := INVALID_FORMAT if _is_invalid(run) else summarize_constraint(trace, run.finish):
        explanation.append((tr("Output format"), constraint))
    details = tuple(_details(run))
    return FinishText(reason.removesuffix("."), line, details, steps, tuple(explanation), lacks_logprobs(run))


def with_model(runs: Sequence[Run], line: str, is_failed: bool) -> str:
    """Return the finish line of an answer's last run with its model, and the length of an answer of several runs.

    `is_failed`: the prompt has no answer.
    """
    words = f"{runs[-1].model_label} · {line}"
    if len(runs) > 1 and not any(run.summary.figures.pieces for run in runs):
        count = sum(run.summary.figures.tokens for run in runs)
        words += " · " + tr("%n tokens in the whole answer", "%n token in the whole answer", count)
    if not is_failed:
        return words
    sentence = words if words.endswith((".", "!", "?")) else f"{words}."
    return tr("{line} This prompt is not sent with later ones.").format(line=sentence)


def finish_line(run: Run) -> str:
    """Return the line below the answer, without its model: finish reason, tokens, decode time and speed."""
    metrics, finish, reason = run.summary.figures, run.finish, run.finish.reason
    parts = [CUT_OFF if run.interrupted else _LINES[reason](run)]
    if finish.failure is not None and not metrics.tokens:
        return parts[0]
    if run.interrupted or reason is not Reason.LENGTH:
        parts.append(token_count(metrics))
    if _is_cut_json(run):
        parts.append(tr("incomplete JSON"))
    if finish.thinking is not None:
        budget = finish.thinking.budget
        parts.append(tr("reasoning ended after %n tokens", "reasoning ended after %n token", budget))
    if metrics.speed_mean is not None:
        parts.append(tr("{time} decoding").format(time=duration((metrics.tokens - 1) / metrics.speed_mean)))
        parts.append(tr("{speed} tok/s").format(speed=speed(metrics.speed_mean)))
    elif metrics.elapsed or not run.interrupted:  # the time of a run cut off before its first token isn't recorded
        parts.append(tr("{time} elapsed").format(time=duration(metrics.elapsed)))
    return " · ".join(parts)


def _is_cut_json(run: Run) -> bool:
    """Return whether max tokens has cut a JSON answer. False for a run that continues one, which has only its end."""
    prompt = run.request.prompt
    is_json = run.request.form.kind in (FormatKind.JSON, FormatKind.SCHEMA) and not run.is_partial
    if (
        run.finish.reason is not Reason.LENGTH
        or not is_json
        or not isinstance(prompt, ChatPrompt)
        or prompt.reply_start
    ):
        return False
    try:
        json_reader.parse(run.text)
    except ValueError:
        return True
    return False


def _is_invalid(run: Run) -> bool:
    return run.finish.wire is not None and run.finish.wire.disobeyed


def _at_limit(run: Run) -> str:
    """Return the words for `length`; a server that stops before `max_tokens` applied its own limit."""
    wire, most = run.finish.wire, run.request.limits.max_tokens
    own = wire is not None and (most == ENDLESS or (wire.counted and run.finish.tokens < most))
    line = tr("Reached the server's token limit ({written})") if own else tr("Reached max tokens ({written})")
    return line.format(written=token_count(run.summary.figures))


def _completed(run: Run) -> str:
    """Describe a complete answer. A server's reason is shown unchanged, since it may not be EOS."""
    finish = run.finish
    if finish.ended_by_server:
        ending = tr("Ended by the server ({reason})").format(reason=finish.library_reason or tr("no reason given"))
    elif finish.wire is not None:
        ending = tr("Complete (stop)")
    elif finish.stop_id in run.request.limits.stop_ids:
        ending = tr("Complete (stop token)")
    else:
        ending = tr("Complete (EOS)")
    return tr("{ending}, not in the output format").format(ending=ending) if _is_invalid(run) else ending


_LINES: dict[Reason, Callable[[Run], str]] = {
    Reason.STOP: _completed,
    Reason.LENGTH: _at_limit,
    Reason.STOP_STRING: lambda run: tr("Stop string “{text}” reached").format(text=legible(run.finish.stop_text)),
    Reason.STOPPED: lambda run: tr("Stopped by you"),
    Reason.CONTEXT_FULL: lambda run: _failure(run) or tr("The context is full: {why}").format(why=_no_room(run)),
    Reason.FORM: lambda run: tr("Output format complete"),
    Reason.DEAD_END: lambda run: tr("No valid next token for the output format"),
    Reason.ERROR: lambda run: _failure(run) or tr("The run failed. The engine gave no reason"),
}


def _failure(run: Run) -> str:
    return run.finish.failure.sentence if run.finish.failure is not None else ""


def _steps(run: Run, untemplated: bool) -> tuple[NextStep, ...]:
    goes_on = run.finish.wire is None or run.mode is Mode.RAW
    if run.finish.reason is Reason.LENGTH:
        steps = [NextStep.CONTINUE] if goes_on else []
        if untemplated:
            steps.append(NextStep.USE_TEMPLATE)
        elif run.request.limits.max_tokens != ENDLESS:
            steps.append(NextStep.RAISE_LIMIT)
        return tuple(steps)
    if run.finish.reason is Reason.STOPPED:
        return (NextStep.CONTINUE,) if run.ids and goes_on else (NextStep.RETRY,)
    if run.finish.reason is Reason.STOP_STRING:
        return (NextStep.STEPS,)
    if run.finish.reason is Reason.CONTEXT_FULL:
        refused = run.finish.failure is not None and run.mode is Mode.CHAT
        fits_alone = not refused or _has_long_history(run)
        return ((NextStep.EDIT,) if refused else ()) + ((NextStep.NEW_SESSION,) if fits_alone else ())
    return (NextStep.RETRY,) if run.finish.reason is Reason.ERROR else ()


def _has_long_history(run: Run) -> bool:
    """Return True if earlier messages are longer than the last one, so that a new session may have room."""
    prompt = run.request.prompt
    lengths = [len(each.text) for each in prompt.messages] if isinstance(prompt, ChatPrompt) else []
    return sum(lengths[:-1]) > sum(lengths[-1:])


def _stop(run: Run, stopping: StopAnalysis | None) -> str:
    if run.finish.wire is not None:
        reported = run.finish.library_reason
        return (
            tr("finish reason from the server: {reason}").format(reason=reported)
            if reported
            else tr("the server gives no reason")
        )
    probability = stopping.last.probability if stopping is not None else None
    token = run.finish.stop_text.rstrip()
    if probability is None:
        return tr("EOS token {token}").format(token=token) if token else tr("EOS token")
    words = tr("EOS token {token}, probability {chance}") if token else tr("EOS token, probability {chance}")
    return words.format(token=token, chance=chance(probability))


def _length(run: Run, stopping: StopAnalysis | None) -> str:
    limit = run.request.limits.max_tokens
    if limit == ENDLESS:
        return tr("the server's own limit")
    end = stopping.end if stopping is not None else None
    if end is None:
        return tr("the limit of %n tokens", "the limit of %n token", limit)
    words = tr(
        "the limit of %n tokens; EOS probability {chance}", "the limit of %n token; EOS probability {chance}", limit
    )
    return words.format(chance=chance(end))


def _stopped(run: Run, _stopping: StopAnalysis | None) -> str:
    words = tr("in {latency}, after {written}") if run.finish.tokens else tr("in {latency} before the first token")
    return words.format(latency=duration(stop_latency(run.finish.times)), written=token_count(run.summary.figures))


def _no_room(run: Run) -> str:
    context = run.summary.context
    if context is None or not context.length:
        return tr("no free tokens are left")
    return tr("all %n tokens are in use", "all %n token are in use", context.length)


_REASONS: dict[Reason, Callable[[Run, StopAnalysis | None], str]] = {
    Reason.STOP: _stop,
    Reason.LENGTH: _length,
    Reason.STOP_STRING: lambda run, _: tr("“{text}” was generated").format(text=legible(run.finish.stop_text)),
    Reason.STOPPED: _stopped,
    Reason.CONTEXT_FULL: lambda run, _: run.finish.failure.what if run.finish.failure else _no_room(run),
    Reason.FORM: lambda run, _: tr("no further token is valid"),
    Reason.DEAD_END: lambda run, _: tr("no valid next token, and the output format was incomplete"),
    Reason.ERROR: lambda run, _: run.finish.failure.what if run.finish.failure else tr("the engine gave no reason"),
}


def _details(run: Run) -> Iterator[tuple[str, str]]:
    metrics, finish = run.summary.figures, run.finish
    yield tr("Model"), _detailed_model(run)
    if finish.wire is None or finish.wire.counted:
        visible = metrics.visible is not None
        tokens = tr("{generated} generated, {visible} visible") if visible else tr("{generated} generated")
        yield tr("Tokens"), tokens.format(generated=metrics.tokens, visible=metrics.visible)
    if FirstTokenTime.of(finish) is None:  # otherwise the explanation has it with its parts
        yield tr("Time to first token"), duration(metrics.first_token)
    yield tr("Elapsed"), duration(metrics.elapsed)
    if finish.warming >= MIN_COMPILE_S:
        yield tr("Compiling the sampler (included)"), duration(finish.warming)
    yield from _prompt(run)
    if finish.conditions is not None and (saved := SAVED.get(finish.conditions.hindrance)) is not None:
        yield tr("Saved cache"), saved
    yield tr("End to end"), tr("{speed} tok/s").format(speed=speed(metrics.end_to_end))
    if (gaps := run.summary.gaps) is not None:
        marks = (("p50", gaps.p50), ("p95", gaps.p95), ("p99", gaps.p99))
        pieces = tr("Between pieces") if metrics.pieces or metrics.visible is None else tr("Between tokens")
        latencies = " · ".join(f"{name} {short_duration(value)}" for name, value in marks)
        yield tr("Between steps") if finish.drafted else pieces, latencies
    if finish.drafted is not None:
        yield from _draft(finish, finish.drafted)
    if run.seed is not None:
        yield tr("Seed"), str(run.seed)
    source = tr("Reason from the server") if finish.wire is not None else tr("Reason from mlx-lm")
    yield source, finish.library_reason or tr("nothing")
    if finish.wire is not None:
        yield from _network(run, finish.wire)
    if finish.failure is not None and finish.failure.details:
        yield tr("Error message"), finish.failure.details[:MAX_ERROR_CHARACTERS]
    if finish.cut:
        cut = tr("the first %n bytes of a character", "the first %n byte of a character", len(finish.cut))
        yield tr("Incomplete character"), cut


def _detailed_model(run: Run) -> str:
    adapter = run.adapter.name if run.adapter is not None else ""
    return " · ".join(filter(None, (run.model, adapter, computed_format(run.format))))


def _draft(finish: Finish, drafted: DraftStats) -> Iterator[tuple[str, str]]:
    name = tr("Draft") if drafted.lookup is None else tr("Prompt lookup")
    if acceptance(drafted) is None:
        if drafted.lookup is not None or drafted.automatic is not None:
            yield name, tr("no tokens were proposed")
        return
    share = percent(drafted.accepted, drafted.proposed)
    text = tr("{share} accepted, {steps} tokens a step")
    text = text.format(share=share, steps=f"{tokens_per_step(finish.tokens, drafted) or 0.0:.1f}")
    yield name, "; ".join(filter(None, (text, step_cost(drafted))))


def _prompt(run: Run) -> Iterator[tuple[str, str]]:
    finish = run.finish
    if run.interrupted or (finish.wire is not None and not finish.wire.counted):
        return
    if finish.reused_known is None:
        words = tr(
            "%n tokens; the server doesn't report how many were cached",
            "%n token; the server doesn't report whether it was cached",
            finish.reused + finish.new,
        )
    else:
        words = tr("{reused} reused, {new} new").format(reused=finish.reused, new=finish.new)
    yield tr("Prompt"), words
    if run.summary.figures.prompt_speed is not None:
        words = tr("{speed} tok/s: {count} of {new} new tokens in {time}")
        values = {"count": f"{finish.prefilled:,}", "new": f"{finish.new:,}", "time": prefill_time(finish)}
        yield tr("Prefill speed"), words.format(speed=speed(run.summary.figures.prompt_speed), **values)


def _network(run: Run, wire: NetworkTiming) -> Iterator[tuple[str, str]]:
    if not run.interrupted:
        yield tr("Connection"), short_duration(wire.connect)
        yield tr("First byte"), tr("{time} after the connection").format(time=short_duration(wire.first_byte))
    if not wire.counted:
        yield tr("Counted as"), tr("%n pieces of text: the server reports no tokens", "%n piece of text", wire.pieces)
    if not wire.ended and run.finish.reason is not Reason.ERROR:
        yield tr("At the server"), tr("Unknown. The connection is closed, but the server may generate a little longer")
