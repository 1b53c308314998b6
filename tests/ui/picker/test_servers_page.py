"""The page of servers: what it shows of them, what it wishes for, and that no key is ever to be read on it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.engine.types import Server, ServerModel
from app.ui.look.theme import Theme
from app.ui.picker.models_table import ModelTable
from app.ui.picker.server_form import ServerGiven
from app.ui.picker.servers_page import ServersPage
from tests.ui.desk import named

STUDIO = Server("http://127.0.0.1:8080/v1", "Studio")
CLUSTER = Server("https://cluster.example/v1")
MODELS = (ServerModel(STUDIO.address, "one", 64), ServerModel(STUDIO.address, "/disk/two"))


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> ServersPage:
    made = ServersPage(theme)
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


def test_an_empty_list_says_what_may_stand_in_it(page: ServersPage) -> None:
    page.show_servers(())
    said = " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())
    assert "vLLM" in said and "Nothing is asked before you save an address" in said
    page.edit_wanted.connect(page.form.ask)
    named(page, QAbstractButton, "servers_first_1").click()
    assert named(page, QLineEdit, "server_address").text() == "http://localhost:11434"
    assert named(page, QAbstractButton, "save_server").isEnabled()
    page.form.leave()
    page.focus()
    assert page.focusWidget() is named(page, QAbstractButton, "add_server")
    assert not any(named(page, QAbstractButton, f"{each}_server").isEnabled() for each in ("test", "edit", "remove"))


def test_servers_go_by_their_names_and_models_by_theirs(full: ServersPage) -> None:
    assert cells(full, "servers") == ["Studio", "https://cluster.example"]
    assert cells(full, "servers", 1) == ["127.0.0.1:8080", "https://cluster.example"]
    assert cells(full, "server_models") == ["one", "two"]
    assert cells(full, "server_models", 1) == ["64", "–"]


def test_the_keyboard_alone_opens_a_model(full: ServersPage, qtbot: QtBot) -> None:
    full.focus()
    QTest.keyClick(full.focusWidget(), Qt.Key.Key_Return)
    models = named(full, ModelTable, "server_models")
    assert full.focusWidget() is models
    QTest.keyClick(models, Qt.Key.Key_Down)
    with qtbot.waitSignal(full.open_wanted) as opened:
        QTest.keyClick(models, Qt.Key.Key_Return)
    assert opened.args == [STUDIO, "/disk/two"]


def test_a_model_that_is_not_listed_is_opened_by_its_name(full: ServersPage, qtbot: QtBot) -> None:
    field = named(full, QLineEdit, "server_filter")
    QTest.keyClicks(field, "tw")
    assert cells(full, "server_models") == ["two"] or cells(full, "server_models") == ["two", ""]
    field.setText("default_model")
    assert cells(full, "server_models") == []
    with qtbot.waitSignal(full.open_wanted) as opened:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert opened.args == [STUDIO, "default_model"]


def test_while_a_run_goes_on_nothing_is_opened_and_the_page_says_why(full: ServersPage) -> None:
    full.show_busy("A run is going on.")
    assert not named(full, QAbstractButton, "open_on_server").isEnabled()
    QTest.keyClick(named(full, ModelTable, "server_models"), Qt.Key.Key_Return)
    assert named(full, QLabel, "server_question_words").text() == "A run is going on."


def test_the_form_gives_what_was_typed_and_shows_no_key(page: ServersPage, qtbot: QtBot) -> None:
    page.form.ask(None)
    assert not named(page, QAbstractButton, "save_server").isEnabled()
    page.form.show_keychain("keyring", "")
    fill(page, server_address="studio:8080", server_name="Studio", server_key="hush-hush")
    key = named(page, QLineEdit, "server_key")
    assert key.echoMode() is QLineEdit.EchoMode.Password
    with qtbot.waitSignal(page.form.given) as given:
        QTest.keyClick(key, Qt.Key.Key_Return)
    assert given.args == [ServerGiven("studio:8080", "Studio", "hush-hush", True)]
    assert "hush" not in repr(given.args)
    assert not any("hush" in each.toolTip() + each.text() for each in page.findChildren(QLabel))


def test_leaving_the_form_forgets_the_key(full: ServersPage) -> None:
    full.form.ask(STUDIO)
    fill(full, server_key="hush")
    assert full.leave_question()
    assert not full.form.isVisible()
    assert named(full, QLineEdit, "server_key").text() == ""
    assert full.focusWidget() is named(full, ModelTable, "servers")
    full.question.ask("Really?", "Yes", "No")
    assert full.leave_question() and not full.leave_question()


def test_a_list_that_comes_anew_keeps_what_is_chosen_and_typed(full: ServersPage) -> None:
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
