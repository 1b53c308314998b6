"""The parts of the window's measurements; each runs in a process of its own and gives its rows."""

import json
import statistics
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.bridge.clock import FRAME_MS
from app.ui.document.turns import AnswerView
from tests.bench.machine import description
from tests.bench.row import Row
from tests.bench.segments import closeness, percentile, told
from tests.bench.window import BUSY
from tests.bench.window_feel import Samples, feel, naive_cpu_percent
from tests.bench.window_growth import (
    EARLY_TOKENS,
    LATE_TOKENS,
    LINE_TOKENS,
    OBSERVED,
    growth,
    memory,
    one_line,
)
from tests.bench.window_start import cpu_at_rest, first_paint
from tests.bench.window_stop import Stops, stop_decode, stop_prefill
from tests.bench.window_throughput import PACES, beside_neighbour, careless, real, simulated

IDLE_BAR = 0.98
BARS = {"50": 0.99, "200": 0.99, "800": 0.96, "2000": 0.90, "400_tight": 0.95}
STREAMS = {"200": 8.0, "2000": 18.0}
"""What the window's own thread may use at these paces, in percent of a core."""
SLOW = ("50", "20")
FEWEST_CLICKS = 8


def idle() -> list[Row]:
    """A window that shows nothing costs nothing, or the measuring itself is wrong."""
    found = simulated("800", idle=True)
    value = None if found.value is None else closeness(found.value)
    return [Row("window.control.idle", value, "1 - |1 - x|", IDLE_BAR, "higher", found.detail())]


def naive_control() -> list[Row]:
    """A window written without thinking costs much, or the measuring sees nothing."""
    found = careless("800")
    return [Row("window.control.naive", found.value, "x", 0.85, "lower", found.detail())]


def throughput(pace: str) -> list[Row]:
    found = simulated(pace)
    detail = found.detail() | {"python_ms": PACES[pace].python_ms}
    return [Row(f"window.throughput_ratio.{pace}", found.value, "x", BARS[pace], "higher", detail)]


def demo() -> list[Row]:
    """The real thing, divided by what the same measurement says of a window that shows nothing."""
    resting, found = real(idle=True), real()
    value = found.value / resting.value if found.value and resting.value else None
    return [
        Row("window.throughput_ratio.demo", value, "x", 0.97, "higher", found.detail() | {"idle": resting.detail()})
    ]


def demo_busy() -> list[Row]:
    """Beside a process that keeps a core busy; the naive window's ratio is the bar."""
    ours, naive = beside_neighbour()
    detail = {"naive": round(naive.of_all, 3), "pairs": ours.pairs, "bare_tokens_per_second": round(ours.speed, 1)}
    return [Row(BUSY, ours.of_all, "x", naive.of_all, "higher", detail)]


def slow() -> list[Row]:
    """Where each token can be seen as it comes; what the naive window's thread uses is the bar of our own's."""
    naive, felt = [naive_cpu_percent(PACES["50"])], {pace: feel(PACES[pace]) for pace in SLOW}
    naive.append(naive_cpu_percent(PACES["50"]))
    used, detail = felt["50"].cpu_percent, {"naive": [round(each, 2) for each in naive]}
    return [
        Row("window.ui_cpu_percent.50", used, "%", min(naive), "lower", detail),
        *(worst(f"window.latency_p50_ms.{pace}", [felt[pace].latencies], 0.5, 5.0) for pace in SLOW),
    ]


def streaming() -> list[Row]:
    felt = {pace: feel(PACES[pace]) for pace in STREAMS}
    late = [each.late_ms for each in felt.values()]
    shown = [each.latencies for each in felt.values()]
    cpu = [
        Row(
            f"window.ui_cpu_percent.{pace}",
            each.cpu_percent,
            "%",
            STREAMS[pace],
            "lower",
            {"tokens_per_second": round(each.tokens_per_second, 1), "with_the_heartbeat": True},
        )
        for pace, each in felt.items()
    ]
    return [
        worst("window.latency_p50", shown, 0.5, 0.6, "frames"),
        worst("window.latency_p99", shown, 0.99, 1.3, "frames"),
        worst("window.lag_p99_ms", late, 0.99, 12.0),
        worst("window.lag_max_ms", late, 1.0, 40.0),
        *cpu,
    ]


def cost_growth(name: str, view: AnswerView, bar: float, observe: int = 0) -> list[Row]:
    early, late = growth(view, observe)
    detail = {f"at_{EARLY_TOKENS}": early.detail(), f"at_{LATE_TOKENS}": late.detail()}
    return [Row(f"window.cost_growth.{name}", late.us / early.us, "x", bar, "lower", detail)]


def no_newline() -> list[Row]:
    """The worse of the two views counts."""
    costs = {view.value: one_line(view) for view in (AnswerView.PLAIN, AnswerView.MARKDOWN)}
    detail = {
        view: {"paragraphs": usual.detail(), f"line_of_{LINE_TOKENS}": endless.detail()}
        for view, (usual, endless) in costs.items()
    }
    value = max(endless.us / usual.us for usual, endless in costs.values())
    return [Row("window.cost_no_newline", value, "x", 2.0, "lower", detail)]


def memory_kept(name: str, observe: int, bar: float) -> list[Row]:
    return [Row(f"window.bytes_per_token.{name}", memory(observe), "bytes", bar, "lower", {"tokens": LATE_TOKENS})]


def start() -> list[Row]:
    paint = first_paint()
    detail = {"ms": round(paint.lazy_ms), "eager_ms": round(paint.eager_ms), "imported_too_early": paint.imported}
    value = 1.0 if paint.imported else paint.lazy_ms / paint.eager_ms
    return [Row("window.first_paint_ratio", value, "x", 0.40, "lower", detail)]


def stop() -> list[Row]:
    decode, prefill = stop_decode(), stop_prefill()
    return [_stop("window.stop_decode_ms", decode, 50.0), _stop("window.stop_prefill_ms", prefill, 300.0)]


def rest() -> list[Row]:
    return [Row("window.cpu_at_rest_percent", cpu_at_rest(), "%", 0.5, "lower", {"machine": description()})]


def worst(name: str, samples: list[Samples], share: float, bar: float, unit: str = "ms") -> Row:
    """Of several streams the worst."""
    scale = FRAME_MS if unit == "frames" else 1.0
    clean = [percentile(each.values, share) / scale for each in samples if each.values]
    every = [percentile(each.values + each.disturbed, share) / scale for each in samples]
    detail = {
        "samples": [len(each.values) for each in samples],
        "left_out": [len(each.disturbed) for each in samples],
        "each": [round(value, 3) for value in clean],
        "each_with_disturbed": [round(value, 3) for value in every],
    }
    enough = all(each.enough for each in samples)
    return Row(name, told(max(clean) if enough else None, max(every), bar), unit, bar, "lower", detail)


def _stop(name: str, stops: Stops, bar: float) -> Row:
    """The slowest of all, not counting the token that was on its way."""
    every = stops.taken_ms + stops.disturbed
    if not every:
        return Row(name, None, "ms", bar, "lower", {"why": "all was over before the click"})
    detail = {
        "clicks": len(stops.taken_ms),
        "left_out": len(stops.disturbed),
        "token_ms": round(stops.token_ms, 1),
        "median_ms_with_disturbed": round(statistics.median(every), 1),
        "slowest_ms_with_disturbed": round(max(every), 1),
    }
    clean = max(stops.taken_ms) - stops.token_ms if len(stops.taken_ms) >= FEWEST_CLICKS else None
    return Row(name, told(clean, max(every) - stops.token_ms, bar), "ms", bar, "lower", detail)


PARTS: dict[str, Callable[[], list[Row]]] = {
    "idle": idle,
    "naive": naive_control,
    **{f"throughput_{pace}": partial(throughput, pace) for pace in BARS},
    "demo": demo,
    "demo_busy": demo_busy,
    "slow": slow,
    "streaming": streaming,
    "growth_plain": partial(cost_growth, "plain", AnswerView.PLAIN, 1.2),
    "growth_markdown": partial(cost_growth, "markdown", AnswerView.MARKDOWN, 1.5),
    "growth_colours": partial(cost_growth, "colours", AnswerView.TOKENS, 1.5, OBSERVED),
    "no_newline": no_newline,
    "memory_plain": partial(memory_kept, "plain", 0, 500.0),
    "memory_observed": partial(memory_kept, "observed", OBSERVED, 2000.0),
    "start": start,
    "stop": stop,
    "rest": rest,
}

if __name__ == "__main__":
    rows = [row.as_json() for part in sys.argv[2:] for row in PARTS[part]()]
    Path(sys.argv[1]).write_text(json.dumps(rows))
