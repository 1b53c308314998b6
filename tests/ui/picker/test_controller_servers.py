"""Servers in the picker: added, asked after a warning, edited, removed; their keys stay out of the settings."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.engine.remote import directory
from app.engine.types import Failure, ReachedServer, Server, ServerModel
from app.files.settings import Settings
from app.library import keychain, server_keys
from app.ui.look.theme import Theme
from app.ui.picker.server_form import MOVED_KEY, SAME_KEY
from tests.engine.remote.faults import Faults, serving
from tests.ui.alone import Alone
from tests.ui.desk import named
from tests.ui.picker.picking import Picking

FAR = "http://192.0.2.7:8080/v1"
KEY = "hush-hush"


@pytest.fixture
def faults() -> Iterator[Faults]:
    with serving() as faults:
        yield faults


@pytest.fixture(autouse=True)
def no_keychain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keychain, "unavailable", lambda: "secret-tool is not installed")


Opening = Callable[..., Picking]


@pytest.fixture
def opened(alone: Alone, theme: Theme, cache: Path, tmp_path: Path) -> Opening:
    """Opens the picker at its page of servers."""

    def open_with(*servers: Server) -> Picking:
        picking = Picking(alone, theme, tmp_path / "data", tmp_path / "bundled", servers)
        picking.open_servers()
        return picking

    return open_with


def add(picking: Picking, address: str, name: str = "", key: str = "") -> None:
    picking.press("add_server")
    for field, text in (("server_address", address), ("server_name", name), ("server_key", key)):
        picking.type(field, text)
    picking.press("save_server")


def said(picking: Picking) -> str:
    return picking.words("servers_words")


def asked(picking: Picking) -> str:
    return picking.words("server_question_words")


def test_a_server_is_added_asked_and_kept_without_its_key(opened: Opening, faults: Faults) -> None:
    picking = opened()
    assert faults.asked == []
    add(picking, faults.address.removesuffix("/v1") + "/", "Studio", KEY)
    answers = "Studio lists 2 models. Connection: "
    picking.until(lambda: picking.cells("server_models") == ["one", "two"] and said(picking).startswith(answers))
    assert faults.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    assert not picking.dialog.servers.form.isVisible()
    assert picking.controller.kept(Settings()).servers == (Server(faults.address, "Studio"),)
    assert KEY not in repr(picking.controller.kept(Settings()))


def test_what_is_no_address_stays_in_the_form(opened: Opening) -> None:
    picking = opened()
    add(picking, "two words")
    assert picking.dialog.servers.form.isVisible()
    assert "is not the address of a server" in picking.words("server_form_words")
    assert picking.cells("servers") == []


def test_a_failing_test_is_one_sentence_with_a_way_on(opened: Opening, faults: Faults) -> None:
    picking = opened(Server(faults.address, "Studio"))
    picking.until(lambda: picking.cells("server_models") == ["one", "two"])
    faults.answer = lambda asked, line: line.head("401 Unauthorized")
    picking.press("test_server")
    picking.until(lambda: "needs a key" in said(picking))
    assert said(picking).endswith("Enter this server's key in the model picker.")
    assert picking.cells("server_models") == []


def test_plain_text_to_another_machine_is_warned_of_once(opened: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Server] = []

    def test(server: Server, key: str = "", silence_s: float = 30.0) -> ReachedServer:
        tried.append(server)
        return ReachedServer((ServerModel(server.address, "far"),), 0.001, 0.002)

    monkeypatch.setattr(directory, "test", test)
    picking = opened()
    add(picking, "192.0.2.7:8080", "Cellar", KEY)
    assert picking.dialog.servers.question.asking
    assert "go to Cellar unencrypted" in asked(picking)
    picking.press("server_question_no")
    assert tried == []
    picking.press("test_server")
    picking.press("server_question_yes")
    picking.until(lambda: picking.cells("server_models") == ["far"])
    picking.press("test_server")
    assert not picking.dialog.servers.question.asking, "once is enough"
    picking.until(lambda: len(tried) == 2)
    picking.press("edit_server")
    picking.type("server_address", "192.0.2.8:8080")
    picking.press("save_server")
    assert picking.dialog.servers.question.asking, "another machine is another matter"
    assert [each.accepted for each in picking.controller.kept(Settings()).servers] == [False]


def test_nobody_is_asked_of_whom_the_user_is_to_be_warned(opened: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "test", lambda *_: pytest.fail("it was asked"))
    picking = opened(Server(FAR, "Cellar"))
    picking.until(lambda: "was not contacted yet" in said(picking))


def test_a_server_is_taken_off_the_list_after_a_question(opened: Opening, faults: Faults) -> None:
    picking = opened(Server(faults.address, "Studio"), Server(FAR, "Cellar"))
    picking.press("remove_server")
    picking.press("server_question_no")
    assert picking.cells("servers") == ["Studio", "Cellar"]
    picking.press("remove_server")
    assert asked(picking) == "Remove Studio from the list, and its key?"
    picking.press("server_question_yes")
    assert picking.cells("servers") == ["Cellar"]
    assert asked(picking) == "Studio was removed from the list."


def test_editing_keeps_the_place_and_the_key(opened: Opening, faults: Faults) -> None:
    picking = opened(Server(faults.address, "Studio"), Server(FAR, "Cellar"))
    servers = picking.servers
    servers.keys.give(faults.address, KEY)
    picking.press("edit_server")
    assert named(picking.window, QLineEdit, "server_key").text() == ""
    picking.type("server_name", "Desk")
    picking.press("save_server")
    assert [each.name for each in servers.entries] == ["Desk", "Cellar"]
    assert servers.keys.of(faults.address) == KEY
    picking.until(lambda: said(picking).startswith("Desk lists"))
    picking.press("edit_server")
    picking.press("forget_server_key")
    assert servers.keys.of(faults.address) == ""


def test_a_key_is_sent_to_no_other_address(opened: Opening, faults: Faults) -> None:
    picking = opened(Server(FAR, "Cellar", accepted=True))
    picking.servers.keys.give(FAR, KEY)
    picking.press("edit_server")
    field = named(picking.window, QLineEdit, "server_key")
    assert field.placeholderText() == SAME_KEY
    picking.type("server_address", faults.address)
    assert field.placeholderText() == MOVED_KEY
    picking.press("save_server")
    picking.until(lambda: said(picking).startswith("Cellar lists"))
    assert all("authorization" not in each.headers for each in faults.asked)
    assert picking.servers.keys.of(FAR) == ""


def test_a_key_goes_into_the_keychain_where_there_is_one(
    opened: Opening, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, str] = {}
    monkeypatch.setattr(keychain, "unavailable", lambda: "")
    monkeypatch.setattr(keychain, "read", lambda account: kept.get(account))
    monkeypatch.setattr(keychain, "keep", lambda key, account: kept.__setitem__(account, key))
    monkeypatch.setattr(keychain, "forget", lambda account: kept.pop(account, None) and None)
    picking = opened()
    picking.press("add_server")
    box = picking.button("keep_server_key")
    picking.until(box.isEnabled)
    picking.type("server_address", faults.address)
    picking.type("server_key", KEY)
    picking.press("save_server")
    picking.until(lambda: kept == {server_keys.account_of(faults.address): KEY})
    picking.press("remove_server")
    picking.press("server_question_yes")
    picking.until(lambda: kept == {})


def test_a_key_that_no_keychain_takes_is_said(opened: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    failure = server_keys.keep("http://x/v1", "not one word")
    assert failure is not None and failure.todo == "It is used until Sluice quits."


def test_a_key_that_was_not_kept_takes_no_question_away(opened: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    failure = Failure("The keyring did not take it.", "It is used until Sluice quits.")
    monkeypatch.setattr(keychain, "unavailable", lambda: "")
    monkeypatch.setattr(keychain, "keep", lambda *_: failure)
    picking = opened()
    picking.press("add_server")
    box = picking.button("keep_server_key")
    picking.until(box.isEnabled)
    picking.type("server_address", FAR)
    picking.type("server_key", KEY)
    picking.press("save_server")
    picking.until(lambda: failure.what in said(picking) + asked(picking))
    assert picking.dialog.servers.question.asking


def test_escape_leaves_the_question_before_the_picker(opened: Opening) -> None:
    picking = opened(Server(FAR))
    picking.press("add_server")
    QTest.keyClick(named(picking.window, QLineEdit, "server_key"), Qt.Key.Key_Escape)
    assert picking.dialog.isVisible() and not picking.dialog.servers.form.isVisible()
    picking.press("remove_server")
    QTest.keyClick(picking.dialog.focusWidget(), Qt.Key.Key_Escape)
    assert picking.dialog.isVisible() and not picking.dialog.servers.question.asking
    QTest.keyClick(picking.dialog, Qt.Key.Key_Escape)
    assert not picking.dialog.isVisible()
