"""The Help menu: the address is shown before it is opened, a report quotes nobody, every part has its licence."""

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QListWidget, QMessageBox, QPlainTextEdit

from app import RELEASES_PAGE
from app.engine.types import Failure
from app.ui.guide.controller_help import HelpController
from app.ui.look.theme import Theme
from tests.ui.alone import Alone
from tests.ui.desk import act, named

PROJECT = Path(__file__).parents[3]


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
