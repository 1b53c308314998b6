"""The help page, “What's this?”, and the Help menu: links, problem reports and licenses."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QListWidget,
    QMessageBox,
    QPlainTextEdit,
    QTextBrowser,
    QWhatsThis,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app import PROBLEMS_PAGE, RELEASES_PAGE
from app.actions import BY_NAME, shown
from app.definitions import DEFINITIONS
from app.engine.types import Failure, Reason
from app.ui.guide import help_view
from app.ui.guide.controller import GuideController, explanation_of
from app.ui.guide.controller_help import HelpController
from app.ui.guide.explanations import EXPLAINED
from app.ui.look.theme import Theme
from app.ui.prompt.editor import PromptEditor
from app.ui.shell.main_window import MainWindow
from tests.conftest import PROJECT
from tests.ui.alone import Alone
from tests.ui.desk import act, named
from tests.ui.whole import controls

RESOURCES = PROJECT / "resources"
LANGUAGES = ("en", "ko")
PLACES = {"parts", "controls", "numbers", "experiments", "keys", "data", "problems"}
REASONS = {f"reason_{reason.name.lower()}" for reason in Reason}


@pytest.fixture
def guided(alone: Alone, theme: Theme) -> Iterator[Alone]:
    prompt = PromptEditor(theme)
    alone.put(prompt)
    alone.add(
        GuideController(
            alone.playground,
            theme,
            prompt=prompt,
            page=alone,
            room=QWidget(alone),
            resources=RESOURCES,
            data=Path("data"),
            parent=alone,
        ),
        *BY_NAME,
    )
    act(alone, "whats_this").setShortcut("Shift+F1")
    yield alone
    QWhatsThis.hideText()
    QWhatsThis.leaveWhatsThisMode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_page_is_whole_in_each_language(language: str) -> None:
    text = (RESOURCES / help_view.FOLDER / f"{language}.html").read_text("utf-8")
    first = (RESOURCES / help_view.FOLDER / "en.html").read_text("utf-8")
    assert set(re.findall(r"\{\{(\w+)\}\}", text)) == PLACES | REASONS
    tags = re.compile(r"</?[a-z0-9]+(?: id=\"\w+\")?")
    assert tags.findall(text) == tags.findall(first)
    assert not re.search(r"(href|src)=\"(?!#|\{\{problems)", text)


def test_help_shows_every_definition_and_shortcut(guided: Alone) -> None:
    act(guided, "help").trigger()
    text = named(guided, QTextBrowser, "help_page").toPlainText()
    missing = [each.text for each in DEFINITIONS.values() if each.text not in text]
    missing += [each.text for each in EXPLAINED.values() if each.text not in text]
    assert missing == []
    assert "{{" not in text
    act(guided, "new_session").setShortcut("Ctrl+Alt+Y")
    act(guided, "help").trigger()
    assert shown(("Ctrl+Alt+Y",)) in named(guided, QTextBrowser, "help_page").toPlainText()


def test_help_without_its_file_says_so(tmp_path: Path) -> None:
    assert "missing" in help_view.page(tmp_path, {}, tmp_path)


def test_link_shows_its_address_before_opening(guided: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    act(guided, "help").trigger()
    page = named(guided, QTextBrowser, "help_page")
    page.anchorClicked.emit(PROBLEMS_PAGE)
    box = guided.findChild(QMessageBox)
    assert box is not None
    assert (box.informativeText(), opened) == (PROBLEMS_PAGE, [])
    box.close()


@pytest.mark.slow
def test_explanations_cover_every_control_and_nothing_else(everything: MainWindow) -> None:
    silent = []
    for each in controls(everything):
        above: QWidget | None = each
        while above is not None and not explanation_of(above):
            above = None if above.isWindow() else above.parentWidget()
        if above is None:
            silent.append(each.objectName())
    assert silent == []
    there = {each.objectName() for each in everything.findChildren(QWidget)}
    made_later = {"numbers_dialog", "branches_dialog", "stop_steps", "shortcuts_sheet", "code_dialog", "inside_window"}
    assert EXPLAINED.keys() - there <= made_later


def test_explain_key_answers_for_the_focused_widget(guided: Alone, qtbot: QtBot) -> None:
    prompt = named(guided, QPlainTextEdit, "prompt")
    prompt.setFocus()
    QTest.keyClick(prompt, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert not QWhatsThis.inWhatsThisMode()
    qtbot.waitUntil(lambda: "QWhatsThat" in [each.metaObject().className() for each in QApplication.topLevelWidgets()])
    assert EXPLAINED["prompt"].text in explanation_of(prompt)


def test_whats_this_from_the_menu_answers_for_the_clicked_widget(guided: Alone) -> None:
    act(guided, "whats_this").trigger()
    assert QWhatsThis.inWhatsThisMode()
    assert EXPLAINED["prompt"].text in named(guided, QWidget, "prompt").whatsThis()
    QTest.keyClick(guided, Qt.Key.Key_Escape)
    assert not QWhatsThis.inWhatsThisMode()


@pytest.fixture
def window(alone: Alone, theme: Theme) -> Alone:
    alone.add(HelpController(alone.playground, theme, PROJECT / "resources", alone))
    return alone


def test_check_updates_asks_before_opening_the_browser(window: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda address: opened.append(QUrl(address).toString()))
    act(window, "check_updates").trigger()
    box = window.findChild(QMessageBox)
    assert box is not None
    assert box.informativeText() == RELEASES_PAGE
    assert opened == []
    box.button(QMessageBox.StandardButton.Open).click()
    assert opened == [RELEASES_PAGE]


def test_report_is_copied_and_shown(window: Alone) -> None:
    window.playground.failed.emit(Failure("“My secret” can't be opened.", "…", "", "file"))
    act(window, "report_problem").trigger()
    window.until(lambda: window.findChild(QMessageBox, "report") is not None)
    box = named(window, QMessageBox, "report")
    copied = QGuiApplication.clipboard().text()
    assert copied.endswith("Last failure: file: “…” can't be opened.")
    assert copied in box.informativeText()
    box.close()


@pytest.mark.slow
def test_licenses_list_every_part(window: Alone) -> None:
    act(window, "licences").trigger()
    names = named(window, QListWidget, "licences_parts")
    window.until(lambda: names.count() > 0)
    listed = [names.item(row).text() for row in range(names.count())]
    assert listed[0].startswith("Sluice ")
    assert {"numpy", "Qt", "Python", "OpenBLAS"} <= {name.split()[0] for name in listed}
    text = named(window, QPlainTextEdit, "licences_text")
    assert "MIT License" in text.toPlainText()
    names.setCurrentRow(next(row for row, name in enumerate(listed) if name.startswith("Qt ")))
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text.toPlainText()
    assert named(window, QLabel, "licences_about").text().startswith(f"Sluice contains {len(listed) - 1} parts")
    act(window, "licences").trigger()
    assert names.count() == len(listed)


def test_unreadable_licenses_say_so(window: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_places: Path) -> None:
        raise OSError

    monkeypatch.setattr("app.platform.licenses.everything", fail)
    act(window, "licences").trigger()
    about = named(window, QLabel, "licences_about")
    window.until(lambda: about.text() == "The licenses could not be read. Try again.")
