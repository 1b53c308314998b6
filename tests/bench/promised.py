"""The rows that each group of measurements promises, and the bar of each.

Most are ratios to a control in the same run, so that they hold on every machine: a plain text field, mlx-lm's own loop
or chat, or the same work done in another way.
"""

from dataclasses import dataclass
from typing import Literal

Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Bar:
    limit: float | None
    """None: the value depends on the machine, and is only shown."""
    better: Better
    unit: str


def at_least(limit: float, unit: str = "x") -> Bar:
    return Bar(limit, "higher", unit)


def at_most(limit: float, unit: str = "x") -> Bar:
    return Bar(limit, "lower", unit)


def no_bar(unit: str) -> Bar:
    return Bar(None, "lower", unit)


BARS = {
    "engine": {
        "engine.throughput_ratio": at_least(0.98),
        "engine.observe_cost": at_most(0.05, "share"),
        "engine.observe_cost.drawn": at_most(0.05, "share"),
        "engine.cache_first_token_gain": at_least(10),
        "engine.return_gain": at_least(50),
        "engine.restart_gain": at_least(20),
        "engine.cache_gain_at_100": at_least(2),
        "engine.cache_gain_at_400": at_least(4),
        "engine.draft_gain": at_least(1),
        "engine.draft_prediction_error": at_most(0.1, "share"),
        "engine.constrained_ratio": at_least(0.85),
    },
    "window": {
        "window.control.idle": at_least(0.98, "1 - |1 - x|"),
        "window.control.naive": at_most(0.85),
        "window.throughput_ratio.50": at_least(0.99),
        "window.throughput_ratio.200": at_least(0.99),
        "window.throughput_ratio.800": at_least(0.96),
        "window.throughput_ratio.2000": at_least(0.90),
        "window.throughput_ratio.400_tight": at_least(0.95),
        "window.throughput_ratio.demo": at_least(0.97),
        "window.throughput_ratio.demo_busy": at_least(1),
        "window.ui_cpu_ratio.50": at_most(1),
        "window.ui_cpu_percent.50": no_bar("%"),
        "window.latency_ratio.50": at_most(4),
        "window.latency_ratio.20": at_most(4),
        "window.latency_p50_ms.50": no_bar("ms"),
        "window.latency_p50_ms.20": no_bar("ms"),
        "window.latency_p50": at_most(0.6, "frames"),
        "window.latency_p99": at_most(1.3, "frames"),
        "window.lag_ratio": at_most(4),
        "window.lag_p99_ms": no_bar("ms"),
        "window.lag_max_ms": no_bar("ms"),
        "window.ui_cpu_ratio.200": at_most(0.5),
        "window.ui_cpu_ratio.2000": at_most(1),
        "window.cost_growth.plain": at_most(1.2),
        "window.cost_growth.markdown": at_most(1.5),
        "window.cost_growth.colours": at_most(1.5),
        "window.cost_no_newline": at_most(2),
        "window.bytes_per_token.plain": at_most(500, "bytes"),
        "window.bytes_per_token.observed": at_most(2000, "bytes"),
        "window.first_paint_ratio": at_most(0.40),
        "window.stop_decode_ratio": at_most(3),
        "window.stop_decode_ms": no_bar("ms"),
        "window.stop_prefill_ratio": at_most(1.5),
        "window.stop_prefill_ms": no_bar("ms"),
        "window.cpu_at_rest_percent": at_most(0.5, "%"),
    },
    "start": {
        "start.first_token_ratio": at_most(1.25),
        "start.typing_ratio": at_most(0.65),
        "start.memory_ratio": at_most(2),
        "start.memory_mb": no_bar("MB"),
    },
    "download": {"download.throughput_ratio": at_least(0.97)},
    "records": {
        "records.throughput_ratio": at_least(0.99),
        "records.throughput_ratio.observed": at_least(0.99),
        "records.open_10000_ms": at_most(50, "ms"),
    },
    "remote": {"remote.throughput_ratio": at_least(0.97)},
    "weigh": {
        "weigh.throughput_ratio": at_least(0.9),
        "weigh.compare_ratio": at_least(0.9),
        "weigh.memory_mb": at_most(64, "MB"),
    },
    "sets": {"sets.batch_gain": at_least(3)},
    "inside": {"engine.inside_lens": at_most(3), "engine.inside_attention": at_most(1.2)},
    "lookup": {
        "engine.lookup_gain.code": at_least(0.97),
        "engine.lookup_gain.summary": at_least(0.97),
        "engine.lookup_gain.chat": at_least(0.97),
    },
    "real": {
        "real.throughput_ratio": at_least(0.97),
        "real.observe_cost": at_most(0.03, "share"),
        "real.unpack_prefill_gain": at_least(8),
        "real.first_token_ratio": at_most(1.1),
    },
}
"""By the group, which is a module beside this one; in the order in which they are measured."""
BY_NAME = {name: bar for bars in BARS.values() for name, bar in bars.items()}
