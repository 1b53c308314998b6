"""Conversion of an experiment to a `sluice experiment` command, with remarks about omitted settings."""

import shlex
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from app.engine.types import ENDLESS, ChatPrompt, Limits, RawPrompt, Request, Sampling, TokenPrompt
from app.experiments.questions import draft, models, sweep
from app.experiments.requests import SENSIBLE_TOKENS, chat, format_value, kinds, value_of, words_of
from app.experiments.types import BaseConfig, Experiment, Plain
from app.i18n import tr

OWN_SWITCH = frozenset({"limits.max_tokens"})
LEFT_TO_THE_ARMS = frozenset({"observe", "interval", "draft_tokens", "lookup_tokens"})
"""Settings that each experiment except the sweep determines itself."""


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """A shell command, and remarks on how its run may differ from the window's."""

    line: str
    remarks: tuple[str, ...] = ()


def without_keys(text: str) -> str:
    """Remove control characters, which a terminal interprets as keys even inside quotes."""
    return "".join(
        character for character in text if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs")
    )


def command_of(experiment: Experiment, basis: BaseConfig) -> ShellCommand:
    line = shlex.join(("sluice", "experiment", experiment.name, *_switches(experiment, basis)))
    return ShellCommand(without_keys(line), tuple(_remarks(basis, line)))


def _switches(experiment: Experiment, basis: BaseConfig) -> Iterator[str]:
    model, request = basis.model, basis.request
    yield f"--model={model.folder}"
    opened = str(model.draft.folder) if model.draft and experiment is not models.EXPERIMENT else ""
    if beside := (experiment is draft.EXPERIMENT and basis.draft) or opened:
        yield f"--draft={beside}"
    if model.adapter is not None:
        yield f"--adapter={model.adapter.folder}"
    if basis.other:
        yield f"--other={basis.other}"
    words = words_of(request.prompt)
    yield f"--prompt={words if isinstance(words, str) else ''}"
    if isinstance(request.prompt, RawPrompt):
        yield "--raw"
    limit = request.limits.max_tokens
    yield f"--max-tokens={SENSIBLE_TOKENS if limit == ENDLESS else limit}"
    yield f"--repeats={basis.repeats}"
    yield from (f"--stop={text}" for text in request.limits.stop_strings)
    yield from (f"--set={name}={format_value(value)}" for name, value in _changed(experiment, request))
    yield from (f"--vary={axis.name}={','.join(map(format_value, axis.values))}" for axis in basis.axes)


def _changed(experiment: Experiment, request: Request) -> Iterator[tuple[str, Plain]]:
    """Yield the settings that differ from the command's defaults."""
    usual = Request(chat(""), Sampling(temperature=experiment.temperature), Limits())
    own = OWN_SWITCH if experiment is sweep.EXPERIMENT else OWN_SWITCH | LEFT_TO_THE_ARMS
    for name in kinds():
        value = value_of(request, name)
        if name not in own and value != value_of(usual, name):
            yield name, value


def _remarks(basis: BaseConfig, line: str) -> Iterator[str]:
    prompt, request = basis.request.prompt, basis.request
    if isinstance(prompt, TokenPrompt):
        yield tr("A command can't contain a prompt of token ids: put your own text into --prompt.")
    if isinstance(prompt, ChatPrompt):
        if len(prompt.messages) > 1:
            yield tr("The command sends only the last question, without earlier turns and the system prompt.")
        if prompt.reply_start or prompt.arguments:
            yield tr("The command omits the reply prefix and the template arguments.")
    if request.sampling.logit_bias or request.limits.stop_ids:
        yield tr("The command omits logit biases and stop tokens.")
    if isinstance(prompt, ChatPrompt) and prompt.tools:
        yield tr("The command omits the tools.")
    if request.form:
        yield tr("The command omits the output format.")
    if without_keys(line) != line:
        yield tr("The command omits control characters, which a terminal interprets as keys.")
