"""Servers in the picker: the page, the form, warnings before unencrypted data, and keys, which no settings contain."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.engine.remote import server_probe
from app.engine.remote.address import reference
from app.engine.types import Failure, LoadRequest, ReachedServer, Server, ServerModel
from app.files.settings import Settings
from app.library import keychain
from app.ui.look.theme import Theme
from app.ui.picker.models_table import ModelTable
from app.ui.picker.server_form import MOVED_KEY, SAME_KEY
from app.ui.picker.servers_page import ServersPage
from tests.engine.remote.faults import Faults, serving
from tests.ui.alone import Alone
from tests.ui.desk import named
from tests.ui.picker.builders import RecordingPicker
from tests.ui.picker.picking import Picking, column_of

STUDIO = Server("http://127.0.0.1:8080/v1", "Studio")
CLUSTER = Server("https://cluster.example/v1")
MODELS = (ServerModel(STUDIO.address, "one", 64), ServerModel(STUDIO.address, "/disk/two"))
FAR = Server("http://192.0.2.7:8080/v1", "Cellar")
KEY = "hush-hush"


@pytest.fixture(autouse=True)
def no_keychain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keychain, "unavailable", lambda: "secret-tool is not installed")


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


def test_servers_page_empty_list_shows_examples(page: ServersPage) -> None:
    page.show_servers(())
    texts = " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())
    assert "vLLM" in texts and "No server is contacted before you save its address" in texts
    named(page, QAbstractButton, "servers_first_1").click()
    assert named(page, QLineEdit, "server_address").text() == "http://localhost:11434"
    assert named(page, QAbstractButton, "save_server").isEnabled()
    page.form.cancel()
    page.focus()
    assert page.focusWidget() is named(page, QAbstractButton, "add_server")
    assert not any(named(page, QAbstractButton, f"{each}_server").isEnabled() for each in ("test", "edit", "remove"))


def test_servers_page_lists_and_opens_models_by_keyboard(full: ServersPage, picker: RecordingPicker) -> None:
    assert column_of(full, "servers") == ["Studio", "https://cluster.example"]
    assert column_of(full, "servers", 1) == ["127.0.0.1:8080", "https://cluster.example"]
    assert (column_of(full, "server_models"), column_of(full, "server_models", 1)) == (["one", "two"], ["64", "–"])
    full.focus()
    QTest.keyClick(full.focusWidget(), Qt.Key.Key_Return)
    models = named(full, ModelTable, "server_models")
    assert full.focusWidget() is models
    QTest.keyClick(models, Qt.Key.Key_Down)
    QTest.keyClick(models, Qt.Key.Key_Return)
    assert picker.loaded == [LoadRequest(reference(STUDIO.address, "/disk/two"))]


def test_servers_page_opens_an_unlisted_model_by_name(full: ServersPage, picker: RecordingPicker) -> None:
    field = named(full, QLineEdit, "server_filter")
    field.setText("default_model")
    assert column_of(full, "server_models") == []
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert picker.loaded == [LoadRequest(reference(STUDIO.address, "default_model"))]


def test_servers_page_during_a_run_shows_why_nothing_opens(full: ServersPage) -> None:
    full.show_busy("A run is active.")
    assert not named(full, QAbstractButton, "open_on_server").isEnabled()
    QTest.keyClick(named(full, ModelTable, "server_models"), Qt.Key.Key_Return)
    assert named(full, QLabel, "server_question_words").text() == "A run is active."


def test_servers_page_new_list_keeps_choice_and_text(full: ServersPage) -> None:
    named(full, ModelTable, "server_models").selectRow(1)
    full.show_models(MODELS, "one")
    assert full.model_id == "/disk/two"
    named(full, QLineEdit, "server_filter").setText("default_model")
    full.question.ask("Remove Studio?")
    full.show_servers([STUDIO, CLUSTER, Server("http://127.0.0.1:9000/v1")])
    assert full.model_id == "default_model"
    assert full.question.asking
    named(full, ModelTable, "servers").selectRow(1)
    assert (full.model_id, full.question.asking) == ("", False)


def test_server_form_saved_shows_no_key(page: ServersPage, picker: RecordingPicker) -> None:
    page.form.ask(None)
    assert not named(page, QAbstractButton, "save_server").isEnabled()
    for name, text in (("address", "studio:8080"), ("name", "Studio"), ("key", KEY)):
        named(page, QLineEdit, f"server_{name}").setText(text)
    key = named(page, QLineEdit, "server_key")
    assert key.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClick(key, Qt.Key.Key_Return)
    address = "http://studio:8080/v1"
    assert picker.servers.entries == (Server(address, "Studio"),)
    assert (picker.servers.keys.of(address), key.text()) == (KEY, "")
    assert not any(KEY in each.toolTip() + each.text() for each in page.findChildren(QLabel))


Opening = Callable[..., Picking]


@pytest.fixture
def faults() -> Iterator[Faults]:
    with serving() as faults:
        yield faults


@pytest.fixture
def opened(alone: Alone, theme: Theme, cache: Path, tmp_path: Path) -> Opening:
    """Opens the picker at its page of servers."""

    def open_with(*servers: Server) -> Picking:
        picking = Picking(alone, theme, tmp_path / "data", tmp_path / "bundled", servers)
        picking.controller.choose_model()
        picking.dialog.open_at(picking.dialog.servers)
        return picking

    return open_with


def add(picking: Picking, address: str, name: str = "", key: str = "") -> None:
    picking.press("add_server")
    picking.until(lambda: not picking.controller.tasks.count)
    for field, text in (("server_address", address), ("server_name", name), ("server_key", key)):
        picking.type(field, text)
    picking.press("save_server")


def shown(picking: Picking) -> str:
    return picking.words("servers_words")


def test_server_added_is_asked_with_its_key_and_saved_without(opened: Opening, faults: Faults) -> None:
    picking = opened()
    add(picking, "two words")
    assert picking.dialog.servers.form.isVisible()
    assert "is not the address of a server" in picking.words("server_form_words")
    assert faults.asked == [] and picking.cells("servers") == []
    add(picking, faults.address.removesuffix("/v1") + "/", "Studio", KEY)
    lists = "Studio lists 2 models. Connection: "
    picking.until(lambda: picking.cells("server_models") == ["one", "two"] and shown(picking).startswith(lists))
    assert faults.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    assert not picking.dialog.servers.form.isVisible()
    assert picking.controller.updated_settings(Settings()).servers == (Server(faults.address, "Studio"),)
    assert KEY not in repr(picking.controller.updated_settings(Settings()))


def test_unencrypted_server_is_asked_only_after_a_warning(opened: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Server] = []

    def test(server: Server, key: str = "", silence_s: float = 30.0) -> ReachedServer:
        asked.append(server)
        return ReachedServer((ServerModel(server.address, "far"),), 0.001, 0.002)

    monkeypatch.setattr(server_probe, "test", test)
    picking = opened()
    add(picking, "192.0.2.7:8080", "Cellar", KEY)
    assert picking.dialog.servers.question.asking
    assert "go to Cellar unencrypted" in picking.words("server_question_words")
    picking.press("server_question_no")
    assert asked == []
    picking.press("test_server")
    picking.press("server_question_yes")
    picking.until(lambda: picking.cells("server_models") == ["far"])
    picking.press("test_server")
    assert not picking.dialog.servers.question.asking, "one warning for each server"
    picking.until(lambda: len(asked) == 2)
    picking.press("edit_server")
    picking.type("server_address", "192.0.2.8:8080")
    picking.press("save_server")
    assert picking.dialog.servers.question.asking, "another address is another server"
    assert [each.accepted for each in picking.controller.updated_settings(Settings()).servers] == [False]


def test_unencrypted_server_chosen_is_not_asked(opened: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_probe, "test", lambda *_: pytest.fail("it was asked"))
    picking = opened(FAR)
    picking.until(lambda: "was not contacted yet" in shown(picking))


def test_server_edited_keeps_its_place_and_key(opened: Opening, faults: Faults) -> None:
    picking = opened(Server(faults.address, "Studio"), FAR)
    picking.until(lambda: picking.cells("server_models") == ["one", "two"])
    servers = picking.servers
    servers.keys.give(faults.address, KEY)
    picking.press("edit_server")
    assert named(picking.window, QLineEdit, "server_key").text() == ""
    picking.type("server_name", "Desk")
    picking.press("save_server")
    assert [each.name for each in servers.entries] == ["Desk", "Cellar"]
    assert servers.keys.of(faults.address) == KEY
    picking.until(lambda: shown(picking).startswith("Desk lists"))
    picking.press("edit_server")
    picking.press("forget_server_key")
    assert servers.keys.of(faults.address) == ""
    faults.answer = lambda asked, line: line.head("401 Unauthorized")
    picking.press("test_server")
    picking.until(lambda: "needs a key" in shown(picking))
    assert shown(picking).endswith("Enter this server's key in the model picker.")
    assert picking.cells("server_models") == []


def test_key_is_sent_to_no_other_address(opened: Opening, faults: Faults) -> None:
    picking = opened(Server(FAR.address, "Cellar", accepted=True))
    picking.servers.keys.give(FAR.address, KEY)
    picking.press("edit_server")
    field = named(picking.window, QLineEdit, "server_key")
    assert field.placeholderText() == SAME_KEY
    picking.type("server_address", faults.address)
    assert field.placeholderText() == MOVED_KEY
    picking.press("save_server")
    picking.until(lambda: shown(picking).startswith("Cellar lists"))
    assert all("authorization" not in each.headers for each in faults.asked)
    assert picking.servers.keys.of(FAR.address) == ""


def test_key_is_stored_in_the_keychain_and_removed_with_the_server(
    opened: Opening, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: dict[str, str] = {}
    monkeypatch.setattr(keychain, "unavailable", lambda: "")
    monkeypatch.setattr(keychain, "read", lambda account: stored.get(account))
    monkeypatch.setattr(keychain, "keep", lambda key, account: stored.__setitem__(account, key))
    monkeypatch.setattr(keychain, "forget", lambda account: stored.pop(account, None) and None)
    picking = opened()
    add(picking, faults.address, "Studio", KEY)
    picking.until(lambda: stored == {keychain.account_of(faults.address): KEY})
    picking.press("remove_server")
    assert picking.words("server_question_words") == "Remove Studio from the list, and its key?"
    picking.press("server_question_no")
    assert picking.cells("servers") == ["Studio"]
    picking.press("remove_server")
    picking.press("server_question_yes")
    assert picking.cells("servers") == []
    assert picking.words("server_question_words") == "Studio was removed from the list."
    picking.until(lambda: stored == {})


def test_key_not_stored_leaves_the_question_open(opened: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    failure = Failure("The keyring did not take it.", "It is used until Sluice quits.")
    monkeypatch.setattr(keychain, "unavailable", lambda: "")
    monkeypatch.setattr(keychain, "keep", lambda *_: failure)
    invalid = keychain.store_key("http://x/v1", "not one word")
    assert invalid is not None and invalid.todo == "It is used until Sluice quits."
    picking = opened()
    add(picking, FAR.address, "", KEY)
    picking.until(lambda: failure.what in shown(picking) + picking.words("server_question_words"))
    assert picking.dialog.servers.question.asking


def test_escape_closes_form_and_question_before_the_picker(opened: Opening) -> None:
    picking = opened(FAR)
    page = picking.dialog.servers
    picking.press("edit_server")
    picking.type("server_key", KEY)
    QTest.keyClick(named(picking.window, QLineEdit, "server_key"), Qt.Key.Key_Escape)
    assert picking.dialog.isVisible() and not page.form.isVisible()
    assert named(picking.window, QLineEdit, "server_key").text() == ""
    assert picking.dialog.focusWidget() is named(page, ModelTable, "servers")
    picking.press("remove_server")
    QTest.keyClick(picking.dialog.focusWidget(), Qt.Key.Key_Escape)
    assert picking.dialog.isVisible() and not page.question.asking
    QTest.keyClick(picking.dialog, Qt.Key.Key_Escape)
    assert not picking.dialog.isVisible()
