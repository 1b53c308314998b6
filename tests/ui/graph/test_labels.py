"""The labels around the speed graph: inside their areas, never over each other, never with a cut number."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import Figures
from app.ui.graph.labels import GraphView, Label, Scene, lane_labels, mean_labels, view_of
from app.ui.graph.tokens import EosCurve
from app.ui.look import GAP_PX, Colour
from app.ui.widgets.plots.speed_curve import SpeedCurve

NOTE = "token 16 · 208 ms · inter-token latency 12 ms · 813 tok/s"
PROMPT = "47 tokens prefilled · 5 ms"


def view_at(px: int) -> tuple[GraphView, QFontMetricsF]:
    font = QFont()
    font.setPixelSize(px)
    metrics = QFontMetricsF(font)
    return replace(view_of(QSizeF(900, 400), metrics, 60), top=1_000.0), metrics


def scene_of(prompt: str = "", note: str = "", name: str = "") -> Scene:
    return Scene(SpeedCurve(), EosCurve(), name=name, prompt=prompt, note=note)


def means_of(view: GraphView, metrics: QFontMetricsF, mean: float, limit: float = 0.0) -> list[Label]:
    curve = SpeedCurve(figures=Figures(speed_mean=mean))
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
    assert all(each.role is Colour.TEXT or each.rect.left() >= block.right() for each in others)


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
    assert (limit.text, limit.role) == (text, Colour.TEXT)
    assert own.rect.top() > limit.rect.top() and own.role is Colour.DECODE
