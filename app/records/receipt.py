"""The receipt of a run: model, settings, prompt, result and measurements as sentences."""

import time
from collections.abc import Iterator

from app.engine.catalogue import setting_name
from app.engine.meter.first_token import FirstTokenTime
from app.engine.meter.speeds import acceptance, stop_latency, tokens_per_step
from app.engine.remote.address import server_model
from app.engine.run_analysis import step_cost
from app.engine.types import ChatPrompt, Finish, NetworkTiming, Reason, Role
from app.i18n import tr
from app.number_format import computed_format, precision_words, two_percent
from app.records.run_environment import is_on_server, seed_of
from app.records.run_settings import DEFAULTS, SEED, flatten_settings, quoted, words_of
from app.records.types import FilesRef, RunRecord, RunState

MODES = {"chat": tr("chat"), "raw": tr("raw")}
LONGEST = 1000
"""Characters of a text in the receipt; the export has all."""
ALWAYS = ("sampling.temperature", "limits.max_tokens", SEED)


def receipt(run: RunRecord) -> tuple[tuple[str, str], ...]:
    return tuple((heading, words) for heading, words in _lines(run) if words)


def _lines(run: RunRecord) -> Iterator[tuple[str, str]]:
    yield tr("Run"), f"{run.id}, {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(run.started))}"
    yield tr("Model"), _model(run.model)
    yield tr("Precision"), computed_format(run.model.format)
    yield tr("TF32"), _tf32(run.finish)
    yield tr("GPU"), ", ".join(_gpu(run.finish))
    yield tr("Adapter"), _model(run.model.adapter) if run.model.adapter else ""
    yield tr("Draft model"), _model(run.draft) if run.draft else ""
    yield tr("Mode"), MODES.get(run.mode, run.mode)
    yield tr("Settings"), ", ".join(_settings(run))
    yield tr("Prompt"), _prompt(run)
    yield tr("Ending"), _ending(run)
    yield tr("Tokens"), _tokens(run)
    yield tr("Speed"), _speed(run)
    parts = FirstTokenTime.of(run.finish) if run.finish is not None else None
    yield tr("Time to first token"), parts.sentence if parts is not None else ""
    yield tr("Network"), _network(run.finish.wire) if run.finish is not None and run.finish.wire is not None else ""
    yield tr("Probabilities"), precision_words(run.finish.precision) if run.finish is not None else ""
    yield tr("Draft"), _drafted(run.finish) if run.finish else ""
    yield tr("Prompt text"), _excerpt(question_of(run))
    yield tr("Answer"), _excerpt(run.text)
    yield tr("Client versions") if is_on_server(run.model) else tr("Versions"), _versions(run)


def _model(model: FilesRef) -> str:
    there = server_model(model.folder)
    known = [model.name, there.address if there is not None else model.folder]
    known += [tr("revision {revision}").format(revision=model.revision)] if model.revision else []
    known += [tr("file digest {digest}").format(digest=model.digest)] if model.digest else []
    return ", ".join(part for part in known if part)


def _settings(run: RunRecord) -> Iterator[str]:
    for name, value in flatten_settings(run.request):
        if name == SEED and seed_of(run) is None:
            continue
        if name in ALWAYS or value != DEFAULTS.get(name, ""):
            yield f"{setting_name(name)} {quoted(words_of(name, value), value)}"


def _prompt(run: RunRecord) -> str:
    if run.prompt is None:
        return tr("none")
    finish = run.finish
    if not run.prompt.ids and (finish is None or finish.wire is None or not finish.wire.counted):
        return tr("text; the server reported no token count")
    if finish is None:
        return tr("%n tokens", "%n token", len(run.prompt.ids))
    length = len(run.prompt.ids) or finish.reused + finish.new
    if finish.reused_known is None:
        return tr("%n tokens", "%n token", length)
    words = tr("%n tokens, {reused} of them from the cache", "%n token, {reused} of them from the cache", length)
    if finish.reused + finish.new < length:  # it was stopped in the middle of it
        words = tr(
            "%n tokens, {reused} of them from the cache, and {new} prefilled",
            "%n token, {reused} of them from the cache, and {new} prefilled",
            length,
        )
    return words.format(reused=finish.reused, new=finish.new)


def question_of(run: RunRecord) -> str:
    """Return the last user message, or the whole prompt if it is no conversation."""
    source = run.request.prompt
    if isinstance(source, ChatPrompt):
        return next((message.text for message in reversed(source.messages) if message.role is Role.USER), "")
    return run.prompt.text if run.prompt is not None else ""


def _excerpt(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return tr("{text}… ({count} characters)").format(text=text[:LONGEST], count=f"{len(text):,}")


def _ending(run: RunRecord) -> str:
    if run.finish is None:
        going = run.state is RunState.RUNNING
        return tr("running") if going else tr("interrupted: the program ended during the run")
    finish = run.finish
    words = finish.reason.plain_words
    if finish.ended_by_server:
        words = tr("ended by the server ({reason})").format(reason=finish.library_reason or tr("no reason given"))
    if run.finish.failure is not None:
        words += f": {run.finish.failure.what}"
    elif run.finish.stop_text:
        words += f", “{run.finish.stop_text}”"
    latency = stop_latency(run.finish.times)
    if run.finish.reason is Reason.STOPPED and latency is not None:
        return tr("{reason}, {time} ms after the click").format(reason=words, time=f"{latency * 1000:.0f}")
    return words


def _tokens(run: RunRecord) -> str:
    if run.summary is None:
        return str(len(run.ids))
    metrics = run.summary.figures
    if metrics.pieces:
        return tr("%n pieces", "%n piece", metrics.tokens)
    words = tr("{generated} generated, {visible} visible")
    if metrics.visible is None:
        words = tr("{generated} generated")
    elif metrics.reasoning:
        words = tr("{generated} generated, {visible} visible, {reasoning} of them reasoning")
    return words.format(generated=metrics.tokens, visible=metrics.visible, reasoning=metrics.reasoning)


def _speed(run: RunRecord) -> str:
    if run.summary is None:
        return ""
    metrics = run.summary.figures
    prefilled = run.finish.prefilled if run.finish is not None else 0
    prefill = tr("prefill {number} tok/s (%n tokens)", "prefill {number} tok/s (%n token)", prefilled)
    known = (
        (tr("time to first token {number} s"), metrics.first_token),
        (prefill, metrics.prompt_speed),
        (tr("mean {number} tok/s"), metrics.speed_mean),
        (tr("end to end {number} tok/s"), metrics.end_to_end),
        (tr("total {number} s"), metrics.elapsed),
    )
    return ", ".join(words.format(number=f"{value:.2f}") for words, value in known if value is not None)


def _network(wire: NetworkTiming) -> str:
    words = tr("connected after {connect} s, first byte {first} s later")
    return words.format(connect=f"{wire.connect:.3f}", first=f"{wire.first_byte:.3f}")


def _tf32(finish: Finish | None) -> str:
    """Return whether TF32 was allowed; empty on a device without it."""
    if finish is None or finish.conditions is None or finish.conditions.tf32 is None:
        return ""
    allowed = finish.conditions.tf32
    return (
        tr("allowed: float32 operations may be rounded") if allowed else tr("off: float32 operations are not rounded")
    )


def _gpu(finish: Finish | None) -> Iterator[str]:
    gpu = finish.conditions.gpu if finish is not None and finish.conditions is not None else None
    if gpu is None:
        return
    if gpu.others is not None:
        yield tr("{share} used by other programs").format(share=two_percent(gpu.others))
    if gpu.clock is not None:
        limited = tr("clock at {share} of its maximum, limited by temperature or power")
        text = limited if gpu.is_slowed else tr("clock at {share} of its maximum")
        yield text.format(share=two_percent(gpu.clock))
    if gpu.compiled:
        yield tr("%n kernels compiled", "%n kernel compiled", gpu.compiled)


def _drafted(finish: Finish) -> str:
    if finish.drafted is None or (share := acceptance(finish.drafted)) is None:
        return ""
    steps = tokens_per_step(finish.tokens, finish.drafted) or 0.0
    words = tr("{share} of {count} draft tokens accepted, {tokens} tokens per step")
    text = words.format(share=two_percent(share), count=finish.drafted.proposed, tokens=f"{steps:.1f}")
    return "; ".join(filter(None, (text, step_cost(finish.drafted))))


def _versions(run: RunRecord) -> str:
    """Return the versions of a local run's libraries; servers don't report theirs."""
    versions, there = run.versions, is_on_server(run.model)
    here = () if there else (("mlx", versions.mlx), ("mlx-lm", versions.mlx_lm))
    named = (("Sluice", versions.app), *here, ("Python", versions.python))
    known = [f"{name} {version}" for name, version in named if version]
    machine = (versions.system,) if there else (versions.system, versions.chip)
    return ", ".join([*known, *(part for part in machine if part)])
