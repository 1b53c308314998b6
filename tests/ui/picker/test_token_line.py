"""The access token between its field and a keychain that is slow, refuses or is unavailable."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.library import keychain
from app.ui.look.theme import Theme
from app.ui.picker.token_line import TokenLine
from tests.patience import WAIT_S
from tests.ui.desk import named

LOCKED = Failure("The keyring is locked.", "Unlock it.")


class Keychain:
    """A stand-in for the system's keychain, which waits for `gate`."""

    def __init__(self) -> None:
        self.token: str | None = None
        self.why = ""
        self.failure: Failure | None = None
        self.calls: list[str] = []
        self.threads: set[threading.Thread] = set()
        self.gate = threading.Event()
        self.gate.set()

    def unavailable(self) -> str:
        return self.why

    def read(self) -> str | Failure | None:
        return self._call("read") or self.token

    def keep(self, token: str) -> Failure | None:
        failure = self._call("keep")
        self.token = self.token if failure else token
        return failure

    def forget(self) -> Failure | None:
        failure = self._call("forget")
        self.token = self.token if failure else None
        return failure

    def _call(self, name: str) -> Failure | None:
        self.calls.append(name)
        self.threads.add(threading.current_thread())
        assert self.gate.wait(WAIT_S)
        return self.failure


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Keychain:
    made = Keychain()
    for name in ("unavailable", "read", "keep", "forget"):
        monkeypatch.setattr(keychain, name, getattr(made, name))
    return made


class Field:
    """The token field with its tasks; `used` has the token after each change."""

    def __init__(self, qtbot: QtBot, theme: Theme) -> None:
        self._owner = QWidget()
        qtbot.addWidget(self._owner)
        self.tasks = Tasks(self._owner)
        self.line = TokenLine(theme, self.tasks)
        qtbot.addWidget(self.line)
        self.line.ask()
        self.used: list[str | None] = []
        self.line.changed.connect(lambda: self.used.append(self.line.token))
        self.box = named(self.line, QCheckBox, "keep_token")
        self.forget_button = named(self.line, QAbstractButton, "forget_token")
        self.forget = self.forget_button.click
        self._qtbot = qtbot

    @property
    def words(self) -> str:
        return named(self.line, QLabel, "token_words").text()

    def settle(self) -> None:
        self._qtbot.waitUntil(lambda: not self.tasks.count)

    def read(self) -> None:
        self.line.read_keychain()
        self.settle()

    def save(self) -> None:
        self.box.click()
        self.settle()

    def enter(self, token: str) -> None:
        field = named(self.line, QLineEdit, "hub_token")
        field.setText(token)
        QTest.keyClick(field, Qt.Key.Key_Return)


@pytest.fixture
def field(qtbot: QtBot, theme: Theme, system: Keychain) -> Iterator[Field]:
    made = Field(qtbot, theme)
    yield made
    system.gate.set()
    made.tasks.close()


def test_token_stored_is_read_once_and_used(field: Field, system: Keychain) -> None:
    system.token = "hf_stored"
    seen: list[str | None] = []
    field.line.when_known(seen.append)
    assert seen == []
    field.read()
    field.read()
    assert system.calls == ["read"]
    assert field.used == seen == ["hf_stored"]
    assert field.box.isChecked() and "Your token is in the" in field.words
    assert threading.main_thread() not in system.threads
    field.forget()
    field.settle()
    assert system.token is None
    assert field.used == ["hf_stored", None]
    assert not field.forget_button.isEnabled()
    field.line.when_known(seen.append)
    assert seen == ["hf_stored", None]


def test_token_is_stored_while_the_box_is_checked(field: Field, system: Keychain) -> None:
    field.read()
    assert not field.forget_button.isEnabled()
    field.enter("  ")
    assert field.used == []
    field.enter(" hf_one ")
    assert (system.calls, field.used) == (["read"], ["hf_one"])
    assert "until Sluice quits" in field.words
    field.save()
    assert system.token == "hf_one"
    field.enter("hf_two")
    field.settle()
    assert system.token == "hf_two"
    field.save()
    assert system.token is None
    assert (field.line.token, field.used) == ("hf_two", ["hf_one", "hf_two"])


def test_token_last_change_is_applied_last(field: Field, system: Keychain) -> None:
    field.read()
    field.box.click()
    system.gate.clear()
    field.enter("hf_one")
    assert "Asking the" in field.words
    field.enter("hf_two")
    field.forget()
    system.gate.set()
    field.settle()
    assert system.calls == ["read", "keep", "forget"]
    assert system.token is None


def test_token_not_stored_is_used_and_stored_on_another_try(field: Field, system: Keychain) -> None:
    field.read()
    system.failure = LOCKED
    field.box.click()
    field.enter("hf_one")
    field.settle()
    assert field.words == LOCKED.sentence
    assert not field.box.isChecked()
    assert field.line.token == "hf_one"
    system.failure = None
    field.save()
    assert system.token == "hf_one"
    assert "Your token is in the" in field.words


def test_token_not_readable_can_be_forgotten(field: Field, system: Keychain) -> None:
    system.token, system.failure = "hf_stored", LOCKED
    field.read()
    assert field.words == LOCKED.sentence
    assert (field.line.token, field.box.isEnabled()) == (None, True)
    field.forget()
    field.settle()
    assert field.words == LOCKED.sentence, "it is still in the keychain"
    system.failure = None
    field.forget()
    field.settle()
    assert system.token is None


def test_token_without_a_keychain_stays_in_memory(field: Field, system: Keychain) -> None:
    system.why = "secret-tool is not installed"
    field.read()
    assert not field.box.isEnabled()
    assert field.box.toolTip().endswith("can't be used: secret-tool is not installed")
    field.enter("hf_one")
    assert field.words.startswith("Your token is used until Sluice quits; it is never written to a file.")
    field.forget()
    assert (system.calls, field.used) == ([], ["hf_one", None])
    assert "secret-tool is not installed" in field.words


@pytest.mark.parametrize("is_forgotten", [False, True])
def test_token_entered_while_the_keychain_is_read_replaces_the_stored_one(
    field: Field, system: Keychain, qtbot: QtBot, is_forgotten: bool
) -> None:
    """A locked keychain may be asking for its password: Forget doesn't wait for that answer."""
    system.token = "hf_stored"
    system.gate.clear()
    field.line.read_keychain()
    qtbot.waitUntil(lambda: system.calls == ["read"])
    field.enter("hf_typed")
    if is_forgotten:
        field.forget()
        qtbot.waitUntil(lambda: "forget" in system.calls)
    system.gate.set()
    field.settle()
    assert field.line.token == (None if is_forgotten else "hf_typed")
    assert system.token == (None if is_forgotten else "hf_stored")
    assert not field.box.isChecked()


def test_token_with_a_failing_keychain_has_no_details(
    field: Field, system: Keychain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> str:
        raise RuntimeError("hf_secret")

    monkeypatch.setattr(keychain, "unavailable", fail)
    field.read()
    assert not field.box.isEnabled()
    assert "hf_secret" not in field.words
