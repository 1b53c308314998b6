"""The command of an evaluation, or the part that has no command-line switch."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.engine.types import (
    ChatPrompt,
    Failure,
    FormatKind,
    Limits,
    LoadRequest,
    Model,
    OutputFormat,
    RawPrompt,
    Request,
    Sampling,
)
from app.evaluation.choice_columns import ChoiceColumns
from app.evaluation.evaluation_run import settled
from app.evaluation.types import CheckKind, Evaluation, EvaluationVariant, Wording
from app.experiments.requests import SENSIBLE_TOKENS, format_value, kinds, read_axis, value_of, with_setting
from app.i18n import tr

PLAIN = (ChatPrompt(()), RawPrompt(""))
"""Prompts of controls without system prompt and reply prefix."""


def command_of(
    study: Evaluation, path: str, model: Model, more: Sequence[str] = (), examples: Path | None = None
) -> str | Failure:
    """Return the command. `path` is that of the set, or the name of a bundled set; `more` are switches for the set.

    `examples`: the file of the few-shot examples; None: unknown.
    """
    check, template, opened = study.check, study.template, model.opened_by
    likelihood = check.kind is CheckKind.LIKELIHOOD
    variants = [_variant(each, opened, likelihood and not each.by_likelihood) for each in study.arms]
    suggested = replace(study.prompts.template, raw=template.raw, examples=template.examples)
    if check.kind is CheckKind.BY_HAND or (check.kind is CheckKind.SCHEMA and check.argument):
        return _no_switch(tr("This check"))
    if template != suggested:
        return _no_switch(tr("Your template"))
    shots: list[str] = []
    if (few := template.examples) is not None:
        if examples is None:
            return Failure(tr("The command needs the file of the examples: add them again."), "", kind="command")
        shots = [f"--shots={few.count}", f"--shots-from={examples}"]
        shots += [f"--shots-seed={few.seed}"] if few.seed is not None else []
    if any(each.request.prompt not in PLAIN for each in study.arms):
        return _no_switch(tr("The system prompt or reply prefix of the controls"))
    if None in variants:
        return _no_switch(tr("The setting in which one of these variants differs"))
    check_switch = f"--check={check.kind.value.replace(' ', '-')}{f'={check.argument}' if check.argument else ''}"
    adapter = [f"--adapter={opened.adapter}"] if opened.adapter else []
    counts = [f"--repeats={study.repeats}", f"--together={study.together}"]
    raw = ["--raw"] if template.raw else ["--chat"] if study.prompts.template.raw else []
    switches = [f"--variant={each}" for each in variants if each]
    counts += ["--confidence"] if any(each.request.observe for each in study.arms) else []
    model_switches = [f"--model={opened.model}", *adapter]
    return shlex.join(["sluice", "eval", path, *model_switches, *switches, check_switch, *counts, *raw, *more, *shots])


def column_switches(columns: ChoiceColumns) -> tuple[str, ...]:
    choices = (f"--choice-column={name}" for name in columns.choices)
    answer = (f"--answer-column={columns.answer}", f"--answer-form={columns.form.value}")
    return (f"--prompt-column={columns.prompt}", *choices, *answer)


def _variant(variant: EvaluationVariant, opened: LoadRequest, generated: bool) -> str | None:
    """Return the value of `--variant`; None: a part of the variant has no switch."""
    request = replace(settled(variant.request), observe=0)
    usual = Request(request.prompt, Sampling(temperature=0), Limits(SENSIBLE_TOKENS))
    parts = []
    for name in kinds():
        value = value_of(request, name)
        if value != value_of(usual, name):
            parts.append(f"{name}={format_value(value)}")
            axis = read_axis(parts[-1])
            usual = usual if isinstance(axis, Failure) else with_setting(usual, name, axis.values[0])
    load = variant.load or opened
    parts += [f"model={load.model}"] if load.model != opened.model else []
    parts += [f"adapter={load.adapter}"] if load.adapter and load.adapter != opened.adapter else []
    parts += [f"wording={variant.wording.value.replace(' ', '-')}"] if variant.wording is not Wording.AS_WRITTEN else []
    parts += ["answer=generated"] if generated else []
    output_format = _output_format(variant.request.form)
    has_switches = (
        output_format is not None and replace(usual, form=request.form) == request and "=" not in variant.name
    )
    has_switches = has_switches and not any("," in each for each in parts)
    parts += [output_format] if output_format else []
    loses_adapter = opened.adapter is not None and not load.adapter
    return f"{variant.name}={','.join(parts)}" if has_switches and not loses_adapter else None


def _output_format(output_format: OutputFormat) -> str | None:
    """Return the value of `output_format`, or None for a schema, which the command reads from a file."""
    choices = output_format.kind is FormatKind.CHOICES and "|" not in output_format.text
    if output_format and not choices and output_format.kind is not FormatKind.REGEX:
        return None
    return f"form={output_format.kind.value}:{'|'.join(output_format.text.splitlines())}" if output_format else ""


def _no_switch(what: str) -> Failure:
    return Failure(tr("{what} has no command-line switch.").format(what=what), "", kind="command")
