"""The picker's page of the hub: search, choice, details, model card, access token."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument, QTextFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QTableView, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.library import hub, keychain
from app.library.types import Device, HubDetails, Sort
from app.ui.look.theme import Theme
from app.ui.picker import hub_page
from app.ui.picker.hub_page import EXAMPLES, HubPage
from app.ui.picker.models_table import ModelTable
from tests.ui.desk import named, words
from tests.ui.picker.builders import DETAILS, FIRST, GATED, RecordingPicker

OFFLINE = Failure("The hub can't be reached.", "Check the connection.", kind="offline")
REFUSED = Failure("“big/gated” is gated.", "Accept the terms.", kind="gated")


@pytest.fixture
def picker() -> RecordingPicker:
    return RecordingPicker()


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, picker: RecordingPicker) -> HubPage:
    made = HubPage(theme, picker.as_controller)
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    return made


def field(page: HubPage) -> QLineEdit:
    return named(page, QLineEdit, "hub_search")


def type_in(page: HubPage, text: str) -> None:
    field(page).selectAll()
    QTest.keyClicks(field(page), text)


def enter(page: HubPage) -> None:
    QTest.keyClick(field(page), Qt.Key.Key_Return)


def searches(picker: RecordingPicker) -> int:
    return picker.idle.started.count("search")


def card(page: HubPage) -> QTextEdit:
    return named(page, QTextEdit, "card")


def test_hub_page_enter_searches_and_then_downloads(page: HubPage, picker: RecordingPicker) -> None:
    enter(page)
    assert (searches(picker), picker.downloaded) == (0, [])
    type_in(page, "small")
    enter(page)
    assert (page._query_sent, searches(picker)) == (("small", Sort.DOWNLOADS), 1)
    page.show_results((FIRST, GATED))
    assert words(page, "hub_words") == ""
    assert page.model is FIRST
    QTest.keyClick(field(page), Qt.Key.Key_Down)
    enter(page)
    assert picker.downloaded == [GATED.id]


@pytest.mark.parametrize("answer", [None, OFFLINE])
def test_hub_page_enter_before_the_answer_searches_again(
    page: HubPage, picker: RecordingPicker, answer: Failure | None
) -> None:
    """A model of the previous search must not be downloaded."""
    type_in(page, "small")
    enter(page)
    page.show_results((FIRST,))
    type_in(page, "large")
    enter(page)
    if answer is not None:
        page.show_results(answer)
    enter(page)
    assert (page._query_sent, searches(picker), picker.downloaded) == (("large", Sort.DOWNLOADS), 3, [])
    page.show_results((GATED,))
    enter(page)
    assert picker.downloaded == [GATED.id]


def test_hub_page_enter_in_the_emptied_field_searches(page: HubPage) -> None:
    type_in(page, "q")
    QTest.keyClick(field(page), Qt.Key.Key_Backspace)
    enter(page)
    assert page._query_sent == ("", Sort.DOWNLOADS)


def test_hub_page_before_a_search_shows_costs_and_examples(page: HubPage) -> None:
    texts = " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())
    assert "Sluice contacts the hub only when you search" in texts and "GB per billion" in texts
    table = named(page, QTableView, "hub_models")
    assert not table.isVisible()
    named(page, QAbstractButton, "hub_first_1").click()
    assert page._query_sent is not None
    assert page._query_sent[0] == EXAMPLES[1][2] == field(page).text()
    page.show_results(OFFLINE)
    assert words(page, "hub_words") == "The hub can't be reached. Check the connection." and not table.isVisible()
    page.show_results(())
    assert table.isVisible()


def test_hub_page_same_search_again_keeps_the_choice(page: HubPage) -> None:
    for query, chosen in (("small", FIRST), ("small", GATED), ("large", FIRST)):
        field(page).setText(query)
        named(page, QAbstractButton, "hub_go").click()
        page.show_results((FIRST, GATED))
        assert page.model is chosen
        named(page, ModelTable, "hub_models").selectRow(1)


def test_hub_page_failed_search_keeps_the_list(page: HubPage) -> None:
    page.show_results((FIRST,))
    page.show_results(OFFLINE)
    assert words(page, "hub_words") == "The hub can't be reached. Check the connection."
    assert page.model is FIRST
    assert not named(page, QWidget, "token_line").isVisible()
    page.show_results(())
    assert "has this name" in words(page, "hub_words")
    assert not named(page, QAbstractButton, "download_model").isEnabled()


def test_hub_page_details_show_card_and_memory(page: HubPage, picker: RecordingPicker) -> None:
    picker.device = Device(16_000_000_000)
    page.show_results((FIRST,))
    page.show_details(DETAILS)
    assert words(page, "fit_bytes_0") != ""
    assert "5.00 MB in 1 file" in {label.text() for label in page.findChildren(QLabel)}
    assert card(page).toPlainText() == "A card\nWords."
    heading = card(page).document().begin().begin().fragment().charFormat()
    assert heading.intProperty(QTextFormat.Property.FontSizeAdjustment) == 0


def test_card_loads_no_picture_and_no_html(page: HubPage, tmp_path: Path) -> None:
    """A picture can also be named below the text; a pipe or a device would be read without end."""
    page._card.show_card("![logo](http://192.0.2.1/a.png)\n\n<b>Bold</b> claims")
    assert card(page).toPlainText() == "<b>Bold</b> claims"
    os.mkfifo(tmp_path / "pipe")
    address = QUrl.fromLocalFile(str(tmp_path / "pipe"))
    page._card.show_card(f"![a]\n\n[a]: {address.toString()}")
    found = card(page).document().resource(QTextDocument.ResourceType.ImageResource, address)
    assert isinstance(found, QImage) and found.width() == 1


def test_card_of_unfinished_pictures_is_shown_at_once(page: HubPage) -> None:
    """Each search for an end read the rest of the text, which took a minute."""
    page._card.show_card("![" * 100_000)
    assert len(card(page).toPlainText()) < 10_000


def test_card_is_as_high_as_its_text(page: HubPage, qtbot: QtBot) -> None:
    page.show_results((FIRST,))
    page.show_details(replace(DETAILS, card="Many words about this model. " * 150))
    for height in range(400, 600, 10):
        page.resize(900, height)
        qtbot.waitUntil(lambda: card(page).height() >= card(page).document().size().height() > page.height() / 2)


def test_hub_page_gated_model_asks_for_a_token(page: HubPage) -> None:
    page.show_results((GATED,))
    page.show_details(REFUSED)
    assert words(page, "hub_details_reason") == "“big/gated” is gated. Accept the terms."
    token = named(page, QLineEdit, "hub_token")
    assert token.isVisible()
    assert token.echoMode() is QLineEdit.EchoMode.Password
    assert "never written to a file" in words(page, "token_words")
    token.setText(" hf_secret ")
    named(page, QAbstractButton, "use_token").click()
    assert page.token.token == "hf_secret"


def test_hub_page_model_on_this_machine_is_opened(page: HubPage, picker: RecordingPicker) -> None:
    page.show_results((FIRST,))
    download = named(page, QAbstractButton, "download_model")
    page.show_present(frozenset(), frozenset({FIRST.id}))
    assert not download.isEnabled()
    page.show_present(frozenset({FIRST.id}), frozenset())
    assert download.text() == "Open"
    download.click()
    assert picker.opened == [FIRST]


def test_hub_page_details_that_failed_are_loaded_again(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [replace(DETAILS, unusable=OFFLINE), replace(DETAILS, model=GATED), DETAILS]
    asked: list[str] = []

    def details(model_id: str, token: str | None) -> HubDetails:
        asked.append(model_id)
        return answers.pop(0)

    monkeypatch.setattr(hub, "details", details)
    monkeypatch.setattr(hub_page, "IDLE_S", 0.0)
    monkeypatch.setattr(keychain, "unavailable", lambda: "it is a test")
    owner = QWidget()
    qtbot.addWidget(owner)
    tasks = Tasks(owner)
    page = HubPage(theme, RecordingPicker(tasks).as_controller)
    qtbot.addWidget(page)
    page.show()
    reason, table = named(page, QLabel, "hub_details_reason"), named(page, ModelTable, "hub_models")
    page.show_results((FIRST, GATED))
    qtbot.waitUntil(lambda: OFFLINE.what in reason.text())
    for row, count in ((1, 2), (0, 3)):
        table.selectRow(row)
        qtbot.waitUntil(lambda: len(asked) >= count and not tasks.count)  # noqa: B023 (called at once)
    assert reason.text() == ""
    table.selectRow(1)
    table.selectRow(0)
    assert reason.text() == "" and len(asked) == 3, "known details are shown at once"
    tasks.close()


def test_hub_page_another_order_repeats_a_search(page: HubPage, picker: RecordingPicker) -> None:
    order = named(page, QComboBox, "hub_sort")
    order.setCurrentIndex(1)
    order.activated.emit(1)
    assert searches(picker) == 0
    page.show_results((FIRST,))
    order.setCurrentIndex(2)
    order.activated.emit(2)
    assert page._query_sent == ("", Sort.DATE)
