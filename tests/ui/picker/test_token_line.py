"""The token between its field and a keychain that is slow, refuses, or is not there; the last wish is what is done."""

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
    """Stands in for the system's; `gate` is closed for one that is slow."""

    def __init__(self) -> None:
        self.kept: str | None = None
        self.why = ""
        self.failure: Failure | None = None
        self.asked: list[str] = []
        self.threads: set[threading.Thread] = set()
        self.gate = threading.Event()
        self.gate.set()

    def unavailable(self) -> str:
        return self.why

    def read(self) -> str | Failure | None:
        return self._did("read") or self.kept

    def keep(self, token: str) -> Failure | None:
        failure = self._did("keep")
        self.kept = self.kept if failure else token
        return failure

    def forget(self) -> Failure | None:
        failure = self._did("forget")
        self.kept = self.kept if failure else None
        return failure

    def _did(self, what: str) -> Failure | None:
        self.asked.append(what)
        self.threads.add(threading.current_thread())
        assert self.gate.wait(WAIT_S)
        return self.failure


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Keychain:
    made = Keychain()
    for name in ("unavailable", "read", "keep", "forget"):
        monkeypatch.setattr(keychain, name, getattr(made, name))
    return made


class Desk:
    """The field, and what stands behind it."""

    def __init__(self, qtbot: QtBot, theme: Theme) -> None:
        self._owner = QWidget()
        qtbot.addWidget(self._owner)
        self.tasks = Tasks(self._owner)
        self.line = TokenLine(theme, self.tasks)
        qtbot.addWidget(self.line)
        self.line.ask()
        self.used: list[str | None] = []
        self.line.changed.connect(lambda: self.used.append(self.line.token))
        self._qtbot = qtbot

    @property
    def box(self) -> QCheckBox:
        return named(self.line, QCheckBox, "keep_token")

    @property
    def words(self) -> str:
        return named(self.line, QLabel, "token_words").text()

    def settled(self) -> None:
        self._qtbot.waitUntil(lambda: not self.tasks.count)

    def look(self) -> None:
        self.line.read_keychain()
        self.settled()

    def give(self, token: str) -> None:
        field = named(self.line, QLineEdit, "hub_token")
        field.setText(token)
        QTest.keyClick(field, Qt.Key.Key_Return)

    def forget(self) -> None:
        named(self.line, QAbstractButton, "forget_token").click()


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme, system: Keychain) -> Iterator[Desk]:
    made = Desk(qtbot, theme)
    yield made
    system.gate.set()
    made.tasks.close()


def test_what_was_kept_is_read_once_and_used(desk: Desk, system: Keychain) -> None:
    system.kept = "hf_kept"
    desk.look()
    desk.look()
    assert system.asked == ["read"]
    assert desk.used == ["hf_kept"]
    assert desk.box.isChecked()
    assert "Your token is in the" in desk.words
    assert threading.main_thread() not in system.threads


def test_a_ticked_token_is_kept_and_an_unticked_one_stays_in_memory(desk: Desk, system: Keychain) -> None:
    desk.look()
    assert not named(desk.line, QAbstractButton, "forget_token").isEnabled()
    desk.give("  ")
    assert desk.used == [], "there is nothing to use"
    desk.give(" hf_one ")
    assert (system.asked, desk.used) == (["read"], ["hf_one"])
    assert "until Sluice quits" in desk.words
    desk.box.click()
    desk.settled()
    assert system.kept == "hf_one"
    desk.give("hf_two")
    desk.settled()
    assert system.kept == "hf_two"
    desk.box.click()
    desk.settled()
    assert system.kept is None
    assert (desk.line.token, desk.used) == ("hf_two", ["hf_one", "hf_two"])


def test_forget_means_here_and_there(desk: Desk, system: Keychain) -> None:
    system.kept = "hf_kept"
    desk.look()
    desk.forget()
    desk.settled()
    assert system.kept is None
    assert desk.used == ["hf_kept", None]
    assert named(desk.line, QLineEdit, "hub_token").text() == ""
    assert not named(desk.line, QAbstractButton, "forget_token").isEnabled()


def test_the_last_wish_is_the_last_thing_done(desk: Desk, system: Keychain) -> None:
    desk.look()
    desk.box.click()
    system.gate.clear()
    desk.give("hf_one")
    assert "Asking the" in desk.words
    desk.give("hf_two")
    desk.forget()
    system.gate.set()
    desk.settled()
    assert system.asked == ["read", "keep", "forget"]
    assert system.kept is None


def test_a_refusal_is_told_and_the_token_is_used(desk: Desk, system: Keychain) -> None:
    desk.look()
    system.failure = LOCKED
    desk.box.click()
    desk.give("hf_one")
    desk.settled()
    assert desk.words == "The keyring is locked. Unlock it."
    assert not desk.box.isChecked()
    assert desk.line.token == "hf_one"
    system.failure = None
    desk.box.click()
    desk.settled()
    assert system.kept == "hf_one"
    assert "Your token is in the" in desk.words


def test_what_can_not_be_read_can_be_forgotten(desk: Desk, system: Keychain) -> None:
    system.kept, system.failure = "hf_kept", LOCKED
    desk.look()
    assert desk.words == "The keyring is locked. Unlock it."
    assert (desk.line.token, desk.box.isEnabled()) == (None, True)
    desk.forget()
    desk.settled()
    assert desk.words == "The keyring is locked. Unlock it.", "it is still there, and that is told"
    system.failure = None
    desk.forget()
    desk.settled()
    assert system.kept is None


def test_without_a_keychain_the_token_is_held_in_memory(desk: Desk, system: Keychain) -> None:
    system.why = "secret-tool is not installed"
    desk.look()
    assert not desk.box.isEnabled()
    assert desk.box.toolTip().endswith("can't be used: secret-tool is not installed")
    desk.give("hf_one")
    assert desk.words.startswith("Your token is used until Sluice quits; it is never written to a file.")
    desk.forget()
    assert system.asked == []
    assert desk.used == ["hf_one", None]
    assert "secret-tool is not installed" in desk.words


def test_a_token_given_while_it_is_asked_is_not_replaced(desk: Desk, system: Keychain) -> None:
    system.kept = "hf_kept"
    system.gate.clear()
    desk.line.read_keychain()
    desk.give("hf_typed")
    system.gate.set()
    desk.settled()
    assert (desk.line.token, system.kept) == ("hf_typed", "hf_kept")
    assert not desk.box.isChecked()
    desk.box.click()
    desk.settled()
    assert system.kept == "hf_typed"


def test_a_wish_does_not_wait_for_the_first_answer(desk: Desk, system: Keychain, qtbot: QtBot) -> None:
    """A locked keychain may be asking for its password; whoever leaves by then is told that it did not answer."""
    system.kept = "hf_kept"
    system.gate.clear()
    desk.line.read_keychain()
    qtbot.waitUntil(lambda: system.asked == ["read"])
    desk.give("hf_typed")
    desk.forget()
    qtbot.waitUntil(lambda: "forget" in system.asked)
    system.gate.set()
    desk.settled()
    assert system.asked == ["read", "forget"]
    assert not desk.line.token and not system.kept


def test_what_needs_the_token_waits_for_it(desk: Desk, system: Keychain) -> None:
    system.kept = "hf_kept"
    told: list[str | None] = []
    desk.line.when_known(told.append)
    assert told == []
    desk.settled()
    assert told == ["hf_kept"]
    desk.forget()
    desk.line.when_known(told.append)
    assert told == ["hf_kept", None]


def test_a_look_that_breaks_is_a_keychain_that_is_not_there(
    desk: Desk, system: Keychain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> str:
        raise RuntimeError("hf_secret")

    monkeypatch.setattr(keychain, "unavailable", fail)
    desk.look()
    assert not desk.box.isEnabled()
    assert "hf_secret" not in desk.words
