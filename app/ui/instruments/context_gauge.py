"""The context gauge: tokens in use, and the context length."""

from app.definitions import meaning
from app.engine.meter.meter import ContextUse
from app.i18n import tr
from app.number_format import percent
from app.state import Run
from app.ui.look import Colour, Theme
from app.ui.widgets.gauge import Gauge, GaugeSegment, Reading

WARN_SHARE = 0.9
EMPTY = tr("Shows how much of the model's context is in use.")
UNCOUNTED = tr("The server did not count the tokens of this run.")


class ContextGauge(Gauge):
    """A gauge of the tokens in use, the tokens that this run may still add, and the context length."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "context_gauge", tr("Context"), EMPTY, meaning("context"))

    def show_context(self, context: ContextUse) -> None:
        self.show_reading(reading_of(context))

    def show_run(self, run: Run) -> None:
        """Show the context at the end of a run."""
        context = run.summary.context
        if context is not None:
            self.show_context(context)
        elif run.finish.wire is not None:
            self.show_reading(Reading("", legend=UNCOUNTED, spoken=UNCOUNTED))
        else:
            self.clear()

    def show_room(self, length: int | None) -> None:
        """Show the empty context of a model; None if no model is open or its context length is unknown."""
        if length is None:
            self.clear()
        else:
            self.show_context(ContextUse(length=length))


def reading_of(context: ContextUse) -> Reading:
    planned = context.used + context.reserve
    bar_length = max(1, context.length or planned)
    length = f"{context.length:,}" if context.length else ""
    free = f"{max(0, context.length - planned):,}" if context.length else ""
    used, reserve = f"{context.used:,}", f"{context.reserve:,}"
    spoken = tr("{used} tokens used, up to {reserve} more in this run. The context length is not known.")
    if length:
        spoken = tr("{used} tokens used, up to {reserve} more in this run. Context length {length}, {free} free.")
    return Reading(
        headline=f"{used} / {length}" if length else tr("%n tokens", "%n token", context.used),
        brief=used,
        parts=tuple(
            GaugeSegment(name.format(count=f"{amount:,}"), round(amount / bar_length, 3), colour, hatched)
            for name, amount, colour, hatched in (
                (tr("used {count}"), context.used, Colour.DECODE, False),
                (tr("up to max tokens {count}"), context.reserve, Colour.REUSED, True),
            )
            if amount
        ),
        legend=tr("free {count}").format(count=free) if length else tr("context length unknown"),
        spoken=spoken.format(used=used, reserve=reserve, length=length, free=free),
        rows=(
            (tr("Tokens used"), used),
            (tr("Up to max tokens"), reserve),
            (tr("Free"), free or tr("unknown")),
            (tr("Context length"), length or tr("unknown")),
        ),
        warning=_warning(context),
        measured=bool(context.length),
    )


def _warning(context: ContextUse) -> str:
    if not context.length or context.used < WARN_SHARE * context.length:
        return ""
    if context.used >= context.length:
        return tr("The context is full: start a new session or remove turns.")
    return tr("The context is {share} full.").format(share=percent(context.used, context.length))
