"""The help page contains all definitions and shortcuts, and “What's this?” explains every control."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPlainTextEdit, QTextBrowser, QWhatsThis, QWidget
from pytestqt.qtbot import QtBot

from app import PROBLEMS_PAGE
from app.actions import BY_NAME, shown
from app.definitions import DEFINITIONS
from app.engine.types import Reason
from app.ui.guide import help_view
from app.ui.guide.controller import GuideController, TryHint, explanation_of
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
    prompt, hint = PromptEditor(theme), TryHint(theme)
    alone.put(prompt, hint)
    alone.add(
        GuideController(
            alone.playground,
            theme,
            prompt=prompt,
            hint=hint,
            page=alone,
            stops=(),
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
    made_later = {"numbers_dialog", "branches_dialog", "stop_steps", "shortcuts_sheet", "code_dialog"}
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
