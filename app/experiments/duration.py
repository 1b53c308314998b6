"""The expected duration of an experiment, its progress, and the time that is left."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from statistics import mean, median

from app.engine.meter.meter import Frame
from app.engine.model_files.conversion import HALVES
from app.engine.types import ENDLESS, LoadRequest, Model, Request
from app.experiments.requests import limited, words_of
from app.experiments.run import WARM_UP_TOKENS, steps
from app.experiments.types import WARM_UP, ExperimentStep, Plan, RunContext
from app.i18n import tr
from app.number_format import rough_duration, speed
from app.records.types import Plain, RunRow

RUNS = 5
"""The speed of a model is the median of its last runs, at most this many."""
CHARACTERS_PER_TOKEN, TEMPLATE_TOKENS = 4, 20
MOST_NAMED = 4
UNCACHED, PREFILL_STEP = "kv.enabled", "prefill_step"
SLOWEST_HALF = 5
"""How many times slower half precision may be than float32 on MLX's CPU backend."""


@dataclass(frozen=True, slots=True)
class KnownSpeed:
    """Speeds of a model in its last runs, in tok/s; None if unknown."""

    decode: float
    prefill: float | None = None


def known_speed(rows: Iterable[RunRow], model: str) -> KnownSpeed | None:
    """Return the speed of a model from its rows, the latest first; None if it has no runs."""
    usual = (row for row in rows if row.model == model and not row.draft and _is_usual(dict(row.settings)))
    own = [row for row in usual if row.speed_mean][:RUNS]
    decode = [row.speed_mean for row in own if row.speed_mean]
    prefill = [row.prompt_speed for row in own if row.prompt_speed]
    return KnownSpeed(median(decode), median(prefill) if prefill else None) if decode else None


def _is_usual(settings: dict[str, Plain]) -> bool:
    """Return whether a run used the KV cache and the engine's own prefill step. `determinism` sets this step."""
    return settings.get(UNCACHED) is not False and not settings.get(PREFILL_STEP)


def model_loads(plan: Plan, model: Model) -> int:
    """Count the loads of models, including the one that opens the first model again afterwards."""
    order = [model.opened_by, *(plan.arms[step.arm].load or model.opened_by for step in steps(plan)), model.opened_by]
    return sum(1 for before, after in pairwise(order) if before != after)


def expected_seconds(plan: Plan, model: Model, known: KnownSpeed) -> float:
    """Return an upper bound of the duration, without the loading of models: each run reaches its limit of tokens."""
    arms = plan.arms
    asked = [arm.ask(RunContext(1, model)) for arm in arms]
    context = model.context or 0
    slowdown = [_slowdown(arm.load, model) for arm in arms]
    once = [
        _run_seconds(request, known, context)
        + (_run_seconds(arm.before, known, context) if arm.before is not None else 0.0)
        for arm, request in zip(arms, asked, strict=True)
    ]
    measured = sum(slowdown[arm] * once[arm] for step in steps(plan) for arm in step.arms)
    short = [_run_seconds(limited(request, WARM_UP_TOKENS), known, context) for request in asked]
    return measured + sum(each * seconds for each, seconds in zip(slowdown, short, strict=True))


def _slowdown(load: LoadRequest | None, model: Model) -> int:
    is_half = load is not None and load.dtype in HALVES
    return SLOWEST_HALF if is_half and model.on_cpu and model.precision not in HALVES else 1


def _run_seconds(request: Request, known: KnownSpeed, most: int) -> float:
    """Return the duration of a run of max tokens, or of `most` if there is no limit."""
    limit = request.limits.max_tokens
    tokens = most if limit == ENDLESS else limit
    words = words_of(request.prompt)
    prompt = TEMPLATE_TOKENS + (len(words) // CHARACTERS_PER_TOKEN if isinstance(words, str) else 0)
    prefill = known.prefill or known.decode
    if request.kv.enabled:
        return prompt / prefill + tokens / known.decode
    # Without a KV cache, each token recomputes all tokens before it. The first ones take as long as with a cache.
    first = min(tokens, max(0, ceil(prefill / known.decode) - prompt))
    recomputed = (tokens - first) * prompt + (tokens * (tokens - 1) - first * (first - 1)) / 2
    return first / known.decode + recomputed / prefill


def runs_words(plan: Plan, model: Model) -> str:
    """Describe the runs of a plan: model, variants, number of runs."""
    names = "; ".join(arm.name for arm in plan.arms[:MOST_NAMED]) + ("; …" if len(plan.arms) > MOST_NAMED else "")
    order = steps(plan)
    batched = sum(bool(step.together) for step in order)
    words = tr("{model}, %n runs: {variants} variants ({names}) × {rounds} rounds.", "", len(order) - batched)
    first = words.format(model=model.name, variants=len(plan.arms), names=names, rounds=plan.repeats)
    if batched:
        first = " ".join((first, tr("In addition %n batches of them.", "In addition %n batch of them.", batched)))
    return first


def plan_words(plan: Plan, model: Model, known: KnownSpeed | None) -> str:
    """Describe a plan before its start: model, variants, number of runs, and duration."""
    took = tr("Duration unknown: this model has no runs yet. A sample measures its speed.")
    if known is not None:
        took = tr("At most about {duration}, at {speed} tok/s as in its last runs.")
        seconds = expected_seconds(plan, model, known)
        took = took.format(duration=rough_duration(seconds), speed=speed(known.decode))
    loads = model_loads(plan, model)
    more = tr("Loading models %n times takes additional time.", "Loading a model takes additional time.", loads)
    return " ".join((runs_words(plan, model), took, *([more] if loads else [])))


def longest_answer(plan: Plan, model: Model) -> int:
    """Return the largest max tokens of the variants; without a limit, the length of the context."""
    limits = (arm.ask(RunContext(1, model)).limits.max_tokens for arm in plan.arms)
    return max((model.context or 0) if limit == ENDLESS else limit for limit in limits)


def quick_words(plan: Plan, model: Model, known: KnownSpeed | None) -> str:
    """Describe a quick look before its start."""
    tokens = longest_answer(plan, model)
    if known is None:
        words = tr("A quick look measures {rounds} rounds of at most %n tokens.", "", tokens)
        return words.format(rounds=plan.repeats)
    words = tr("A quick look measures {rounds} rounds of at most %n tokens, in at most about {duration}.", "", tokens)
    return words.format(rounds=plan.repeats, duration=rough_duration(expected_seconds(plan, model, known)))


def progress_words(step: ExperimentStep, frame: Frame | None = None, left: float | None = None) -> str:
    """Return for instance "Run 5 of 12 · without the cache · round 2 · about 3 min left"."""
    parts = [tr("Run {number} of {total}").format(number=step.number, total=step.total), step.name]
    parts.append(tr("warming up") if step.round == WARM_UP else tr("round {number}").format(number=step.round))
    if frame is not None and frame.metrics.tokens:
        metrics = tr("%n tokens, {speed} tok/s", "%n token, {speed} tok/s", frame.metrics.tokens)
        parts.append(metrics.format(speed=speed(frame.metrics.speed_now)))
    if left is not None:
        parts.append(tr("about {duration} left").format(duration=rough_duration(left)))
    return " · ".join(parts)


class RunClock:
    """Measures the runs of an experiment, to estimate the time left. Times are seconds of a monotonic clock."""

    def __init__(self, plan: Plan) -> None:
        self._order = steps(plan)
        self._took: dict[tuple[int, ...], list[float]] = {}
        """Durations of the measured runs of each variant or batch."""
        self._step: ExperimentStep | None = None
        self._begun = 0.0

    def begin(self, step: ExperimentStep, now: float) -> None:
        """Note that a run begins, and with it the end of the one before."""
        if self._step is not None and self._step.round != WARM_UP:
            self._took.setdefault(self._step.arms, []).append(now - self._begun)
        self._step, self._begun = step, now

    def seconds_left(self, now: float) -> float | None:
        """Return the expected time to the end; None before the end of the first run."""
        if self._step is None or not self._took:
            return None
        number = self._step.number
        following = sum(self._expected(step) for step in self._order if step.number > number)
        is_warm_up = self._step.round == WARM_UP
        current = self._expected(self._step)
        return following + (current if is_warm_up else max(0.0, current - (now - self._begun)))

    def _expected(self, step: ExperimentStep) -> float:
        """Return the mean duration of the same variant, or of all if it hasn't run."""
        known: Sequence[float] = self._took.get(step.arms) or [each for took in self._took.values() for each in took]
        return mean(known)
