"""Would a draft have helped a recorded run? Predicts the speed-up of each draft, and measures it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from app.engine.draft_replay import DraftPrediction, predict
from app.engine.errors import AbortedError
from app.engine.jobs import MeasureDraftSteps, ProposeTokens
from app.engine.lookup import LONGEST
from app.engine.meter.speeds import value_range
from app.engine.protocol import Emit, Engine, StopFlag, unwrap
from app.engine.types import (
    ENDLESS,
    Cancellation,
    Event,
    ExactPrompt,
    Failure,
    Model,
    Prefill,
    Request,
    StepTimes,
    TokenPrompt,
    ValueRange,
)
from app.i18n import tr
from app.number_format import three_digits, two_percent

LEAST_TOKENS = 8
"""Minimum tokens of an answer."""
LEAST_GAIN = 1.05
"""Predicted speed-ups below this aren't worth a draft."""
PAIRS = 3
"""Measured pairs of runs, with and without the draft."""
SHORT = Failure(
    tr("The answer is too short for a prediction."), tr("Choose an answer of 8 or more tokens."), kind="short"
)
HEAD = (tr("Source"), tr("Draft tokens"), tr("Accepted"), tr("Steps saved"), tr("Predicted speed-up"))


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """The predictions for one run, the fastest first."""

    request: Request
    """Repeats the run without a draft."""
    model: Model
    tokens: int
    predictions: tuple[DraftPrediction, ...]
    rounds: tuple[StepTimes, ...]
    measured: tuple[tuple[DraftPrediction, ValueRange], ...] = ()
    """Measured speed-ups."""

    @property
    def fastest(self) -> DraftPrediction:
        """The fastest draft that a run can use."""
        return next(each for each in self.predictions if with_draft(self.request, each) is not None)

    @property
    def best(self) -> tuple[DraftPrediction, ...]:
        """The fastest number of draft tokens of each draft, the fastest first."""
        first = {each.longest: each for each in reversed(self.predictions)}
        return tuple(each for each in self.predictions if first[each.longest] is each)

    def measured_speedup(self, prediction: DraftPrediction) -> ValueRange | None:
        return next((speedup for each, speedup in reversed(self.measured) if each == prediction), None)


def repeat_request(request: Request, prompt: ExactPrompt) -> Request:
    """Return the request that repeats a run of this prompt."""
    before = request.prompt.written if isinstance(request.prompt, TokenPrompt) else 0
    return replace(request, prompt=TokenPrompt(prompt.ids, raw=prompt.raw, written=len(prompt.begun) or before))


def check_drafts(
    engine: Engine, model: Model, request: Request, answer: Sequence[int], emit: Emit, stop: StopFlag
) -> DraftCheck:
    """Predict the speed-up of prompt lookup, and of the open draft model. Raise AbortedError.

    `request` repeats the run; its prompt is a TokenPrompt.
    """
    # A stopped run is repeated up to its last token.
    limits, prompt = replace(request.limits, max_tokens=len(answer)), request.prompt
    request = replace(request, limits=limits, draft_tokens=0, lookup_tokens=0)
    assert isinstance(prompt, TokenPrompt)
    if len(answer) < LEAST_TOKENS:
        raise AbortedError(SHORT)
    half, ids = len(answer) // 2, (*prompt.ids, *answer)
    job = ProposeTokens(TokenPrompt(ids), len(prompt.ids), request.sampling, request.sampling.adapter_strength)
    proposed = unwrap(engine.run_job(job, emit, stop), stop)
    middle = replace(prompt, ids=ids[: len(prompt.ids) + half], begun=None, written=prompt.written + half)
    steps = MeasureDraftSteps(replace(request, prompt=middle), tuple(answer[half:]))
    rounds = unwrap(engine.run_job(steps, emit, stop), stop)
    predictions = predict(prompt.ids, answer, proposed, rounds)
    return DraftCheck(request, model, len(answer), predictions, rounds)


def with_draft(request: Request, prediction: DraftPrediction) -> Request | None:
    """Return the request with this draft; None for n-grams of another length than runs use."""
    request = replace(request, kv=replace(request.kv, max_size=None))  # drafts need a cache that can be trimmed
    if not prediction.longest:
        return replace(request, draft_tokens=prediction.count)
    return replace(request, lookup_tokens=prediction.count) if prediction.longest == LONGEST else None


def next_to_measure(check: DraftCheck) -> DraftPrediction | None:
    """Return the fastest prediction that can be measured and was not."""
    known = [each for each, _ in check.measured]
    return next((each for each in check.best if each not in known and with_draft(check.request, each)), None)


def measure_gain(
    engine: Engine, check: DraftCheck, prediction: DraftPrediction, emit: Emit, stop: StopFlag, pairs: int = PAIRS
) -> DraftCheck:
    """Repeat the run with and without the draft, and add the measured speed-up. Raise AbortedError."""
    drafted = with_draft(check.request, prediction)
    assert drafted is not None
    ratios = []
    for number in range(pairs):
        # The order alternates, so that a drift of the speed affects both in the same way.
        order = (check.request, drafted) if number % 2 else (drafted, check.request)
        seconds = {each: _seconds_per_token(engine, each, emit, stop) for each in order}
        ratios.append(seconds[check.request] / seconds[drafted])
    return replace(check, measured=(*check.measured, (prediction, value_range(ratios))))


def _seconds_per_token(engine: Engine, request: Request, emit: Emit, stop: StopFlag) -> float:
    """Return the decode time of a run per token, without its prefill."""

    def report(event: Event) -> None:
        if isinstance(event, Prefill):
            emit(event)

    finish = engine.generate(request, report, stop)
    if finish.failure is not None or stop.asked or not finish.tokens:
        raise AbortedError(finish.failure or Cancellation())
    return max(finish.times.last_token - finish.times.prefill_ended, 1e-9) / finish.tokens


def headline(check: DraftCheck) -> str:
    """Return the answer to the question as a sentence, and the result of the last measurement."""
    best = check.fastest
    if not any(each.acceptance for each in check.predictions):
        text = tr("No: not one draft token would have been accepted.")
    elif best.speedup.middle < LEAST_GAIN:
        text = tr("No: the fastest draft is {draft}, about {speedup} as fast ({range}).")
    elif len(check.rounds) == 1:
        text = tr("Perhaps: about {speedup} as fast with {draft}, but each step was measured only once.")
    elif best.speedup.low <= 1:
        text = tr("Perhaps: about {speedup} as fast with {draft}, but the range is {range}.")
    else:
        text = tr("Yes: about {speedup} as fast ({range}) with {draft}.")
    text = text.format(speedup=_times(best.speedup.middle), range=_span(best.speedup), draft=_phrase(best))
    if not check.measured:
        return text
    prediction, found = check.measured[-1]
    measured = tr("Measured with {draft}: {speedup} as fast ({range}, n = {pairs} pairs).")
    measured = measured.format(draft=_phrase(prediction), speedup=_times(found.middle), range=_span(found), pairs=PAIRS)
    return f"{text} {measured}"


def _phrase(prediction: DraftPrediction) -> str:
    text = tr("the draft model and %n tokens per step", "the draft model and %n token per step", prediction.count)
    if prediction.longest:
        text = tr("prompt lookup and %n tokens per step", "prompt lookup and %n token per step", prediction.count)
    return text


def rows(check: DraftCheck) -> Iterator[tuple[str, ...]]:
    """Yield a table row for each draft, with its fastest number of tokens."""
    for each in check.best:
        cells = (
            _name(each, check.model),
            f"{each.count}",
            two_percent(each.acceptance),
            two_percent(each.steps_saved),
            _ranged(each.speedup),
        )
        found = check.measured_speedup(each)
        yield (*cells, _ranged(found) if found is not None else "") if check.measured else cells


def head(check: DraftCheck) -> tuple[str, ...]:
    return (*HEAD, tr("Measured speed-up")) if check.measured else HEAD


def notes(check: DraftCheck) -> Iterator[str]:
    """Yield what the prediction can't know."""
    yield tr("A speed-up is that of decoding, without the prefill. Ranges are from the lower to the upper quartile.")
    yield tr("Runs use n-grams of up to 3 tokens; shorter ones are shown for comparison.")
    yield tr("Each step proposes a fixed number of tokens. “Automatic” proposes none where that costs time.")
    request = check.request
    if check.model.draft is None:
        yield tr("A draft model is included if it is open.")
        return
    if request.sampling.temperature:
        yield tr("Above temperature 0, a draft model changes the sampled text. The prediction can't include that.")
    if request.form or request.limits.think_budget != ENDLESS:
        yield tr("The output format and reasoning budget are ignored for the draft model, so more may be accepted.")


def as_text(check: DraftCheck) -> str:
    table = [head(check), tuple("---" for _ in head(check)), *rows(check)]
    lines = "".join(f"| {' | '.join(row)} |\n" for row in table)
    return f"{headline(check)}\n\n{lines}\n{' '.join(notes(check))}\n"


def as_json(check: DraftCheck) -> str:
    """Return everything as JSON; the first values are those of the fastest draft."""
    best, measured = check.fastest, check.measured[-1:]
    content = {
        "accepted_share": best.acceptance,
        "steps_saved": best.steps_saved,
        "predicted_speedup": best.speedup.middle,
        "measured_speedup": next((found.middle for _, found in measured), None),
        "measured_with": next((_key(each, check.model) for each, _ in measured), None),
        "tokens": check.tokens,
        "model": check.model.name,
        "drafts": [
            _key(each, check.model)
            | {
                "accepted_share": each.acceptance,
                "steps": each.steps,
                "steps_saved": each.steps_saved,
                "predicted_speedup": asdict(each.speedup),
            }
            for each in check.predictions
        ],
        "rounds": [asdict(each) for each in check.rounds],
        "notes": list(notes(check)),
    }
    return json.dumps(content, allow_nan=False) + "\n"


def _key(prediction: DraftPrediction, model: Model) -> dict[str, object]:
    draft = "lookup" if prediction.longest or model.draft is None else str(model.draft.folder)
    return {"draft": draft, "ngram": prediction.longest or None, "proposals": prediction.count}


def _name(prediction: DraftPrediction, model: Model) -> str:
    if prediction.longest:
        return tr("Prompt lookup, longest n-gram {length}").format(length=prediction.longest)
    return tr("Draft model {name}").format(name=model.draft.name if model.draft is not None else "")


def _times(value: float) -> str:
    return f"{three_digits(value)}×"


def _ranged(value: ValueRange) -> str:
    return f"{_times(value.middle)} ({_span(value)})"


def _span(value: ValueRange) -> str:
    low, high = _times(value.low), _times(value.high)
    return tr("{low} to {high}").format(low=low, high=high) if low != high else tr("measured once")
