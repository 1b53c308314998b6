"""The words around the speed graph: what is pointed at keeps clear of the prompt's block, a ceiling has its name."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF
from pytestqt.qtbot import QtBot

from app.ui.graph.labels import Areas, LaneText, areas_of, lane_labels, mean_labels
from app.ui.look import GAP_PX, Colour

NOTE = "token 16 · 208 ms · 12 ms later · 813 tok/s"


def areas(px: int) -> tuple[Areas, QFontMetricsF]:
    font = QFont()
    font.setPixelSize(px)
    metrics = QFontMetricsF(font)
    return areas_of(QSizeF(700, 400), metrics, 60), metrics


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.7, 0.9, 1.0])
@pytest.mark.parametrize("start", [0.0, 0.4, 0.8])
def test_a_note_is_beside_the_block_or_over_it_on_its_own_ground(qtbot: QtBot, start: float, share: float) -> None:
    for px in (11, 22):
        known, metrics = areas(px)
        lane = known.lane
        left, wide = lane.left() + start * lane.width(), share * (1 - start) * lane.width()
        block = QRectF(left, 0, wide, lane.height())
        found = lane_labels(known, metrics, block, LaneText("Run 1", "47 tokens read", note=NOTE))
        note = found[0]
        assert note.text.startswith("token 16 · 208 ms") and "…" not in note.text and lane.contains(note.rect)
        beside = note.rect.left() >= block.right() or note.rect.right() <= block.left()
        assert beside is not note.grounded
        assert beside or note.text == "token 16 · 208 ms", "it covers no more of the block than it must"
        shortest = metrics.horizontalAdvance("token 16 · 208 ms") + 1
        assert beside or shortest + GAP_PX > max(lane.right() - block.right(), block.left() - lane.left())
        assert not any(note.rect.intersects(other.rect) for other in found[1:])


def test_where_the_words_of_the_prompt_have_no_room_behind_its_block_they_stand_before_it(qtbot: QtBot) -> None:
    known, metrics = areas(22)
    block = QRectF(known.lane.right() - 60, 0, 20, known.lane.height())
    (told,) = lane_labels(known, metrics, block, LaneText(prompt="47 tokens read in 5 ms"))
    assert told.text == "47 tokens read in 5 ms" and known.lane.left() < told.rect.right() < block.left()
    assert told.role is Colour.PREFILL
    note, told = lane_labels(known, metrics, block, LaneText(prompt="47 tokens read in 5 ms", note=NOTE))
    assert note.text.startswith("token 16 · 208 ms") and note.rect.right() < told.rect.left()
    assert told.rect.right() < block.left() and told.role is Colour.PREFILL, "black is what lies in the block"


@pytest.mark.parametrize(
    "said", ["47 tokens read in 5 ms · 9 from the cache", "47 tokens read in 5 ms", "47 tokens", ""]
)
def test_no_number_of_the_prompt_is_cut(qtbot: QtBot, said: str) -> None:
    """“18 tok…” stood there in large text, or “read in 1…” for 12 ms."""
    known, metrics = areas(22)
    block = QRectF(known.lane.left(), 0, 10, known.lane.height())
    room = metrics.horizontalAdvance(said or "47 tok") + 2 * GAP_PX
    narrow = replace(known, lane=QRectF(known.lane.left(), 0, block.width() + room, known.lane.height()))
    told = LaneText(prompt="47 tokens read in 5 ms · 9 from the cache", brief="47 tokens")
    assert [each.text for each in lane_labels(narrow, metrics, block, told)] == ([said] if said else [])


def test_no_line_leads_to_a_number_that_stands_beside_its_mark(qtbot: QtBot) -> None:
    """In large text that of a mean near the top was six pixels lower, with a scratch between the two."""
    known, metrics = areas(22)
    (near,) = mean_labels(known, metrics, (1_000.0 * (1 - 0.3 * known.line / known.plot.height()),), 1_000.0)
    assert near.height is None
    (far,) = mean_labels(known, metrics, (1_000.0,), 1_000.0)
    assert far.height == known.plot.top()


def test_a_ceiling_is_named_also_where_there_is_no_room_for_words_and_beyond_the_top(qtbot: QtBot) -> None:
    for px, words in ((11, "3,423 ceiling"), (22, "≤ 3,423")):
        known, metrics = areas(px)
        own, ceiling = mean_labels(known, metrics, (790.0,), 1_000.0, (3_423.0,))
        assert (ceiling.text, ceiling.role) == (words, Colour.TEXT) and own.rect.top() > ceiling.rect.top()
        assert ceiling.rect.top() == pytest.approx(known.plot.top(), abs=1) and ceiling.rect.right() <= 701
