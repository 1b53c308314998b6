"""The rows that each group of measurements promises, by which `bench.json` is read elsewhere."""

from __future__ import annotations

NAMES = {
    "engine": (
        "engine.throughput_ratio",
        "engine.observe_cost",
        "engine.observe_cost.drawn",
        "engine.cache_first_token_gain",
        "engine.cache_gain_at_100",
        "engine.cache_gain_at_400",
        "engine.draft_gain",
    ),
    "window": (
        "window.control.idle",
        "window.control.naive",
        "window.throughput_ratio.50",
        "window.throughput_ratio.200",
        "window.throughput_ratio.800",
        "window.throughput_ratio.2000",
        "window.throughput_ratio.400_tight",
        "window.throughput_ratio.demo",
        "window.latency_p50",
        "window.latency_p99",
        "window.lag_p99_ms",
        "window.lag_max_ms",
        "window.ui_cpu_percent.200",
        "window.ui_cpu_percent.2000",
        "window.cost_growth.plain",
        "window.cost_growth.markdown",
        "window.cost_growth.colours",
        "window.hover_ms",
        "window.graph_repaint_ratio",
        "window.cost_no_newline",
        "window.bytes_per_token.plain",
        "window.bytes_per_token.observed",
        "window.first_paint_ratio",
        "window.import_lag_p99_ms",
        "window.import_lag_max_ms",
        "window.stop_decode_ms",
        "window.stop_prefill_ms",
        "window.cpu_at_rest_percent",
    ),
    "download": ("download.throughput_ratio",),
    "records": ("records.throughput_ratio", "records.throughput_ratio.observed", "records.open_10000_ms"),
    "remote": ("remote.throughput_ratio",),
}
"""By the group, which is a module beside this one; in the order in which they are measured."""
