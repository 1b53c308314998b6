"""The command that asks a prompt set as the window does, or what of it has no switch."""

import shlex
from dataclasses import replace

from app.engine.types import (
    ChatPrompt,
    Failure,
    Form,
    FormKind,
    Limits,
    LoadRequest,
    Model,
    RawPrompt,
    Request,
    Sampling,
)
from app.evaluation.evaluation_run import settled
from app.evaluation.types import CheckKind, Evaluation, EvaluationVariant, Wording
from app.experiments.requests import SENSIBLE_TOKENS
from app.experiments.settings import kinds, put, read_axis, told, value_of
from app.i18n import tr

PLAIN = (ChatPrompt(()), RawPrompt(""))
"""Of controls that add nothing to what a row says."""


def command_of(study: Evaluation, called: str, model: Model) -> str | Failure:
    """`called` is the set's path, or its name among those of the program."""
    check, template, opened = study.check, study.template, model.opened_by
    arms = [_said(each, opened) for each in study.arms]
    suggested = replace(study.prompts.template, raw=template.raw)
    if check.kind is CheckKind.BY_HAND or (check.kind is CheckKind.SCHEMA and check.argument):
        return _no_switch(tr("Without a window this check"))
    if template != suggested:
        return _no_switch(tr("A template of your own"))
    if any(each.request.prompt not in PLAIN for each in study.arms):
        return _no_switch(tr("What the controls say of the prompt"))
    if None in arms:
        return _no_switch(tr("What one of these variants differs in"))
    judged = f"--check={check.kind.value.replace(' ', '-')}{f'={check.argument}' if check.argument else ''}"
    adapter = [f"--adapter={opened.adapter}"] if opened.adapter else []
    counts = [f"--repeats={study.repeats}", f"--together={study.together}"]
    raw = ["--raw"] if template.raw else []
    said = [f"--variant={each}" for each in arms if each]
    return shlex.join(["sluice", "eval", called, f"--model={opened.model}", *adapter, *said, judged, *counts, *raw])


def _said(arm: EvaluationVariant, opened: LoadRequest) -> str | None:
    """An arm as the command takes it; None: it has something that can't be said there."""
    asked = settled(arm.request)
    usual = Request(asked.prompt, Sampling(temperature=0), Limits(SENSIBLE_TOKENS))
    parts = []
    for name in kinds():
        value = value_of(asked, name)
        if value != value_of(usual, name):
            parts.append(f"{name}={told(value)}")
            axis = read_axis(parts[-1])
            usual = usual if isinstance(axis, Failure) else put(usual, name, axis.values[0])
    load = arm.load or opened
    parts += [f"model={load.model}"] if load.model != opened.model else []
    parts += [f"adapter={load.adapter}"] if load.adapter and load.adapter != opened.adapter else []
    parts += [f"wording={arm.wording.value.replace(' ', '-')}"] if arm.wording is not Wording.AS_WRITTEN else []
    form = _form(arm.request.form)
    sayable = form is not None and replace(usual, form=asked.form) == asked and "=" not in arm.name
    sayable = sayable and not any("," in each for each in parts)
    parts += [form] if form else []
    loses_adapter = opened.adapter is not None and not load.adapter
    return f"{arm.name}={','.join(parts)}" if sayable and not loses_adapter else None


def _form(form: Form) -> str | None:
    """As the command takes it, which reads schemas from a file."""
    choices = form.kind is FormKind.CHOICES and "|" not in form.text
    if form and not choices and form.kind is not FormKind.REGEX:
        return None
    return f"form={form.kind.value}:{'|'.join(form.text.splitlines())}" if form else ""


def _no_switch(what: str) -> Failure:
    return Failure(tr("{what} has no switch of the command.").format(what=what), "", kind="command")
