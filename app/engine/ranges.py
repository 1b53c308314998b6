"""What each number of a request may be. Only numbers: the settings file is read before a language is spoken."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.engine.types import AT_THE_END, ENDLESS
from app.i18n import tr

LARGEST_SEED = 2**63 - 1
"""mlx takes twice as many, but a column of SQLite and most of what reads JSON hold no more."""
KV_BITS = (2, 3, 4, 5, 6, 8)
KV_GROUP_SIZES = (32, 64, 128)


@dataclass(frozen=True, slots=True)
class Range:
    """The limits of one number, and the value that changes nothing."""

    minimum: float
    maximum: float
    neutral: float
    whole: bool = False
    besides: float | None = None
    """One value outside the limits that has a meaning of its own."""

    def allows(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int if self.whole else (int, float)):
            return False
        return value == self.besides or self.minimum <= value <= self.maximum

    def __str__(self) -> str:
        least, most = number(self.minimum), number(self.maximum)
        if self.besides is None:
            return tr("from {least} to {most}").format(least=least, most=most)
        return tr("{besides} or from {least} to {most}").format(besides=f"{self.besides:g}", least=least, most=most)


_WINDOW = Range(0, 1_000_000, 20, whole=True)

RANGES: Mapping[str, Range] = MappingProxyType(
    {
        "temperature": Range(0.01, 10, 1, besides=0),
        "top_p": Range(0.01, 1, 1),
        "top_k": Range(0, 1_000_000, 0, whole=True),
        "min_p": Range(0, 1, 0),
        "min_tokens_to_keep": Range(1, 1_000, 1, whole=True),
        "xtc_probability": Range(0, 1, 0),
        "xtc_threshold": Range(0, 0.5, 0.1),
        "repetition_penalty": Range(0.1, 10, 1),
        "repetition_window": _WINDOW,
        "presence_penalty": Range(-10, 10, 0),
        "presence_window": _WINDOW,
        "frequency_penalty": Range(-10, 10, 0),
        "frequency_window": _WINDOW,
        "logit_bias": Range(-100, 100, 0),
        "seed": Range(0, LARGEST_SEED, 0, whole=True),
        "max_tokens": Range(1, 1_000_000, 256, whole=True, besides=ENDLESS),
        "think_budget": Range(0, 1_000_000, ENDLESS, whole=True, besides=ENDLESS),
        "observe": Range(0, 20, 0, whole=True),
        "draft_tokens": Range(0, 16, 0, whole=True),
        "adapter_strength": Range(0, 2, 1),
        "interval": Range(AT_THE_END, 10_000, 1, whole=True),
        "kv_quantized_start": Range(0, 10_000_000, 0, whole=True),
        "kv_max_size": Range(16, 10_000_000, 16, whole=True),
    }
)
"""By the names of `app.engine.catalogue`."""


def number(value: float) -> str:
    """A limit as a person writes it."""
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"
