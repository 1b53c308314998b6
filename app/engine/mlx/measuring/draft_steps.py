"""Measures decode steps with draft tokens, and finds the tokens that the draft model would have proposed."""

import time
from dataclasses import replace
from itertools import cycle, islice, pairwise
from statistics import median
from typing import Any, NamedTuple

import mlx.core as mx

from app.engine.distributions import FLOAT_BYTES
from app.engine.draft_replay import MOST
from app.engine.errors import UserError
from app.engine.jobs import MeasureDraftSteps, ProposeTokens
from app.engine.lookup import LONGEST, NO_PROPOSAL, Lookup, Proposal
from app.engine.mlx.caches.prompt_cache import PromptCache
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.run import Generation
from app.engine.mlx.sampler import Processor, processors_for, sampler_for, within
from app.engine.mlx.validate_request import validate
from app.engine.protocol import StopFlag
from app.engine.types import Event, Failure, Prefill, Request, Sampling, StepTimes, Token
from app.i18n import tr

MEASURE_S, MOST_S = 6.0, 15.0
"""Seconds after which no other round begins, if there are enough rounds, and in any case."""
ENOUGH_ROUNDS = 4
TURN_STEPS = 2
"""Measured steps of a turn. Two more come first: one ends the prefill, the next is computed at the same time."""
DRAWS = 16
"""Proposals of a draft model above temperature 0."""
AT_ONCE_BYTES = 64_000_000
"""Maximum bytes of the logits of one pass of the draft model."""
SHORT = Failure(tr("The answer ended before its steps were measured."), tr("Choose a longer answer."), kind="short")


class ScriptedLookup(Lookup):
    """A prompt lookup that always proposes these tokens."""

    def __init__(self, script: tuple[int, ...]) -> None:
        super().__init__()
        self._script = script

    def propose(self, count: int) -> Proposal:
        return Proposal(self._script[:count], LONGEST) if self._script else NO_PROPOSAL


class EndlessRun(Generation):
    """A run that ignores EOS tokens. Prompt lookup proposes the `script`."""

    def __init__(self, script: tuple[int, ...], *given: Any) -> None:
        super().__init__(*given)
        self._end_ids = frozenset()
        self._script = script

    def _new_lookup(self) -> Lookup:
        return ScriptedLookup(self._script)


class DraftSteps(NamedTuple):
    """Steps with one number of draft tokens. The cache is shared with other numbers."""

    request: Request
    draft: LoadedModel | None
    script: tuple[int, ...]
    cache: PromptCache


class TurnTimes(NamedTuple):
    """Median seconds of a step up to its first token, and the seconds of each token after an accepted one."""

    step: float
    accepted: list[float]


def measure_draft_steps(context: JobContext, job: MeasureDraftSteps) -> tuple[StepTimes, ...]:
    main, request = context.main, job.request
    if refused := main.model.can.refusal("lookup"):
        raise UserError(refused, tr("Open another model."), kind="draft")
    if not request.kv.enabled:
        raise UserError(tr("A run without a KV cache uses no draft."), tr("Turn the KV cache on."), kind="draft")
    main.at_strength(request.sampling.adapter_strength)
    limits = replace(request.limits, max_tokens=(TURN_STEPS + 2) * (MOST + 1), stop_strings=(), stop_ids=())
    kv = replace(request.kv, reuse=True, max_size=None)
    request = replace(request, limits=limits, kv=kv, session=None, interval=1, draft_tokens=0, lookup_tokens=0)
    kinds = _step_kinds(request, context.draft, tuple(islice(cycle(job.following), MOST)))
    rounds, started = list[StepTimes](), time.monotonic()
    while not rounds or time.monotonic() - started < (MEASURE_S if len(rounds) >= ENOUGH_ROUNDS else MOST_S):
        rounds.append(_round_times(kinds, [_take_turn(context, kind) for kind in kinds]))
    return tuple(rounds)


def _step_kinds(request: Request, draft: LoadedModel | None, script: tuple[int, ...]) -> list[DraftSteps]:
    """Return the kinds in order. All predictions depend on the plain steps, so they are measured more often."""
    plain, cache = DraftSteps(request, None, (), PromptCache()), PromptCache()
    lookup = [
        DraftSteps(replace(request, lookup_tokens=max(1, count)), None, script[:count], cache)
        for count in range(MOST + 1)
    ]
    if draft is None:
        return [plain, *lookup, plain]
    cache = PromptCache()
    drafted = [DraftSteps(replace(request, draft_tokens=count), draft, (), cache) for count in range(1, MOST + 1)]
    return [plain, *lookup, plain, *drafted, plain]


def _round_times(kinds: list[DraftSteps], turns: list[TurnTimes]) -> StepTimes:
    plain = [turn.step for kind, turn in zip(kinds, turns, strict=True) if not kind.request.speculates]
    others = [turn.step for kind, turn in zip(kinds, turns, strict=True) if kind.request.speculates]
    lookup, drafted = tuple(others[: MOST + 1]), tuple(others[MOST + 1 :])
    accepted = [seconds for turn in turns for seconds in turn.accepted] or [0.0]
    return StepTimes(median(plain), lookup, (lookup[0], *drafted) if drafted else (), median(accepted))


def _take_turn(context: JobContext, kind: DraftSteps) -> TurnTimes:
    stop, tokens = StopFlag(), list[Token]()

    def hear(event: Event) -> None:
        if isinstance(event, Prefill):
            context.emit(event)
        elif isinstance(event, Token):
            tokens.append(event)
        if context.stop.asked or sum(not each.from_draft for each in tokens) == TURN_STEPS + 2:
            stop.ask()

    prompt = validate(kind.request, context.main, kind.draft)
    given = context.main, kind.draft, kind.cache, prompt, kind.request, hear, stop, context.main.model.weights
    failure = EndlessRun(kind.script, *given).go().failure
    context.check_stop()
    if failure is not None:
        raise UserError.of(failure)
    gaps = [(former.from_draft, max(token.at - former.at, 1e-9)) for former, token in pairwise(tokens)]
    steps = [seconds for is_accepted, seconds in gaps if not is_accepted][1:]
    if not steps:
        raise UserError.of(SHORT)
    return TurnTimes(median(steps), [seconds for is_accepted, seconds in gaps if is_accepted])


def propose_tokens(context: JobContext, ids: tuple[int, ...], job: ProposeTokens) -> tuple[tuple[int, ...], ...]:
    main, draft, sampling = context.main, context.draft, job.sampling
    if draft is None:
        return ()
    sampler, processors = sampler_for(sampling, main.eos_ids() | main.line_ends), _processors(draft, sampling)
    found: list[list[int]] = [[] for _ in range(DRAWS if sampling.temperature else 1)]
    mx.random.seed(sampling.seed)
    cache, first, size = draft.new_cache(), job.answer - 1, max(1, AT_ONCE_BYTES // (FLOAT_BYTES * draft.rows))
    starts = (*range(0, first, draft.pace.step_size()), *range(first, len(ids) - 1, size))
    for start, end in pairwise((*starts, len(ids) - 1)):
        context.check_stop()
        logits = draft.forward(ids[start:end], cache)
        if start < first:
            mx.eval([layer.state for layer in cache])
            continue
        for processor in processors:
            rows = [processor(mx.array(ids[: start + row + 1]), logits[row][None]) for row in range(end - start)]
            logits = mx.concatenate(rows)
        logprobs = logits - mx.logsumexp(logits, axis=-1, keepdims=True)
        for each in found:
            each += sampler(logprobs).tolist()  # type: ignore[arg-type]
    return tuple(map(tuple, found))


def _processors(draft: LoadedModel, sampling: Sampling) -> list[Processor]:
    """Return the penalties and the bias. An output format and a reasoning budget aren't applied."""
    padded = [within(draft.model.vocabulary)] if draft.rows > draft.model.vocabulary else []
    return [*processors_for(sampling, ()), *padded]
