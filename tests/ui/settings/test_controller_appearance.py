import pytest
from PySide6.QtCore import QAbstractAnimation
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QProgressBar, QSpinBox, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from app.files.settings import Settings
from app.ui.conversation.transcript import Transcript
from app.ui.look.theme import Size
from app.ui.shell.layout import ROWS_PX
from app.ui.shell.main_window import MainWindow
from tests.languages.clipping import clipped
from tests.pictures.faults import sticking_out
from tests.ui.desk import Desk, act, named


def trigger(window: MainWindow, *names: str) -> None:
    for name in names:
        act(window, name).trigger()


@pytest.mark.slow
def test_text_size_applies_to_numbers_and_transcript(desk: Desk) -> None:
    window = desk.ready(Settings(text_percent=175))
    desk.send(window, "Hello")
    page, speed = named(window, Transcript, "transcript"), named(window, QLabel, "speed_now")
    trigger(window, "larger_text")
    assert speed.font().pixelSize() == 2 * Size.HERO
    assert page.font().pixelSize() == 2 * Size.PROSE
    assert page.document().find("Hello").charFormat().font().pixelSize() == 2 * Size.PROSE
    trigger(window, "usual_text")
    assert speed.font().pixelSize() == Size.HERO


@pytest.mark.slow
def test_large_text_is_not_cut(desk: Desk, qtbot: QtBot) -> None:
    window = desk.ready(Settings(text_percent=200))
    window.resize(1000, 700)
    named(window, QSpinBox, "max_tokens").setValue(1)
    desk.send(window, "Hello again")
    assert named(window, QAbstractButton, "step_raise_the_limit").isVisible()
    panes = [f"toggle_{name}" for name in ("controls", "inspector", "sessions", "exact_prompt")]
    for turned in ((), *((pane,) for pane in panes), ("toggle_exact_prompt", "toggle_inspector")):
        trigger(window, *turned)
        qtbot.waitUntil(lambda: not [*clipped(window), *sticking_out(window)])
        trigger(window, *turned)


@pytest.mark.slow
def test_text_size_restored_restores_the_panes(desk: Desk, qtbot: QtBot) -> None:
    window = desk.ready()
    window.resize(1600, 1000)
    desk.send(window, "Hello")
    splitters = [named(window, QSplitter, name) for name in ("columns", "rows")]
    qtbot.waitUntil(lambda: splitters[1].sizes()[1] == ROWS_PX[1])
    before = [splitter.sizes() for splitter in splitters]
    trigger(window, *["larger_text"] * 5)
    qtbot.waitUntil(lambda: splitters[1].sizes()[1] > ROWS_PX[1])
    assert splitters[0].sizes()[0] == 0, "no room for the sessions"
    trigger(window, "usual_text")
    qtbot.waitUntil(lambda: [splitter.sizes() for splitter in splitters] == before)


def test_instruments_strip_keeps_its_minimum_height(desk: Desk, qtbot: QtBot) -> None:
    window = desk.ready(Settings(text_percent=200))
    window.resize(1000, 700)
    trigger(window, "toggle_inspector", "toggle_exact_prompt")
    strip = named(window, QWidget, "instruments")
    qtbot.waitUntil(lambda: strip.isVisible() and strip.height() >= strip.minimumSizeHint().height())
    assert named(window, QWidget, "speed_graph").isVisible()
    named(window, QSplitter, "rows").setSizes([700, 0])
    assert strip.height() == strip.minimumSizeHint().height() > 0


@pytest.mark.slow
def test_window_at_rest_has_no_animation(desk: Desk, qapp: QApplication) -> None:
    """Neither an animation nor a busy bar, before and after a run."""

    def moving() -> list[str]:
        animations = [*window.findChildren(QAbstractAnimation), *qapp.style().findChildren(QAbstractAnimation)]
        running = [each for each in animations if each.state() is QAbstractAnimation.State.Running]
        bars = [bar for bar in window.findChildren(QProgressBar) if bar.isVisible() and bar.minimum() == bar.maximum()]
        return [each.objectName() or type(each).__name__ for each in (*running, *bars)]

    window = desk.ready()
    assert moving() == []
    desk.send(window, "Hello")
    desk.qtbot.waitUntil(lambda: moving() == [])
