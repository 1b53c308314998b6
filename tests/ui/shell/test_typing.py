from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTabWidget,
    QWidget,
)

from app.engine.echo.engine import EchoOptions
from app.engine.types import Failure, LoadRequest
from app.records.types import JournalChange
from app.state import Phase
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named
from tests.ui.program import Program

pytestmark = pytest.mark.in_korean

SLOW = EchoOptions(tokens_per_second=200, prefill_per_second=0, load_seconds=0, replies=("word " * 20,))
WORDS = (pytest.param("what is this all about?", marks=pytest.mark.slow), "이것은 도대체 무엇인가요? 말해 줘")
LETTERS = "what is this"
Events = list[Callable[[], object]]


def press(letter: str) -> None:
    """Type a letter into the focused widget, or send it without a key as an input method does."""
    at = QApplication.focusWidget()
    assert at is not None
    if letter.isascii():
        QTest.keyClicks(at, letter)
    else:
        QApplication.sendEvent(at, QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letter))


def typed_through(text: str, events: Events) -> None:
    """Type a text with an event after each of the first letters."""
    for number, letter in enumerate(text):
        press(letter)
        if number < len(events):
            events[number]()
    assert len(events) < len(text)


def text_of(window: MainWindow) -> str:
    return named(window, QPlainTextEdit, "prompt").toPlainText()


def in_prompt(desk: Desk, knobs: EchoOptions = SLOW) -> MainWindow:
    window = desk.ready(knobs=knobs)
    window.resize(1600, 1000)
    window.activateWindow()
    named(window, QPlainTextEdit, "prompt").setFocus()
    return window


def click(window: MainWindow, name: str) -> None:
    button = named(window, QAbstractButton, name)
    assert button.isVisible(), name
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_focus_at_startup_is_in_the_prompt_or_the_clicked_field(desk: Desk) -> None:
    window = desk.open()
    window.activateWindow()
    desk.qtbot.waitUntil(window.isActiveWindow)
    assert named(window, QPlainTextEdit, "prompt").hasFocus()
    search = named(window, QLineEdit, "session_search")
    QTest.mouseClick(search, Qt.MouseButton.LeftButton)
    desk.until(window, Phase.READY)
    assert search.hasFocus()


@pytest.mark.slow
@pytest.mark.parametrize("text", WORDS)
def test_prompt_gets_every_letter_while_the_window_changes(desk: Desk, text: str) -> None:
    """Panels come and go, a run starts and ends, a session is listed, a failure is shown, a model is opened."""
    window = in_prompt(desk)
    playground, side = window.playground, named(window, QTabWidget, "side").tabBar()
    events: Events = [
        act(window, "toggle_side").trigger,
        act(window, "toggle_inspector").trigger,
        lambda: QTest.mouseClick(side, Qt.MouseButton.LeftButton, pos=side.tabRect(2).center()),
        act(window, "toggle_sessions").trigger,
        lambda: window.resize(900, 600),
        lambda: window.resize(1600, 1000),
        lambda: playground.send("hello"),
        lambda: desk.qtbot.waitUntil(lambda: playground.state.phase is Phase.GENERATING),
        lambda: desk.until(window, Phase.READY),
        lambda: playground.book.journal_changed.emit(JournalChange.SESSIONS),
        lambda: window.show_failure(Failure("Something went wrong.", "Nothing can be done.", kind="test")),
        lambda: click(window, "dismiss"),
        lambda: playground.load(LoadRequest("echo", None)),
        lambda: desk.until(window, Phase.READY),
    ]
    typed_through(text, events)
    assert text_of(window) == text


@pytest.mark.parametrize(
    "way",
    ["greyed", pytest.param("hidden", marks=pytest.mark.slow), pytest.param("with its panel", marks=pytest.mark.slow)],
)
def test_focused_button_hidden_or_disabled_gives_the_focus_to_the_prompt(desk: Desk, way: str) -> None:
    window = in_prompt(desk)
    act(window, "toggle_inspector").trigger()
    button = named(window, QAbstractButton, "inspector_tokens")
    button.setFocus()
    goes: dict[str, Callable[[], object]] = {
        "hidden": button.hide,
        "greyed": lambda: button.setEnabled(False),
        "with its panel": named(window, QWidget, "inspector").hide,
    }
    goes[way]()
    typed_through(LETTERS, [])
    assert text_of(window) == LETTERS


@pytest.mark.parametrize("name", ["copy_last", pytest.param("step_continue", marks=pytest.mark.slow)])
def test_click_below_an_answer_keeps_the_focus_in_the_prompt(desk: Desk, name: str) -> None:
    """The line is on the conversation, which would get the focus from a button without a focus policy."""
    window = in_prompt(desk)
    named(window, QSpinBox, "max_tokens").setValue(3)
    desk.send(window, "hello")
    click(window, name)
    desk.until(window, Phase.READY)
    typed_through("and so on", [])
    assert text_of(window) == "and so on"


@pytest.mark.parametrize("way", ["a click", pytest.param("the palette", marks=pytest.mark.slow)])
def test_title_editor_when_left_gives_the_focus_to_the_chosen_field(desk: Desk, way: str) -> None:
    window = in_prompt(desk)
    desk.send(window, "hello")
    rows = named(window, QAbstractItemView, "session_list")
    desk.qtbot.waitUntil(lambda: any(_is_session(rows, row) for row in range(rows.model().rowCount())))
    rows.setFocus()
    rows.setCurrentIndex(next(rows.model().index(row, 0) for row in range(5) if _is_session(rows, row)))
    QTest.keyClick(rows, Qt.Key.Key_F2)
    title = named(window, QLineEdit, "session_title")
    assert title.hasFocus()
    if way == "a click":
        wanted = named(window, QLineEdit, "session_search")
        QTest.mouseClick(wanted, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(title, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        wanted = named(window, QLineEdit, "command_line")
    assert wanted.isVisible() and wanted.hasFocus()
    if way == "the palette":
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QTest.keyClick(wanted, Qt.Key.Key_Escape)
        assert not wanted.isVisible()


def _is_session(rows: QAbstractItemView, row: int) -> bool:
    return bool(rows.model().index(row, 0).flags() & Qt.ItemFlag.ItemIsEditable)


def test_click_on_a_tab_focuses_the_tab_bar(desk: Desk) -> None:
    window = in_prompt(desk)
    tokens = named(window, QSpinBox, "max_tokens")
    tokens.setFocus()
    tabs = named(window, QTabWidget, "side").tabBar()
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    assert QApplication.focusWidget() is tabs


@pytest.mark.slow
def test_session_opened_late_keeps_the_focus_in_the_search(program: Program) -> None:
    program.start()
    program.send("first")
    first = program.state.session
    program.act("new_session")
    program.send("second")
    program.window.playground.open_session(first)
    search = program.column.search
    search.setFocus()
    press("f")
    program.until(lambda: program.state.session == first and not program.state.opening)
    press("i")
    assert search.text() == "fi"
