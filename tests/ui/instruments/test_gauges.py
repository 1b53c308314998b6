"""The gauges: every figure drawn and described, warnings before full."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import ContextUse
from app.engine.types import Memory, NetworkTiming
from app.ui.guide.controller import explanation_of
from app.ui.instruments import context_gauge, memory_gauge
from app.ui.instruments.context_gauge import ContextGauge
from app.ui.instruments.memory_gauge import MemoryGauge
from app.ui.look import GRID_PX
from app.ui.look.palette import Colour
from app.ui.look.theme import Theme
from app.ui.widgets.gauge import Gauge, GaugeBar
from tests.ui.conversation.runs import run

GB = 10**9
MEMORY = Memory(active=6 * GB, cache=1 * GB, peak=8 * GB, limit=10 * GB, weights=4 * GB, kv=1 * GB)


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
    """What is written, and what is said of it on hover and to whoever asks what it is."""
    written = (label.text() for label in gauge.findChildren(QLabel) if not label.isHidden())
    legend = gauge.toolTip().partition("</p>")[0]
    assert legend in explanation_of(gauge)
    return " ".join((*written, legend))


def test_memory_reading_adds_up() -> None:
    reading = memory_gauge.reading_of(MEMORY)
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
    """Our sums of weights and KV cache may be a little off; no part is ever negative or longer than what is active."""
    parts = memory_gauge.reading_of(odd).parts
    assert all(part.share >= 0 for part in parts)
    if not odd.limit:
        assert sum(part.share for part in parts) <= 1


def test_memory_reading_without_a_limit_says_so() -> None:
    reading = memory_gauge.reading_of(Memory(active=2 * GB, cache=0, peak=2 * GB, limit=0, weights=GB, kv=0))
    assert reading.headline == "2.00 GB, peak 2.00 GB"
    assert "the device reports no limit" in reading.legend
    assert reading.spoken.endswith("The device reports no limit.")


def test_memory_gauge_describes_every_figure(memory: MemoryGauge) -> None:
    assert memory.accessibleName() == "MLX memory: nothing yet"
    memory.show_memory(MEMORY)
    assert memory.accessibleName() == "MLX memory: 6.00 GB of 10.0 GB, peak 8.00 GB"
    assert memory.accessibleDescription() == (
        "Active 6.00 GB: weights 4.00 GB, KV cache 1.00 GB, other 1.00 GB. Allocator cache 1.00 GB. "
        "Peak 8.00 GB. Limit 10.0 GB."
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
    assert "weights 4.00 GB" in memory.accessibleDescription()
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
    assert context_gauge.reading_of(ContextUse(0, 0, None)).parts == ()


def test_context_gauge_without_a_reading_shows_a_dash(context: ContextGauge) -> None:
    headline = context.findChild(QLabel, "context_gauge_headline")
    assert isinstance(headline, QLabel) and headline.text() == "–"
    assert context.accessibleName() == "Context: nothing yet"


def test_context_gauge_of_unknown_length_has_a_broken_bar(context: ContextGauge, theme: Theme) -> None:
    context.resize(400, 100)
    context.show()
    bar = context.findChildren(GaugeBar)[0]

    def colours() -> set[str]:
        image = bar.grab().toImage()
        return {image.pixelColor(x, image.height() // 2).name() for x in range(3, image.width() - 3)}

    context.show_context(ContextUse(1_000, 500, 2_048))
    assert theme.hex(Colour.DECODE) in colours()
    context.show_context(ContextUse(1_000, 500, None))
    assert theme.hex(Colour.OUTLINE) in colours() and len(colours()) == 2, "a broken line"
    for figure in ("used 1,000", "up to max tokens 500", "context length unknown"):
        assert figure in words(context)
    assert "■" not in words(context), "a mark would point into the bar"


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
    assert headline.text() == "6.00 GB", "in fewer words, not in half of them"


def test_memory_gauge_escapes_markup_in_a_reason(memory: MemoryGauge) -> None:
    memory.show_unknown("<b>here</b> &amp; there")
    assert "&lt;b&gt;here&lt;/b&gt; &amp;amp; there" in memory.toolTip()


def test_memory_reading_with_a_prompt_cache_names_it() -> None:
    reading = memory_gauge.reading_of(replace(MEMORY, kept=GB // 2))
    assert reading.spoken.endswith("Active: prompt cache: 500 MB")
    assert ("Active: other", "500 MB") in reading.rows
    assert [part.name for part in reading.parts if "prompt" in part.name] == ["prompt cache 500 MB"]
