"""What the form of an answer and its budget of thoughts did to a run, each in one sentence."""

from app.engine.meter.trace import Trace
from app.engine.types import Finish, Thinking
from app.figures import percent
from app.ui.tokens.words import legible
from app.words import tr


def form_story(trace: Trace | None, finish: Finish) -> str:
    """Empty where no form held, or no candidates were recorded."""
    places = range(max(0, len(trace) - finish.tokens), len(trace)) if trace is not None else range(0)
    looks = [(place, seen) for place in places if trace and (seen := trace.observed_at(place)) and seen.formed]
    if not looks:
        return ""
    formed = [seen.formed for _, seen in looks if seen.formed]
    removed, forced = sum(each.removed for each in formed), sum(each.forced for each in formed)
    wished = [(seen.formed.removed, place, seen.wanted) for place, seen in looks if seen.formed and seen.wanted]
    took = tr("Tokens held to it: {count}, forced: {forced}. It took {share} of their probability, {mass} in all.")
    said = took.format(count=len(formed), forced=forced, share=percent(removed, len(formed)), mass=f"{removed:.2f}")
    if not wished:
        return said
    _, place, most = max(wished)
    words = tr("The model wanted something else at {count} of {all} tokens, most at token {place}: “{token}”.")
    values = {"count": len(wished), "all": len(formed), "place": f"{place + 1:,}", "token": legible(most.text)}
    return f"{said} {words.format(**values)}"


def thinking_story(thinking: Thinking) -> str:
    """That it was ended, and what the model made of that."""
    ended = tr("The thinking was ended after %n tokens", "The thinking was ended after %n token", thinking.budget)
    words = tr("{ended}; the model's own mark was put in.")
    if thinking.again:
        words = tr("{ended}. The model began to think again {times}, and was ended at once.")
    if thinking.late:
        words += " " + tr("Then it wrote the mark itself: it had gone on thinking in its answer.")
    return words.format(ended=ended, times=tr("%n times", "once", thinking.again))
