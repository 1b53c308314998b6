from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import RunMetrics
from app.engine.meter.speeds import Point
from app.ui.look import GAP_PX, Color
from app.ui.speed_graph.labels import (
    GraphView,
    Label,
    Scene,
    lane_labels,
    mean_labels,
    right_of,
    speed_labels,
    spread_apart,
    tick_label,
    ticks,
    top_of,
    view_of,
)
from app.ui.speed_graph.tokens import EosCurve
from app.ui.widgets.plots.speed_curve import CurveAxis, SpeedCurve

NOTE = "token 16 · 208 ms · inter-token latency 12 ms · 813 tok/s now"
PROMPT = "47 tokens prefilled · 5 ms"


def view_at(px: int) -> tuple[GraphView, QFontMetricsF]:
    font = QFont()
    font.setPixelSize(px)
    metrics = QFontMetricsF(font)
    return replace(view_of(QSizeF(900, 400), metrics, 60), top=1_000.0), metrics


def scene_of(prompt: str = "", note: str = "", name: str = "") -> Scene:
    return Scene(SpeedCurve(), EosCurve(), name=name, prompt=prompt, note=note)


def means_of(view: GraphView, metrics: QFontMetricsF, mean: float, limit: float = 0.0) -> list[Label]:
    curve = SpeedCurve(metrics=RunMetrics(speed_mean=mean))
    if limit:
        curve.arrivals.extend([0.1, 0.2])
        curve.limit = lambda generated: limit
    return mean_labels(view, metrics, replace(scene_of(), curve=curve))


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.7, 0.9, 1.0])
@pytest.mark.parametrize("start", [0.0, 0.4, 0.8])
@pytest.mark.parametrize("px", [11, 22])
def test_lane_labels_with_a_note_do_not_overlap(qtbot: QtBot, px: int, start: float, share: float) -> None:
    view, metrics = view_at(px)
    lane = view.lane
    block = QRectF(lane.left() + start * lane.width(), 0, share * (1 - start) * lane.width(), lane.height())
    note, *others = lane_labels(lane, metrics, block, scene_of(PROMPT, NOTE, "Run 1"))
    assert note.text.startswith("token 16 · 208 ms") and note.has_ground
    assert all(lane.left() <= each.rect.left() and each.rect.right() <= lane.right() for each in (note, *others))
    assert not any(note.rect.intersects(other.rect) for other in others)
    assert not any(one.rect.intersects(other.rect) for one in others for other in others if one is not other)
    assert all(each.role is Color.TEXT or each.rect.left() >= block.right() for each in others)


@pytest.mark.parametrize("text", [f"{PROMPT} · 9 from the cache", PROMPT, "47 tokens prefilled", ""])
def test_lane_labels_in_a_narrow_lane_leave_out_parts_and_cut_none(qtbot: QtBot, text: str) -> None:
    view, metrics = view_at(22)
    block = QRectF(view.lane.left(), 0, 10, view.lane.height())
    room = metrics.horizontalAdvance(text or "47 tok") + 2 * GAP_PX
    lane = QRectF(view.lane.left(), 0, block.width() + room, view.lane.height())
    labels = lane_labels(lane, metrics, block, scene_of(f"{PROMPT} · 9 from the cache"))
    assert [each.text for each in labels] == ([text] if text else [])


def test_mean_label_near_the_top_stays_inside_the_plot(qtbot: QtBot) -> None:
    view, metrics = view_at(22)
    (label,) = means_of(view, metrics, 1_000.0)
    assert label.height == view.plot.top()
    assert label.rect.top() >= view.plot.top() - 1


@pytest.mark.parametrize(("px", "text"), [(11, "↑ 3,423 limit"), (22, "↑ ≤ 3,423")])
def test_mean_labels_with_a_limit_above_the_top_mark_it(qtbot: QtBot, px: int, text: str) -> None:
    view, metrics = view_at(px)
    own, limit = means_of(replace(view, has_words=px == 11), metrics, 790.0, 3_423.0)
    assert (limit.text, limit.role) == (text, Color.TEXT)
    assert own.rect.top() > limit.rect.top() and own.role is Color.DECODE


@pytest.mark.parametrize(("top", "text"), [(1_500.0, "1,500"), (9_000.0, "9,000"), (75_000.0, "75k")])
def test_speed_labels_of_any_speed_are_inside_the_graph(qtbot: QtBot, top: float, text: str) -> None:
    view, metrics = view_at(11)
    labels = speed_labels(replace(view, top=top), metrics)
    assert labels[-1].text == text
    assert all(metrics.horizontalAdvance(each.text) <= view.plot.left() - GAP_PX for each in labels)


def curve(speeds: list[float], mean: float | None = None, step: float = 0.02, *, ended: bool = True) -> SpeedCurve:
    points = [Point(0.5 + step * number, number + 1, speed) for number, speed in enumerate(speeds)]
    made = SpeedCurve(ended=ended)
    metrics = RunMetrics(0.5 + step * len(speeds), first_token=0.5, speed_mean=mean, tokens=len(speeds))
    made.extend(points, metrics, [point.seconds for point in points])
    return made


def test_top_of_a_curve_with_a_spike_ignores_the_spike() -> None:
    assert top_of([curve([100.0] * 99 + [9_000.0])]) == 120
    assert top_of([curve([100.0] * 90 + [9_000.0] * 10)]) > 9_000
    assert top_of([curve([100.0] * 9 + [9_000.0])]) == 450, "one of few points is a spike, too"


def test_top_of_curves_covers_all_of_them_and_their_means() -> None:
    slow, quick = curve([20.0] * 400), curve([600.0] * 40)
    assert top_of([slow, quick]) == top_of([quick, slow]) == 750
    assert top_of([curve([100.0] * 10, mean=640.0)]) == 750


def test_right_of_a_run_covers_its_tokens_and_its_expected_prefill() -> None:
    assert right_of(SpeedCurve(), CurveAxis.TIME) == 1.0
    assert right_of(curve([5.0] * 4, ended=False), CurveAxis.TIME) == 1.0
    assert right_of(curve([5.0] * 100), CurveAxis.TIME) == 3.0
    waiting = SpeedCurve(metrics=RunMetrics(elapsed=7.0))
    assert right_of(waiting, CurveAxis.TIME) == 8.0
    waiting.expected = 18.0
    assert right_of(waiting, CurveAxis.TIME) == 20.0
    assert right_of(curve([5.0] * 100), CurveAxis.TOKENS) == 150


@pytest.mark.parametrize(("step", "right"), [(0.001, 0.6), (0.0001, 0.6), (0.02, 1.0), (0.2, 4.0)])
def test_right_of_an_ended_run_is_just_above_its_length(step: float, right: float) -> None:
    assert right_of(curve([5.0] * 14, step=step, ended=True), CurveAxis.TIME) == pytest.approx(right)


@pytest.mark.parametrize(
    ("right", "words"),
    [
        (1.0, ["0 s", "0.2 s", "0.4 s", "0.6 s", "0.8 s", "1 s"]),
        (8.0, ["0 s", "2 s", "4 s", "6 s", "8 s"]),
        (300.0, ["0 min", "1 min", "2 min", "3 min", "4 min", "5 min"]),
    ],
)
def test_ticks_are_round_and_labelled(right: float, words: list[str]) -> None:
    assert [tick_label(position, CurveAxis.TIME, right) for position in ticks(right, 6)] == words
    assert tick_label(1500, CurveAxis.TOKENS, 2000) == "1,500"


@given(st.floats(1.0, 90_000), st.integers(1, 12))
def test_ticks_are_no_more_than_asked_for(right: float, most: int) -> None:
    positions = ticks(right, most)
    assert positions[0] == 0
    assert len(positions) <= most + 1
    assert positions[-1] <= right * (1 + 1e-6)


@given(st.lists(st.floats(0, 200), min_size=1, max_size=8))
def test_apart_keeps_distance_order_and_bounds(wanted: list[float]) -> None:
    placed = spread_apart(wanted, 14.0, 7.0, 193.0)
    assert all(7 - 1e-9 <= at <= 193 + 1e-9 for at in placed)
    assert all(later - earlier >= 14 - 1e-9 for earlier, later in pairwise(sorted(placed)))
    order = sorted(range(len(wanted)), key=lambda each: wanted[each])
    assert [placed[each] for each in order] == sorted(placed)


def test_top_of_a_curve_with_a_limit_covers_a_near_limit_only() -> None:
    run = curve([100.0] * 400)
    run.limit = lambda written: 190.0 - written / 10
    for axis in CurveAxis:
        xs, ys = run.limit_line(axis)
        assert ys[0] == 190.0 and ys[-1] == 190.0 - 39.9 and xs[0] < xs[-1] <= right_of(run, axis)
    assert top_of([run], 190.0) > 190 and top_of([run], 250.0) == top_of([run])
