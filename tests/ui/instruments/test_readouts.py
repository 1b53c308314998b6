"""The read-outs: their texts, accessible names and places, and which go where there is little room."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import Figures
from app.ui.instruments.context_gauge import ContextGauge
from app.ui.instruments.memory_gauge import MemoryGauge
from app.ui.instruments.readouts import TITLES, ReadOuts
from app.ui.look.theme import Size, Theme

FIGURES = Figures(
    elapsed=1.42,
    first_token=0.084,
    prompt_speed=1_234.5,
    speed_now=148.3,
    speed_mean=9.0,
    tokens=1_214,
    visible=1_213,
    reasoning=40,
)
ROOM = (340, 196)


@pytest.fixture
def readouts(qtbot: QtBot, theme: Theme) -> ReadOuts:
    readouts = ReadOuts(theme, (MemoryGauge(theme), ContextGauge(theme)))
    qtbot.addWidget(readouts)
    readouts.resize(*ROOM)
    readouts.show()
    return readouts


def label(readouts: ReadOuts, name: str) -> QLabel:
    found = readouts.findChild(QLabel, name)
    assert isinstance(found, QLabel)
    return found


def shown(readouts: ReadOuts) -> dict[str, tuple[str, str]]:
    return {name: (label(readouts, name).text(), label(readouts, name).accessibleName()) for name in TITLES}


def words(readouts: ReadOuts) -> set[str]:
    """What is written above the gauges."""
    gauges = [each for kind in (MemoryGauge, ContextGauge) for each in readouts.findChildren(kind)]
    labels = (each for each in readouts.findChildren(QLabel) if not any(gauge.isAncestorOf(each) for gauge in gauges))
    return {label.text() for label in labels if label.isVisible() and label.text()}


def in_sight(readouts: ReadOuts) -> set[str]:
    names = (*TITLES, "memory_gauge", "context_gauge")
    return {name for name in names if readouts.findChild(QWidget, name).isVisible()}  # type: ignore[union-attr]


def test_readouts_before_a_run_are_empty_and_named(readouts: ReadOuts) -> None:
    assert shown(readouts) == {
        "speed_now": ("", "Speed now: not defined yet"),
        "speed_mean": ("", "Mean speed: not defined yet"),
        "first_token": ("", "First token: not defined yet"),
        "prompt_speed": ("", "Prefill speed: not defined yet"),
        "token_count": ("", "Tokens: 0 generated, 0 visible"),
        "elapsed": ("", "Elapsed: not defined yet"),
    }
    assert words(readouts) == set()


def test_readouts_during_the_prefill_show_only_elapsed_and_tokens(readouts: ReadOuts) -> None:
    readouts.show_figures(Figures(elapsed=1.4))
    assert words(readouts) == {"0", "tokens", "·", "1.40 s"}


def test_readouts_of_a_single_token_show_a_dash_as_speed(readouts: ReadOuts) -> None:
    readouts.show_figures(Figures(elapsed=1.4, first_token=1.0, tokens=1, visible=1), over=True)
    assert {"–", "mean", "tok/s", "1", "TTFT"} <= words(readouts)


def test_readouts_show_and_name_all_figures(readouts: ReadOuts) -> None:
    readouts.show_figures(FIGURES)
    assert shown(readouts) == {
        "speed_now": ("148", "Speed now: 148 tokens per second"),
        "speed_mean": ("9.00", "Mean speed: 9.00 tokens per second"),
        "first_token": ("84 ms", "First token: 84 milliseconds"),
        "prompt_speed": ("1,234", "Prefill speed: 1,234 tokens per second"),
        "token_count": ("1,214", "Tokens: 1,214 generated, 1,213 visible, 40 of them reasoning"),
        "elapsed": ("1.42 s", "Elapsed: 1.42 seconds"),
    }
    assert ("Mean speed", "9.00 tokens per second") in readouts.numbers().rows


def test_readouts_with_unknown_visible_tokens_name_only_the_generated(readouts: ReadOuts) -> None:
    readouts.show_figures(replace(FIGURES, visible=None, reasoning=0))
    assert shown(readouts)["token_count"] == ("1,214", "Tokens: 1,214 generated")


def test_readouts_of_an_ended_run_show_its_mean_as_speed(readouts: ReadOuts) -> None:
    """The one that stands in its ending and beside its curve; before, it is said which it is."""
    readouts.show_figures(FIGURES)
    assert {"tok/s now", "mean", "tok/s"} <= words(readouts)
    readouts.show_figures(FIGURES, over=True)
    assert "tok/s now" not in words(readouts)
    assert shown(readouts)["speed_now"] == ("9.00", "Speed now: 9.00 tokens per second")


@pytest.mark.parametrize(("speed", "below"), [(1_234.0, False), (12_345.0, True)])
def test_unit_without_room_beside_the_speed_is_below_it(
    readouts: ReadOuts, theme: Theme, speed: float, below: bool
) -> None:
    """As in a window of 1000 pixels."""
    theme.resize(200)
    readouts.resize(291, 2 * ROOM[1])
    readouts.show_figures(replace(FIGURES, speed_now=speed))
    hero, unit = label(readouts, "speed_now"), readouts._unit_below if below else readouts._units[0]
    one, other = (QRect(each.mapTo(readouts, QPoint()), each.size()) for each in (hero, unit))
    assert readouts.rect().contains(one.united(other)) and not one.intersects(other)
    assert unit.text().startswith("tok/s") and unit.width() >= unit.sizeHint().width()
    assert (other.top() > one.bottom()) is below


def test_speed_is_the_only_large_number(readouts: ReadOuts) -> None:
    sizes = {name: QFontInfo(label(readouts, name).font()).pixelSize() for name in TITLES}
    assert sizes.pop("speed_now") == 34
    assert set(sizes.values()) == {Size.NORMAL}


def test_prefill_speed_is_visible_when_it_is_known(readouts: ReadOuts) -> None:
    readouts.show_figures(replace(FIGURES, prompt_speed=None))
    assert "prompt_speed" not in in_sight(readouts)
    readouts.show_figures(FIGURES)
    assert "prompt_speed" in in_sight(readouts)


def test_readout_tooltips_are_the_definitions(readouts: ReadOuts) -> None:
    tips = {name: label(readouts, name).toolTip() for name in TITLES}
    assert tips["speed_mean"].startswith("(n − 1) ÷")
    assert len(set(tips.values())) == len(TITLES)


def test_speed_digits_are_equally_wide(readouts: ReadOuts) -> None:
    metrics = label(readouts, "speed_now").fontMetrics()
    assert len({metrics.horizontalAdvance(digit * 3) for digit in "0123456789"}) == 1


def test_readouts_in_a_lower_column_go_in_order_of_importance(readouts: ReadOuts) -> None:
    readouts.show_figures(FIGURES)
    assert in_sight(readouts) == {*TITLES, "memory_gauge", "context_gauge"}
    seen = []
    for height in range(ROOM[1], 20, -4):
        readouts.resize(ROOM[0], height)
        parts = [part for part in readouts.children() if isinstance(part, QWidget) and part.isVisible()]
        assert all(readouts.rect().contains(part.geometry()) for part in parts)
        tops = sorted((part.geometry().top(), part.geometry().bottom()) for part in parts)
        assert all(above[1] < below[0] for above, below in pairwise(tops)), height
        seen.append(in_sight(readouts))
    assert all(later <= earlier for earlier, later in pairwise(seen)), "nothing comes back"
    assert {"speed_now"} in seen, "the speed is the last one"
