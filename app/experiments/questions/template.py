"""What the chat template does: the same words with it, and as they stand."""

from __future__ import annotations

from dataclasses import replace

from app.engine.types import ChatPrompt, Failure, RawPrompt, Reason
from app.experiments.requests import chat, measured, words_of
from app.experiments.types import Arm, Basis, Conclusion, Detail, Experiment, Outcome, Plan, Result
from app.experiments.wording import UNMEASURED, row, sentence
from app.words import tr

CHAT, RAW = 0, 1


def plan(basis: Basis) -> Plan | Failure:
    """The words of the last question, as a turn of a chat and as a text to go on with."""
    if not basis.model.can.chat:
        return Failure(tr("This model has no chat template."), tr("Choose a chat model."))
    words = words_of(basis.request.prompt)
    if isinstance(words, Failure):
        return words
    request = measured(basis.request)
    prompt = request.prompt if isinstance(request.prompt, ChatPrompt) else chat(words)
    arms = (
        Arm(tr("with the template"), replace(request, prompt=prompt)),
        Arm(tr("without it"), replace(request, prompt=RawPrompt(words))),
    )
    return EXPERIMENT.of(arms, basis.repeats)


def conclude(outcome: Outcome) -> Conclusion:
    """How either ended."""
    if len(outcome.measured()) < 2:
        return Conclusion(UNMEASURED)
    templated, raw = outcome.of(CHAT)[0], outcome.of(RAW)[0]
    said = [
        tr("with the template it {ended}").format(ended=_ended(templated)),
        tr("without it {ended}").format(ended=_ended(raw)),
    ]
    prompts = Detail(
        tr("Prompts as sent"),
        (tr("Arm"), tr("Tokens"), tr("Text")),
        tuple(
            (
                outcome.plan.arms[each.arm].name,
                len(each.prompt.ids) or each.finish.reused + each.finish.new,
                each.prompt.text,
            )
            for each in (templated, raw)
            if each.prompt is not None
        ),
    )
    return Conclusion(sentence([row(said)]), (prompts,))


def _ended(run: Result) -> str:
    count = run.finish.tokens
    match run.finish.reason:
        case Reason.STOP:
            return tr("ended by itself after %n tokens", "ended by itself after %n token", count)
        case Reason.LENGTH:
            return tr("ran to the limit of %n tokens", "ran to the limit of %n token", count)
        case Reason.CONTEXT_FULL:
            return tr("ran until the context was full, %n tokens", "ran until the context was full, %n token", count)
    said = tr("ended after %n tokens ({reason})", "ended after %n token ({reason})", count)
    return said.format(reason=run.finish.reason.words)


EXPERIMENT = Experiment(
    "template",
    tr("What does the chat template do?"),
    tr("Does the model know where to end if its words are not set in the template that it was taught with?"),
    plan,
    conclude,
    prompt="Count 1 to 5",
    max_tokens=100,
    repeats=1,
)
