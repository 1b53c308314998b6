"""The gauges of the context and of MLX's memory, with their limits."""

from collections.abc import Iterable
from dataclasses import replace

from app.definitions import meaning, meanings
from app.engine.meter.meter import ContextUse
from app.engine.types import Memory
from app.i18n import tr
from app.number_format import DASH, percent, size
from app.state import Run
from app.ui.look import Color, Theme
from app.ui.widgets.gauge import Gauge, GaugeSegment, Reading

WARN_SHARE = 0.9
SCALE_SLACK = 1.1
"""Length of the bar as a multiple of the peak if the device reports no limit."""
PARTS = ("memory_active", "memory_weights", "memory_kv", "memory_kept", "memory_cache", "memory_peak", "memory_limit")
MEMORY_EMPTY = tr("Shows MLX's memory while a model is open.")
CONTEXT_EMPTY = tr("Shows how much of the model's context is in use.")
UNCOUNTED = tr("The server did not count the tokens of this run.")


class ContextGauge(Gauge):
    """A gauge of the tokens in use, the tokens that this run may still add, and the context length."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "context_gauge", tr("Context"), CONTEXT_EMPTY, meaning("context"))

    def show_context(self, context: ContextUse) -> None:
        self.show_reading(context_reading(context))

    def show_run(self, run: Run) -> None:
        """Show the context at the end of a run."""
        context = run.summary.context
        if context is not None:
            self.show_context(context)
        elif run.finish.wire is not None:
            self.show_reading(Reading("", legend=UNCOUNTED, spoken=UNCOUNTED))
        else:
            self.clear()

    def show_room(self, length: int | None, is_empty: bool = True) -> None:
        """Show the context of a model before a run; None if no model is open or its context length is unknown.

        `is_empty`: there is no conversation. Otherwise the next run counts its tokens.
        """
        if length is None:
            self.clear()
        elif not is_empty:
            spoken = tr("The next run counts the tokens of this conversation.")
            self.show_reading(Reading(f"{DASH} / {length:,}", brief=DASH, legend=spoken, spoken=spoken))
        else:
            self.show_context(ContextUse(length=length))


def context_reading(context: ContextUse) -> Reading:
    planned = context.used + context.reserve
    length = f"{context.length:,}" if context.length else ""
    free = f"{max(0, context.length - planned):,}" if context.length else ""
    used, reserve = f"{context.used:,}", f"{context.reserve:,}"
    spoken = tr("{used} tokens used, up to {reserve} more in this run. The context length is not known.")
    if length:
        spoken = tr("{used} tokens used, up to {reserve} more in this run. Context length {length}, {free} free.")
    parts = (
        (tr("used {count}").format(count=used), context.used, Color.DECODE, False),
        (tr("up to max tokens {count}").format(count=reserve), context.reserve, Color.REUSED, True),
    )
    return Reading(
        headline=f"{used} / {length}" if length else tr("%n tokens", "%n token", context.used),
        brief=used,
        parts=_segments(parts, context.length or planned),
        legend=tr("free {count}").format(count=free) if length else tr("context length unknown"),
        spoken=spoken.format(used=used, reserve=reserve, length=length, free=free),
        rows=(
            (tr("Tokens used"), used),
            (tr("Up to max tokens"), reserve),
            (tr("Free"), free or tr("unknown")),
            (tr("Context length"), length or tr("unknown")),
        ),
        warning=_context_warning(context),
        measured=bool(context.length),
    )


def _context_warning(context: ContextUse) -> str:
    if not context.length or context.used < WARN_SHARE * context.length:
        return ""
    if context.used >= context.length:
        return tr("The context is full: start a new session or remove turns.")
    return tr("The context is {share} full.").format(share=percent(context.used, context.length))


class MemoryGauge(Gauge):
    """A gauge of weights, KV cache, prompt cache, other active memory, the allocator's cache, peak and limit."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme, "memory_gauge", tr("MLX memory"), MEMORY_EMPTY, f"{meaning('memory')}\n{meanings(*PARTS)}"
        )

    def show_unknown(self, reason: str) -> None:
        self.show_reading(Reading("", legend=reason, spoken=reason))

    def show_memory(self, memory: Memory) -> None:
        self.show_reading(memory_reading(memory))

    def show_now(self, memory: Memory) -> None:
        """Show the current memory, without the peak of another run."""
        reading = memory_reading(memory)
        words = tr("{active} now").format(active=reading.shorter or reading.brief)
        rows = tuple(row for row in reading.rows if row[0] != tr("Peak"))
        spoken = " ".join((tr("{now}, not during the displayed run.").format(now=words), _sentences(rows)))
        self.show_reading(replace(reading, headline=words, tick=None, rows=rows, spoken=spoken))


def memory_reading(memory: Memory) -> Reading:
    # Weights and KV cache are our own sums, and may exceed the active bytes that MLX reports.
    weights = min(memory.weights, memory.active)
    kv = min(memory.kv, memory.active - weights)
    kept = min(memory.kept, memory.active - weights - kv)
    other = memory.active - weights - kv - kept
    active, peak = size(memory.active), size(memory.peak)
    limit = size(memory.limit) if memory.limit else ""
    usage = tr("{active} of {limit}").format(active=active, limit=limit) if limit else active
    parts = (
        (tr("weights {size}").format(size=size(weights)), weights, Color.WEIGHTS, False),
        (tr("KV cache {size}").format(size=size(kv)), kv, Color.KV, False),
        (tr("prompt cache {size}").format(size=size(kept)), kept, Color.KV, True),
        (tr("other {size}").format(size=size(other)), other, Color.OTHER, False),
        (tr("allocator cache {size}").format(size=size(memory.cache)), memory.cache, Color.CACHE, True),
    )
    rows = (
        *(((tr("Device"), memory.device),) if memory.device else ()),
        (tr("Active"), active),
        (tr("Active: weights"), size(weights)),
        (tr("Active: KV cache"), size(kv)),
        *(((tr("Active: prompt cache"), size(kept)),) if kept else ()),
        (tr("Active: other"), size(other)),
        (tr("Allocator cache"), size(memory.cache)),
        (tr("Peak"), peak),
        (tr("Limit"), limit or tr("not reported")),
    )
    bar_length = memory.limit or max(memory.active + memory.cache, memory.peak) * SCALE_SLACK
    return Reading(
        headline=tr("{active}, peak {peak}").format(active=usage, peak=peak),
        shorter=usage if limit else "",
        brief=active,
        parts=_segments(parts, bar_length),
        tick=round(memory.peak / max(1.0, bar_length), 3),
        legend="" if limit else tr("the device reports no limit"),
        spoken=_sentences(rows),
        rows=rows,
        warning=_memory_warning(memory),
    )


def _segments(parts: Iterable[tuple[str, int, Color, bool]], length: float) -> tuple[GaugeSegment, ...]:
    """Return the parts of a bar of this length: text, amount, color, and whether it is hatched."""
    return tuple(
        GaugeSegment(text, round(amount / max(1.0, length), 3), color, hatched)
        for text, amount, color, hatched in parts
        if amount
    )


def _sentences(rows: Iterable[tuple[str, str]]) -> str:
    return " ".join(f"{name} {value}." for name, value in rows)


def _memory_warning(memory: Memory) -> str:
    if not memory.limit or memory.active < WARN_SHARE * memory.limit:
        return ""
    words = tr("Memory is {share} full: use a shorter context or a smaller model.")
    return words.format(share=percent(memory.active, memory.limit))
