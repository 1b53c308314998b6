from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named
from tests.ui.whole import goes_back

pytestmark = pytest.mark.slow

PAGES = ("controls", "inspector", "exact_prompt")
IN_ORDER = ("bar", "sessions", "conversation", "side", "instruments")
MANY_FIELDS = 5
AROUND_PX = 10
STOPS = 200
PATIENCE = 30
"""Presses of the Tab key until the next control, since a page may have links."""


def opened(desk: Desk, page: str = "controls") -> MainWindow:
    window = desk.ready()
    window.resize(1600, 1000)
    named(window, QAbstractButton, "more_controls").click()
    named(window, QSpinBox, "top_k").setValue(7)
    named(window, QDoubleSpinBox, "presence_penalty").setValue(0.5)
    asked = window.playground.state.controls
    window.playground.set_controls(replace(asked, limits=replace(asked.limits, stop_ids=(5,))))
    if page != "controls":
        act(window, f"toggle_{page}").trigger()
    assert named(window, QWidget, page).isVisible()
    return window


def converse(desk: Desk, window: MainWindow) -> None:
    named(window, QSpinBox, "max_tokens").setValue(3)
    desk.send(window, "hello")
    named(window, QAbstractButton, "more_about_run").setChecked(True)
    named(window, QPlainTextEdit, "prompt").setPlainText("typed")
    desk.qtbot.waitUntil(named(window, QAbstractButton, "send").isEnabled)
    desk.qtbot.waitUntil(named(window, QAbstractButton, "exact_prompt_surprise").isEnabled)


def stops(window: MainWindow, key: Qt.Key) -> Iterator[QWidget]:
    """Yield the focused widgets, from the prompt around to the prompt."""
    first: QWidget = named(window, QPlainTextEdit, "prompt")
    first.setFocus()
    now = first
    for _ in range(STOPS):
        yield now
        for _ in range(PATIENCE):
            QTest.keyClick(now, key)
            reached = QApplication.focusWidget()
            if reached is not None and reached is not now:
                break
        else:
            pytest.fail(f"{now.objectName()} keeps the keyboard")
        now = reached
        if now is first:
            return
    pytest.fail("there is no way back to the prompt")


def pane_of(widget: QWidget) -> str:
    names = []
    above: QWidget | None = widget
    while above is not None:
        names.append(above.objectName())
        above = above.parentWidget()
    inside = next((name for name in names if name in (*IN_ORDER, "middle")), "bar")
    return "conversation" if inside == "middle" else inside


def tabbable(window: MainWindow) -> set[str]:
    """Return the widgets that the Tab key has to reach; of exclusive buttons only the checked one."""
    found = set()
    for each in window._parts.findChildren(QWidget):
        alone = isinstance(each, QAbstractButton) and each.group() is not None and not each.isChecked()
        wanted = bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus) and each.focusProxy() is None
        if wanted and not alone and each.isVisible() and each.isEnabled():
            found.add(each.objectName())
    return found


@pytest.fixture
def drawn(request: pytest.FixtureRequest, qtbot: QtBot, qapp: QApplication) -> Iterator[Desk]:
    """A desk here; on a Mac, where Tab stops at fields and lists alone; and there with the system's own controls."""
    hints, everywhere = qapp.styleHints(), Qt.TabFocusBehavior.TabFocusAllControls
    hints.setTabFocusBehavior(everywhere if request.param == "here" else Qt.TabFocusBehavior(0x01 | 0x02))
    made = Desk(qtbot, Theme(qapp, native=request.param == "native"))
    yield made
    for window in made.windows:
        window.close()
    hints.setTabFocusBehavior(everywhere)
    Theme(qapp)


WALKS = [
    ("here", "chat", "inspector"),
    ("here", "chat", "controls"),
    ("here", "raw", "exact_prompt"),
    ("mac", "chat", "controls"),
    ("native", "raw", "controls"),
]


@pytest.mark.parametrize(("drawn", "mode", "page"), WALKS, indirect=["drawn"])
def test_tab_order_is_the_reading_order_and_complete(drawn: Desk, mode: str, page: str) -> None:
    window = opened(drawn, page)
    named(window, QAbstractButton, f"mode_{mode}").click()
    converse(drawn, window)
    way = list(stops(window, Qt.Key.Key_Tab))
    start = next(number for number, each in enumerate(way) if pane_of(each) == "bar")
    way = way[start:] + way[:start]
    assert [pane for pane, _ in groupby(way, key=pane_of)] == list(IN_ORDER)
    backwards = [
        f"{one.objectName()} → {two.objectName()}"
        for one, two in pairwise(way)
        if pane_of(one) == pane_of(two) and goes_back(one, two)
    ]
    assert backwards == []
    assert tabbable(window) - {each.objectName() for each in way} == set()
    assert [each.objectName() for each in stops(window, Qt.Key.Key_Backtab)][1:] == [
        each.objectName() for each in reversed(way[-start:] + way[:-start])
    ][:-1]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("scheme", [Qt.ColorScheme.Light, Qt.ColorScheme.Dark], ids=lambda scheme: scheme.name.lower())
def test_focus_is_visible_on_every_widget(desk: Desk, scheme: Qt.ColorScheme, page: str) -> None:
    desk.theme.prefer(scheme)
    window = opened(desk, page)
    converse(desk, window)
    act(window, "view_tokens").trigger()
    QApplication.processEvents()  # the page of the token has its place
    for each in list(stops(window, Qt.Key.Key_Tab)):
        elsewhere = named(window, QAbstractButton, "send" if pane_of(each) == "bar" else "model_button")
        elsewhere.setFocus()
        show(each)
        without = picture(window, each)
        each.setFocus(Qt.FocusReason.TabFocusReason)
        assert picture(window, each) != without, each.objectName()


def show(widget: QWidget) -> None:
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
        above = above.parentWidget()


def picture(window: MainWindow, widget: QWidget) -> QImage:
    rect = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
    return window.grab(rect.adjusted(-AROUND_PX, -AROUND_PX, AROUND_PX, AROUND_PX)).toImage()


def test_esc_keeps_typed_text(desk: Desk) -> None:
    window = opened(desk)
    converse(desk, window)
    fields = [each for each in stops(window, Qt.Key.Key_Tab) if isinstance(each, (QLineEdit, QPlainTextEdit))]
    assert len(fields) > MANY_FIELDS
    for field in fields:
        if field.objectName() == "session_search":  # a search is no work: Esc leads back to the list of all
            continue
        field.setFocus()
        QTest.keyClicks(field, "abc")
        QTest.keyClick(field, Qt.Key.Key_Escape)
        text = field.text() if isinstance(field, QLineEdit) else field.toPlainText()
        assert "abc" in text, field.objectName()
