"""The window's palette and its keys: what is chosen happens, what is changed holds at once and at the next start."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)

from app.actions import NEEDS, TIPS, shown
from app.settings import Settings
from app.state import Phase
from app.ui.commands.controller import BUTTONS
from app.ui.commands.hit_delegate import HIT
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import TurnAction
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import QUICK, Desk, act, named

Key, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier


def open_palette(desk: Desk, window: MainWindow) -> QLineEdit:
    QTest.keyClick(named(window, QPlainTextEdit, "prompt"), Key.Key_K, CONTROL)
    line = named(window, QLineEdit, "command_line")
    desk.qtbot.waitUntil(line.isVisible)
    return line


def offered(window: MainWindow) -> list[str]:
    rows = named(window, QListView, "command_list").model()
    return [rows.index(row, 0).data() for row in range(rows.rowCount())]


def press(desk: Desk, window: MainWindow, action: str, key: Qt.Key, held: Qt.KeyboardModifier = CONTROL) -> None:
    """Open the sheet, find the action, press its new key."""
    act(window, "change_shortcuts").trigger()
    named(window, QLineEdit, "shortcuts_search").setText(act(window, action).text())
    QTest.keyClick(named(window, QKeySequenceEdit, "shortcut_first"), key, held)


def test_what_is_chosen_in_the_palette_happens_and_is_first_next_time(desk: Desk) -> None:
    window = desk.ready()
    line = open_palette(desk, window)
    assert "Command Palette…" not in offered(window)
    QTest.keyClicks(line, "mono")
    QTest.keyClick(line, Key.Key_Return)
    assert act(window, "view_mono").isChecked()
    assert named(window, QPlainTextEdit, "prompt").hasFocus()
    open_palette(desk, window)
    assert offered(window)[0] == "Monospace"
    window.close()
    assert desk.kept[0].recent_actions == ("view_mono",)
    again = desk.ready(replace(desk.kept[0], recent_actions=("gone", "about", "view_mono")))
    open_palette(desk, again)
    assert offered(again)[:2] == ["About Sluice", "Monospace"]


def test_while_the_palette_is_open_esc_closes_it_and_stops_nothing(desk: Desk) -> None:
    window = desk.open(knobs=replace(QUICK, load_seconds=3600))
    desk.until(window, Phase.LOADING)
    line = open_palette(desk, window)
    QTest.keyClick(line, Key.Key_Escape)
    assert not line.isVisible()
    assert window.playground.state.phase is Phase.LOADING
    QTest.keyClick(named(window, QPlainTextEdit, "prompt"), Key.Key_Escape)
    desk.until(window, Phase.EMPTY)


def test_what_can_be_used_meanwhile_is_offered_at_once(desk: Desk) -> None:
    window = desk.ready(knobs=replace(QUICK, tokens_per_second=50, replies=("word " * 20_000,)))
    named(window, QPlainTextEdit, "prompt").setPlainText("Hello")
    named(window, QAbstractButton, "send").click()
    desk.until(window, Phase.GENERATING)
    line, rows = open_palette(desk, window), named(window, QListView, "command_list")
    QTest.keyClicks(line, "re")
    while rows.currentIndex().data() != "Regenerate":
        QTest.keyClick(line, Key.Key_Up)
    QTest.keyClick(line, Key.Key_Return)
    assert line.isVisible(), "it can't be used yet"
    window.playground.stop()
    desk.qtbot.waitUntil(lambda: rows.currentIndex().data(HIT).command.enabled)
    assert rows.currentIndex().data() == "Regenerate"
    QTest.keyClick(line, Key.Key_Return)
    assert not line.isVisible() and window.playground.state.phase is Phase.PREFILLING


def test_an_action_by_its_own_key_closes_the_palette(desk: Desk) -> None:
    window = desk.ready()
    line = open_palette(desk, window)
    QTest.keyClick(line, Key.Key_2, CONTROL)
    assert act(window, "view_plain").isChecked()
    assert not line.isVisible()
    open_palette(desk, window)
    QTest.keyClick(line, Key.Key_K, CONTROL)
    assert not line.isVisible()


def test_whatever_is_greyed_says_what_it_needs(desk: Desk) -> None:
    window = desk.open()
    greyed = [name for name in TIPS if not act(window, name).isEnabled()]
    assert "view_code" in greyed
    desk.until(window, Phase.READY)
    greyed += [name for name in TIPS if not act(window, name).isEnabled()]
    desk.send(window, "Hello")
    greyed += [name for name in TIPS if not act(window, name).isEnabled()]
    assert set(greyed) <= NEEDS.keys()


def test_a_changed_key_holds_at_once_everywhere_and_at_the_next_start(desk: Desk) -> None:
    window = desk.ready()
    press(desk, window, "toggle_sessions", Key.Key_U)
    assert act(window, "toggle_sessions").shortcuts() == [QKeySequence("Ctrl+U")]
    assert named(window, QWidget, "sessions_button").toolTip().endswith(f"({shown(('Ctrl+U',))})")
    named(window, QAbstractButton, "shortcuts_close").click()
    before = act(window, "toggle_sessions").isChecked()
    prompt = named(window, QPlainTextEdit, "prompt")
    QTest.keyClick(prompt, Key.Key_B, CONTROL)
    assert act(window, "toggle_sessions").isChecked() == before
    QTest.keyClick(prompt, Key.Key_J, CONTROL)
    act(window, "toggle_sessions").trigger()
    window.close()
    assert desk.kept[0].shortcuts == (("toggle_sessions", ("Ctrl+U",)),)
    again = desk.ready(desk.kept[0])
    assert act(again, "toggle_sessions").shortcuts() == [QKeySequence("Ctrl+U")]


def test_a_key_of_another_action_is_refused_and_says_whose_it_is(desk: Desk) -> None:
    window = desk.ready()
    press(desk, window, "regenerate", Key.Key_N)
    assert named(window, QLabel, "shortcut_words").text().startswith(f"{shown(('Ctrl+N',))} belongs to “New Session”")
    assert act(window, "regenerate").shortcuts() == [QKeySequence("Ctrl+R")]
    assert act(window, "new_session").shortcuts() == [QKeySequence("Ctrl+N")]
    named(window, QAbstractButton, "shortcuts_close").click()


def test_changed_keys_are_put_back_one_by_one_or_all_at_once(desk: Desk) -> None:
    kept = (("toggle_sessions", ("Ctrl+U",)), ("regenerate", ()), ("replay", ("Ctrl+Alt+R",)))
    window = desk.ready(Settings(shortcuts=kept))
    act(window, "change_shortcuts").trigger()
    named(window, QLineEdit, "shortcuts_search").setText("regenerate")
    named(window, QAbstractButton, "shortcut_reset").click()
    assert act(window, "regenerate").shortcuts() == [QKeySequence("Ctrl+R")]
    named(window, QAbstractButton, "shortcuts_reset_all").click()
    assert act(window, "toggle_sessions").shortcuts() == [QKeySequence("Ctrl+B")]
    assert act(window, "replay").shortcuts() == []
    named(window, QAbstractButton, "shortcuts_close").click()
    window.close()
    assert desk.kept[-1].shortcuts == ()


def test_every_button_that_tells_a_key_tells_that_of_its_action(desk: Desk) -> None:
    window = desk.ready(Settings(shortcuts=(("show_runs", ()),)))
    for button, name in BUTTONS.items():
        tip, keys = (
            named(window, QWidget, button).toolTip(),
            shown(each.toString() for each in act(window, name).shortcuts()[:1]),
        )
        assert tip.endswith(f" ({keys})") if keys else "(" not in tip, button


def test_the_graph_s_menu_has_the_window_s_own_action(desk: Desk) -> None:
    window = desk.ready()
    menu = named(window, QToolButton, "speed_menu").menu()
    assert act(window, "show_tables") in menu.actions()
    gauge = named(window, QWidget, "memory_gauge").actions()
    assert [each.text() for each in gauge] == [act(window, "show_tables").text()]


def test_the_menu_of_the_last_turn_has_the_window_s_own_actions(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "One")
    desk.send(window, "Two")
    transcript = named(window, Transcript, "transcript")
    last, earlier = (transcript._menu(transcript._turns[at]) for at in (-1, 1))
    assert act(window, "regenerate") in last.actions()
    assert act(window, "continue_run") in last.actions()
    assert act(window, "regenerate") not in earlier.actions()
    texts = {each.data()[0]: each.text() for each in earlier.actions() if each.data() is not None}
    names = {
        "regenerate": TurnAction.REGENERATE,
        "continue_run": TurnAction.CONTINUE,
        "view_code": TurnAction.VIEW_CODE,
    }
    assert {name: texts[wish] for name, wish in names.items()} == {name: act(window, name).text() for name in names}
    for menu in (last, earlier):
        menu.deleteLater()


def test_keys_are_on_the_disk_before_the_end(desk: Desk) -> None:
    window = desk.ready()
    press(desk, window, "new_session", Key.Key_U)
    desk.qtbot.waitUntil(lambda: bool(desk.kept and dict(desk.kept[-1].shortcuts).get("new_session") == ("Ctrl+U",)))
    named(window, QAbstractButton, "shortcuts_reset_all").click()
    desk.qtbot.waitUntil(lambda: desk.kept[-1].shortcuts == ())
