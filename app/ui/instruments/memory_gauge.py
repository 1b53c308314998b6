"""The memory gauge: the bytes of MLX's allocator, and its limit."""

from dataclasses import replace

from app.definitions import meaning, meanings
from app.engine.types import Memory
from app.i18n import tr
from app.number_format import percent, size
from app.ui.look import Colour, Theme
from app.ui.widgets.gauge import Gauge, GaugeSegment, Reading

WARN_SHARE = 0.9
SCALE_SLACK = 1.1
"""Length of the bar as a multiple of the peak if the device reports no limit."""
PARTS = ("memory_active", "memory_weights", "memory_kv", "memory_kept", "memory_cache", "memory_peak", "memory_limit")
EMPTY = tr("Shows MLX's memory while a model is open.")
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


class MemoryGauge(Gauge):
    """A gauge of weights, KV cache, prompt cache, other active memory, the allocator's cache, peak and limit."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "memory_gauge", tr("MLX memory"), EMPTY, f"{meaning('memory')}\n{meanings(*PARTS)}")

    def show_unknown(self, reason: str) -> None:
        self.show_reading(Reading("", legend=reason, spoken=reason))

    def show_memory(self, memory: Memory) -> None:
        self.show_reading(reading_of(memory))

    def show_now(self, memory: Memory) -> None:
        """Show the current memory, without the peak of another run."""
        reading = reading_of(memory)
        limit = size(memory.limit) if memory.limit else ""
        words = (NOW if limit else NOW_WITHOUT_LIMIT).format(active=size(memory.active), limit=limit)
        rows = tuple(row for row in reading.rows if row[0] != tr("Peak"))
        sentences = (
            tr("{now}, not during the displayed run.").format(now=words),
            *(f"{name} {much}." for name, much in rows),
        )
        self.show_reading(replace(reading, headline=words, tick=None, rows=rows, spoken=" ".join(sentences)))


def reading_of(memory: Memory) -> Reading:
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
        warning=_warning(memory),
    )


def _warning(memory: Memory) -> str:
    if not memory.limit or memory.active < WARN_SHARE * memory.limit:
        return ""
    words = tr("Memory is {share} full: use a shorter context or a smaller model.")
    return words.format(share=percent(memory.active, memory.limit))
