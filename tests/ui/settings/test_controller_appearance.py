"""Text sizes in the whole window: nothing is cut, parts keep their sizes, and nothing moves at rest."""

import pytest
from PySide6.QtCore import QAbstractAnimation, QPoint, QRect, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QProgressBar,
    QSizePolicy,
    QSpinBox,
    QSplitter,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.files.settings import Settings
from app.ui.conversation.transcript import Transcript
from app.ui.look.theme import Size
from app.ui.shell.layout import ROWS_PX
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, named


def press(window: MainWindow, *names: str) -> None:
    for name in names:
        action(window, name).trigger()


def action(window: MainWindow, name: str) -> QAction:
    found: QAction | None = window.findChild(QAction, f"action_{name}")
    assert found is not None
    return found


def pixels(window: MainWindow, name: str) -> int:
    return named(window, QLabel, name).font().pixelSize()


@pytest.mark.slow
def test_text_size_applies_to_numbers_and_transcript(desk: Desk) -> None:
    window = desk.ready(Settings(text_percent=175))
    desk.send(window, "Hello")
    page = named(window, Transcript, "transcript")
    press(window, "larger_text")
    assert desk.theme.percent == 200
    assert not action(window, "larger_text").isEnabled()
    assert pixels(window, "speed_now") == 2 * Size.HERO
    assert page.font().pixelSize() == 2 * Size.PROSE
    assert page.document().find("Hello").charFormat().font().pixelSize() == 2 * Size.PROSE
    press(window, "usual_text")
    assert pixels(window, "speed_now") == Size.HERO


@pytest.mark.slow
def test_large_text_is_not_cut(desk: Desk, qtbot: QtBot) -> None:
    window = desk.ready(Settings(text_percent=200))
    window.resize(1000, 700)
    named(window, QSpinBox, "max_tokens").setValue(1)
    desk.send(window, "Hello again")
    assert named(window, QAbstractButton, "step_raise_the_limit").isVisible()
    panes = [f"toggle_{name}" for name in ("controls", "inspector", "sessions", "exact_prompt")]
    for turned in ((), *((pane,) for pane in panes), ("toggle_exact_prompt", "toggle_inspector")):
        press(window, *turned)
        qtbot.waitUntil(lambda: not cut(window))
        press(window, *turned)


@pytest.mark.slow
def test_text_size_restored_restores_the_panes(desk: Desk, qtbot: QtBot) -> None:
    window = desk.ready()
    window.resize(1600, 1000)
    desk.send(window, "Hello")
    splitters = [named(window, QSplitter, name) for name in ("columns", "rows")]
    qtbot.waitUntil(lambda: splitters[1].sizes()[1] == ROWS_PX[1])
    before = [splitter.sizes() for splitter in splitters]
    press(window, *["larger_text"] * 5)
    qtbot.waitUntil(lambda: splitters[1].sizes()[1] > ROWS_PX[1])
    assert splitters[0].sizes()[0] == 0, "no room for the sessions"
    press(window, "usual_text")
    qtbot.waitUntil(lambda: [splitter.sizes() for splitter in splitters] == before)


def test_instruments_strip_keeps_its_minimum_height(desk: Desk, qtbot: QtBot) -> None:
    window = desk.ready(Settings(text_percent=200))
    window.resize(1000, 700)
    press(window, "toggle_inspector", "toggle_exact_prompt")
    strip = named(window, QWidget, "instruments")
    qtbot.waitUntil(lambda: strip.isVisible() and strip.height() >= strip.minimumSizeHint().height())
    assert named(window, QWidget, "speed_graph").isVisible()
    named(window, QSplitter, "rows").setSizes([700, 0])
    assert strip.height() == strip.minimumSizeHint().height() > 0


def cut(window: MainWindow) -> list[str]:
    """Return the labels and buttons that are partly hidden."""
    labels = [label for label in window.findChildren(QLabel) if label.isVisibleTo(window)]
    buttons = [button for button in window.findChildren(QAbstractButton) if button.isVisibleTo(window)]
    found = [label.text() for label in labels if not (has_width(label) and is_inside(label, window))]
    return found + [button.objectName() for button in buttons if not (has_size(button) and is_inside(button, window))]


def has_size(button: QAbstractButton) -> bool:
    least = button.minimumSizeHint() if button.text() else QSize()
    return button.width() >= least.width() and button.height() >= least.height()


def has_width(label: QLabel) -> bool:
    """Whether a label elides its text, or is as wide as it."""
    elides = label.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored
    return elides or label.wordWrap() or label.width() >= label.minimumSizeHint().width()


def is_inside(part: QWidget, window: QWidget) -> bool:
    """Whether a widget is inside all widgets around it, up to a scroll area."""
    above = part.parentWidget()
    while above is not None and above is not window and above.objectName() != "qt_scrollarea_viewport":
        if not above.rect().contains(QRect(part.mapTo(above, QPoint()), part.size())):
            return False
        above = above.parentWidget()
    return True


def test_window_at_rest_has_no_animation(desk: Desk, qapp: QApplication) -> None:
    window = desk.ready()
    assert moving(window, qapp) == []
    desk.send(window, "Hello")
    desk.qtbot.waitUntil(lambda: moving(window, qapp) == [])


def moving(window: MainWindow, qapp: QApplication) -> list[str]:
    inside = [*window.findChildren(QAbstractAnimation), *qapp.style().findChildren(QAbstractAnimation)]
    going = [each for each in inside if each.state() is QAbstractAnimation.State.Running]
    bars = [bar for bar in window.findChildren(QProgressBar) if bar.isVisible() and bar.minimum() == bar.maximum()]
    return [each.objectName() or type(each).__name__ for each in (*going, *bars)]
