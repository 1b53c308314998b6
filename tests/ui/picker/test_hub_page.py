"""The page of the hub: asks when it is told to, shows what came, says in place what was refused."""

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
from app.library.types import HubDetails, Sort
from app.ui.look.theme import Theme
from app.ui.picker import hub_page
from app.ui.picker.hub_page import EXAMPLES, HubPage
from app.ui.picker.models_table import ModelTable
from tests.ui.desk import named
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


def enter(page: HubPage) -> None:
    QTest.keyClick(named(page, QLineEdit, "hub_search"), Qt.Key.Key_Return)


def searches(picker: RecordingPicker) -> int:
    return picker.idle.started.count("search")


def words(page: HubPage) -> str:
    return named(page, QLabel, "hub_words").text()


def test_hub_page_enter_searches_and_then_downloads(page: HubPage, picker: RecordingPicker) -> None:
    QTest.keyClicks(named(page, QLineEdit, "hub_search"), "small")
    enter(page)
    assert (page._asked, searches(picker)) == (("small", Sort.DOWNLOADS), 1)
    page.show_results((FIRST, GATED))
    assert words(page) == ""
    assert page.model is FIRST
    QTest.keyClick(named(page, QLineEdit, "hub_search"), Qt.Key.Key_Down)
    enter(page)
    assert picker.downloaded == [GATED.id]


@pytest.mark.parametrize("answer", [None, OFFLINE])
def test_hub_page_enter_before_the_answer_searches_again(
    page: HubPage, picker: RecordingPicker, answer: Failure | None
) -> None:
    """A model of the previous search must not be downloaded."""
    field = named(page, QLineEdit, "hub_search")
    QTest.keyClicks(field, "small")
    enter(page)
    page.show_results((FIRST,))
    field.selectAll()
    QTest.keyClicks(field, "large")
    enter(page)
    if answer is not None:
        page.show_results(answer)
    enter(page)
    assert (page._asked, searches(picker), picker.downloaded) == (("large", Sort.DOWNLOADS), 3, [])
    page.show_results((GATED,))
    enter(page)
    assert picker.downloaded == [GATED.id]


def test_hub_page_enter_in_the_empty_field_searches_only_after_typing(page: HubPage, picker: RecordingPicker) -> None:
    enter(page)
    assert (searches(picker), picker.downloaded) == (0, [])
    field = named(page, QLineEdit, "hub_search")
    QTest.keyClicks(field, "q")
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    enter(page)
    assert page._asked == ("", Sort.DOWNLOADS)


def test_hub_page_before_a_search_shows_costs_and_examples(page: HubPage) -> None:
    texts = " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())
    assert "Sluice contacts the hub only when you search" in texts and "GB per billion" in texts
    table = named(page, QTableView, "hub_models")
    assert not table.isVisible()
    named(page, QAbstractButton, "hub_first_1").click()
    assert page._asked is not None
    assert page._asked[0] == EXAMPLES[1][2] == named(page, QLineEdit, "hub_search").text()
    page.show_results(Failure("The hub can't be reached.", "Look at the network."))
    assert words(page) == "The hub can't be reached. Look at the network." and not table.isVisible()
    page.show_results(())
    assert table.isVisible()


def test_hub_page_same_search_again_keeps_the_choice(page: HubPage) -> None:
    """Such as with a token that the keychain has given meanwhile: Download is about to be pressed."""
    named(page, QLineEdit, "hub_search").setText("small")
    named(page, QAbstractButton, "hub_go").click()
    page.show_results((FIRST, GATED))
    named(page, ModelTable, "hub_models").selectRow(1)
    page.show_results((FIRST, GATED))
    assert page.model is GATED
    named(page, QLineEdit, "hub_search").setText("large")
    named(page, QAbstractButton, "hub_go").click()
    page.show_results((FIRST, GATED))
    assert page.model is FIRST


def test_hub_page_refused_search_keeps_the_list(page: HubPage) -> None:
    page.show_results((FIRST,))
    page.show_results(OFFLINE)
    assert words(page) == "The hub can't be reached. Check the connection."
    assert page.model is FIRST
    assert not named(page, QWidget, "token_line").isVisible()
    page.show_results(())
    assert "no model by this name" in words(page)
    assert not named(page, QAbstractButton, "download_model").isEnabled()


def test_hub_page_details_show_card_and_memory(page: HubPage, picker: RecordingPicker) -> None:
    picker.memory_limit = 16_000_000_000
    page.show_results((FIRST,))
    page.show_details(DETAILS)
    assert named(page, QLabel, "fit_bytes_0").text() != ""
    assert "5.00 MB in 1 file" in {label.text() for label in page.findChildren(QLabel)}
    card = named(page, QTextEdit, "card")
    assert card.toPlainText() == "A card\nWords."
    heading = card.document().begin().begin().fragment().charFormat()
    assert heading.intProperty(QTextFormat.Property.FontSizeAdjustment) == 0


def test_card_fetches_no_picture_and_reads_no_html(page: HubPage) -> None:
    page.show_results((FIRST,))
    card = named(page, QTextEdit, "card")
    page._card.show_card("![logo](http://192.0.2.1/a.png)\n\n<b>Bold</b> claims")
    assert card.toPlainText() == "<b>Bold</b> claims"


def test_card_picture_by_reference_is_not_read(page: HubPage, tmp_path: Path) -> None:
    """Named below the text it is a picture too, and a pipe or a device would be read without end."""
    os.mkfifo(tmp_path / "pipe")
    card = named(page, QTextEdit, "card")
    address = QUrl.fromLocalFile(str(tmp_path / "pipe"))
    page._card.show_card(f"![a]\n\n[a]: {address.toString()}")
    found = card.document().resource(QTextDocument.ResourceType.ImageResource, address)
    assert isinstance(found, QImage) and found.width() == 1


def test_card_of_unfinished_pictures_is_read_at_once(page: HubPage) -> None:
    """Each was looked for to the end of the text: the window stood for a minute."""
    page._card.show_card("![" * 100_000)
    assert len(named(page, QTextEdit, "card").toPlainText()) < 10_000


def test_card_is_as_high_as_its_text(page: HubPage, qtbot: QtBot) -> None:
    page.show_results((FIRST,))
    page.show_details(replace(DETAILS, card="Many words about this model. " * 150))
    card = named(page, QTextEdit, "card")
    for height in range(400, 600, 10):
        page.resize(900, height)
        qtbot.waitUntil(lambda: card.height() >= card.document().size().height() > page.height() / 2)


def test_hub_page_gated_model_asks_for_a_token(page: HubPage) -> None:
    page.show_results((GATED,))
    page.show_details(REFUSED)
    assert named(page, QLabel, "hub_details_reason").text() == "“big/gated” is gated. Accept the terms."
    field = named(page, QLineEdit, "hub_token")
    assert field.isVisible()
    assert field.echoMode() is QLineEdit.EchoMode.Password
    assert "never written to a file" in named(page, QLabel, "token_words").text()
    field.setText(" hf_secret ")
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
    slow = replace(DETAILS, unusable=Failure("The hub did not answer in time.", "Try again later.", kind="offline"))
    answers = [slow, replace(DETAILS, model=GATED), DETAILS]
    asked: list[str] = []

    def details(model_id: str, token: str | None) -> HubDetails:
        asked.append(model_id)
        return answers.pop(0)

    monkeypatch.setattr(hub, "details", details)
    monkeypatch.setattr(hub_page, "IDLE_S", 0.0)
    monkeypatch.setattr(keychain, "unavailable", lambda: "it is only pretended")
    owner = QWidget()
    qtbot.addWidget(owner)
    tasks = Tasks(owner)
    picker = RecordingPicker(tasks)
    page = HubPage(theme, picker.as_controller)
    qtbot.addWidget(page)
    page.show()
    reason, table = named(page, QLabel, "hub_details_reason"), named(page, ModelTable, "hub_models")
    page.show_results((FIRST, GATED))
    qtbot.waitUntil(lambda: "did not answer in time" in reason.text())
    table.selectRow(1)
    qtbot.waitUntil(lambda: len(asked) == 2 and not tasks.count)
    table.selectRow(0)
    qtbot.waitUntil(lambda: len(asked) == 3 and not tasks.count)
    assert reason.text() == ""
    table.selectRow(1)
    table.selectRow(0)
    assert reason.text() == "" and len(asked) == 3, "what is known is shown at once"
    tasks.close()


def test_hub_page_another_order_searches_again_once_something_was_found(page: HubPage, picker: RecordingPicker) -> None:
    order = named(page, QComboBox, "hub_sort")
    order.setCurrentIndex(1)
    order.activated.emit(1)
    assert searches(picker) == 0
    page.show_results((FIRST,))
    order.setCurrentIndex(2)
    order.activated.emit(2)
    assert page._asked == ("", Sort.DATE)
