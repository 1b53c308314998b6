from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QListWidget,
    QSpinBox,
    QWidget,
)

from app.bridge.clock import FrameClock
from app.controls import Controls, Mode
from app.engine.echo import engine as echo
from app.engine.echo.engine import EchoEngine
from app.engine.types import DiskCacheStats, Limits, Memory, Prefill
from app.files.settings import Advanced, NewSessionDefaults, Settings
from app.state import Phase
from app.ui.look.palette import Color
from app.ui.look.theme import PERCENTS, Theme
from app.ui.settings.appearance import AppearanceController
from app.ui.settings.window import SettingsWindow
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.alone import Alone
from tests.ui.desk import Desk, act, named
from tests.ui.settings.conftest import ADVANCED, BEGINNING, Setting, Start
from tests.ui.whole import goes_back

FASTER_MS = 10
MANY = 20


@pytest.mark.slow
def test_settings_window_opens_by_its_key_and_closes_before_the_main_window(desk: Desk) -> None:
    window = desk.ready()
    shortcut = act(window, "settings")
    assert shortcut.shortcut().toString() == "Ctrl+,"
    assert shortcut.menuRole() is QAction.MenuRole.PreferencesRole
    shortcut.trigger()
    pages = named(window, SettingsWindow, "settings")
    assert pages.isVisible() and not pages.isModal()
    QTest.keyClick(pages, Qt.Key.Key_Escape)
    assert not pages.isVisible()
    shortcut.trigger()
    desk.qtbot.waitUntil(lambda: QApplication.activeWindow() is pages)
    act(window, "close_window").trigger()
    assert (pages.isVisible(), window.isVisible()) == (False, True)
    window.activateWindow()
    desk.qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    act(window, "close_window").trigger()
    assert not window.isVisible() and not window.starts_again


@pytest.mark.slow
def test_new_session_begins_with_the_saved_controls(desk: Desk) -> None:
    window = desk.ready()
    act(window, "settings").trigger()
    named(window, QListWidget, "settings_pages").setCurrentRow(BEGINNING)
    spin = named(window, QSpinBox, "max_tokens")
    spin.setValue(12)
    named(window, QAbstractButton, "settings_save_beginning").click()
    assert desk.kept[-1].beginning.used
    assert desk.kept[-1].beginning.saved.limits.max_tokens == 12
    assert "At most 12 tokens." in named(window, QLabel, "settings_save_beginning_sentence").text()
    spin.setValue(99)
    desk.send(window, "hello")
    act(window, "new_session").trigger()
    assert window.playground.state.controls.limits.max_tokens == spin.value() == 12
    spin.setValue(55)
    named(window, QAbstractButton, "settings_begin_with_last").click()
    desk.send(window, "hello")
    act(window, "new_session").trigger()
    assert window.playground.state.controls.limits.max_tokens == 55


def test_new_session_with_saved_controls_keeps_the_mode(setting: Start) -> None:
    made = setting(
        Settings(beginning=NewSessionDefaults(True, Controls(mode=Mode.CHAT, system="Be brief.", observe=5)))
    )
    made.playground.set_controls(Controls(mode=Mode.RAW))
    made.controller.begin_session()
    controls = made.playground.state.controls
    assert (controls.mode, controls.system, controls.observe) == (Mode.RAW, "Be brief.", 5)
    assert NewSessionDefaults().saved.draft_tokens == Settings().controls.draft_tokens


@pytest.mark.slow
def test_appearance_is_applied_and_saved_from_menu_and_settings(
    setting: Start, theme: Theme, qapp: QApplication
) -> None:
    made = setting(Settings())
    window = made.window
    made.open()
    made.press("settings_appearance_dark")
    assert theme.dark and act(window, "appearance_dark").isChecked()
    assert made.kept[-1].appearance == "dark"
    named(window, QCheckBox, "settings_contrast").click()
    assert theme.high_contrast and made.kept[-1].high_contrast
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == theme.hex(Color.SURFACE) == "#000000"
    made.choose("settings_text_size", 150)
    assert theme.percent == made.kept[-1].text_percent == 150
    act(window, "larger_text").trigger()
    assert named(window, QComboBox, "settings_text_size").currentData() == 175
    act(window, "appearance_light").trigger()
    assert named(window, QAbstractButton, "settings_appearance_light").isChecked()
    act(window, "high_contrast").trigger()
    assert not named(window, QCheckBox, "settings_contrast").isChecked()
    assert (made.kept[-1].appearance, made.kept[-1].text_percent) == ("light", 175), "changes in the menu are saved"
    act(window, "larger_text").trigger()
    assert theme.percent == 200 and not act(window, "larger_text").isEnabled()
    act(window, "usual_text").trigger()
    act(window, "smaller_text").trigger()
    assert theme.percent == 90
    act(window, "appearance_system").trigger()
    assert not theme.dark, "the offscreen platform is light"


def test_appearance_unknown_value_is_the_nearest_known_one(alone: Alone, theme: Theme) -> None:
    alone.add(AppearanceController(theme, Settings(appearance="sepia", text_percent=9_000), alone))
    assert act(alone, "appearance_system").isChecked()
    assert theme.percent == PERCENTS[-1]
    AppearanceController(theme, Settings(text_percent=137), alone)
    assert theme.percent == 125


def test_native_look_is_shown_on_macos_only(setting: Start, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    made = setting(Settings())
    made.open()
    made.press("settings_native_look")
    assert made.kept[-1].native_look
    made.open(BEGINNING)
    made.press("settings_reset")
    assert not made.kept[-1].native_look
    monkeypatch.setattr("sys.platform", "linux")
    assert (
        SettingsWindow(made.controller, theme, made.window).findChild(QAbstractButton, "settings_native_look") is None
    )


def test_reset_restores_defaults_and_undo_the_values_before(setting: Start, theme: Theme) -> None:
    mine = Settings(
        language="ko",
        high_contrast=True,
        enter_sends=False,
        folders=("/a",),
        cache="/hub",
        keep_days=90,
        told_before=1.0,
        advanced=Advanced(8.0, 64, 16),
        beginning=NewSessionDefaults(True, Controls(system="Be brief.")),
        shortcuts=(("settings", ("F6",)),),
        controls=Controls(system="Stays."),
    )
    own = ("language", "high_contrast", "enter_sends", "folders", "cache", "keep_days", "told_before", "advanced")
    made = setting(mine)
    made.open(BEGINNING)
    made.press("settings_reset")
    fresh, kept = Settings(), made.kept[-1]
    assert [getattr(kept, name) for name in own] == [getattr(fresh, name) for name in own]
    assert kept.beginning == fresh.beginning
    rest = made.controller.updated_settings(mine)
    assert (rest.controls, rest.shortcuts) == (mine.controls, mine.shortcuts)
    assert not theme.high_contrast
    made.press("settings_undo_reset")
    assert [getattr(made.kept[-1], name) for name in own] == [getattr(mine, name) for name in own]
    assert theme.high_contrast
    made.press("settings_reset")
    act(made.window, "appearance_dark").trigger()
    assert not named(made.window, QAbstractButton, "settings_undo_reset").isVisible(), "Undo would undo this too"


def test_memory_limit_is_applied_at_once(setting: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(echo, "LIMIT_BYTES", 2_000_000_000)
    made = setting(Settings())
    made.open(ADVANCED)
    spin, words = named(made.window, QDoubleSpinBox, "settings_memory"), partial(made.words, "settings_memory_sentence")
    made.until(lambda: "2.00 GB now" in words())
    spin.setValue(0.5)
    assert made.kept[-1].advanced.memory_gb == 0.5
    made.until(lambda: "500 MB now" in words())
    spin.setValue(0.0)
    made.until(lambda: "2.00 GB now" in words())


def prefilled(made: Setting) -> list[Prefill]:
    """The prefill steps of a run with a long prompt."""
    seen: list[Prefill] = []
    worker = made.playground._runner.worker
    worker.prefilled.connect(seen.append, Qt.ConnectionType.DirectConnection)
    made.window.send("word " * 100)
    return seen


def test_advanced_values_are_applied_from_the_start_and_prefill_step_from_the_next_run(setting: Start) -> None:
    made = setting(Settings(advanced=Advanced(0.5, 16, 20)))
    assert frame_clock(made).frame_ms == 20
    assert made.controller.updated_settings(Settings()).advanced == Advanced(0.5, 16, 20)
    made.open(ADVANCED)
    for chunk in (16, 32):
        made.choose("settings_chunk", chunk)
        first, second, *_ = prefilled(made)
        assert second.done - first.done == made.controller.values.advanced.prefill_chunk == chunk


def frame_clock(made: Setting) -> FrameClock:
    clock = made.playground.findChild(FrameClock)
    assert clock is not None
    return clock


@pytest.mark.parametrize("engine", [partial(EchoEngine, ENDLESS_TEXT)])
def test_frame_interval_is_applied_during_a_run(setting: Start) -> None:
    made = setting(Settings())
    made.playground.set_controls(Controls(limits=Limits(10_000)))
    made.playground.send("go on")
    made.window.until_phase(Phase.GENERATING)
    made.open(ADVANCED)
    named(made.window, QSpinBox, "settings_frame").setValue(FASTER_MS)
    assert frame_clock(made).frame_ms == FASTER_MS
    assert made.kept[-1].advanced.frame_ms == FASTER_MS
    made.playground.stop()
    made.window.until_phase(Phase.READY)


def test_tab_key_follows_the_reading_order_of_each_page(setting: Start) -> None:
    made = setting(Settings(folders=("/a",), cache="/somewhere", language="ko"))
    pages = made.open()
    made.choose("settings_language", "en")
    names = named(made.window, QListWidget, "settings_pages")
    for number in range(names.count()):
        names.setCurrentRow(number)
        names.setFocus()
        way: list[QWidget] = [names]
        for _ in range(MANY):
            QTest.keyClick(way[-1], Qt.Key.Key_Tab)
            reached = pages.focusWidget()
            assert reached is not None
            if reached is names:
                break
            way.append(reached)
        assert 1 < len(way) < MANY, "the focus leaves each control"
        backwards = [f"{one.objectName()} → {two.objectName()}" for one, two in pairwise(way) if goes_back(one, two)]
        assert backwards == []


def test_cache_limits_are_applied_at_once(setting: Start, tmp_path: Path) -> None:
    made = setting(Settings())
    made.open(ADVANCED)
    in_memory, on_disk = (named(made.window, QDoubleSpinBox, f"settings_{name}") for name in ("kept", "saved"))
    for gigabytes in (1.5, 0.0):
        in_memory.setValue(gigabytes)
        assert (made.kept[-1].advanced.kept_gb, made.playground.tuning.kept_bytes) == (gigabytes, gigabytes * 10**9)
    words = partial(made.words, "settings_saved_sentence")
    assert (on_disk.text(), "spare the SSD" in words(), "Stored now" in words()) == ("Off", True, False)
    on_disk.setValue(2.0)
    assert (made.kept[-1].advanced.saved_gb, made.playground.tuning.saved_bytes) == (2.0, 2_000_000_000)
    assert Path(made.playground.tuning.saved_to) == tmp_path / "caches"
    made.playground.measured.emit(Memory(1, 0, 1, 9, 0, 0, saved=DiskCacheStats(5_000_000, 7_000_000, 12.0)))
    assert words().endswith("Stored now: 5.00 MB. Since startup: 7.00 MB written, 12.0 s of prefill saved.")
    made.playground.measured.emit(Memory(1, 0, 1, 9, 0, 0, saved=DiskCacheStats(why_not="It can't be.")))
    assert words().endswith(" of prefill saved. It can't be.")
    on_disk.setValue(0.0)
    assert made.playground.tuning.saved_bytes == 0
    assert "Stored now" not in words()
