from dataclasses import replace

import pytest
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import ContextUse, RunMetrics
from app.engine.meter.speeds import Point
from app.engine.types import Memory, NetworkTiming
from app.ui.guide.controller import explanation_of
from app.ui.instruments.gauges import ContextGauge, MemoryGauge, context_reading, memory_reading
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.instruments.strip import TITLES, ReadOuts
from app.ui.instruments.tables_dialog import COPIED, COPY, TablesDialog
from app.ui.look import GRID_PX
from app.ui.look.theme import Theme
from app.ui.widgets.gauge import Gauge, GaugeBar
from app.ui.widgets.table import Numbers
from tests.ui.conversation.runs import run
from tests.ui.desk import named

GB = 10**9
MEMORY = Memory(active=6 * GB, cache=1 * GB, peak=8 * GB, limit=10 * GB, weights=4 * GB, kv=1 * GB, device="H200")


@pytest.fixture
def memory(qtbot: QtBot, theme: Theme) -> MemoryGauge:
    gauge = MemoryGauge(theme)
    qtbot.addWidget(gauge)
    gauge.resize(360, 40)
    return gauge


@pytest.fixture
def context(qtbot: QtBot, theme: Theme) -> ContextGauge:
    gauge = ContextGauge(theme)
    qtbot.addWidget(gauge)
    return gauge


def words(gauge: Gauge) -> str:
    """Return the visible texts and the tooltip, which “What's this?” shows too."""
    written = (label.text() for label in gauge.findChildren(QLabel) if not label.isHidden())
    legend = gauge.toolTip().partition("</p>")[0]
    assert legend in explanation_of(gauge)
    return " ".join((*written, legend))


def test_memory_reading_adds_up() -> None:
    reading = memory_reading(MEMORY)
    assert [(part.name, part.share) for part in reading.parts] == [
        ("weights 4.00 GB", 0.4),
        ("KV cache 1.00 GB", 0.1),
        ("other 1.00 GB", 0.1),
        ("allocator cache 1.00 GB", 0.1),
    ]
    assert reading.tick == 0.8
    assert reading.warning == ""


@pytest.mark.parametrize(
    "odd",
    [
        Memory(active=0, cache=0, peak=0, limit=0, weights=0, kv=0),
        Memory(active=5, cache=1, peak=3, limit=0, weights=9, kv=9),
        Memory(active=20, cache=5, peak=30, limit=10, weights=4, kv=4),
    ],
)
def test_memory_reading_of_inconsistent_numbers_has_no_negative_part(odd: Memory) -> None:
    parts = memory_reading(odd).parts
    assert all(part.share >= 0 for part in parts)
    if not odd.limit:
        assert sum(part.share for part in parts) <= 1


def test_memory_reading_without_a_limit_says_so() -> None:
    reading = memory_reading(Memory(active=2 * GB, cache=0, peak=2 * GB, limit=0, weights=GB, kv=0))
    assert reading.headline == "2.00 GB, peak 2.00 GB"
    assert "the device reports no limit" in reading.legend
    assert reading.spoken.endswith("Limit not reported.")


def test_memory_gauge_describes_every_figure(memory: MemoryGauge) -> None:
    assert memory.accessibleName() == "MLX memory: nothing yet"
    memory.show_memory(MEMORY)
    assert memory.accessibleName() == "MLX memory: 6.00 GB of 10.0 GB, peak 8.00 GB"
    assert memory.accessibleDescription() == (
        "Device H200. Active 6.00 GB. Active: weights 4.00 GB. Active: KV cache 1.00 GB. Active: other 1.00 GB. "
        "Allocator cache 1.00 GB. Peak 8.00 GB. Limit 10.0 GB."
    )
    reader = QAccessible.queryAccessibleInterface(memory)
    assert reader.text(QAccessible.Text.Description) == memory.accessibleDescription()
    for figure in ("4.00 GB", "KV cache 1.00 GB", "peak 8.00 GB", "of 10.0 GB"):
        assert figure in words(memory)


def test_memory_gauge_beside_another_run_has_no_peak(memory: MemoryGauge) -> None:
    memory.show_memory(MEMORY)
    memory.show_now(MEMORY)
    assert memory.accessibleName() == "MLX memory: 6.00 GB of 10.0 GB now"
    assert "not during the displayed run" in memory.accessibleDescription()
    told = (words(memory), memory.accessibleDescription(), *(name for name, _ in memory.numbers().rows))
    assert not any("8.00 GB" in each or "peak" in each.lower() for each in told)
    memory.show_now(Memory(active=2 * GB, cache=0, peak=2 * GB, limit=0, weights=GB, kv=0))
    assert memory.accessibleName() == "MLX memory: 2.00 GB now"


def test_context_gauge_of_a_run_shows_that_run(context: ContextGauge) -> None:
    finished = run()
    context.show_run(finished)
    assert context.accessibleName() == "Context: 66 / 2,048"
    uncounted = replace(finished, summary=replace(finished.summary, context=None))
    context.show_run(uncounted)
    assert context.accessibleName() == "Context: nothing yet"
    context.show_run(replace(uncounted, finish=replace(finished.finish, wire=NetworkTiming())))
    assert "did not count" in context.accessibleDescription()
    context.show_room(512)
    assert context.accessibleName() == "Context: 0 / 512"
    context.show_room(None)
    assert context.accessibleName() == "Context: nothing yet"


def test_gauges_that_are_nearly_full_warn(memory: MemoryGauge, context: ContextGauge) -> None:
    memory.show_memory(Memory(active=95 * GB, cache=0, peak=95 * GB, limit=100 * GB, weights=GB, kv=0))
    assert "Memory is 95 % full" in words(memory)
    assert "95 % full" in memory.accessibleDescription()
    memory.show_memory(MEMORY)
    assert "full" not in words(memory)
    context.show_context(ContextUse(1_900, 100, 2_048))
    assert "The context is 93 % full" in words(context)
    context.show_context(ContextUse(2_048, 0, 2_048))
    assert "The context is full" in context.accessibleDescription()


def test_context_gauge_describes_every_figure(context: ContextGauge) -> None:
    context.show_context(ContextUse(412, 256, 2_048))
    assert context.accessibleName() == "Context: 412 / 2,048"
    assert (
        context.accessibleDescription()
        == "412 tokens used, up to 256 more in this run. Context length 2,048, 1,380 free."
    )
    context.show_context(ContextUse(412, 256, None))
    assert context.accessibleDescription().endswith("The context length is not known.")
    for figure in ("used 412", "up to max tokens 256", "context length unknown"):
        assert figure in words(context)
    assert "■" not in words(context), "parts of an unknown length have no marks"
    assert context_reading(ContextUse(0, 0, None)).parts == ()


def test_memory_gauge_in_little_room_has_fewer_words(memory: MemoryGauge) -> None:
    memory.show_memory(MEMORY)
    headline = memory.findChild(QLabel, "memory_gauge_headline")
    assert isinstance(headline, QLabel)
    assert headline.text() == "6.00 GB of 10.0 GB, peak 8.00 GB"
    assert memory.findChildren(GaugeBar)[0].sizeHint().height() == 4
    assert memory.sizeHint().height() < 2 * memory.fontMetrics().lineSpacing()
    name = memory.findChildren(QLabel, "memory_gauge_title")[0]
    words = headline.fontMetrics().horizontalAdvance("6.00 GB of 10.0 GB")
    memory.resize(name.sizeHint().width() + words + 4 * GRID_PX, 40)
    memory.show()
    assert headline.text() == "6.00 GB of 10.0 GB"
    memory.resize(130, 40)
    assert headline.text() == "6.00 GB"


def test_memory_gauge_escapes_markup_in_a_reason(memory: MemoryGauge) -> None:
    memory.show_unknown("<b>here</b> &amp; there")
    assert "&lt;b&gt;here&lt;/b&gt; &amp;amp; there" in memory.toolTip()


def test_memory_reading_with_a_prompt_cache_names_it() -> None:
    reading = memory_reading(replace(MEMORY, kept=GB // 2))
    assert "Active: prompt cache 500 MB. Active: other 500 MB." in reading.spoken
    assert ("Active: other", "500 MB") in reading.rows
    assert [part.name for part in reading.parts if "prompt" in part.name] == ["prompt cache 500 MB"]


SPEED = Numbers("Speed", ("Seconds", "Tokens"), (("0.100", "1"), ("0.200", "1,002")))
EMPTY = Numbers("Memory", ("Name", "Value"))


def test_copy_copies_the_displayed_table(qtbot: QtBot, theme: Theme) -> None:
    behind = QWidget()
    qtbot.addWidget(behind)
    dialog = TablesDialog(theme, behind)
    dialog.show_numbers((SPEED, EMPTY))
    dialog.show()
    copy = named(dialog, QPushButton, "numbers_copy")
    copy.click()
    assert QGuiApplication.clipboard().text() == "Seconds,Tokens\n0.100,1\n0.200,1002\n"
    assert copy.text() == COPIED
    named(dialog, QTabBar, "numbers_tabs").setCurrentIndex(1)
    assert (copy.text(), copy.isEnabled()) == (COPY, False)
    assert named(dialog, QLabel, "numbers_nothing").isVisible()
    dialog.close()


def test_speed_table_has_every_point(qtbot: QtBot, theme: Theme) -> None:
    graph = SpeedGraph(theme)
    qtbot.addWidget(graph)
    curve = graph.scene.curve
    curve.extend([Point(number / 100, number, 100.0) for number in range(1, 2001)], RunMetrics())
    assert len(curve.drawn) < 2000
    rows = graph.numbers().rows
    assert (len(rows), rows[-1]) == (2000, ("20.000", "2,000", "100"))


def test_tables_before_a_run_name_every_figure(qtbot: QtBot, theme: Theme) -> None:
    memory, readouts = MemoryGauge(theme), ReadOuts(theme, ())
    for widget in (memory, readouts):
        qtbot.addWidget(widget)
    assert memory.numbers().rows == ()
    assert [title for title, _ in readouts.numbers().rows] == list(TITLES.values())
    assert ("Mean speed", "not defined yet") in readouts.numbers().rows
    used = context_reading(ContextUse(100, 50, 1000)).rows
    assert used == (("Tokens used", "100"), ("Up to max tokens", "50"), ("Free", "850"), ("Context length", "1,000"))
