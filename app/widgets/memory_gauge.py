"""The memory gauge: what the device's allocator holds, and how near the limit that is."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.engine.types import Memory
from app.widgets.formatting import percent, size
from app.widgets.gauge import Gauge, Part, Reading
from app.widgets.palette import Colour
from app.widgets.theme import Theme

WARN_SHARE = 0.9
SCALE_SLACK = 1.1
"""Where the device names no limit, the bar is a little longer than the most there ever was."""
EMPTY = "Shows the model's memory once one is open."


class MemoryGauge(Gauge):
    """Weights, KV cache, other active memory, the allocator's cache, the peak and the limit."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "memory_gauge", "Memory", EMPTY, parent)
        self.setToolTip(
            "Active, cache and peak as the device's allocator tells them, in GB of 10^9 bytes. "
            "The peak begins anew with each run."
        )

    def show_memory(self, memory: Memory) -> None:
        self.show_reading(reading_of(memory))


def reading_of(memory: Memory) -> Reading:
    """The allocator's bytes as a bar, a legend and words."""
    # Weights and KV cache are our own sums; the allocator's active bytes are the truth they are parts of.
    weights = min(memory.weights, memory.active)
    kv = min(memory.kv, memory.active - weights)
    other = memory.active - weights - kv
    most = max(memory.active + memory.cache, memory.peak)
    whole = max(1.0, memory.limit or most * SCALE_SLACK)
    sized = [
        ("weights", weights, Colour.WEIGHTS, False),
        ("KV cache", kv, Colour.KV, False),
        ("other", other, Colour.OTHER, False),
        ("allocator cache", memory.cache, Colour.CACHE, True),
    ]
    limit = f"limit {size(memory.limit)}" if memory.limit else "the device names no limit"
    of_limit = f" of {size(memory.limit)}" if memory.limit else ""
    words = ", ".join(f"{name} {size(amount)}" for name, amount, _, _ in sized[:3])
    return Reading(
        headline=f"{size(memory.active)}{of_limit}, peak {size(memory.peak)}",
        parts=tuple(
            Part(f"{name} {size(amount)}", round(amount / whole, 3), colour, hatched)
            for name, amount, colour, hatched in sized
            if amount
        ),
        tick=round(memory.peak / whole, 3),
        legend="" if memory.limit else limit,
        spoken=f"Active {size(memory.active)}: {words}. Allocator cache {size(memory.cache)}. "
        f"Peak {size(memory.peak)}. {limit[0].upper()}{limit[1:]}.",
        rows=(
            ("Active", size(memory.active)),
            *((f"Active: {name}", size(amount)) for name, amount, _, _ in sized[:3]),
            ("Allocator cache", size(memory.cache)),
            ("Peak", size(memory.peak)),
            ("Limit", size(memory.limit) if memory.limit else "the device names none"),
        ),
        warning=_warning(memory),
    )


def _warning(memory: Memory) -> str:
    if not memory.limit or memory.active < WARN_SHARE * memory.limit:
        return ""
    return f"Memory is {percent(memory.active, memory.limit)} full: a shorter context or a smaller model would fit."
