"""The context gauge: how many of the tokens that the model can see are in use."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.engine.frame import ContextUse
from app.widgets.formatting import percent
from app.widgets.gauge import Gauge, Part, Reading
from app.widgets.palette import Colour
from app.widgets.theme import Theme

INTERVAL_S = 0.25
"""Each reading is words to be laid out: thirty a second would take as much of a processor as the text itself."""
WARN_SHARE = 0.9
EMPTY = "Shows how much of the model's context is in use."


class ContextGauge(Gauge):
    """Tokens in use, what this run may still add, and the length."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "context_gauge", "Context", EMPTY, parent)
        self.setToolTip("Tokens in the cache ÷ the model's context length, and what Max tokens may still add.")
        self._shown_at = float("-inf")

    def advance(self, context: ContextUse, now: float) -> None:
        """Show this, if it is time to."""
        if now - self._shown_at >= INTERVAL_S:
            self._shown_at = now
            self.show_context(context)

    def show_context(self, context: ContextUse) -> None:
        """Show this now: a run has begun or ended."""
        self.show_reading(reading_of(context))


def reading_of(context: ContextUse) -> Reading:
    """The tokens as a bar, a legend and words."""
    planned = context.used + context.reserve
    whole = max(1, context.length or planned)
    length = f"{context.length:,}" if context.length else "unknown"
    free = max(0, context.length - planned) if context.length else None
    return Reading(
        headline=f"{context.used:,} / {length}" if context.length else f"{context.used:,} tokens",
        parts=tuple(
            Part(f"{name} {amount:,}", round(amount / whole, 3), colour, hatched)
            for name, amount, colour, hatched in (
                ("used", context.used, Colour.DECODE, False),
                ("up to max tokens", context.reserve, Colour.REUSED, True),
            )
            if amount
        ),
        legend=f"free {free:,}" if free is not None else "length unknown",
        spoken=f"{context.used:,} tokens used, up to {context.reserve:,} more in this run. "
        + (f"Length {length}, {free:,} free." if free is not None else "The model names no length."),
        rows=(
            ("Tokens used", f"{context.used:,}"),
            ("Up to max tokens", f"{context.reserve:,}"),
            ("Free", f"{free:,}" if free is not None else "unknown"),
            ("Length", length),
        ),
        warning=_warning(context),
    )


def _warning(context: ContextUse) -> str:
    if not context.length or context.used < WARN_SHARE * context.length:
        return ""
    if context.used >= context.length:
        return "The context is full: start a new session or remove turns."
    return f"The context is {percent(context.used, context.length)} full."
