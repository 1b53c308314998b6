"""The pages of the settings by themselves: what they show, what they tell, and what they keep to themselves."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QListWidget,
    QSpinBox,
    QStackedWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.files.settings import Advanced, Notify, Settings
from app.records.journal_size import JournalSize
from app.ui.look import Colour
from app.ui.look.theme import Theme
from app.ui.settings.page import Choice
from app.ui.settings.values import FoldersValues, PrivacyValues
from app.ui.settings.window import SettingsWindow
from tests.ui.desk import named

DARK = Settings(appearance="dark", high_contrast=True, text_percent=150, language="ko", enter_sends=False)
COUNTED = JournalSize(sessions=3, runs=5, tokens=1200, traces=4_000, files=90_000)
HELD = PrivacyValues(held=COUNTED, logs=700)


@pytest.fixture
def pages(qtbot: QtBot, theme: Theme) -> Iterator[SettingsWindow]:
    around = QWidget()
    qtbot.addWidget(around)
    window = SettingsWindow(theme, 33, around)
    window.show()
    yield window
    around.close()


def choose(box: QComboBox, value: object) -> None:
    """As a user does."""
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_the_list_turns_the_pages_by_keyboard(pages: SettingsWindow) -> None:
    pages.bring_up()
    names, shown = named(pages, QListWidget, "settings_pages"), pages.findChild(QStackedWidget)
    assert shown is not None
    assert names.hasFocus()
    for page in (pages.beginning, pages.folders, pages.privacy, pages.advanced):
        QTest.keyClick(names, Qt.Key.Key_Down)
        assert shown.currentWidget() is page
    QTest.keyClick(pages, Qt.Key.Key_Escape)
    assert not pages.isVisible()


def test_the_keyboard_is_shown_on_the_page_and_not_around_the_list(pages: SettingsWindow, theme: Theme) -> None:
    pages.bring_up()
    names = named(pages, QListWidget, "settings_pages")
    inside = names.visualItemRect(names.item(0)).translated(names.viewport().pos()).topLeft() + QPoint(12, 4)
    accent = theme.colour(Colour.ACCENT).rgb()

    def seen() -> tuple[bool, bool]:
        picture = names.grab().toImage()
        return picture.pixel(inside) == accent, picture.pixel(0, picture.height() // 2) == accent

    assert names.hasFocus()
    assert seen() == (True, False)
    named(pages, QAbstractButton, "settings_appearance_dark").setFocus()
    assert seen() == (False, False)


def test_what_is_shown_is_told_to_nobody(pages: SettingsWindow) -> None:
    told: list[object] = []
    general, advanced = pages.general, pages.advanced
    for signal in (
        *(general.appearance_wanted, general.switched, general.text_size_wanted, general.edited),
        *(pages.beginning.use_wanted, pages.privacy.keep_wanted, advanced.edited),
    ):
        signal.connect(lambda *values: told.append(values))
    general.show_values(DARK, True)
    pages.beginning.show_values(True, "Saved.")
    pages.privacy.show_values(replace(HELD, keep_days=90))
    advanced.show_values(Advanced(12.5, 33, 16), 10**9)
    assert told == []


def test_each_choice_is_told(pages: SettingsWindow) -> None:
    told: dict[str, object] = {}
    general = pages.general
    general.appearance_wanted.connect(lambda value: told.update(appearance=value))
    general.text_size_wanted.connect(lambda value: told.update(size=value))
    for signal in (general.edited, general.switched):
        signal.connect(lambda name, value: told.update({name: value}))
    general.show_values(Settings(appearance="dark"), False)
    click(named(pages, QAbstractButton, "settings_appearance_system"))
    click(named(pages, QAbstractButton, "settings_contrast"))
    click(named(pages, QAbstractButton, "settings_send_with_enter"))
    for name, value in (("settings_text_size", 125), ("settings_language", "ko"), ("settings_notify", "always")):
        box = named(pages, QComboBox, name)
        choose(box, value)
    set_here = {"language": "ko", "notify": Notify.ALWAYS}
    assert told == {"appearance": "", "size": 125, "high_contrast": True, "enter_sends": False, **set_here}
    assert isinstance(told["notify"], Notify)


def click(button: QAbstractButton) -> None:
    button.click()


def test_sizes_and_days_are_told_in_words(pages: SettingsWindow) -> None:
    pages.privacy.show_values(replace(HELD, keep_days=30, due=2))
    names = ("settings_held_sessions", "settings_held_traces", "settings_held_logs", "settings_keep_sentence")
    said = {name: named(pages, QLabel, name).text() for name in names}
    assert said["settings_held_sessions"].startswith("3 sessions and 5 runs")
    assert "90.0 kB" in said["settings_held_sessions"]
    assert "1,200 tokens" in said["settings_held_traces"]
    assert "700 bytes" in said["settings_held_logs"]
    assert "30 days" in said["settings_keep_sentence"]
    assert said["settings_keep_sentence"].endswith("that will be 2 sessions.")


def test_numbers_are_told_when_they_are_whole_and_automatic_is_0(pages: SettingsWindow) -> None:
    told: list[tuple[str, float]] = []
    pages.advanced.edited.connect(lambda name, value: told.append((name, value)))
    pages.advanced.show_values(Advanced(), 0)
    memory, frame = named(pages, QDoubleSpinBox, "settings_memory"), named(pages, QSpinBox, "settings_frame")
    assert (memory.text(), frame.value()) == ("Automatic", 33)
    pages._list.setCurrentRow(4)
    memory.setFocus()
    memory.selectAll()
    QTest.keyClicks(memory, "12.5")
    assert told == [], "what is being typed is no value yet"
    QTest.keyClick(memory, Qt.Key.Key_Return)
    assert pages.isVisible(), "Enter closes nothing"
    memory.setValue(0.1)
    memory.setValue(0.0)
    frame.setValue(16)
    frame.setValue(33)
    assert told == [("memory_gb", 12.5), ("memory_gb", 0.5), ("memory_gb", 0.0), ("frame_ms", 16), ("frame_ms", 0)]


@pytest.mark.parametrize("percent", [100, 200])
def test_nothing_is_cut_off_at_the_side_and_everything_can_be_scrolled_to(
    pages: SettingsWindow, theme: Theme, qapp: QApplication, percent: int
) -> None:
    theme.resize(percent)
    pages.general.show_values(Settings(language="ko"), True)
    pages.folders.show_values(
        FoldersValues(("/a",), Path("/hub"), Path("/another/hub"), False, 1, Path("/data"), Path("/logs"))
    )
    pages.privacy.show_values(replace(HELD, held=replace(COUNTED, deleted=2), keep_days=365, due=12))
    for row, page in enumerate((pages.general, pages.beginning, pages.folders, pages.privacy, pages.advanced)):
        pages._list.setCurrentRow(row)
        for _ in range(4):  # a row that is turned makes the page higher, which may bring a scroll bar
            qapp.processEvents()
        inside = page.widget()
        assert inside is not None
        assert page.horizontalScrollBar().maximum() == 0, page.objectName()
        assert inside.height() >= inside.heightForWidth(inside.width()) - 1
        for label in page.findChildren(QLabel):
            if label.isVisible():
                assert label.height() >= label.heightForWidth(label.width()), label.text()


def test_only_a_value_that_is_shown_becomes_an_entry(qtbot: QtBot) -> None:
    box = Choice("days", "Days", "So long", {7: "a week", 30: "a month"}, print)
    qtbot.addWidget(box)
    assert (box.count(), box.currentData()) == (2, 7)
    box.show_value(5)
    assert (box.count(), box.currentText()) == (3, "5")
