"""Experiment `determinism`: settings whose rounding changes the tokens where probabilities are close."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.engine.cache_variants import group_for
from app.engine.types import ChatPrompt, Failure, PromptSource, RawPrompt, Request, TokenPrompt
from app.experiments.conclusion_text import answer, first_difference
from app.experiments.requests import limited, measured
from app.experiments.types import (
    DETAILS_LEAD,
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
from app.number_format import chance
from app.roofline.measurement_store import keep_sameness

USUAL, AGAIN = 0, 1
OBSERVED = 20
DRAFTED = 3
HEAD = (tr("Variant"), tr("First different token"), tr("Difference"), tr("Probability difference"))
Row = tuple[str, int | None, str, str]


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan repeats, a batch, a draft model and an 8-bit KV cache, each with all ways of prefill."""
    model, asked = basis.model, measured(basis.request)
    asked = replace(asked, sampling=replace(asked.sampling, temperature=0.0))
    arms = [
        Variant(tr("as usual"), replace(asked, observe=OBSERVED)),
        Variant(tr("once more"), asked),
        *_prefill_variants("", asked),
    ]
    if model.can.bare_loop:
        arms.append(Variant(tr("without the cache"), replace(asked, kv=replace(asked.kv, enabled=False))))
    if model.draft is not None:
        name, drafted = tr("with the draft model"), replace(asked, draft_tokens=DRAFTED)
        arms += [Variant(name, drafted), *_prefill_variants(name, drafted)]
    if model.can.kv_bits and (size := group_for(model, asked.kv.group_size)) is not None:
        kv = replace(asked.kv, bits=8, group_size=size, quantized_start=0, max_size=None)
        name, rounded = tr("KV cache of 8 bits"), replace(asked, kv=kv)
        arms += [Variant(name, rounded), *_prefill_variants(name, rounded)]
    fits = model.can.batch and asked.kv.bits is None and asked.kv.max_size is None
    return EXPERIMENT.of(tuple(arms), basis.repeats, ((AGAIN, AGAIN),) if fits else ())


def _prefill_variants(name: str, asked: Request) -> Iterator[Variant]:
    """Yield a variant with the whole prompt in the cache, and one with the first half of it."""
    reusing, half = replace(asked, kv=replace(asked.kv, reuse=True)), replace(asked, prompt=_half(asked.prompt))
    for told, before in ((tr("prompt from the cache"), asked), (tr("prefill in two parts"), half)):
        yield Variant(" + ".join(filter(None, (name, told))), reusing, before=limited(before, 1))


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    """State the first different token of each variant, and the probability difference there."""
    if not outcome.of(USUAL):
        return answer(outcome, "")
    usual = outcome.of(USUAL)[0]
    rows = [_row(name, usual, runs) for name, runs in _ways(outcome) if runs]
    same = [name for name, at, *_ in rows if at is None]
    words = [tr("the same tokens: {ways}").format(ways=", ".join(same))] if same else []
    other = tr("{way}: different tokens from token {place} on (Δp = {apart})")
    words += [other.format(way=name, place=at, apart=apart or "?") for name, at, _, apart in rows if at is not None]
    conditions = usual.finish.conditions
    if conditions is not None and conditions.tf32 is not None:
        words.append(tr("TF32 allowed") if conditions.tf32 else tr("TF32 off"))
    details = (Detail(tr("Tokens"), HEAD, tuple(rows)),)
    return answer(outcome, _headline(rows), words, details) if rows else answer(outcome, "")


def _headline(rows: Sequence[Row]) -> str:
    """Name the variant whose tokens differ first."""
    differing = [(at, name) for name, at, *_ in rows if at is not None]
    if not differing:
        return tr(
            "none: the tokens are the same in all %n variants", "none: the tokens are the same in %n variant", len(rows)
        )
    words = tr(
        "{count} of %n variants change the tokens: the first is {variant}, from token {place} on",
        "{count} of %n variants change the tokens: the first is {variant}, from token {place} on",
        len(rows),
    )
    place, name = min(differing, key=lambda each: each[0])
    return words.format(count=len(differing), variant=name, place=place)


def _ways(outcome: ExperimentOutcome) -> Iterator[tuple[str, Sequence[RunResult]]]:
    yield from ((arm.name, outcome.of(at)) for at, arm in enumerate(outcome.plan.arms) if at != USUAL)
    runs = (run for batch in outcome.batches for run in batch.runs)
    yield tr("two at once"), [run for run in runs if run.finish.failure is None]


def _row(name: str, usual: RunResult, runs: Sequence[RunResult]) -> Row:
    """Return the table row of the run that differs first."""
    found = [(compared.at, compared.sentence, run) for run in runs for compared in (first_difference(usual, run),)]
    differing = [each for each in found if each[0] is not None]
    at, told, run = min(differing, key=lambda each: each[0] or 0, default=found[0])
    return name, None if at is None else at + 1, told, "" if at is None else _probability_difference(usual, run, at)


def _probability_difference(usual: RunResult, run: RunResult, at: int) -> str:
    """Format the difference of both tokens' probabilities in the usual run; empty if they weren't recorded."""
    seen = usual.tokens[at].observed
    likely = {each.id: each.probability for each in (seen.chosen, *seen.top)} if seen is not None else {}
    ours, theirs = (likely.get(each.tokens[at].id) for each in (usual, run))
    return chance(abs(ours - theirs)) if ours is not None and theirs is not None else ""


def _half(prompt: PromptSource) -> PromptSource:
    if isinstance(prompt, TokenPrompt):
        return replace(prompt, ids=prompt.ids[: max(1, len(prompt.ids) // 2)], begun=None, written=0)
    if isinstance(prompt, RawPrompt):
        return RawPrompt(prompt.text[: max(1, len(prompt.text) // 2)])
    last = prompt.messages[-1]
    return ChatPrompt((*prompt.messages[:-1], replace(last, text=last.text[: len(last.text) // 2])))


EXPERIMENT = Experiment(
    "determinism",
    tr("Which settings change the tokens?"),
    tr("Which settings that should only change the speed also change the tokens, and how close are the probabilities?"),
    plan,
    conclude,
    max_tokens=128,
    lead=DETAILS_LEAD,
    keep=keep_sameness,
)
