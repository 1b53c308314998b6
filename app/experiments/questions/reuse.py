"""Experiment `reuse`: time to first token with and without prompt cache reuse."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import median

from app.definitions import meaning
from app.engine.types import ChatPrompt, Failure, Message, Request, Role
from app.experiments.conclusion_text import (
    answer,
    approximate,
    confirmed,
    differences,
    differs,
    in_rounds,
    level,
    ranged,
    spanned,
    text_difference,
)
from app.experiments.metrics import compare_variants, spread, usual, values
from app.experiments.requests import chat, limited, measured, words_of
from app.experiments.significance import RatioEstimate
from app.experiments.types import (
    BaseConfig,
    Conclusion,
    Experiment,
    ExperimentOutcome,
    MetricColumn,
    Plan,
    RunContext,
    RunResult,
    Variant,
)
from app.i18n import tr
from app.number_format import PERCENT, measured_duration, two_digits, two_percent

WITHOUT, WITH = 0, 1
FOLLOW_UP = "Tell me more."
REUSED = MetricColumn("reused", tr("Reused prompt tokens"), "", lambda run: run.finish.reused, meaning("reused"))


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan with the last turn of a conversation, or add a second turn; everything before it is in the cache."""
    if not basis.model.can.chat:
        return Failure(tr("This model has no chat template, so it has no turns."), tr("Choose a chat model."))
    if why := basis.model.can.refusal("kv_reuse"):
        return Failure(why, tr("Choose a model on this machine."))
    request = measured(basis.request)
    roles = [message.role for message in request.prompt.messages[-2:]] if isinstance(request.prompt, ChatPrompt) else []
    if isinstance(request.prompt, ChatPrompt) and roles == [Role.ASSISTANT, Role.USER]:
        # Everything before the last question, with the last answer as reply prefix.
        *earlier, answer, _ = request.prompt.messages
        prompt = replace(request.prompt, messages=tuple(earlier), reply_start=answer.text)
        before = limited(replace(request, prompt=prompt), 1)
        ask = partial(_again, request)
    else:
        words = words_of(request.prompt)
        if isinstance(words, Failure):
            return words
        prompt = request.prompt if isinstance(request.prompt, ChatPrompt) else chat(words)
        before = replace(request, prompt=prompt)
        ask = partial(_follow_up, before, prompt)
    arms = (
        Variant(tr("reuse off"), partial(ask, False), before=before),
        Variant(tr("reuse on"), partial(ask, True), before=before),
    )
    return EXPERIMENT.of(arms, basis.repeats)


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    first_token = usual("first_token")
    judged = compare_variants(outcome, WITHOUT, WITH, first_token)
    if judged is None:
        return answer(outcome, "")
    wait = _saved(judged) if differs(judged) else level(judged, tr("the time to first token"))
    on, off = (measured_duration(median(values(outcome.of(arm), first_token))) for arm in (WITH, WITHOUT))
    took = tr("{on} with reuse, {off} without it").format(on=on, off=off)
    phrase = [took, _reused(outcome.of(WITH)), text_difference(outcome, WITHOUT, WITH)]
    return answer(outcome, wait, phrase, (differences(outcome),))


def _saved(judged: RatioEstimate) -> str:
    phrase, sign = tr("with reuse the time to first token is {share} longer"), 1
    if judged.ratio < 1:
        phrase, sign = tr("the prompt cache saves {share} of the time to first token in turn 2"), -1
    low, high = sorted(100 * sign * (end - 1) for end in (judged.low, judged.high))
    extent = in_rounds(two_digits(low), two_digits(high), PERCENT, judged.rounds)
    share = approximate(two_percent(abs(judged.ratio - 1)), judged)
    return ranged(phrase.format(share=share), confirmed(extent, judged))


def _reused(runs: Sequence[RunResult]) -> str:
    reused = spread(run.finish.reused for run in runs)
    every = spread(run.finish.reused + run.finish.new for run in runs)
    if reused is None or every is None:
        return ""
    phrase = tr("{reused} of {all} prompt tokens were in the cache")
    return phrase.format(reused=spanned(reused, "{:.0f}".format), all=spanned(every, "{:.0f}".format))


def _again(request: Request, reuse: bool, given: RunContext) -> Request:
    return replace(request, kv=replace(request.kv, reuse=reuse))


def _follow_up(first: Request, prompt: ChatPrompt, reuse: bool, given: RunContext) -> Request:
    answer = given.before.text if given.before else ""
    turns = (Message(Role.ASSISTANT, prompt.reply_start + answer), Message(Role.USER, FOLLOW_UP))
    second = replace(prompt, messages=(*prompt.messages, *turns), reply_start="")
    return replace(first, prompt=second, kv=replace(first.kv, reuse=reuse))


EXPERIMENT = Experiment(
    "reuse",
    tr("How much time does the prompt cache save in turn 2?"),
    tr("How much shorter is the time to first token if the conversation so far is in the KV cache?"),
    plan,
    conclude,
    columns=(REUSED,),
    max_tokens=128,
    claims=lambda arms: 1,
    lead="first_token",
)
