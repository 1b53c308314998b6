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
from app.ui.picker import controller_hub
from app.ui.picker.controller_hub import HubController
from app.ui.picker.hub_page import EXAMPLES, HubPage
from app.ui.picker.models_table import ModelTable
from tests.ui.desk import named
from tests.ui.picker.builders import DETAILS, FIRST, GATED

OFFLINE = Failure("The hub can't be reached.", "Check the connection.", kind="offline")
REFUSED = Failure("“big/gated” is gated.", "Accept the terms.", kind="gated")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> HubPage:
    made = HubPage(theme)
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    return made


def enter(page: HubPage) -> None:
    QTest.keyClick(named(page, QLineEdit, "hub_search"), Qt.Key.Key_Return)


def words(page: HubPage) -> str:
    return named(page, QLabel, "hub_words").text()


def test_enter_asks_and_once_more_acts(page: HubPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.search_wanted) as wanted:
        QTest.keyClicks(named(page, QLineEdit, "hub_search"), "small")
        enter(page)
    assert wanted.args == ["small", Sort.DOWNLOADS]
    page.show_results((FIRST, GATED))
    assert words(page) == ""
    assert page.model is FIRST
    QTest.keyClick(named(page, QLineEdit, "hub_search"), Qt.Key.Key_Down)
    with qtbot.waitSignal(page.download_wanted) as download:
        enter(page)
    assert download.args == [GATED]


@pytest.mark.parametrize("answer", [None, OFFLINE])
def test_enter_takes_no_model_of_the_search_before(page: HubPage, qtbot: QtBot, answer: Failure | None) -> None:
    """Of the new one there is no answer yet, or none at all."""
    field = named(page, QLineEdit, "hub_search")
    QTest.keyClicks(field, "small")
    enter(page)
    page.show_results((FIRST,))
    field.selectAll()
    QTest.keyClicks(field, "large")
    enter(page)
    page.show_searching()
    if answer is not None:
        page.show_results(answer)
    with qtbot.assertNotEmitted(page.download_wanted), qtbot.waitSignal(page.search_wanted) as wanted:
        enter(page)
    assert wanted.args[0] == "large"
    page.show_results((GATED,))
    with qtbot.waitSignal(page.download_wanted) as download:
        enter(page)
    assert download.args == [GATED]


def test_enter_in_the_empty_field_asks_nothing_before_a_search(page: HubPage, qtbot: QtBot) -> None:
    """Once something was typed there, it asks for all, as the button does."""
    with qtbot.assertNotEmitted(page.search_wanted), qtbot.assertNotEmitted(page.download_wanted):
        enter(page)
    field = named(page, QLineEdit, "hub_search")
    QTest.keyClicks(field, "q")
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    with qtbot.waitSignal(page.search_wanted) as wanted:
        enter(page)
    assert wanted.args == ["", Sort.DOWNLOADS]


def test_before_a_search_it_says_what_one_costs_and_has_examples(page: HubPage, qtbot: QtBot) -> None:
    said = " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())
    assert "Sluice contacts the hub only when you search" in said and "GB for each billion" in said
    table = named(page, QTableView, "hub_models")
    assert not table.isVisible()
    with qtbot.waitSignal(page.search_wanted) as wanted:
        named(page, QAbstractButton, "hub_first_1").click()
    assert wanted.args[0] == EXAMPLES[1][2] == named(page, QLineEdit, "hub_search").text()
    page.show_results(Failure("The hub can't be reached.", "Look at the network."))
    assert words(page) == "The hub can't be reached. Look at the network." and not table.isVisible()
    page.show_results(())
    assert table.isVisible()


def test_the_same_search_once_more_keeps_the_choice(page: HubPage) -> None:
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


def test_what_is_refused_is_said_in_place_and_the_list_stays(page: HubPage) -> None:
    page.show_results((FIRST,))
    page.show_results(OFFLINE)
    assert words(page) == "The hub can't be reached. Check the connection."
    assert page.model is FIRST
    assert not named(page, QWidget, "token_line").isVisible()
    page.show_results(())
    assert "no model by this name" in words(page)
    assert not named(page, QAbstractButton, "download_model").isEnabled()


def test_a_closer_look_shows_card_and_sum(page: HubPage, qtbot: QtBot) -> None:
    page.show_results((FIRST,))
    with qtbot.waitSignal(page.fit_wanted) as wanted:
        page.show_details(DETAILS)
    assert wanted.args[0] is DETAILS
    assert "5.00 MB in 1 file" in {label.text() for label in page.findChildren(QLabel)}
    card = named(page, QTextEdit, "card")
    assert card.toPlainText() == "A card\nWords."
    heading = card.document().begin().begin().fragment().charFormat()
    assert heading.intProperty(QTextFormat.Property.FontSizeAdjustment) == 0


def test_a_card_fetches_no_picture_and_reads_no_html(page: HubPage) -> None:
    page.show_results((FIRST,))
    card = named(page, QTextEdit, "card")
    page._card.show_card("![logo](http://192.0.2.1/a.png)\n\n<b>Bold</b> claims")
    assert card.toPlainText() == "<b>Bold</b> claims"


def test_a_card_has_no_other_way_to_a_picture(page: HubPage, tmp_path: Path) -> None:
    """Named below the text it is a picture too, and a pipe or a device would be read without end."""
    os.mkfifo(tmp_path / "pipe")
    card = named(page, QTextEdit, "card")
    address = QUrl.fromLocalFile(str(tmp_path / "pipe"))
    page._card.show_card(f"![a]\n\n[a]: {address.toString()}")
    found = card.document().resource(QTextDocument.ResourceType.ImageResource, address)
    assert isinstance(found, QImage) and found.width() == 1


def test_a_card_of_beginnings_is_read_at_once(page: HubPage) -> None:
    """Each was looked for to the end of the text: the window stood for a minute."""
    page._card.show_card("![" * 100_000)
    assert len(named(page, QTextEdit, "card").toPlainText()) < 10_000


def test_a_long_card_is_as_high_as_its_text(page: HubPage, qtbot: QtBot) -> None:
    page.show_results((FIRST,))
    page.show_details(replace(DETAILS, card="Many words about this model. " * 150))
    card = named(page, QTextEdit, "card")
    for height in range(400, 600, 10):
        page.resize(900, height)
        qtbot.waitUntil(lambda: card.height() >= card.document().size().height() > page.height() / 2)


def test_a_gated_model_asks_for_a_token_which_is_not_shown(page: HubPage, qtbot: QtBot) -> None:
    page.show_results((GATED,))
    page.show_details(REFUSED)
    assert named(page, QLabel, "hub_details_reason").text() == "“big/gated” is gated. Accept the terms."
    field = named(page, QLineEdit, "hub_token")
    assert field.isVisible()
    assert field.echoMode() is QLineEdit.EchoMode.Password
    assert "in no file" in named(page, QLabel, "token_words").text()
    field.setText(" hf_secret ")
    with qtbot.waitSignal(page.token.given) as given:
        named(page, QAbstractButton, "use_token").click()
    assert given.args == ["hf_secret", False]


def test_what_is_here_is_opened_and_what_is_coming_waits(page: HubPage, qtbot: QtBot) -> None:
    page.show_results((FIRST,))
    download = named(page, QAbstractButton, "download_model")
    page.show_present(frozenset(), frozenset({FIRST.id}))
    assert not download.isEnabled()
    page.show_present(frozenset({FIRST.id}), frozenset())
    assert download.text() == "Open"
    with qtbot.waitSignal(page.open_wanted) as wanted:
        download.click()
    assert wanted.args == [FIRST]


def test_what_the_hub_could_not_tell_in_time_is_asked_again(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = replace(DETAILS, unusable=Failure("The hub did not answer in time.", "Try again later.", kind="offline"))
    answers = [slow, replace(DETAILS, model=GATED), DETAILS]
    asked: list[str] = []

    def details(model_id: str, token: str | None) -> HubDetails:
        asked.append(model_id)
        return answers.pop(0)

    monkeypatch.setattr(hub, "details", details)
    monkeypatch.setattr(controller_hub, "REST_S", 0.0)
    monkeypatch.setattr(keychain, "unavailable", lambda: "it is only pretended")
    page = HubPage(theme)
    qtbot.addWidget(page)
    owner = QWidget()
    qtbot.addWidget(owner)
    tasks = Tasks(owner)
    HubController(tasks, page, lambda: 0, owner)
    page.show()
    reason, table = named(page, QLabel, "hub_details_reason"), named(page, ModelTable, "hub_models")
    page.show_results((FIRST, GATED))
    qtbot.waitUntil(lambda: "did not answer in time" in reason.text())
    table.selectRow(1)
    qtbot.waitUntil(lambda: len(asked) == 2 and not tasks.going_on)
    table.selectRow(0)
    qtbot.waitUntil(lambda: len(asked) == 3 and not tasks.going_on)
    assert reason.text() == ""
    table.selectRow(1)
    table.selectRow(0)
    assert reason.text() == "" and len(asked) == 3, "what is known is shown at once"
    tasks.close()


def test_another_order_asks_again(page: HubPage, qtbot: QtBot) -> None:
    order = named(page, QComboBox, "hub_sort")
    with qtbot.assertNotEmitted(page.search_wanted):
        order.setCurrentIndex(1)
        order.activated.emit(1)
    page.show_results((FIRST,))
    with qtbot.waitSignal(page.search_wanted) as wanted:
        order.setCurrentIndex(2)
        order.activated.emit(2)
    assert wanted.args[1] is Sort.DATE
