"""What the form of an answer and its budget of thoughts did to a run, each in one sentence."""

from app.engine.meter.trace import Trace
from app.engine.types import Finish, Thinking
from app.i18n import tr
from app.number_format import percent
from app.ui.tokens.words import legible


def form_story(trace: Trace | None, finish: Finish) -> str:
    """Empty where no form held, or no candidates were recorded."""
    places = range(max(0, len(trace) - finish.tokens), len(trace)) if trace is not None else range(0)
    looks = [(place, seen) for place in places if trace and (seen := trace.observed_at(place)) and seen.formed]
    if not looks:
        return ""
    formed = [seen.formed for _, seen in looks if seen.formed]
    removed, forced = sum(each.removed for each in formed), sum(each.forced for each in formed)
    wished = [(seen.formed.removed, place, seen.wanted) for place, seen in looks if seen.formed and seen.wanted]
    took = tr(
        "%n tokens were constrained; {forced} had only one valid choice. On average {share} of the probability was "
        "ruled out (sum: {mass}).",
        "%n token was constrained; {forced} had only one valid choice. On average {share} of the probability was "
        "ruled out (sum: {mass}).",
        len(formed),
    )
    said = took.format(forced=forced, share=percent(removed, len(formed)), mass=f"{removed:.2f}")
    if not wished:
        return said
    _, place, most = max(wished)
    words = tr(
        "At {count} of {all} tokens the model's top choice was invalid; most clearly at token {place}: “{token}”."
    )
    values = {"count": len(wished), "all": len(formed), "place": f"{place + 1:,}", "token": legible(most.text)}
    return f"{said} {words.format(**values)}"


def thinking_story(thinking: Thinking) -> str:
    """That it was ended, and what the model made of that."""
    ended = tr(
        "The budget ended the reasoning after %n tokens",
        "The budget ended the reasoning after %n token",
        thinking.budget,
    )
    words = tr("{ended}; the end-of-reasoning tag was inserted.")
    if thinking.again:
        words = tr("{ended}. The model started to reason again {times}; the tag was inserted at once.")
    if thinking.late:
        words += " " + tr("Later it generated the tag itself: it had continued to reason in its answer.")
    return words.format(ended=ended, times=tr("%n times", "once", thinking.again))
