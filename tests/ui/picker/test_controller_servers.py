"""Servers in the picker: added, warned of, asked, edited, removed; and what is written of them anywhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit

from app.engine.remote import directory
from app.engine.types import Failure, Reached, Server, ServerModel
from app.library import keychain, server_keys
from app.settings import Settings
from app.ui.picker.dialog import ModelPicker
from app.ui.picker.models_table import ModelTable
from app.ui.picker.server_form import MOVED_KEY, SAME_KEY
from app.ui.shell.main_window import MainWindow
from tests.engine.remote.faults import Faults, serving
from tests.ui.desk import Desk, act, named

FAR = "http://192.0.2.7:8080/v1"
KEY = "hush-hush"


@pytest.fixture
def faults() -> Iterator[Faults]:
    with serving() as faults:
        yield faults


@pytest.fixture(autouse=True)
def no_keychain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keychain, "unavailable", lambda: "secret-tool is not installed")


def opened(desk: Desk, *servers: Server) -> tuple[MainWindow, ModelPicker]:
    window = desk.ready(Settings(servers=servers))
    act(window, "open_model").trigger()
    picker = named(window, ModelPicker, "model_picker")
    picker.open_at(picker.servers)
    return window, picker


def add(window: MainWindow, address: str, name: str = "", key: str = "") -> None:
    press(window, "add_server")
    for field, text in (("server_address", address), ("server_name", name), ("server_key", key)):
        named(window, QLineEdit, field).setText(text)
    press(window, "save_server")


def press(window: MainWindow, name: str) -> None:
    button = named(window, QAbstractButton, name)
    assert button.isEnabled(), name
    button.click()


def said(window: MainWindow) -> str:
    return named(window, QLabel, "servers_words").text()


def asked(window: MainWindow) -> str:
    return named(window, QLabel, "server_question_words").text()


def cells(window: MainWindow, table: str) -> list[str]:
    model = named(window, ModelTable, table).model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_a_server_is_added_asked_and_kept_without_its_key(desk: Desk, faults: Faults, tmp_path: Path) -> None:
    window, picker = opened(desk)
    assert faults.asked == []
    add(window, faults.address.removesuffix("/v1") + "/", "Studio", KEY)
    answers = "Studio answers and lists 2 models; the connection took "
    desk.qtbot.waitUntil(lambda: cells(window, "server_models") == ["one", "two"] and said(window).startswith(answers))
    assert faults.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    assert not picker.servers.form.isVisible()
    window.close()
    assert desk.kept[0].servers == (Server(faults.address, "Studio"),)
    assert KEY not in repr(desk.kept[0])


def test_what_is_no_address_stays_in_the_form(desk: Desk) -> None:
    window, picker = opened(desk)
    add(window, "two words")
    assert picker.servers.form.isVisible()
    assert "is not the address of a server" in named(window, QLabel, "server_form_words").text()
    assert cells(window, "servers") == []


def test_a_failing_test_is_one_sentence_with_a_way_on(desk: Desk, faults: Faults) -> None:
    window, _ = opened(desk, Server(faults.address, "Studio"))
    desk.qtbot.waitUntil(lambda: cells(window, "server_models") == ["one", "two"])
    faults.answer = lambda asked, line: line.head("401 Unauthorized")
    press(window, "test_server")
    desk.qtbot.waitUntil(lambda: "asks for a key" in said(window))
    assert said(window).endswith("Give this server's key in the model picker.")
    assert cells(window, "server_models") == []


def test_plain_text_to_another_machine_is_warned_of_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Server] = []

    def test(server: Server, key: str = "", silence_s: float = 30.0) -> Reached:
        tried.append(server)
        return Reached((ServerModel(server.address, "far"),), 0.001, 0.002)

    monkeypatch.setattr(directory, "test", test)
    window, picker = opened(desk)
    add(window, "192.0.2.7:8080", "Cellar", KEY)
    assert picker.servers.question.asking
    assert "goes unencrypted to Cellar" in asked(window)
    press(window, "server_question_no")
    assert tried == []
    press(window, "test_server")
    press(window, "server_question_yes")
    desk.qtbot.waitUntil(lambda: cells(window, "server_models") == ["far"])
    press(window, "test_server")
    assert not picker.servers.question.asking, "once is enough"
    desk.qtbot.waitUntil(lambda: len(tried) == 2)
    press(window, "edit_server")
    named(window, QLineEdit, "server_address").setText("192.0.2.8:8080")
    press(window, "save_server")
    assert picker.servers.question.asking, "another machine is another matter"
    window.close()
    assert [each.accepted for each in desk.kept[0].servers] == [False]


def test_nobody_is_asked_of_whom_the_user_is_to_be_warned(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "test", lambda *_: pytest.fail("it was asked"))
    window, _ = opened(desk, Server(FAR, "Cellar"))
    desk.qtbot.waitUntil(lambda: "has not been asked yet" in said(window))


def test_a_server_is_taken_off_the_list_after_a_question(desk: Desk, faults: Faults) -> None:
    window, _ = opened(desk, Server(faults.address, "Studio"), Server(FAR, "Cellar"))
    press(window, "remove_server")
    press(window, "server_question_no")
    assert cells(window, "servers") == ["Studio", "Cellar"]
    press(window, "remove_server")
    assert asked(window) == "Take Studio off the list? Its key is forgotten with it."
    press(window, "server_question_yes")
    assert cells(window, "servers") == ["Cellar"]
    assert asked(window) == "Studio is off the list."


def test_editing_keeps_the_place_and_the_key(desk: Desk, faults: Faults) -> None:
    window, _ = opened(desk, Server(faults.address, "Studio"), Server(FAR, "Cellar"))
    servers = window._features.servers
    servers.keys.give(faults.address, KEY)
    press(window, "edit_server")
    assert named(window, QLineEdit, "server_key").text() == ""
    named(window, QLineEdit, "server_name").setText("Desk")
    press(window, "save_server")
    assert [each.name for each in servers.kept] == ["Desk", "Cellar"]
    assert servers.keys.of(faults.address) == KEY
    desk.qtbot.waitUntil(lambda: said(window).startswith("Desk answers"))
    press(window, "edit_server")
    press(window, "forget_server_key")
    assert servers.keys.of(faults.address) == ""


def test_a_key_is_sent_to_no_other_address(desk: Desk, faults: Faults) -> None:
    window, _ = opened(desk, Server(FAR, "Cellar", accepted=True))
    window._features.servers.keys.give(FAR, KEY)
    press(window, "edit_server")
    field = named(window, QLineEdit, "server_key")
    assert field.placeholderText() == SAME_KEY
    named(window, QLineEdit, "server_address").setText(faults.address)
    assert field.placeholderText() == MOVED_KEY
    press(window, "save_server")
    desk.qtbot.waitUntil(lambda: said(window).startswith("Cellar answers"))
    assert all("authorization" not in each.headers for each in faults.asked)
    assert window._features.servers.keys.of(FAR) == ""


def test_a_key_goes_into_the_keychain_where_there_is_one(
    desk: Desk, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, str] = {}
    monkeypatch.setattr(keychain, "unavailable", lambda: "")
    monkeypatch.setattr(keychain, "read", lambda account: kept.get(account))
    monkeypatch.setattr(keychain, "keep", lambda key, account: kept.__setitem__(account, key))
    monkeypatch.setattr(keychain, "forget", lambda account: kept.pop(account, None) and None)
    window, _ = opened(desk)
    press(window, "add_server")
    box = named(window, QAbstractButton, "keep_server_key")
    desk.qtbot.waitUntil(box.isEnabled)
    named(window, QLineEdit, "server_address").setText(faults.address)
    named(window, QLineEdit, "server_key").setText(KEY)
    press(window, "save_server")
    desk.qtbot.waitUntil(lambda: kept == {server_keys.account_of(faults.address): KEY})
    press(window, "remove_server")
    press(window, "server_question_yes")
    desk.qtbot.waitUntil(lambda: kept == {})


def test_a_key_that_no_keychain_takes_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    failure = server_keys.keep("http://x/v1", "not one word")
    assert failure is not None and failure.todo == "It is used until Sluice quits."


def test_a_key_that_was_not_kept_takes_no_question_away(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    failure = Failure("The keyring did not take it.", "It is used until Sluice quits.")
    monkeypatch.setattr(keychain, "unavailable", lambda: "")
    monkeypatch.setattr(keychain, "keep", lambda *_: failure)
    window, picker = opened(desk)
    press(window, "add_server")
    box = named(window, QAbstractButton, "keep_server_key")
    desk.qtbot.waitUntil(box.isEnabled)
    named(window, QLineEdit, "server_address").setText(FAR)
    named(window, QLineEdit, "server_key").setText(KEY)
    press(window, "save_server")
    desk.qtbot.waitUntil(lambda: failure.what in said(window) + asked(window))
    assert picker.servers.question.asking


def test_escape_leaves_the_question_before_the_picker(desk: Desk) -> None:
    window, picker = opened(desk, Server(FAR))
    press(window, "add_server")
    QTest.keyClick(named(window, QLineEdit, "server_key"), Qt.Key.Key_Escape)
    assert picker.isVisible() and not picker.servers.form.isVisible()
    press(window, "remove_server")
    QTest.keyClick(picker.focusWidget(), Qt.Key.Key_Escape)
    assert picker.isVisible() and not picker.servers.question.asking
    QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert not picker.isVisible()


def test_a_server_is_on_the_disk_before_the_end(desk: Desk, faults: Faults) -> None:
    window, _ = opened(desk)
    add(window, faults.address, "Studio")
    desk.qtbot.waitUntil(lambda: bool(desk.kept and desk.kept[-1].servers == (Server(faults.address, "Studio"),)))
