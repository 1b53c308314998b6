"""The settings in the real window: each change does at once what it says, and is kept there and then."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from app.controls import Controls, Mode
from app.engine.echo import engine as echo
from app.engine.echo.engine import Knobs
from app.engine.types import Memory, Prefill, Sampling, Saved
from app.settings import Advanced, Beginning, Settings, mended
from app.state import Phase
from app.ui.instruments.memory_gauge import MemoryGauge
from app.ui.settings.window import SettingsWindow
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named
from tests.ui.shell.reading_order import goes_back

FASTER_MS = 10
MANY = 20
SLOW = Knobs(tokens_per_second=400, prefill_per_second=0, load_seconds=0, replies=("word " * 20_000,))


@pytest.fixture
def opened(desk: Desk) -> Iterator[Callable[..., MainWindow]]:
    """A window whose settings are open."""

    def open_it(settings: Settings | None = None, knobs: Knobs | None = None) -> MainWindow:
        window = desk.ready(settings, knobs) if knobs is not None else desk.ready(settings)
        act(window, "settings").trigger()
        return window

    yield open_it


Opened = Callable[..., MainWindow]


def turn(window: MainWindow, page: int) -> None:
    named(window, QListWidget, "settings_pages").setCurrentRow(page)


def choose(window: MainWindow, name: str, value: object) -> None:
    box = named(window, QComboBox, name)
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def press(window: MainWindow, name: str) -> None:
    named(window, QAbstractButton, name).click()


def test_it_opens_by_its_key_beside_the_window_and_closes_with_esc(desk: Desk) -> None:
    window = desk.ready()
    shortcut = act(window, "settings")
    assert shortcut.shortcut().toString() == "Ctrl+,"
    assert shortcut.menuRole() is QAction.MenuRole.PreferencesRole
    shortcut.trigger()
    pages = named(window, SettingsWindow, "settings")
    assert pages.isVisible()
    assert not pages.isModal()
    QTest.keyClick(pages, Qt.Key.Key_Escape)
    assert not pages.isVisible()
    shortcut.trigger()
    assert pages.isVisible()
    window.close()
    assert not pages.isVisible()


def test_looks_are_worn_at_once_kept_at_once_and_in_step_with_the_menu(desk: Desk, opened: Opened) -> None:
    window = opened()
    press(window, "settings_appearance_dark")
    assert desk.theme.dark
    assert act(window, "appearance_dark").isChecked()
    assert desk.kept[-1].appearance == "dark"
    named(window, QCheckBox, "settings_contrast").click()
    assert desk.theme.high_contrast
    assert desk.kept[-1].high_contrast
    choose(window, "settings_text_size", 150)
    assert desk.theme.percent == desk.kept[-1].text_percent == 150
    act(window, "larger_text").trigger()
    assert named(window, QComboBox, "settings_text_size").currentData() == 175
    act(window, "appearance_light").trigger()
    assert named(window, QAbstractButton, "settings_appearance_light").isChecked()
    act(window, "high_contrast").trigger()
    assert not named(window, QCheckBox, "settings_contrast").isChecked()
    assert (desk.kept[-1].appearance, desk.kept[-1].text_percent) == ("light", 175), "the menu's changes are kept too"


def test_the_send_key_is_another_at_once(desk: Desk, opened: Opened) -> None:
    window = opened()
    prompt = named(window, QPlainTextEdit, "prompt")
    press(window, "settings_send_with_enter")
    assert not act(window, "enter_sends").isChecked()
    assert not desk.kept[-1].enter_sends
    QTest.keyClicks(prompt, "one")
    QTest.keyClick(prompt, Qt.Key.Key_Return)
    assert prompt.toPlainText() == "one\n"
    press(window, "settings_send_enter")
    QTest.keyClick(prompt, Qt.Key.Key_Return)
    desk.qtbot.waitUntil(lambda: len(window.playground.state.turns) == 2)
    desk.until(window, Phase.READY)


def test_another_language_waits_for_the_next_start_which_is_one_press_away(desk: Desk, opened: Opened) -> None:
    window = opened()
    assert not named(window, QAbstractButton, "settings_restart_language").isVisible()
    choose(window, "settings_language", "ko")
    assert desk.kept[-1].language == "ko"
    named(window, QPlainTextEdit, "prompt").setPlainText("not sent yet")
    press(window, "settings_restart_language")
    assert window.starts_again
    assert not window.isVisible()
    assert window.playground.state.phase is not Phase.GENERATING


def test_closing_is_no_restart(desk: Desk) -> None:
    window = desk.ready()
    window.close()
    assert not window.starts_again


def test_a_new_session_begins_with_what_was_saved(desk: Desk, opened: Opened) -> None:
    window = opened()
    play = window.playground
    named(window, QSpinBox, "max_tokens").setValue(12)
    turn(window, 1)
    press(window, "settings_save_beginning")
    assert desk.kept[-1].beginning.used
    assert desk.kept[-1].beginning.saved.limits.max_tokens == 12
    assert "At most 12 tokens." in named(window, QLabel, "settings_save_beginning_sentence").text()
    named(window, QSpinBox, "max_tokens").setValue(99)
    desk.send(window, "hello")
    act(window, "new_session").trigger()
    assert play.state.controls.limits.max_tokens == 12
    assert named(window, QSpinBox, "max_tokens").value() == 12
    named(window, QSpinBox, "max_tokens").setValue(55)
    press(window, "settings_begin_with_last")
    desk.send(window, "hello")
    act(window, "new_session").trigger()
    assert play.state.controls.limits.max_tokens == 55


def test_the_mode_stays_and_values_out_of_range_are_mended(desk: Desk) -> None:
    saved = Controls(mode=Mode.CHAT, system="Be brief.", sampling=Sampling(temperature=-4.0), observe=5)
    window = desk.ready(mended(Settings(beginning=Beginning(True, saved), controls=Controls(mode=Mode.RAW))))
    desk.send(window, "Once upon a time")
    act(window, "new_session").trigger()
    controls = window.playground.state.controls
    assert (controls.mode, controls.system, controls.observe) == (Mode.RAW, "Be brief.", 5)
    assert controls.sampling == Sampling()


def test_a_reset_takes_everything_back_and_undo_brings_it_again(desk: Desk, opened: Opened) -> None:
    mine = Settings(
        language="ko",
        high_contrast=True,
        enter_sends=False,
        folders=("/a",),
        cache="/hub",
        keep_days=90,
        told_before=1.0,
        advanced=Advanced(8.0, 64, 16),
        beginning=Beginning(True, Controls(system="Be brief.")),
        shortcuts=(("settings", ("F6",)),),
        controls=Controls(system="Stays."),
    )
    window = opened(mine)
    turn(window, 1)
    press(window, "settings_reset")
    fresh, kept = Settings(), desk.kept[-1]
    own = ("language", "high_contrast", "enter_sends", "folders", "cache", "keep_days", "told_before", "advanced")
    assert [getattr(kept, name) for name in own] == [getattr(fresh, name) for name in own]
    assert kept.beginning == fresh.beginning
    assert (kept.controls.system, kept.shortcuts) == ("Stays.", mine.shortcuts), "no control of the window, no shortcut"
    assert not desk.theme.high_contrast
    press(window, "settings_undo_reset")
    assert [getattr(desk.kept[-1], name) for name in own] == [getattr(mine, name) for name in own]
    assert desk.theme.high_contrast
    press(window, "settings_reset")
    act(window, "appearance_dark").trigger()
    assert not named(window, QAbstractButton, "settings_undo_reset").isVisible(), "it would take this back as well"


def test_the_memory_limit_counts_at_once(desk: Desk, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(echo, "LIMIT_BYTES", 2_000_000_000)
    window = opened()
    turn(window, 4)
    spin = named(window, QDoubleSpinBox, "settings_memory")
    told = named(window, QLabel, "settings_memory_sentence")
    gauge = named(window, MemoryGauge, "memory_gauge")
    desk.qtbot.waitUntil(lambda: "2.00 GB now" in told.text())
    spin.setValue(0.5)
    assert desk.kept[-1].advanced.memory_gb == 0.5
    desk.qtbot.waitUntil(lambda: "500 MB now" in told.text() and "500 MB" in gauge.accessibleDescription())
    spin.setValue(0.0)
    desk.qtbot.waitUntil(lambda: "2.00 GB now" in told.text() and "2.00 GB" in gauge.accessibleDescription())


def test_the_prefill_step_is_taken_by_the_next_run(desk: Desk, opened: Opened) -> None:
    window = opened()
    turn(window, 4)
    choose(window, "settings_chunk", 16)
    seen: list[Prefill] = []
    worker = window.playground._runner.engine.worker
    worker.prefilled.connect(seen.append, Qt.ConnectionType.DirectConnection)
    desk.send(window, "word " * 50)
    assert seen[1].done - seen[0].done == 16
    assert desk.kept[-1].advanced.prefill_chunk == 16


def test_frames_come_faster_in_the_middle_of_a_run(desk: Desk, opened: Opened) -> None:
    window = opened(Settings(), SLOW)
    timer = named_timer(window)
    named(window, QSpinBox, "max_tokens").setValue(10_000)
    named(window, QPlainTextEdit, "prompt").setPlainText("go on")
    press(window, "send")
    desk.until(window, Phase.GENERATING)
    turn(window, 4)
    named(window, QSpinBox, "settings_frame").setValue(FASTER_MS)
    assert timer.interval() == FASTER_MS
    assert timer.isActive()
    assert desk.kept[-1].advanced.frame_ms == FASTER_MS
    act(window, "stop").trigger()
    desk.until(window, Phase.READY)


def named_timer(window: MainWindow) -> QTimer:
    timer = window.playground.findChild(QTimer, "frame_timer")
    assert isinstance(timer, QTimer)
    return timer


def test_what_was_kept_counts_from_the_start(desk: Desk) -> None:
    window = desk.ready(Settings(advanced=Advanced(0.5, 16, 20)))
    # On a busy machine a frame may have been given twice or four times as long; the usual pace is no multiple of this.
    assert named_timer(window).interval() % 20 == 0
    seen: list[Prefill] = []
    worker = window.playground._runner.engine.worker
    worker.prefilled.connect(seen.append, Qt.ConnectionType.DirectConnection)
    desk.send(window, "word " * 50)
    assert seen[1].done - seen[0].done == 16
    window.close()
    assert desk.kept[-1].advanced == Advanced(0.5, 16, 20)


def test_the_program_s_own_beginning_is_the_controls_own() -> None:
    assert Beginning().saved.draft_tokens == Settings().controls.draft_tokens


def test_every_page_is_walked_with_the_tab_key_as_the_eye_goes(desk: Desk, opened: Opened) -> None:
    window = opened(Settings(folders=("/a",), cache="/somewhere", language="ko"))
    choose(window, "settings_language", "en")
    pages = named(window, SettingsWindow, "settings")
    names = named(window, QListWidget, "settings_pages")
    for number in range(names.count()):
        turn(window, number)
        names.setFocus()
        way: list[QWidget] = [names]
        for _ in range(MANY):
            QTest.keyClick(way[-1], Qt.Key.Key_Tab)
            reached = pages.focusWidget()
            assert reached is not None
            if reached is names:
                break
            way.append(reached)
        assert 1 < len(way) < MANY, "it keeps the keyboard"
        backwards = [f"{one.objectName()} → {two.objectName()}" for one, two in pairwise(way) if goes_back(one, two)]
        assert backwards == []


def test_close_window_closes_what_stands_in_front(desk: Desk, opened: Opened) -> None:
    window = opened()
    pages = named(window, SettingsWindow, "settings")
    desk.qtbot.waitUntil(lambda: QApplication.activeWindow() is pages)
    act(window, "close_window").trigger()
    assert (pages.isVisible(), window.isVisible()) == (False, True)
    window.activateWindow()
    desk.qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    act(window, "close_window").trigger()
    assert not window.isVisible()


def test_how_much_may_be_kept_of_conversations_counts_at_once(desk: Desk, opened: Opened) -> None:
    window = opened()
    turn(window, 4)
    spin = named(window, QDoubleSpinBox, "settings_kept")
    spin.setValue(1.5)
    assert (desk.kept[-1].advanced.kept_gb, window.playground._tuning.kept_bytes) == (1.5, 1_500_000_000)
    spin.setValue(0.0)
    assert (desk.kept[-1].advanced.kept_gb, window.playground._tuning.kept_bytes) == (0.0, 0)


def test_what_is_kept_on_the_disk_is_told_and_switched_off_it_goes(desk: Desk, opened: Opened) -> None:
    window = opened()
    turn(window, 4)
    spin, words = named(window, QDoubleSpinBox, "settings_saved"), named(window, QLabel, "settings_saved_sentence")
    assert (spin.text(), "wears an SSD" in words.text(), "lie there now" in words.text()) == ("Off", True, False)
    spin.setValue(2.0)
    assert (desk.kept[-1].advanced.saved_gb, window.playground._tuning.saved_bytes) == (2.0, 2_000_000_000)
    assert Path(window.playground._tuning.saved_to).name == "caches"
    window.playground.measured.emit(Memory(1, 0, 1, 9, 0, 0, saved=Saved(5_000_000, 7_000_000, 12.0)))
    assert words.text().endswith(
        "5.00 MB lie there now. Since the start 7.00 MB were written, and 12.0 s of reading spared."
    )
    window.playground.measured.emit(Memory(1, 0, 1, 9, 0, 0, saved=Saved(why_not="It can't be.")))
    assert words.text().endswith(" of reading spared. It can't be.")
    spin.setValue(0.0)
    assert window.playground._tuning.saved_bytes == 0
    assert "lie there now" not in words.text()
