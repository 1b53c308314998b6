"""The memory gauge: what the device's allocator holds, and how near the limit that is."""

from dataclasses import replace

from app.definitions import meaning, meanings
from app.engine.types import Memory
from app.i18n import tr
from app.number_format import percent, size
from app.ui.look import Colour, Theme
from app.ui.widgets.gauge import Gauge, GaugeSegment, Reading

WARN_SHARE = 0.9
SCALE_SLACK = 1.1
"""Where the device names no limit, the bar is a little longer than the most there ever was."""
PARTS = ("memory_active", "memory_weights", "memory_kv", "memory_kept", "memory_cache", "memory_peak", "memory_limit")
EMPTY = tr("Shows the model's memory once one is open.")
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
    "Peak {peak}. The device names no limit."
)


class MemoryGauge(Gauge):
    """Weights, KV cache, kept conversations, other active memory, the allocator's cache, the peak and the limit."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "memory_gauge", tr("MLX memory"), EMPTY, f"{meaning('memory')}\n{meanings(*PARTS)}")

    def show_elsewhere(self, why: str) -> None:
        """The model takes none of this machine's memory, and nobody tells how much it takes of another's."""
        self.show_reading(Reading("", legend=why, spoken=why))

    def show_memory(self, memory: Memory) -> None:
        self.show_reading(reading_of(memory))

    def show_now(self, memory: Memory) -> None:
        """As it stands, beside a run that it was not measured in: the peak is another one's."""
        reading = reading_of(memory)
        limit = size(memory.limit) if memory.limit else ""
        words = (NOW if limit else NOW_WITHOUT_LIMIT).format(active=size(memory.active), limit=limit)
        rows = tuple(row for row in reading.rows if row[0] != tr("Peak"))
        told = (
            tr("{now}, not in the run that is shown.").format(now=words),
            *(f"{name} {much}." for name, much in rows),
        )
        self.show_reading(replace(reading, headline=words, tick=None, rows=rows, spoken=" ".join(told)))


def reading_of(memory: Memory) -> Reading:
    """The allocator's bytes as a bar, a legend and words."""
    # Weights and KV cache are our own sums; the allocator's active bytes are the truth they are parts of.
    weights = min(memory.weights, memory.active)
    kv = min(memory.kv, memory.active - weights)
    kept = min(memory.kept, memory.active - weights - kv)
    other = memory.active - weights - kv - kept
    most = max(memory.active + memory.cache, memory.peak)
    whole = max(1.0, memory.limit or most * SCALE_SLACK)
    sized = [
        (tr("weights {size}"), weights, Colour.WEIGHTS, False),
        (tr("KV cache {size}"), kv, Colour.KV, False),
        (tr("kept conversations {size}"), kept, Colour.KV, True),
        (tr("other {size}"), other, Colour.OTHER, False),
        (tr("allocator cache {size}"), memory.cache, Colour.CACHE, True),
    ]
    told = {
        "active": size(memory.active),
        "weights": size(weights),
        "kv": size(kv),
        "other": size(other),
        "cache": size(memory.cache),
        "peak": size(memory.peak),
        "limit": size(memory.limit) if memory.limit else "",
    }
    spoken = SPOKEN if memory.limit else SPOKEN_WITHOUT_LIMIT
    apart = (tr("Active: kept conversations"), size(kept))
    return Reading(
        headline=(HEADLINE if memory.limit else HEADLINE_WITHOUT_LIMIT).format(**told),
        shorter=SHORTER.format(**told) if memory.limit else "",
        brief=told["active"],
        parts=tuple(
            GaugeSegment(name.format(size=size(amount)), round(amount / whole, 3), colour, hatched)
            for name, amount, colour, hatched in sized
            if amount
        ),
        tick=round(memory.peak / whole, 3),
        legend="" if memory.limit else tr("the device names no limit"),
        spoken=" ".join((spoken.format(**told), *((": ".join(apart),) if kept else ()))),
        rows=(
            (tr("Active"), told["active"]),
            (tr("Active: weights"), told["weights"]),
            (tr("Active: KV cache"), told["kv"]),
            *((apart,) if kept else ()),
            (tr("Active: other"), told["other"]),
            (tr("Allocator cache"), told["cache"]),
            (tr("Peak"), told["peak"]),
            (tr("Limit"), told["limit"] or tr("the device names none")),
        ),
        warning=_warning(memory),
    )


def _warning(memory: Memory) -> str:
    if not memory.limit or memory.active < WARN_SHARE * memory.limit:
        return ""
    words = tr("Memory is {share} full: a shorter context or a smaller model would fit.")
    return words.format(share=percent(memory.active, memory.limit))
