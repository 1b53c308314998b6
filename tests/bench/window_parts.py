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
from tests.bench.promised import BY_NAME
from tests.bench.row import Row
from tests.bench.segments import closeness, percentile, told
from tests.bench.window import BUSY
from tests.bench.window_feel import Feel, Samples, feel, plain_feel
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
from tests.bench.window_stop import Stops, bare_stop_decode, bare_stop_prefill, stop_decode, stop_prefill
from tests.bench.window_throughput import PACES, beside_neighbour, careless, real, simulated

PACES_OF_THROUGHPUT = ("50", "200", "800", "2000", "400_tight")
SLOW, STREAMS = ("50", "20"), ("200", "2000")
FEWEST_CLICKS = 8


def idle() -> list[Row]:
    """A window that shows nothing costs nothing, or the measuring itself is wrong."""
    found = simulated("800", idle=True)
    value = None if found.value is None else closeness(found.value)
    return [Row("window.control.idle", value, found.detail())]


def naive_control() -> list[Row]:
    """A window written without thinking costs much, or the measuring sees nothing."""
    found = careless("800")
    return [Row("window.control.naive", found.value, found.detail())]


def throughput(pace: str) -> list[Row]:
    found = simulated(pace)
    detail = found.detail() | {"python_ms": PACES[pace].python_ms}
    return [Row(f"window.throughput_ratio.{pace}", found.value, detail)]


def demo() -> list[Row]:
    """The real thing, divided by what the same measurement says of a window that shows nothing."""
    resting, found = real(idle=True), real()
    value = found.value / resting.value if found.value and resting.value else None
    return [Row("window.throughput_ratio.demo", value, found.detail() | {"idle": resting.detail()})]


def demo_busy() -> list[Row]:
    """Beside a process that keeps a core busy, ÷ the same of the naive window."""
    ours, naive = beside_neighbour()
    ratios = {"ours": round(ours.of_all, 3), "naive": round(naive.of_all, 3)}
    detail = ratios | {"pairs": ours.pairs, "bare_tokens_per_second": round(ours.speed, 1)}
    return [Row(BUSY, ours.of_all / naive.of_all, detail)]


def slow() -> list[Row]:
    """Where each token can be seen as it comes."""
    felt = {pace: (feel(PACES[pace]), plain_feel(PACES[pace])) for pace in SLOW}
    return [
        cpu_ratio("50", *felt["50"]),
        Row("window.ui_cpu_percent.50", felt["50"][0].cpu_percent),
        *(
            ratio(f"window.latency_ratio.{pace}", ours.latencies, plain.latencies, 0.5)
            for pace, (ours, plain) in felt.items()
        ),
        *(in_ms(f"window.latency_p50_ms.{pace}", [ours.latencies], 0.5) for pace, (ours, _) in felt.items()),
    ]


def streaming() -> list[Row]:
    """A plain text field can't keep up with the fastest stream, so the slower one is the control of both."""
    plain = plain_feel(PACES[STREAMS[0]])
    felt = {pace: feel(PACES[pace]) for pace in STREAMS}
    shown = [each.latencies for each in felt.values()]
    return [
        in_frames("window.latency_p50", shown, 0.5),
        in_frames("window.latency_p99", shown, 0.99),
        ratio("window.lag_ratio", felt[STREAMS[0]].late_ms, plain.late_ms, 0.99),
        in_ms("window.lag_p99_ms", [each.late_ms for each in felt.values()], 0.99),
        in_ms("window.lag_max_ms", [each.late_ms for each in felt.values()], 1),
        *(cpu_ratio(pace, each, plain) for pace, each in felt.items()),
    ]


def cpu_ratio(pace: str, ours: Feel, plain: Feel) -> Row:
    """CPU of the window's own thread ÷ that of the plain text field."""
    detail = {"percent": round(ours.cpu_percent, 2), "plain_percent": round(plain.cpu_percent, 2)}
    return Row(f"window.ui_cpu_ratio.{pace}", ours.cpu_percent / plain.cpu_percent, detail)


def cost_growth(name: str, view: AnswerView, observe: int = 0) -> list[Row]:
    early, late = growth(view, observe)
    detail = {f"at_{EARLY_TOKENS}": early.detail(), f"at_{LATE_TOKENS}": late.detail()}
    return [Row(f"window.cost_growth.{name}", late.us / early.us, detail)]


def no_newline() -> list[Row]:
    """The worse of the two views counts."""
    costs = {view.value: one_line(view) for view in (AnswerView.PLAIN, AnswerView.MARKDOWN)}
    detail = {
        view: {"paragraphs": usual.detail(), f"line_of_{LINE_TOKENS}": endless.detail()}
        for view, (usual, endless) in costs.items()
    }
    value = max(endless.us / usual.us for usual, endless in costs.values())
    return [Row("window.cost_no_newline", value, detail)]


def memory_kept(name: str, observe: int) -> list[Row]:
    return [Row(f"window.bytes_per_token.{name}", memory(observe), {"tokens": LATE_TOKENS})]


def start() -> list[Row]:
    paint = first_paint()
    detail = {"ms": round(paint.lazy_ms), "eager_ms": round(paint.eager_ms), "imported_too_early": paint.imported}
    value = 1.0 if paint.imported else paint.lazy_ms / paint.eager_ms
    return [Row("window.first_paint_ratio", value, detail)]


def stop() -> list[Row]:
    return [
        *_stop("window.stop_decode", stop_decode(), bare_stop_decode()),
        *_stop("window.stop_prefill", stop_prefill(), bare_stop_prefill()),
    ]


def rest() -> list[Row]:
    return [Row("window.cpu_at_rest_percent", cpu_at_rest(), {"machine": description()})]


def ratio(name: str, ours: Samples, control: Samples, share: float) -> Row:
    """Of our percentile to the control's. Nothing is said where the control is disturbed."""
    every = percentile(ours.values + ours.disturbed, share)
    of_control = percentile(control.values + control.disturbed, share)
    detail = {
        "samples": [len(ours.values), len(control.values)],
        "left_out": [len(ours.disturbed), len(control.disturbed)],
        "ms_with_disturbed": [round(every, 2), round(of_control, 2)],
    }
    if not control.enough:
        return Row(name, None, detail | {"why": "the control was disturbed by the machine"})
    of_control = percentile(control.values, share)
    clean = percentile(ours.values, share) / of_control if ours.enough else None
    return Row(name, told(clean, every / of_control, BY_NAME[name].limit), detail)


def in_ms(name: str, samples: list[Samples], share: float) -> Row:
    """Of several streams the worst."""
    enough = all(each.enough for each in samples)
    return Row(name, max(percentile(each.values, share) for each in samples) if enough else None)


def in_frames(name: str, samples: list[Samples], share: float) -> Row:
    """In frame intervals. Of several streams the worst."""
    clean = [percentile(each.values, share) / FRAME_MS for each in samples if each.values]
    every = [percentile(each.values + each.disturbed, share) / FRAME_MS for each in samples]
    detail = {
        "samples": [len(each.values) for each in samples],
        "left_out": [len(each.disturbed) for each in samples],
        "each": [round(value, 3) for value in clean],
        "each_with_disturbed": [round(value, 3) for value in every],
    }
    enough = all(each.enough for each in samples)
    return Row(name, told(max(clean) if enough else None, max(every), BY_NAME[name].limit), detail)


def _stop(name: str, stops: Stops, bare: Stops) -> list[Row]:
    """Slowest time until the worker is idle, ÷ the same of the engine without a window and in milliseconds."""
    clicks = [len(each.taken_ms) for each in (stops, bare)]
    detail = {
        "clicks": clicks,
        "left_out": [len(each.disturbed) for each in (stops, bare)],
        "median_ms": [round(statistics.median(each.taken_ms), 1) for each in (stops, bare) if each.taken_ms],
        "slowest_ms": [round(max(each.taken_ms), 1) for each in (stops, bare) if each.taken_ms],
    }
    if min(clicks) < FEWEST_CLICKS:
        detail["why"] = "too few clicks were undisturbed by the machine"
        return [Row(f"{name}_ratio", None, detail), Row(f"{name}_ms", None)]
    ours, control = (max(each.taken_ms) for each in (stops, bare))
    return [Row(f"{name}_ratio", ours / control, detail), Row(f"{name}_ms", ours)]


PARTS: dict[str, Callable[[], list[Row]]] = {
    "idle": idle,
    "naive": naive_control,
    **{f"throughput_{pace}": partial(throughput, pace) for pace in PACES_OF_THROUGHPUT},
    "demo": demo,
    "demo_busy": demo_busy,
    "slow": slow,
    "streaming": streaming,
    "growth_plain": partial(cost_growth, "plain", AnswerView.PLAIN),
    "growth_markdown": partial(cost_growth, "markdown", AnswerView.MARKDOWN),
    "growth_colours": partial(cost_growth, "colours", AnswerView.TOKENS, OBSERVED),
    "no_newline": no_newline,
    "memory_plain": partial(memory_kept, "plain", 0),
    "memory_observed": partial(memory_kept, "observed", OBSERVED),
    "start": start,
    "stop": stop,
    "rest": rest,
}

if __name__ == "__main__":
    rows = [row.as_json() for part in sys.argv[2:] for row in PARTS[part]()]
    Path(sys.argv[1]).write_text(json.dumps(rows))
