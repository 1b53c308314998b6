from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QKeySequenceEdit,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)

from app.actions import NEEDS, TIPS, shown
from app.files.settings import Settings
from app.state import Phase
from app.ui.commands.controller import BUTTONS
from app.ui.commands.palette import HIT
from app.ui.conversation.transcript import Transcript
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import QUICK, Desk, act, named, words

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
    """Open the shortcuts, find the action, press its new key."""
    act(window, "change_shortcuts").trigger()
    named(window, QLineEdit, "shortcuts_search").setText(act(window, action).text())
    QTest.keyClick(named(window, QKeySequenceEdit, "shortcut_first"), key, held)


@pytest.mark.slow
def test_palette_runs_an_action_and_lists_it_first_next_time(desk: Desk) -> None:
    window = desk.ready()
    line = open_palette(desk, window)
    assert "Command Palette…" not in offered(window)
    QTest.keyClicks(line, "mono")
    QTest.keyClick(line, Key.Key_Return)
    assert act(window, "view_mono").isChecked()
    assert named(window, QPlainTextEdit, "prompt").hasFocus()
    open_palette(desk, window)
    assert offered(window)[0] == "Monospace"
    QTest.keyClick(line, Key.Key_Escape)
    window._features.commands.restore(Settings(recent_actions=("gone", "about", "view_mono")))
    open_palette(desk, window)
    assert offered(window)[:2] == ["About Sluice", "Monospace"]
    window._features.commands.restore(Settings(recent_actions=("view_mono",)))
    window.close()
    assert desk.kept[0].recent_actions == ("view_mono",)


def test_palette_open_esc_does_not_stop_the_load(desk: Desk) -> None:
    window = desk.open(knobs=replace(QUICK, load_seconds=3600))
    desk.until(window, Phase.LOADING)
    line = open_palette(desk, window)
    QTest.keyClick(line, Key.Key_Escape)
    assert not line.isVisible()
    assert window.playground.state.phase is Phase.LOADING
    open_palette(desk, window)
    QTest.keyClick(line, Key.Key_2, CONTROL)
    assert act(window, "view_plain").isChecked(), "an action by its own key"
    assert not line.isVisible()
    open_palette(desk, window)
    QTest.keyClick(line, Key.Key_K, CONTROL)
    assert not line.isVisible()
    QTest.keyClick(named(window, QPlainTextEdit, "prompt"), Key.Key_Escape)
    desk.until(window, Phase.EMPTY)


@pytest.mark.slow
def test_palette_enables_an_action_while_it_is_open(desk: Desk) -> None:
    window = desk.ready(knobs=replace(QUICK, tokens_per_second=50, replies=("word " * 20_000,)))
    named(window, QPlainTextEdit, "prompt").setPlainText("Hello")
    named(window, QAbstractButton, "send").click()
    desk.until(window, Phase.GENERATING)
    line, rows = open_palette(desk, window), named(window, QListView, "command_list")
    QTest.keyClicks(line, "re")
    while rows.currentIndex().data() != "Regenerate":
        QTest.keyClick(line, Key.Key_Up)
    QTest.keyClick(line, Key.Key_Return)
    assert line.isVisible(), "it is disabled"
    window.playground.stop()
    desk.qtbot.waitUntil(lambda: rows.currentIndex().data(HIT).command.enabled)
    assert rows.currentIndex().data() == "Regenerate"
    QTest.keyClick(line, Key.Key_Return)
    assert not line.isVisible() and window.playground.state.phase is Phase.PREFILLING


@pytest.mark.slow
def test_actions_disabled_have_a_reason(desk: Desk) -> None:
    window = desk.open()
    greyed = [name for name in TIPS if not act(window, name).isEnabled()]
    assert "view_code" in greyed
    desk.until(window, Phase.READY)
    greyed += [name for name in TIPS if not act(window, name).isEnabled()]
    desk.send(window, "One")
    greyed += [name for name in TIPS if not act(window, name).isEnabled()]
    assert set(greyed) <= NEEDS.keys()


@pytest.mark.slow
def test_context_menus_have_the_window_s_actions(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "One")
    desk.send(window, "Two")
    tables = act(window, "show_tables")
    assert tables in named(window, QToolButton, "speed_menu").menu().actions()
    assert [each.text() for each in named(window, QWidget, "memory_gauge").actions()] == [tables.text()]
    transcript = named(window, Transcript, "transcript")
    last, earlier = (transcript._menu(transcript._turns[at]) for at in (-1, 1))
    assert {act(window, name) for name in ("regenerate", "continue_run")} <= set(last.actions())
    assert act(window, "regenerate") not in earlier.actions()
    for menu in (last, earlier):
        menu.deleteLater()


@pytest.mark.slow
def test_changed_key_applies_at_once_and_is_saved(desk: Desk) -> None:
    window = desk.ready()
    press(desk, window, "toggle_sessions", Key.Key_U)
    assert act(window, "toggle_sessions").shortcuts() == [QKeySequence("Ctrl+U")]
    assert named(window, QWidget, "sessions_button").toolTip().endswith(f"({shown(('Ctrl+U',))})")
    kept = (("toggle_sessions", ("Ctrl+U",)),)
    desk.qtbot.waitUntil(lambda: bool(desk.kept) and desk.kept[-1].shortcuts == kept)
    named(window, QAbstractButton, "shortcuts_close").click()
    before = act(window, "toggle_sessions").isChecked()
    prompt = named(window, QPlainTextEdit, "prompt")
    QTest.keyClick(prompt, Key.Key_B, CONTROL)
    assert act(window, "toggle_sessions").isChecked() == before
    press(desk, window, "regenerate", Key.Key_N)
    assert words(window, "shortcut_words").startswith(f"{shown(('Ctrl+N',))} is the shortcut of “New Session”")
    assert act(window, "regenerate").shortcuts() == [QKeySequence("Ctrl+R")]
    assert act(window, "new_session").shortcuts() == [QKeySequence("Ctrl+N")]
    named(window, QAbstractButton, "shortcuts_close").click()
    for button, name in BUTTONS.items():
        tip = named(window, QWidget, button).toolTip()
        keys = shown(each.toString() for each in act(window, name).shortcuts()[:1])
        assert tip.endswith(f" ({keys})") if keys else "(" not in tip, button


@pytest.mark.slow
def test_saved_keys_are_reset_one_by_one_or_all_at_once(desk: Desk) -> None:
    kept = (("toggle_sessions", ("Ctrl+U",)), ("regenerate", ()), ("replay", ("Ctrl+Alt+R",)))
    window = desk.ready(Settings(shortcuts=kept))
    assert act(window, "toggle_sessions").shortcuts() == [QKeySequence("Ctrl+U")]
    act(window, "change_shortcuts").trigger()
    named(window, QLineEdit, "shortcuts_search").setText("regenerate")
    named(window, QAbstractButton, "shortcut_reset").click()
    assert act(window, "regenerate").shortcuts() == [QKeySequence("Ctrl+R")]
    named(window, QAbstractButton, "shortcuts_reset_all").click()
    assert act(window, "toggle_sessions").shortcuts() == [QKeySequence("Ctrl+B")]
    assert act(window, "replay").shortcuts() == []
    desk.qtbot.waitUntil(lambda: bool(desk.kept) and desk.kept[-1].shortcuts == ())
    named(window, QAbstractButton, "shortcuts_close").click()
