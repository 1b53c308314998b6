import gc
import subprocess
import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bridge.worker import Worker
from app.ui.document.turns import AnswerView
from app.ui.look.theme import Theme
from tests.journeys.journey import Journey
from tests.journeys.lock_step import FRAMES, TOKENS, Counting, counting

pytestmark = pytest.mark.slow

CONTROL_SIGNALS = 4
"""begun, and what little else a run says beside its responses."""


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Iterator[Counting]:
    with counting(qtbot, Theme(qapp)) as made:
        yield made


def test_window_at_5000_tokens_per_second_edits_once_per_frame(window: Counting) -> None:
    window.stream()
    counts = window.counts
    assert counts["edits"] <= FRAMES + 3, "one a frame, one at the end, one when the page is first laid out"
    assert window.counts["curves"] <= 11
    assert counts["setMarkdown"] == 0
    assert counts["responded"] == TOKENS, counts
    others = sum(counts[name] for name in ("prompted", "prefilled", "measured", "begun", "loading", "loaded", "failed"))
    assert others <= CONTROL_SIGNALS
    assert window.longest_queue <= TOKENS / FRAMES + 10
    assert window.runs[0].text == window.written


@pytest.mark.parametrize("view", list(AnswerView))
def test_transcript_of_a_fast_run_is_the_joined_tokens(window: Counting, view: AnswerView) -> None:
    window.transcript.set_view(view)
    window.stream()
    assert window.transcript.turn_text(1) == window.written
    if view is AnswerView.PLAIN:
        assert window.written.strip() in window.transcript.plain_text()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_streaming_keeps_the_reference_count_of_none(window: Counting) -> None:
    """PySide6 6.12.0 drops one with each void call on Python 3.11, until the process aborts."""
    before = sys.getrefcount(None)
    window.stream()
    assert sys.getrefcount(None) > before - TOKENS // 10


def test_timers_at_rest_are_all_stopped(window: Counting, qtbot: QtBot) -> None:
    window.stream()
    timers = [*window.window.findChildren(QTimer), *window.playground.findChildren(QTimer)]
    assert timers
    # What would be sent next is asked once after a run.
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))


def test_window_after_a_run_references_no_array(demo: Journey) -> None:
    """Were a response kept anywhere, its vocabulary-wide `logprobs` would be."""
    demo.send("Count 1 to 5")
    import mlx.core as mx

    roots = [demo.window, *demo.window.findChildren(QObject), demo.window.playground, demo.runs]
    reached = list(_reachable(roots))
    assert len(reached) > 1_000
    assert not [thing for thing in reached if isinstance(thing, mx.array)]


def _reachable(roots: list[Any]) -> Iterator[Any]:
    """All that Python objects refer to, but for what belongs to everyone and the worker, which owns the model."""
    seen: set[int] = set()
    waiting: list[Any] = list(roots)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, SHARED):
            continue
        seen.add(id(thing))
        yield thing
        waiting.extend(gc.get_referents(thing))


SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType, Worker)

FIRST_PAINT = """
import sys, tempfile
from PySide6.QtCore import QEvent, QObject, QTimer
from app.__main__ import build
from PySide6.QtWidgets import QApplication

class Painted(QObject):
    modules = None
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and self.modules is None:
            self.modules = set(sys.modules)
            QTimer.singleShot(0, window.close)
        return False

with tempfile.TemporaryDirectory() as folder:
    window = build(["--data-dir", folder])
    painted = Painted()
    QApplication.instance().installEventFilter(painted)
    window.show()
    QApplication.exec()
    print(sorted({"mlx", "mlx.core", "mlx_lm", "transformers", "pyqtgraph", "numpy"} & painted.modules))
"""


def test_first_paint_imports_no_heavy_library() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST_PAINT], capture_output=True, text=True, timeout=180)
    assert (done.stdout, done.stderr, done.returncode) == ("[]\n", "", 0)
