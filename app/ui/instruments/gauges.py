"""The gauges of the context and of MLX's memory, with their limits."""

from dataclasses import replace

from app.definitions import meaning, meanings
from app.engine.meter.frame import ContextUse
from app.engine.types import Memory
from app.i18n import tr
from app.number_format import percent, size
from app.state import Run
from app.ui.look import Colour, Theme
from app.ui.widgets.gauge import Gauge, GaugeSegment, Reading

WARN_SHARE = 0.9
SCALE_SLACK = 1.1
"""Length of the bar as a multiple of the peak if the device reports no limit."""
PARTS = ("memory_active", "memory_weights", "memory_kv", "memory_kept", "memory_cache", "memory_peak", "memory_limit")
MEMORY_EMPTY = tr("Shows MLX's memory while a model is open.")
HEADLINE = tr("{active} of {limit}, peak {peak}")
HEADLINE_WITHOUT_LIMIT = tr("{active}, peak {peak}")
SHORTER = tr("{active} of {limit}")
NOW = tr("{active} of {limit} now")
NOW_WITHOUT_LIMIT = tr("{active} now")
SPOKEN = tr(
    "Active {active}: weights {weights}, KV cache {kv}, other {other}. Allocator cache {cache}. "
    "Peak {peak}. Limit {limit}."
)
SPOKEN_WITHOUT_LIMIT = tr(
    "Active {active}: weights {weights}, KV cache {kv}, other {other}. Allocator cache {cache}. "
    "Peak {peak}. The device reports no limit."
)
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

    def show_room(self, length: int | None) -> None:
        """Show the empty context of a model; None if no model is open or its context length is unknown."""
        if length is None:
            self.clear()
        else:
            self.show_context(ContextUse(length=length))


def context_reading(context: ContextUse) -> Reading:
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
        limit = size(memory.limit) if memory.limit else ""
        words = (NOW if limit else NOW_WITHOUT_LIMIT).format(active=size(memory.active), limit=limit)
        rows = tuple(row for row in reading.rows if row[0] != tr("Peak"))
        sentences = (
            tr("{now}, not during the displayed run.").format(now=words),
            *(f"{name} {much}." for name, much in rows),
        )
        self.show_reading(replace(reading, headline=words, tick=None, rows=rows, spoken=" ".join(sentences)))


def memory_reading(memory: Memory) -> Reading:
    # Weights and KV cache are our own sums, and may exceed the active bytes that MLX reports.
    weights = min(memory.weights, memory.active)
    kv = min(memory.kv, memory.active - weights)
    kept = min(memory.kept, memory.active - weights - kv)
    other = memory.active - weights - kv - kept
    most = max(memory.active + memory.cache, memory.peak)
    bar_length = max(1.0, memory.limit or most * SCALE_SLACK)
    sized = [
        (tr("weights {size}"), weights, Colour.WEIGHTS, False),
        (tr("KV cache {size}"), kv, Colour.KV, False),
        (tr("prompt cache {size}"), kept, Colour.KV, True),
        (tr("other {size}"), other, Colour.OTHER, False),
        (tr("allocator cache {size}"), memory.cache, Colour.CACHE, True),
    ]
    sizes = {
        "active": size(memory.active),
        "weights": size(weights),
        "kv": size(kv),
        "other": size(other),
        "cache": size(memory.cache),
        "peak": size(memory.peak),
        "limit": size(memory.limit) if memory.limit else "",
    }
    spoken = SPOKEN if memory.limit else SPOKEN_WITHOUT_LIMIT
    prompt_cache = (tr("Active: prompt cache"), size(kept))
    return Reading(
        headline=(HEADLINE if memory.limit else HEADLINE_WITHOUT_LIMIT).format(**sizes),
        shorter=SHORTER.format(**sizes) if memory.limit else "",
        brief=sizes["active"],
        parts=tuple(
            GaugeSegment(name.format(size=size(amount)), round(amount / bar_length, 3), colour, hatched)
            for name, amount, colour, hatched in sized
            if amount
        ),
        tick=round(memory.peak / bar_length, 3),
        legend="" if memory.limit else tr("the device reports no limit"),
        spoken=" ".join((spoken.format(**sizes), *((": ".join(prompt_cache),) if kept else ()))),
        rows=(
            (tr("Active"), sizes["active"]),
            (tr("Active: weights"), sizes["weights"]),
            (tr("Active: KV cache"), sizes["kv"]),
            *((prompt_cache,) if kept else ()),
            (tr("Active: other"), sizes["other"]),
            (tr("Allocator cache"), sizes["cache"]),
            (tr("Peak"), sizes["peak"]),
            (tr("Limit"), sizes["limit"] or tr("not reported")),
        ),
        warning=_memory_warning(memory),
    )


def _memory_warning(memory: Memory) -> str:
    if not memory.limit or memory.active < WARN_SHARE * memory.limit:
        return ""
    words = tr("Memory is {share} full: use a shorter context or a smaller model.")
    return words.format(share=percent(memory.active, memory.limit))
