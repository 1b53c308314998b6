"""What of the graph is painted anew, and in how many goes."""

from itertools import combinations

from PySide6.QtCore import QRect
from PySide6.QtGui import QRegion

from app.ui.graph.plot import columns

TIP, GUTTER, LANE = QRect(560, 22, 50, 158), QRect(758, 60, 82, 17), QRect(0, 0, 840, 22)


def region(*rects: QRect) -> QRegion:
    whole = QRegion()
    for each in rects:
        whole = whole.united(each)
    return whole


def test_what_is_cut_into_bands_is_painted_in_as_few_goes_as_it_has_columns() -> None:
    beside = region(TIP, GUTTER)
    assert beside.rectCount() == 4
    assert columns(beside) == [TIP, GUTTER]
    assert columns(region(TIP, GUTTER, LANE)) == [LANE, TIP, GUTTER]


def test_nothing_is_painted_twice_and_nothing_left_out() -> None:
    for parts in ((TIP, GUTTER), (TIP, GUTTER, LANE), (LANE, QRect(0, 180, 840, 16), TIP), (TIP,)):
        whole = region(*parts)
        found = columns(whole)
        assert region(*found) == whole
        assert not any(one.intersects(other) for one, other in combinations(found, 2))
