"""Experiment `determinism`: settings whose rounding changes tokens and probabilities, and the smallest set to fix."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from app.engine.cache_variants import group_for
from app.engine.catalogue import setting_name
from app.engine.types import (
    COMPUTE_DTYPES,
    ChatPrompt,
    Failure,
    LoadRequest,
    Model,
    PromptSource,
    RawPrompt,
    Request,
    TokenPrompt,
)
from app.experiments.conclusion_text import answer, first_difference
from app.experiments.requests import limited, measured, value_of
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

USUAL = 0
OBSERVED = 20
DRAFTED = 3
STEP, SMALL_STEP = 512, 16
"""Prefill steps. An automatic one would depend on the speed of earlier runs."""
BATCHES = (2, 4)
UNCACHED_TOKENS = 32
"""Max tokens without the KV cache, which prefills everything again for each token."""
DTYPE, BATCH = "dtype", "batch"
SETTINGS = ("prefill_step", "kv.reuse", "kv.enabled", "kv.bits", "draft_tokens", "lookup_tokens")
SWITCHES = {BATCH: tr("batch size"), **{name: setting_name(name) for name in SETTINGS}}
"""The switches whose value can be fixed in each compute dtype."""
NOT_RECORDED = tr("not recorded")
HEAD = (
    tr("Variant"),
    tr("First different token"),
    tr("Difference"),
    tr("Probability difference"),
    tr("First different probability"),
)


@dataclass(frozen=True, slots=True)
class SwitchComparison:
    """A variant, compared with the usual variant of its compute dtype, or that one with the usual dtype's.

    Places count from 1; None: everything is the same.
    """

    name: str
    dtype: str
    switches: frozenset[str]
    token: int | None
    difference: str
    gap: str
    probability: int | None
    is_observed: bool
    """Whether the probabilities of both runs are known."""


@dataclass(frozen=True, slots=True)
class FixedSwitches:
    """The smallest set of switches to fix in a compute dtype; None: even the same run again differs."""

    dtype: str
    names: tuple[str, ...] | None


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan each switch alone, and with a draft model each kind of prefill too, in each compute dtype."""
    model, asked = basis.model, measured(basis.request)
    asked = replace(asked, sampling=replace(asked.sampling, temperature=0.0), observe=OBSERVED)
    asked = asked if model.server else replace(asked, prefill_step=STEP)
    arms: list[Variant] = []
    batches: list[tuple[int, ...]] = []
    fits = model.can.batch and asked.kv.bits is None and asked.kv.max_size is None
    for load in _loads(model):
        first = len(arms)
        arms += [replace(arm, name=_name(load, arm.name), load=load) for arm in _variants(model, asked)]
        batches += [(first,) * count for count in BATCHES if fits]
    return replace(EXPERIMENT.of(tuple(arms), basis.repeats, tuple(batches)), skips_unopened=True)


def _loads(model: Model) -> Sequence[LoadRequest | None]:
    """Return the open model's own load request, then one for each other dtype; only None if its dtype is unknown."""
    if model.precision not in COMPUTE_DTYPES or model.server:
        return (None,)
    others = (replace(model.opened_by, dtype=dtype) for dtype in COMPUTE_DTYPES if dtype != model.precision)
    return (model.opened_by, *others)


def _name(load: LoadRequest | None, name: str) -> str:
    if load is None or not load.dtype:
        return name
    return load.dtype if name == tr("as usual") else f"{load.dtype} + {name}"


def _variants(model: Model, asked: Request) -> Iterator[Variant]:
    yield Variant(tr("as usual"), asked)
    yield Variant(tr("once more"), asked)
    yield from _prefill_variants("", asked)
    if not model.server:
        yield Variant(tr("prefill step of {count}").format(count=SMALL_STEP), replace(asked, prefill_step=SMALL_STEP))
    if model.can.bare_loop:
        short = limited(asked, min(UNCACHED_TOKENS, asked.limits.max_tokens))
        yield Variant(tr("without the cache"), replace(short, kv=replace(asked.kv, enabled=False)))
    if model.draft is not None:
        name, drafted = tr("with the draft model"), replace(asked, draft_tokens=DRAFTED)
        yield Variant(name, drafted)
        yield from _prefill_variants(name, drafted)
    if model.can.lookup and asked.kv.max_size is None:
        yield Variant(tr("with prompt lookup"), replace(asked, lookup_tokens=DRAFTED))
    if model.can.kv_bits and asked.kv.bits is None and (size := group_for(model, asked.kv.group_size)) is not None:
        kv = replace(asked.kv, bits=8, group_size=size, quantized_start=0, max_size=None)
        yield Variant(tr("KV cache of 8 bits"), replace(asked, kv=kv))


def _prefill_variants(name: str, asked: Request) -> Iterator[Variant]:
    """Yield a variant with the whole prompt in the cache, and one with the first half of it."""
    reusing, half = replace(asked, kv=replace(asked.kv, reuse=True)), replace(asked, prompt=_half(asked.prompt))
    for prefill, before in ((tr("prompt from the cache"), asked), (tr("prefill in two parts"), half)):
        yield Variant(" + ".join(filter(None, (name, prefill))), reusing, before=limited(before, 1))


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    """State the first different token of each variant, and the smallest set of switches that makes runs exact."""
    pairs = list(_comparisons(outcome)) if outcome.of(USUAL) else []
    if not pairs:
        return answer(outcome, "")
    shown = [each for each in pairs if each.dtype == pairs[0].dtype or DTYPE in each.switches]
    is_whole = len({run.arm for run in outcome.results}) == len(outcome.plan.arms) and not outcome.plan.is_sample
    words = [_smallest_words(pairs, same_bits) for same_bits in (False, True) if is_whole]
    same = [each.name for each in shown if each.token is None]
    words += [tr("the same tokens: {ways}").format(ways=", ".join(same))] if same else []
    other = tr("{way}: different tokens from token {place} on (Δp = {apart})")
    different = [each for each in shown if each.token is not None]
    words += [other.format(way=each.name, place=each.token, apart=each.gap or "?") for each in different]
    conditions = outcome.of(USUAL)[0].finish.conditions
    if conditions is not None and conditions.tf32 is not None:
        words.append(tr("TF32 allowed") if conditions.tf32 else tr("TF32 off"))
    details = (_token_table(pairs), *([_set_table(pairs)] if is_whole else []))
    return answer(outcome, _headline(pairs), words, details)


def _headline(pairs: Sequence[SwitchComparison]) -> str:
    """Name the variant whose tokens differ first."""
    differing = [(each.token, each.name) for each in pairs if each.token is not None]
    if not differing:
        return tr(
            "none: the tokens are the same in all %n variants",
            "none: the tokens are the same in %n variant",
            len(pairs),
        )
    words = tr(
        "{count} of %n variants change the tokens: the first is {variant}, from token {place} on",
        "{count} of %n variants change the tokens: the first is {variant}, from token {place} on",
        len(pairs),
    )
    place, name = min(differing, key=lambda each: each[0])
    return words.format(count=len(differing), variant=name, place=place)


def _comparisons(outcome: ExperimentOutcome) -> Iterator[SwitchComparison]:
    """Compare each variant and batch with the first variant of its model, and that one with the usual one."""
    arms = outcome.plan.arms
    firsts = {load: at for at, load in reversed([(at, arm.load) for at, arm in enumerate(arms)])}
    for at, arm in enumerate(arms):
        first = firsts[arm.load]
        if first != at and _is_tried(arms[first], arm, outcome.of(at)):
            yield from _comparison(outcome, first, arm.name, _switched(arms[first], arm), outcome.of(at))
        elif first == at != USUAL:
            yield from _comparison(outcome, USUAL, arm.name, frozenset({DTYPE}), outcome.of(at))
    for together in dict.fromkeys(batch.arms for batch in outcome.batches):
        runs = [run for batch in outcome.batches if batch.arms == together for run in batch.runs]
        name = _name(arms[together[0]].load, tr("batch of {count}").format(count=len(together)))
        done = [run for run in runs if run.finish.failure is None]
        yield from _comparison(outcome, firsts[arms[together[0]].load], name, frozenset({BATCH}), done)


def _is_tried(first: Variant, arm: Variant, runs: Sequence[RunResult]) -> bool:
    """Return whether the variant's switch has an effect: a short prompt is one prefill step."""
    if "prefill_step" not in _switched(first, arm):
        return True
    return any(run.prompt is None or len(run.prompt.ids) > SMALL_STEP + 1 for run in runs)


def _switched(first: Variant, arm: Variant) -> frozenset[str]:
    ours, theirs = first.request, arm.request
    assert isinstance(ours, Request) and isinstance(theirs, Request)
    return frozenset(name for name in SETTINGS if value_of(ours, name) != value_of(theirs, name))


def _comparison(
    outcome: ExperimentOutcome, first: int, name: str, switches: frozenset[str], runs: Sequence[RunResult]
) -> Iterator[SwitchComparison]:
    """Yield the comparison with the run that differs first."""
    if not runs or not outcome.of(first):
        return
    usual = outcome.of(first)[0]
    found = [(compared.at, compared.sentence, run) for run in runs for compared in (first_difference(usual, run),)]
    at, difference, run = min(found, key=lambda each: (each[0] is None, each[0]))
    observed = [_first_probability(usual, each) for each in runs]
    places = [place for place in observed if place]
    gap = "" if at is None else _probability_difference(usual, run, at)
    token = None if at is None else at + 1
    probability = min(places, default=None)
    dtype = run.model.dtype or run.model.precision or tr("as usual")
    yield SwitchComparison(name, dtype, switches, token, difference, gap, probability, None not in observed)


def _first_probability(usual: RunResult, run: RunResult) -> int | None:
    """Return the place of the first different probability of a chosen token; 0: all are equal, None: unknown."""
    for place, (ours, theirs) in enumerate(zip(usual.tokens, run.tokens, strict=False), 1):
        if ours.observed is None or theirs.observed is None:
            return None
        if ours.observed.chosen.logprob != theirs.observed.chosen.logprob:
            return place
    return 0


def _probability_difference(usual: RunResult, run: RunResult, at: int) -> str:
    """Format the difference of both tokens' probabilities in the usual run; empty if they weren't recorded."""
    seen = usual.tokens[at].observed
    likely = {each.id: each.probability for each in (seen.chosen, *seen.top)} if seen is not None else {}
    ours, theirs = (likely.get(each.tokens[at].id) for each in (usual, run))
    return chance(abs(ours - theirs)) if ours is not None and theirs is not None else ""


# The smallest sets.


def smallest_set(pairs: Sequence[SwitchComparison], dtype: str, same_bits: bool) -> FixedSwitches:
    """Return the fewest switches of which each variant that differs changes at least one.

    A switch that wasn't tried in this dtype counts as one that differs.
    """
    tried = [each for each in pairs if DTYPE not in each.switches]
    own = [each for each in tried if each.dtype == dtype]
    differing = {
        each.switches for each in own if each.token is not None or (same_bits and each.probability is not None)
    }
    untried = _joined(each.switches for each in tried) - _joined(each.switches for each in own)
    differing |= {frozenset({switch}) for switch in untried}
    for count in range(len(SWITCHES) + 1):
        for names in combinations(SWITCHES, count):
            if all(switches & set(names) for switches in differing):
                return FixedSwitches(dtype, names)
    return FixedSwitches(dtype, None)


def _joined(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


def _dtypes(pairs: Sequence[SwitchComparison]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.dtype for each in pairs))


def _smallest_words(pairs: Sequence[SwitchComparison], same_bits: bool) -> str:
    """Name the smallest set over all compute dtypes; another dtype than the usual one counts as a switch."""
    if same_bits and not all(each.is_observed for each in pairs):
        return ""
    usual, *_ = dtypes = _dtypes(pairs)
    sets = [found for found in (smallest_set(pairs, dtype, same_bits) for dtype in dtypes) if found.names is not None]
    what = tr("the same probabilities to the last bit") if same_bits else tr("the same tokens")
    if not sets:
        return tr("no setting gives {what}: a repeated run differs").format(what=what)
    best = min(sets, key=lambda each: len(each.names or ()) + (each.dtype != usual))
    return tr("for {what}, {settings}").format(what=what, settings=_settings_words(best, usual))


def _settings_words(best: FixedSwitches, usual: str) -> str:
    names = ", ".join(SWITCHES[name] for name in best.names or ())
    if best.dtype == usual:
        return tr("keep unchanged: {names}").format(names=names) if names else tr("no setting needs to be fixed")
    if not names:
        return tr("compute in {dtype}").format(dtype=best.dtype)
    return tr("compute in {dtype} and keep unchanged: {names}").format(dtype=best.dtype, names=names)


def _token_table(pairs: Sequence[SwitchComparison]) -> Detail:
    rows = [
        (each.name, each.token, each.difference, each.gap, each.probability if each.is_observed else NOT_RECORDED)
        for each in pairs
    ]
    return Detail(tr("Tokens"), HEAD, tuple(rows))


def _set_table(pairs: Sequence[SwitchComparison]) -> Detail:
    head = (tr("Compute dtype"), tr("Fixed for the same tokens"), tr("Fixed for the same probabilities"))
    rows = []
    for dtype in _dtypes(pairs):
        tokens, bits = (_set_words(smallest_set(pairs, dtype, same_bits).names) for same_bits in (False, True))
        is_observed = all(each.is_observed for each in pairs if each.dtype == dtype)
        rows.append((dtype, tokens, bits if is_observed else NOT_RECORDED))
    return Detail(tr("Smallest sets"), head, tuple(rows))


def _set_words(names: tuple[str, ...] | None) -> str:
    if names is None:
        return tr("impossible: a repeated run differs")
    return ", ".join(SWITCHES[name] for name in names) or tr("nothing")


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
