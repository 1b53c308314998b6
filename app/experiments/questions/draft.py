"""Experiment `draft`: decoding without draft tokens, with those of a draft model, and with prompt lookup."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import median

from app.engine.types import AUTOMATIC, Failure, Model, Request
from app.experiments.conclusion_text import answer, differences, differs, faster, level, spanned
from app.experiments.metrics import compare_variants, spread, usual, values
from app.experiments.requests import measured
from app.experiments.significance import RatioEstimate
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
from app.number_format import size, two_digits, two_percent


class SpanOrigin(StrEnum):
    MODEL = "model"
    DRAFT = "draft"
    """Proposed by the draft model and accepted."""
    REJECTED = "rejected"
    """Proposed by the draft model and rejected: not part of the text."""


@dataclass(frozen=True, slots=True)
class DraftedSpan:
    """Adjacent tokens of one origin. All spans that aren't REJECTED make the run's text."""

    whose: SpanOrigin
    text: str


def stretches(run: RunResult) -> tuple[DraftedSpan, ...]:
    """Return the spans in reading order; rejected tokens precede the token that replaced them."""
    found: list[DraftedSpan] = []
    for piece in _pieces(run):
        if found and found[-1].whose is piece.whose:
            piece = DraftedSpan(piece.whose, found.pop().text + piece.text)
        if piece.text:
            found.append(piece)
    return tuple(found)


def text_with_rejected(run: RunResult) -> str:
    return "".join(f"⟨{each.text}⟩" if each.whose is SpanOrigin.REJECTED else each.text for each in stretches(run))


def _pieces(run: RunResult) -> Iterator[DraftedSpan]:
    rejected = {each.index: each for each in run.rejected}
    for token in run.tokens:
        if token.index in rejected:
            yield DraftedSpan(SpanOrigin.REJECTED, "".join(rejected[token.index].texts))
        yield DraftedSpan(SpanOrigin.DRAFT if token.from_draft else SpanOrigin.MODEL, token.text)


OFF = 0
MOST = 8
SPEED = usual("end_to_end")
"""The mean speed is too high: draft tokens arrive in bursts, the first one with the first token."""


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan runs without draft tokens, with 1 to 8 and an automatic number of them, and with prompt lookup."""
    model, load, request = basis.model, None, measured(basis.request)
    if basis.draft and (model.draft is None or str(model.draft.folder) != basis.draft):
        load = replace(model.opened_by, draft=basis.draft)
    drafted = _drafted(request) if load is not None or model.draft is not None else {}
    requests = {**drafted, **_lookup(request, model)}
    if not requests:
        what = tr("There is no draft model, and this model can't use prompt lookup.")
        return Failure(what, tr("Choose a draft model that belongs to this model."))
    variants = (Variant(name, each, load) for name, each in ({tr("off"): request} | requests).items())
    return EXPERIMENT.of(tuple(variants), basis.repeats)


def _drafted(request: Request) -> dict[str, Request]:
    """Return the requests with a draft model by variant name."""
    counts = range(1, MOST + 1)
    fixed = {
        tr("%n draft tokens per step", "%n draft token per step", count): replace(request, draft_tokens=count)
        for count in counts
    }
    if request.kv.max_size is not None:
        return fixed
    return {**fixed, tr("automatic draft tokens"): replace(request, draft_tokens=AUTOMATIC)}


def _lookup(request: Request, model: Model) -> dict[str, Request]:
    if not model.can.lookup or request.kv.max_size is not None:
        return {}
    return {tr("prompt lookup"): replace(request, lookup_tokens=AUTOMATIC)}


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    speeds = {arm: median(found) for arm in outcome.measured() if (found := values(outcome.of(arm), SPEED))}
    drafted, claims = [arm for arm in speeds if arm != OFF], len(outcome.plan.arms) - 1
    best = max(drafted, key=speeds.__getitem__, default=OFF)
    judged = compare_variants(outcome, OFF, best, SPEED, claims) if best != OFF else None
    if judged is None:
        return answer(outcome, "")
    rows = tuple((outcome.plan.arms[arm].name, text_with_rejected(outcome.of(arm)[0])) for arm in drafted)
    texts = Detail(tr("Text, with rejected tokens in ⟨brackets⟩"), (tr("Variant"), tr("Text")), rows)
    details = _acceptance_by_position(outcome, drafted), differences(outcome), texts
    further = [tr("the speed is end to end, from Send to the last token"), _accepted(outcome, best)]
    further.append(_memory(outcome, best))
    is_whole = len(drafted) == claims and not outcome.plan.is_sample
    verdict = _verdict(judged, outcome.plan.arms[best].name, is_whole)
    if all(_is_useless(outcome.of(arm)) for arm in drafted):
        further.insert(0, verdict)
        verdict = tr("no: not one draft token was accepted, so this answer can't become faster")
    return answer(outcome, verdict, further, details)


def _is_useless(runs: Sequence[RunResult]) -> bool:
    """Return whether no draft token was accepted in any of the runs."""
    return all(run.finish.drafted is not None and not run.finish.drafted.accepted for run in runs)


def accepted_by_place(from_draft: Iterable[bool]) -> tuple[int, ...]:
    """Count the steps in which the first draft token was accepted, the second one, and so on."""
    counts: list[int] = []
    position = 0
    for drafted in from_draft:
        if not drafted:
            position = 0
            continue
        if position == len(counts):
            counts.append(0)
        counts[position] += 1
        position += 1
    return tuple(counts)


def _verdict(judged: RatioEstimate, best: str, is_whole: bool) -> str:
    """Recommend to turn drafts off only if every variant was tried and the fastest one is slower."""
    if not differs(judged):
        words = level(judged, tr("end-to-end speed"))
        return tr("{level} with {variant}, the fastest draft").format(level=words, variant=best)
    text = tr("yes: {speed} with {variant}") if judged.ratio > 1 else tr("no: {speed} with {variant}")
    text = text.format(speed=faster(judged), variant=best)
    if judged.ratio < 1 and is_whole:
        return tr("{speed}, the fastest draft. Turn it off.").format(speed=text)
    return text


def _accepted(outcome: ExperimentOutcome, arm: int) -> str:
    shares, steps = (spread(values(outcome.of(arm), usual(key))) for key in ("acceptance", "tokens_per_step"))
    drafted = [run.finish.drafted for run in outcome.of(arm) if run.finish.drafted is not None]
    if shares is None or steps is None:
        return ""
    text = tr("acceptance rate {share} ({accepted} of {proposed} draft tokens in a run), {tokens} tokens per step")
    return text.format(
        share=spanned(shares, two_percent),
        accepted=f"{median(each.accepted for each in drafted):,.0f}",
        proposed=f"{median(each.proposed for each in drafted):,.0f}",
        tokens=spanned(steps, two_digits),
    )


def _memory(outcome: ExperimentOutcome, arm: int) -> str:
    draft = outcome.model.draft
    if any(run.finish.drafted is not None and run.finish.drafted.lookup is not None for run in outcome.of(arm)):
        return ""
    kv = [spread(values(outcome.of(each), usual("memory_kv"))) for each in (OFF, arm)]
    if draft is None or kv[0] is None or kv[1] is None:
        return ""
    taken = draft.weights + max(0.0, kv[1].middle - kv[0].middle)
    return tr("the draft model takes {size} of memory").format(size=size(taken, two_digits))


def _acceptance_by_position(outcome: ExperimentOutcome, arms: Iterable[int]) -> Detail:
    """Return the share of steps in which each draft position was accepted."""
    head = (tr("Variant"), *(tr("position {number}").format(number=position) for position in range(1, MOST + 1)))
    rows = tuple((outcome.plan.arms[arm].name, *_shares(outcome.of(arm))) for arm in arms)
    return Detail(tr("Accepted by position, share of all steps"), head, rows)


def _shares(runs: Sequence[RunResult]) -> tuple[float | None, ...]:
    fixed = max(run.request.draft_tokens for run in runs)
    proposed = fixed if fixed > 0 else MOST
    totals, steps = [0] * proposed, 0
    for run in runs:
        steps += run.finish.drafted.steps if run.finish.drafted else 0
        for position, count in enumerate(accepted_by_place(token.from_draft for token in run.tokens)[:proposed]):
            totals[position] += count
    shares = [count / steps if steps else None for count in totals]
    return (*shares, *(None for _ in range(MOST - proposed)))


EXPERIMENT = Experiment(
    "draft",
    tr("Is speculative decoding worth it?"),
    tr("Is this model faster with a draft model or prompt lookup, and with how many draft tokens per step?"),
    plan,
    conclude,
    max_tokens=128,
    claims=lambda arms: max(arms - 1, 1),
    lead=SPEED.key,
)
