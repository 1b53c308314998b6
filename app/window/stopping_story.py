"""The end of a run told in sentences: what ended it and how likely that was, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.bridge.state import Mode, Run
from app.engine.speeds import stop_latency
from app.engine.stopping import ALMOST, NOTICED, Stopping
from app.engine.types import Observed, Reason
from app.records.candidates import probability
from app.widgets.formatting import chance, count, duration
from app.widgets.token_words import legible

UNRECORDED = (
    "How likely an end was is not known, since candidates were not recorded; "
    "with “Record candidates” they are from the next run on."
)
TELLS_MORE = frozenset({Reason.STOP, Reason.LENGTH, Reason.STOP_STRING, Reason.STOPPED})
"""Where candidates have something to say about the end."""
ORDINALS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True, slots=True)
class Story:
    """Headings and sentences; `unrecorded` if there would be more of them, had candidates been recorded."""

    rows: tuple[tuple[str, str], ...]
    unrecorded: bool


def story_of(run: Run, stopping: Stopping | None, steps: Sequence[str]) -> Story:
    """`steps` are the words of the buttons beside it."""
    unrecorded = run.finish.reason in TELLS_MORE and bool(run.finish.tokens) and not run.request.observe
    why = [*_what(run, stopping), *([UNRECORDED] if unrecorded else [])]
    return Story((("Why it stopped", " ".join(why)), ("What next", _next(run, steps))), unrecorded)


def _what(run: Run, stopping: Stopping | None) -> Iterator[str]:
    reason = run.finish.reason
    if run.interrupted:
        yield f"Sluice was cut off after {count(run.finish.tokens, 'token')}; what was written by then is kept."
    elif reason is Reason.STOP:
        yield _end_token(run, stopping)
    elif reason is Reason.STOP_STRING:
        yield from _stop_string(run, stopping)
    elif reason is Reason.LENGTH:
        yield "The limit cut it off; the model had not ended."
    elif reason is Reason.STOPPED:
        yield _stopped(run, stopping)
    elif reason is Reason.ERROR:
        yield f"It failed {_where(run)}."
    else:
        yield f"There was no room left {_where(run)}." if run.finish.tokens else "The prompt alone is too long for it."
    if stopping is not None and reason is not Reason.ERROR:
        yield from _nearness(run, stopping)


def _end_token(run: Run, stopping: Stopping | None) -> str:
    finish = run.finish
    token = f"{finish.stop_text or 'the end token'} (id {finish.stop_id})" if finish.stop_id is not None else "its end"
    whose = ", one of your stop tokens" if finish.stop_id in run.request.limits.stop_ids else ""
    observed = stopping.last.observed if stopping is not None else None
    return f"The model itself chose {token}{whose}{_likelihood(observed)}."


def _stop_string(run: Run, stopping: Stopping | None) -> Iterator[str]:
    if stopping is not None:
        last = stopping.last
        token = f"the token “{legible(last.text)}” (id {last.id})"
        yield f"“{legible(run.finish.stop_text)}” was completed by {token}{_likelihood(last.observed)}."
    hidden = run.finish.hidden
    if hidden:
        yield f"“{legible(hidden)}” was written and is not shown."


def _stopped(run: Run, stopping: Stopping | None) -> str:
    latency = duration(stop_latency(run.finish.times))
    reasoning = ", in the reasoning" if stopping is not None and stopping.in_reasoning else ""
    return f"You stopped it {_where(run)}{reasoning}; it stood still {latency} after that."


def _where(run: Run) -> str:
    return f"after {count(run.finish.tokens, 'token')}" if run.finish.tokens else "before the first token"


def _likelihood(observed: Observed | None) -> str:
    """How likely a token was, and what would have been likelier."""
    if observed is None:
        return ""
    own = f", which was {chance(probability(observed.chosen))} likely there"
    if observed.rank <= 1 or not observed.top:
        return own
    best = observed.top[0]
    rank = f"{observed.rank:,}{_ordinal(observed.rank)}"
    return f"{own}, the {rank} likeliest; “{legible(best.text)}” was {chance(probability(best))}"


def _ordinal(number: int) -> str:
    return "th" if number % 100 in (11, 12, 13) else ORDINALS.get(number % 10, "th")


def _nearness(run: Run, stopping: Stopping) -> Iterator[str]:
    """How near to its end the answer was at its last token, and where it was nearest."""
    nearest, ended = stopping.likeliest, run.finish.reason is Reason.STOP
    if stopping.end is not None and not ended:
        yield f"At the last token an end was {chance(stopping.end)} likely."
    if nearest is None or nearest.place == stopping.last.place:
        return
    if stopping.end is not None and not ended and chance(nearest.probability) == chance(stopping.end):
        yield "It was never nearer to its end."
        return
    at = f"token {nearest.place + 1:,}"
    if nearest.probability >= ALMOST:
        yield f"It almost stopped {'earlier, ' if ended else ''}at {at}: {chance(nearest.probability)}."
    elif not ended and nearest.probability < NOTICED:
        yield "It was never near its end."
    elif not ended:
        yield f"It was nearest to its end at {at}: {chance(nearest.probability)}."


def _next(run: Run, steps: Sequence[str]) -> str:
    """One sentence, which names the buttons there are."""
    reason = run.finish.reason
    if run.finish.failure is not None:
        return run.finish.failure.todo
    if reason is Reason.CONTEXT_FULL:
        return "Begin a new session, or delete turns that are not needed any more."
    if reason is Reason.STOP_STRING:
        return "If that came too early, change the stop strings and regenerate the answer."
    if reason is Reason.STOP:
        page = run.mode is Mode.RAW
        return "Write on, and send the page." if page else "Say something, or regenerate for another answer."
    offered = " or ".join(f"“{step}”" for step in steps)
    return f"{offered} sends it again." if steps == ["Retry"] else f"{offered}, or regenerate for another answer."
