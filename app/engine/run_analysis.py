"""Why a run stopped (EOS probability at the last token, and its earlier peak), and the main cause that slowed it.

Each rule for a cause estimates the seconds that it added, from the recorded run. Causes below a threshold aren't
reported.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import isnan

from app.engine.meter.first_token import FirstTokenTime, StartPart
from app.engine.meter.speeds import acceptance, rate, tokens_per_step
from app.engine.meter.trace import Trace, TraceToken
from app.engine.types import CacheMissReason, Conditions, DraftStats, Finish, GpuConditions, Reason
from app.i18n import tr
from app.number_format import duration, two_percent

HIGH = 0.2
"""An earlier peak of the EOS probability at or above this is mentioned. At 20 %, four of five samples still continue,
and greedy decoding always does.
"""
NOTICED = 0.01
"""Peaks of the EOS probability below this are not shown."""


@dataclass(frozen=True, slots=True)
class TokenMoment:
    position: int
    probability: float


@dataclass(frozen=True, slots=True)
class StopAnalysis:
    """The last token of a run and the peak of the EOS probability."""

    last: TraceToken
    """Last token of the run; the EOS token or the end of a stop string, if one ended it."""
    in_reasoning: bool
    """Whether the last token, or the last visible text before it, is in the reasoning."""
    likeliest: TokenMoment | None
    """Peak of the EOS probability before the last token; None without recorded alternatives."""

    @property
    def end(self) -> float | None:
        observed = self.last.observed
        return observed.eos_probability if observed is not None and not isnan(observed.eos_probability) else None


def analyze_stop(trace: Trace, finish: Finish) -> StopAnalysis | None:
    """Analyze the newest run of an answer; None if it generated nothing."""
    written = min(finish.tokens, len(trace))
    if not written:
        return None
    first, last = len(trace) - written, len(trace) - 1
    # The token that ended the answer doesn't count as an earlier peak.
    others = range(first, last if finish.reason is Reason.STOP else last + 1)
    return StopAnalysis(trace.token(last), _in_reasoning(trace, first, last), _likeliest(trace, others))


def _likeliest(trace: Trace, positions: range) -> TokenMoment | None:
    """Return the token with the highest EOS probability; None without one: servers don't report any."""
    best: TokenMoment | None = None
    for position in positions:
        observed = trace.logprobs_at(position)
        if observed is not None and observed.eos_probability > (best.probability if best is not None else -1.0):
            best = TokenMoment(position, observed.eos_probability)
    return best


def _in_reasoning(trace: Trace, first: int, last: int) -> bool:
    """Return whether a token is in the reasoning; a token without text counts like the one before it."""
    seen = next((seen for position in range(last, first - 1, -1) if (seen := trace.seen(position)) is not None), None)
    return seen is not None and seen.reasoning


LEAST_S, LEAST_SHARE = 0.3, 0.15
"""Causes below either threshold aren't reported."""
FAULT_S = 1e-4
"""Seconds to read a page from a fast disk."""
OTHERS, OTHERS_ELSEWHERE = 0.25, 0.75
"""Share of all processors at which other programs slow a model on the CPU, or on a GPU."""
LOOP_SPEED = 10
"""A prefill that is at most this many times as fast as decode processes the prompt token by token."""
LARGE_CACHE = 0.4
"""Share of the KV cache in the bytes read for a token."""
AGAIN = {
    CacheMissReason.DIFFERS: tr(
        "The prompt differs from the cache at token {place}; prefilling the same tokens again took {time}."
    ),
    CacheMissReason.STUCK: tr("This model's KV cache can't be trimmed, so the prompt was prefilled again ({time})."),
    CacheMissReason.SETTINGS: tr("The KV cache has other settings, so the prompt was prefilled again ({time})."),
}

BEFORE_PREFILL = {
    StartPart.WAITING: tr("The run waited {time} for the engine."),
    StartPart.TEMPLATE: tr("Rendering and tokenizing the prompt took {time}."),
    StartPart.CACHE: tr("Finding or loading the KV cache took {time}."),
    StartPart.SETUP: tr("Preparing the run, such as its output format, took {time}."),
}


@dataclass(frozen=True, slots=True)
class Cause:
    """Cause of a slow run; `name` is an identifier."""

    name: str
    sentence: str


Taken = tuple[float, Cause]
"""Seconds and their cause."""


def slow_cause(finish: Finish) -> Cause | None:
    """Return the main cause of a slow run; None if there is none."""
    times, conditions = finish.times, finish.conditions
    if conditions is None or not times.ended:
        return None
    elapsed = times.ended - times.sent
    own = _start_causes(finish), _prefill_causes(finish, conditions), _decode_causes(finish, conditions)
    return most_of(chain(*own, disturbances(conditions, elapsed - _seconds_before_prefill(finish))), elapsed)


def is_crowded(others: float | None, where_model_runs: bool) -> bool:
    """Return whether other programs used so much of the processors, or of the GPU, that the model was slower."""
    return (others or 0.0) >= (OTHERS if where_model_runs else OTHERS_ELSEWHERE)


def disturbances(conditions: Conditions, seconds: float) -> Iterator[Taken]:
    """Yield causes outside the model: other programs, page faults."""
    faults, others = conditions.page_faults, conditions.others or 0.0
    text = tr("Memory was low: {count} pages were read from the disk.")
    yield faults * FAULT_S, Cause("swapping", text.format(count=f"{faults:,}"))
    if is_crowded(others, conditions.on_processors):
        text = tr("Other programs used {share} of the processors.")
        yield others * seconds, Cause("neighbour", text.format(share=two_percent(others)))
    if (gpu := conditions.gpu) is not None:
        yield from _gpu_disturbances(gpu, seconds)


def _gpu_disturbances(gpu: GpuConditions, seconds: float) -> Iterator[Taken]:
    others = gpu.others or 0.0
    if is_crowded(others, where_model_runs=True):
        text = tr("Other programs used {share} of the GPU.")
        yield others * seconds, Cause("gpu_neighbour", text.format(share=two_percent(others)))
    if gpu.is_slowed and gpu.clock is not None:
        text = tr("Temperature or power limited the GPU's clock to {share} of its maximum.")
        yield (1 - gpu.clock) * seconds, Cause("gpu_clock", text.format(share=two_percent(gpu.clock)))


def most_of(taken: Iterable[Taken], elapsed: float) -> Cause | None:
    above = [each for each in taken if each[0] >= max(LEAST_S, LEAST_SHARE * elapsed)]
    return max(above, key=lambda each: each[0])[1] if above else None


def _seconds_before_prefill(finish: Finish) -> float:
    times = finish.times
    return max(0.0, times.prefill_started - times.sent - finish.warming) if times.prefill_started else 0.0


def _start_causes(finish: Finish) -> Iterator[Taken]:
    if (parts := FirstTokenTime.of(finish)) is not None:
        for part, text in BEFORE_PREFILL.items():
            took = parts.seconds[part] - (finish.warming if part is StartPart.SETUP else 0.0)
            yield took, Cause("loading", text.format(time=duration(max(0.0, took))))
    else:
        waited, text = _seconds_before_prefill(finish), tr("Prefill started {time} after Send.")
        yield waited, Cause("loading", text.format(time=duration(waited)))
    text = tr("First run with these settings: compiling the sampling code took {time}.")
    yield finish.warming, Cause("first_run", text.format(time=duration(finish.warming)))
    if (gpu := finish.conditions.gpu if finish.conditions is not None else None) is not None:
        text = tr(
            "MLX compiled %n GPU kernels, which took about {time}. Later runs reuse them.",
            "MLX compiled %n GPU kernel, which took about {time}. Later runs reuse it.",
            gpu.compiled,
        )
        yield gpu.compile_s, Cause("compilation", text.format(time=duration(gpu.compile_s)))


def _prefill_causes(finish: Finish, conditions: Conditions) -> Iterator[Taken]:
    reading = finish.times.prefill_ended - finish.times.prefill_started
    if (text := AGAIN.get(conditions.hindrance)) is not None and finish.new:
        took = max(0.0, reading) * min(1.0, conditions.again / finish.new)
        yield took, Cause("reread", text.format(place=f"{conditions.place + 1:,}", time=duration(took)))
    if conditions.gpu is not None and conditions.gpu.loops and _is_loop(finish, reading):
        text = tr("Layers of this model have no kernel for this GPU: the prompt was processed token by token ({time}).")
        yield reading, Cause("token_loop", text.format(time=duration(reading)))


def _is_loop(finish: Finish, prefill_s: float) -> bool:
    """Return whether the prefill was hardly faster than decode."""
    decode = rate(finish.tokens - 1, finish.times.last_token - finish.times.first_token)
    prefill = rate(finish.prefilled, prefill_s)
    return decode is not None and prefill is not None and prefill <= LOOP_SPEED * decode


def step_cost(drafted: DraftStats) -> str:
    """Return what a step with draft tokens costs, which decides their automatic number; empty if unknown."""
    steps = drafted.lookup or drafted.automatic
    if steps is None or not steps.cost or steps.verified < 2:
        return ""
    words = tr("verifying {count} tokens takes {cost} × the time of one")
    if drafted.automatic is not None:
        words = tr("proposing {drafts} and verifying {count} tokens takes {cost} × the time of one")
    return words.format(drafts=steps.verified - 1, count=steps.verified, cost=f"{steps.cost:.1f}")


def _step_cost(drafted: DraftStats, conditions: Conditions) -> float:
    """Return the mean time of a step relative to one without draft tokens."""
    steps = drafted.lookup or drafted.automatic
    if steps is not None:
        return 1 + max(0.0, steps.cost - 1) * steps.steps / drafted.steps
    return 1 + conditions.draft_share * drafted.proposed / drafted.steps


def _decode_causes(finish: Finish, conditions: Conditions) -> Iterator[Taken]:
    writing = max(0.0, finish.times.last_token - (finish.times.prefill_ended or finish.times.first_token))
    if conditions.hindrance is CacheMissReason.BARE:
        yield (
            writing,
            Cause("bare", tr("The KV cache is turned off: the whole text is processed again for each token.")),
        )
    text = tr("Recording the alternatives took {time}.")
    yield finish.observing, Cause("candidates", text.format(time=duration(finish.observing)))
    text = tr("Penalties and the output format took {time}.")
    yield conditions.processing, Cause("processors", text.format(time=duration(conditions.processing)))
    if (share := rate(conditions.kv, conditions.kv + conditions.weights) or 0.0) >= LARGE_CACHE:
        text = tr("The context is long: keys and values are {share} of the bytes read for a token.")
        yield share * writing, Cause("context", text.format(share=two_percent(share)))
    if finish.drafted is not None and (gained := tokens_per_step(finish.tokens, finish.drafted)) is not None:
        costs = _step_cost(finish.drafted, conditions)
        text = tr("Draft tokens took more time than they saved: {share} of them were accepted.")
        accepted = two_percent(acceptance(finish.drafted) or 0.0)
        yield writing * (1 - gained / costs), Cause("draft", text.format(share=accepted))
