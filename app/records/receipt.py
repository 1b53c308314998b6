"""A run's receipt: everything that decided it and everything that was measured, in words."""

from __future__ import annotations

import time
from collections.abc import Iterator

from app.engine.speeds import acceptance, stop_latency, tokens_per_step
from app.engine.types import ENDLESS, Finish, RawPrompt, Reason, Request
from app.records.setting_names import setting_name
from app.records.settings_of import settings_of, text_of
from app.records.types import ModelRef, RunRecord, RunState

NO_CHANGE = settings_of(Request(RawPrompt("")))
"""What changes nothing is not told, but for the few that everybody asks for."""
ALWAYS = ("sampling.temperature", "limits.max_tokens", "sampling.seed")


def receipt(run: RunRecord) -> tuple[tuple[str, str], ...]:
    """Headings and what belongs to them, in the order in which they are read."""
    return tuple((heading, words) for heading, words in _lines(run) if words)


def as_text(lines: tuple[tuple[str, str], ...]) -> str:
    """The receipt as it is copied."""
    return "".join(f"{heading}: {words}\n" for heading, words in lines)


def _lines(run: RunRecord) -> Iterator[tuple[str, str]]:
    yield "Run", f"{run.id}, {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(run.started))}"
    yield "Model", _model(run.model)
    yield "Draft model", _model(run.draft) if run.draft else ""
    yield "Mode", run.mode
    yield "Settings", ", ".join(_settings(run.request))
    yield "Prompt", _prompt(run)
    yield "Ending", _ending(run)
    yield "Tokens", _tokens(run)
    yield "Speed", _speed(run)
    yield "Draft", _drafted(run.finish) if run.finish else ""
    yield "Made with", _versions(run)


def _model(model: ModelRef) -> str:
    known = [model.name, model.folder]
    known += [f"revision {model.revision}"] if model.revision else []
    known += [f"content {model.digest}"] if model.digest else []
    return ", ".join(part for part in known if part)


def _settings(request: Request) -> Iterator[str]:
    usual = dict(NO_CHANGE)
    for name, value in settings_of(request):
        if name in ALWAYS or value != usual.get(name, ""):
            said = "until the context is full" if name == "limits.max_tokens" and value == ENDLESS else text_of(value)
            yield f"{setting_name(name)} {said}"


def _prompt(run: RunRecord) -> str:
    if run.prompt is None:
        return "none was made"
    count = len(run.prompt.ids)
    reused = f", {run.finish.reused} of them from the cache" if run.finish is not None else ""
    return f"{count} tokens{reused}"


def _ending(run: RunRecord) -> str:
    if run.finish is None:
        return "still going on" if run.state is RunState.RUNNING else "interrupted: the program ended in the middle"
    words: str = run.finish.reason.value
    if run.finish.failure is not None:
        words += f": {run.finish.failure.what}"
    elif run.finish.stop_text:
        words += f", “{run.finish.stop_text}”"
    latency = stop_latency(run.finish.times)
    if run.finish.reason is Reason.STOPPED and latency is not None:
        words += f", {latency * 1000:.0f} ms after the click"
    return words


def _tokens(run: RunRecord) -> str:
    if run.summary is None:
        return str(len(run.ids))
    figures = run.summary.figures
    thought = f", {figures.reasoning} of them reasoning" if figures.reasoning else ""
    return f"{figures.tokens} generated, {figures.visible} visible{thought}"


def _speed(run: RunRecord) -> str:
    if run.summary is None:
        return ""
    figures = run.summary.figures
    known = (
        ("first token after", figures.first_token, "s"),
        ("prompt", figures.prompt_speed, "tokens/s"),
        ("mean", figures.speed_mean, "tokens/s"),
        ("end to end", figures.end_to_end, "tokens/s"),
        ("in all", figures.elapsed, "s"),
    )
    return ", ".join(f"{name} {value:.2f} {unit}" for name, value, unit in known if value is not None)


def _drafted(finish: Finish) -> str:
    if finish.drafted is None or (share := acceptance(finish.drafted)) is None:
        return ""
    steps = tokens_per_step(finish.tokens, finish.drafted) or 0.0
    return f"{share:.0%} of {finish.drafted.proposed} proposals accepted, {steps:.1f} tokens a step"


def _versions(run: RunRecord) -> str:
    versions = run.versions
    named = (("Sluice", versions.app), ("mlx", versions.mlx), ("mlx-lm", versions.mlx_lm), ("Python", versions.python))
    known = [f"{name} {version}" for name, version in named if version]
    return ", ".join([*known, *(part for part in (versions.system, versions.chip) if part)])
