from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDoubleSpinBox,
    QLabel,
    QListWidget,
    QSpinBox,
    QStackedWidget,
)
from pytestqt.qtbot import QtBot

from app.files.settings import Advanced, NewSessionDefaults, Notify, Settings
from app.records.database import JournalSize
from app.ui.look import Color
from app.ui.look.theme import Theme
from app.ui.settings.form import OpenChoiceBox
from app.ui.settings.privacy import PrivacyPage
from tests.ui.desk import act, named
from tests.ui.settings.conftest import ADVANCED, PRIVACY, Setting, Start

COUNTED = JournalSize(sessions=3, runs=5, tokens=1200, traces=4_000, files=90_000)


def count(made: Setting, stored: JournalSize) -> None:
    """Show these sizes on the page Privacy."""
    page = named(made.window, PrivacyPage, "settings_privacy")
    page._stored, page._log_bytes = stored, 700
    page.refresh()


def test_settings_window_arrow_keys_change_the_page_and_escape_closes(setting: Start) -> None:
    made = setting(Settings())
    window = made.open()
    names, shown = named(window, QListWidget, "settings_pages"), window.findChild(QStackedWidget)
    assert shown is not None
    made.until(names.hasFocus)
    for page in list(window.pages.values())[1:]:
        QTest.keyClick(names, Qt.Key.Key_Down)
        assert shown.currentWidget() is page
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_settings_window_focus_is_drawn_on_the_row(setting: Start, theme: Theme) -> None:
    made = setting(Settings())
    window = made.open()
    names = named(window, QListWidget, "settings_pages")
    inside = names.visualItemRect(names.item(0)).translated(names.viewport().pos()).topLeft() + QPoint(12, 4)
    accent = theme.color(Color.ACCENT).rgb()

    def seen() -> tuple[bool, bool]:
        picture = names.grab().toImage()
        return picture.pixel(inside) == accent, picture.pixel(0, picture.height() // 2) == accent

    made.until(names.hasFocus)
    assert seen() == (True, False)
    named(window, QAbstractButton, "settings_appearance_dark").setFocus()
    assert seen() == (False, False)


def test_settings_window_shown_values_are_not_edits(setting: Start) -> None:
    mine = Settings(
        appearance="dark",
        high_contrast=True,
        text_percent=150,
        language="ko",
        enter_sends=False,
        keep_days=90,
        beginning=NewSessionDefaults(True),
        advanced=Advanced(12.5, 33, 16, 1.5, 2.0),
    )
    made = setting(mine)
    made.open()
    assert made.kept == []
    assert named(made.window, QDoubleSpinBox, "settings_saved").value() == 2.0


def test_settings_window_choices_are_saved_with_their_types(setting: Start) -> None:
    made = setting(Settings(appearance="dark"))
    made.open()
    restart = named(made.window, QAbstractButton, "settings_restart_language")
    assert not restart.isVisible()
    for name in ("settings_appearance_system", "settings_contrast", "settings_send_with_enter"):
        made.press(name)
    for name, value in (("settings_text_size", 125), ("settings_language", "ko"), ("settings_notify", "always")):
        made.choose(name, value)
    assert not act(made.window, "enter_sends").isChecked()
    last = made.kept[-1]
    assert (last.appearance, last.text_percent, last.high_contrast, last.enter_sends) == ("", 125, True, False)
    assert (last.language, last.notify) == ("ko", Notify.ALWAYS)
    assert isinstance(last.notify, Notify)
    assert restart.isVisible(), "another language needs a restart"
    made.press("settings_send_enter")
    assert act(made.window, "enter_sends").isChecked()


def test_privacy_page_shows_sizes_and_days(setting: Start) -> None:
    made = setting(Settings())
    made.open(PRIVACY)
    count(made, COUNTED)
    made.choose("settings_keep", 30)
    names = ("settings_held_sessions", "settings_held_traces", "settings_held_logs", "settings_keep_sentence")
    shown = {name: made.words(name) for name in names}
    assert shown["settings_held_sessions"].startswith("3 sessions and 5 runs")
    assert "90.0 kB" in shown["settings_held_sessions"]
    assert "1,200 tokens" in shown["settings_held_traces"]
    assert "700 bytes" in shown["settings_held_logs"]
    assert "30 days" in shown["settings_keep_sentence"]
    assert shown["settings_keep_sentence"].endswith("deletes no sessions.")


def test_advanced_page_amount_is_saved_on_enter(setting: Start) -> None:
    made = setting(Settings())
    window = made.open(ADVANCED)
    memory, frame = named(window, QDoubleSpinBox, "settings_memory"), named(window, QSpinBox, "settings_frame")
    assert (memory.text(), frame.value()) == ("Automatic", 33)
    memory.setFocus()
    memory.selectAll()
    QTest.keyClicks(memory, "12.5")
    assert made.kept == [], "not while it is being typed"
    QTest.keyClick(memory, Qt.Key.Key_Return)
    assert window.isVisible(), "Enter closes nothing"
    memory.setValue(0.1)
    memory.setValue(0.0)
    frame.setValue(16)
    frame.setValue(33)
    saved = [(each.advanced.memory_gb, each.advanced.frame_ms) for each in made.kept]
    assert saved == [(12.5, 0), (0.5, 0), (0.0, 0), (0.0, 16), (0.0, 0)]


@pytest.mark.parametrize("percent", [pytest.param(100, marks=pytest.mark.slow), 200])
def test_settings_pages_in_large_text_cut_nothing(
    setting: Start, theme: Theme, qapp: QApplication, percent: int
) -> None:
    made = setting(Settings(text_percent=percent, folders=("/a",), cache="/another/hub", keep_days=365))
    window = made.open()
    made.choose("settings_language", "ko")
    count(made, replace(COUNTED, deleted=2))
    for row, page in enumerate(window.pages.values()):
        made.open(row)
        for _ in range(4):  # a row that is turned makes the page higher, which may bring a scroll bar
            qapp.processEvents()
        inside = page.widget()
        assert inside is not None
        assert page.horizontalScrollBar().maximum() == 0, page.objectName()
        assert inside.height() >= inside.heightForWidth(inside.width()) - 1
        for label in page.findChildren(QLabel):
            if label.isVisible():
                assert label.height() >= label.heightForWidth(label.width()), label.text()


def test_choice_box_with_a_value_without_entry_adds_one(qtbot: QtBot) -> None:
    box = OpenChoiceBox("days", "Days", "", {7: "a week", 30: "a month"})
    qtbot.addWidget(box)
    assert (box.count(), box.currentData()) == (2, 7)
    box.show_value(5)
    assert (box.count(), box.currentText()) == (3, "5")
