"""Experiment `template`: the same text with and without the chat template."""

from collections.abc import Sequence
from dataclasses import replace

from app.engine.types import ChatPrompt, Failure, RawPrompt, Reason
from app.experiments.conclusion_text import answer, row
from app.experiments.requests import chat, measured, words_of
from app.experiments.types import (
    BaseConfig,
    Conclusion,
    Detail,
    Experiment,
    ExperimentOutcome,
    Plan,
    RunResult,
    Variant,
)
from app.i18n import tr

CHAT, RAW = 0, 1


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan the last question as a chat turn, and as a raw prompt."""
    if not basis.model.can.chat:
        return Failure(tr("This model has no chat template."), tr("Choose a chat model."))
    words = words_of(basis.request.prompt)
    if isinstance(words, Failure):
        return words
    request = measured(basis.request)
    prompt = request.prompt if isinstance(request.prompt, ChatPrompt) else chat(words)
    arms = (
        Variant(tr("with the template"), replace(request, prompt=prompt)),
        Variant(tr("without it"), replace(request, prompt=RawPrompt(words))),
    )
    return EXPERIMENT.of(arms, basis.repeats)


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    if len(outcome.measured()) < 2:
        return answer(outcome, "")
    phrase = [
        tr("with the template it {ended}").format(ended=_ended(outcome.of(CHAT))),
        tr("without it {ended}").format(ended=_ended(outcome.of(RAW))),
    ]
    rows = tuple(
        (outcome.plan.arms[run.arm].name, len(run.prompt.ids) or run.finish.reused + run.finish.new, run.prompt.text)
        for run in (outcome.of(CHAT)[0], outcome.of(RAW)[0])
        if run.prompt is not None
    )
    prompts = Detail(tr("Prompts as sent"), (tr("Variant"), tr("Tokens"), tr("Text")), rows)
    return answer(outcome, _verdict(outcome), [row(phrase)], (prompts,))


def _verdict(outcome: ExperimentOutcome) -> str:
    """Say in how many runs the model ended its answer by itself."""
    words = tr("{reply}: without the template {count} of {all} answers ended by themselves, with it {other} of {both}")
    runs, beside = outcome.of(RAW), outcome.of(CHAT)
    count, other = (sum(run.finish.reason is Reason.STOP for run in each) for each in (runs, beside))
    reply = tr("no") if not count else tr("yes") if count == len(runs) else tr("in some runs")
    return words.format(reply=reply, count=count, all=len(runs), other=other, both=len(beside))


def _ended(runs: Sequence[RunResult]) -> str:
    each = [[run for run in runs if run.finish.reason is reason] for reason in Reason]
    if len(runs) == 1:
        return _so(runs)
    some = tr("{ended} in {count} of %n runs", "{ended} in {count} of %n run", len(runs))
    return row([some.format(ended=_so(ended), count=len(ended)) for ended in each if ended])


def _so(runs: Sequence[RunResult]) -> str:
    few, many = min(run.finish.tokens for run in runs), max(run.finish.tokens for run in runs)
    match runs[0].finish.reason:
        case Reason.STOP:
            phrase = tr("ended at an EOS token after {few}%n tokens", "ended at an EOS token after {few}%n token", many)
        case Reason.LENGTH:
            phrase = tr("reached the limit of {few}%n tokens", "reached the limit of {few}%n token", many)
        case Reason.CONTEXT_FULL:
            phrase = tr(
                "filled the context window after {few}%n tokens", "filled the context window after {few}%n token", many
            )
        case _:
            phrase = tr("ended after {few}%n tokens ({reason})", "ended after {few}%n token ({reason})", many)
    return phrase.format(few="" if few == many else f"{few}–", reason=runs[0].finish.reason.words)


EXPERIMENT = Experiment(
    "template",
    tr("How does the chat template change the answer?"),
    tr("Does the model still end its answer without the chat template of its training?"),
    plan,
    conclude,
    prompt="Count 1 to 5",
    max_tokens=100,
    lead="tokens",
)
