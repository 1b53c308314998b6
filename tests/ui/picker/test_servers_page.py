"""The page of servers: what it shows of them, what it wishes for, and that no key is ever to be read on it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.engine.remote.address import reference
from app.engine.types import LoadRequest, Server, ServerModel
from app.ui.look.theme import Theme
from app.ui.picker.models_table import ModelTable
from app.ui.picker.servers_page import ServersPage
from tests.ui.desk import named
from tests.ui.picker.builders import RecordingPicker

STUDIO = Server("http://127.0.0.1:8080/v1", "Studio")
CLUSTER = Server("https://cluster.example/v1")
MODELS = (ServerModel(STUDIO.address, "one", 64), ServerModel(STUDIO.address, "/disk/two"))


@pytest.fixture
def picker() -> RecordingPicker:
    return RecordingPicker()


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, picker: RecordingPicker) -> ServersPage:
    made = ServersPage(theme, picker.as_controller)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def full(page: ServersPage) -> ServersPage:
    page.show_servers([STUDIO, CLUSTER])
    page.show_models(MODELS)
    return page


def cells(page: ServersPage, table: str, column: int = 0) -> list[str]:
    model = named(page, ModelTable, table).model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def words(page: ServersPage) -> str:
    return named(page, QLabel, "servers_words").text()


def fill(page: ServersPage, **texts: str) -> None:
    for name, text in texts.items():
        named(page, QLineEdit, name).setText(text)


def test_servers_page_empty_list_shows_examples(page: ServersPage) -> None:
    page.show_servers(())
    said = " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())
    assert "vLLM" in said and "No server is contacted before you save its address" in said
    named(page, QAbstractButton, "servers_first_1").click()
    assert named(page, QLineEdit, "server_address").text() == "http://localhost:11434"
    assert named(page, QAbstractButton, "save_server").isEnabled()
    page.form.leave()
    page.focus()
    assert page.focusWidget() is named(page, QAbstractButton, "add_server")
    assert not any(named(page, QAbstractButton, f"{each}_server").isEnabled() for each in ("test", "edit", "remove"))


def test_servers_page_lists_names_and_addresses(full: ServersPage) -> None:
    assert cells(full, "servers") == ["Studio", "https://cluster.example"]
    assert cells(full, "servers", 1) == ["127.0.0.1:8080", "https://cluster.example"]
    assert cells(full, "server_models") == ["one", "two"]
    assert cells(full, "server_models", 1) == ["64", "–"]


def test_servers_page_by_keyboard_opens_a_model(full: ServersPage, picker: RecordingPicker) -> None:
    full.focus()
    QTest.keyClick(full.focusWidget(), Qt.Key.Key_Return)
    models = named(full, ModelTable, "server_models")
    assert full.focusWidget() is models
    QTest.keyClick(models, Qt.Key.Key_Down)
    QTest.keyClick(models, Qt.Key.Key_Return)
    assert picker.loaded == [LoadRequest(reference(STUDIO.address, "/disk/two"))]


def test_servers_page_model_not_listed_is_opened_by_its_name(full: ServersPage, picker: RecordingPicker) -> None:
    field = named(full, QLineEdit, "server_filter")
    QTest.keyClicks(field, "tw")
    assert cells(full, "server_models") == ["two"] or cells(full, "server_models") == ["two", ""]
    field.setText("default_model")
    assert cells(full, "server_models") == []
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert picker.loaded == [LoadRequest(reference(STUDIO.address, "default_model"))]


def test_servers_page_during_a_run_opens_nothing_and_says_why(full: ServersPage) -> None:
    full.show_busy("A run is going on.")
    assert not named(full, QAbstractButton, "open_on_server").isEnabled()
    QTest.keyClick(named(full, ModelTable, "server_models"), Qt.Key.Key_Return)
    assert named(full, QLabel, "server_question_words").text() == "A run is going on."


def test_server_form_saved_adds_the_server_and_shows_no_key(page: ServersPage, picker: RecordingPicker) -> None:
    page.form.ask(None)
    assert not named(page, QAbstractButton, "save_server").isEnabled()
    page.form.show_keychain("keyring", "")
    fill(page, server_address="studio:8080", server_name="Studio", server_key="hush-hush")
    key = named(page, QLineEdit, "server_key")
    assert key.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClick(key, Qt.Key.Key_Return)
    address = "http://studio:8080/v1"
    assert picker.servers.entries == (Server(address, "Studio"),)
    assert (picker.servers.keys.of(address), key.text()) == ("hush-hush", "")
    assert not any("hush" in each.toolTip() + each.text() for each in page.findChildren(QLabel))


def test_server_form_left_clears_the_key(full: ServersPage) -> None:
    full.form.ask(STUDIO)
    fill(full, server_key="hush")
    assert full.close_question()
    assert not full.form.isVisible()
    assert named(full, QLineEdit, "server_key").text() == ""
    assert full.focusWidget() is named(full, ModelTable, "servers")
    full.question.ask("Really?", "Yes", "No")
    assert full.close_question() and not full.close_question()


def test_servers_page_new_list_keeps_choice_and_text(full: ServersPage) -> None:
    """Its server was asked again, or another one is on the list."""
    models = named(full, ModelTable, "server_models")
    models.selectRow(1)
    full.show_models(MODELS, "one")
    assert full.model_id == "/disk/two"
    named(full, QLineEdit, "server_filter").setText("default_model")
    full.question.ask("Take Studio off the list?")
    full.show_servers([STUDIO, CLUSTER, Server("http://127.0.0.1:9000/v1")])
    assert full.model_id == "default_model"
    assert full.question.asking
    named(full, ModelTable, "servers").selectRow(1)
    assert (full.model_id, full.question.asking) == ("", False)
