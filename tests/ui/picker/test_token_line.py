"""The field for a token: says where it stands, and hands on what is typed, kept or forgotten."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.picker.token_line import TokenLine, TokenState
from tests.ui.picker.making import named

READY = TokenState("keyring", unavailable="")
HELD = TokenState("keyring", unavailable="", held=True, forgettable=True)
KEPT = TokenState("keyring", unavailable="", held=True, kept=True, forgettable=True)


@pytest.fixture
def line(qtbot: QtBot, theme: Theme) -> TokenLine:
    made = TokenLine(theme)
    qtbot.addWidget(made)
    made.ask()
    return made


def box(line: TokenLine) -> QCheckBox:
    return named(line, QCheckBox, "keep_token")


def words(line: TokenLine) -> str:
    return named(line, QLabel, "token_words").text()


def give(line: TokenLine, token: str) -> None:
    field = named(line, QLineEdit, "hub_token")
    field.setText(token)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_until_the_keychain_has_answered_nothing_is_kept(line: TokenLine, qtbot: QtBot) -> None:
    assert not box(line).isEnabled()
    line.show_state(TokenState("keyring", busy=True))
    assert words(line) == "Asking the keyring …"
    with qtbot.waitSignal(line.given) as given:
        give(line, "hf_secret")
    assert given.args == ["hf_secret", False]


def test_a_keychain_that_is_not_there_says_why(line: TokenLine) -> None:
    line.show_state(TokenState("keyring", "secret-tool is not installed"))
    assert not box(line).isEnabled() and not box(line).isChecked()
    assert box(line).toolTip() == "The keyring can't be used: secret-tool is not installed"
    assert "in memory until Sluice quits" in words(line) and "secret-tool is not installed." in words(line)
    line.show_state(TokenState("keyring", "secret-tool is not installed", held=True, forgettable=True))
    assert words(line).startswith("Your token is used until Sluice quits; it is in no file.")
    assert "secret-tool is not installed." in words(line)


def test_a_tick_goes_along_with_the_token(line: TokenLine, qtbot: QtBot) -> None:
    line.show_state(READY)
    assert box(line).text() == "Keep in the keyring"
    with qtbot.waitSignal(line.keep_chosen) as chosen:
        box(line).click()
    assert chosen.args == [True]
    line.show_state(READY)
    with qtbot.waitSignal(line.given) as given:
        give(line, " hf_secret ")
    assert given.args == ["hf_secret", True]
    line.show_state(KEPT)
    assert box(line).isChecked()
    assert words(line) == "Your token is in the keyring, and in no file of Sluice's."
    line.show_state(HELD)
    assert not box(line).isChecked()


def test_nothing_typed_is_nothing_given(line: TokenLine, qtbot: QtBot) -> None:
    line.show_state(KEPT)
    assert not named(line, QAbstractButton, "use_token").isEnabled()
    with qtbot.assertNotEmitted(line.given):
        give(line, "  ")


def test_forgetting_empties_the_field(line: TokenLine, qtbot: QtBot) -> None:
    forget = named(line, QAbstractButton, "forget_token")
    line.show_state(READY)
    assert not forget.isEnabled()
    give(line, "hf_secret")
    line.show_state(KEPT)
    with qtbot.waitSignal(line.forget_wanted):
        forget.click()
    assert named(line, QLineEdit, "hub_token").text() == ""
    assert not box(line).isChecked()


def test_a_warning_stands_in_the_place_of_the_words(line: TokenLine) -> None:
    line.show_state(TokenState("keyring", "", held=True, warning="The keyring did not take the token (locked)."))
    assert words(line) == "The keyring did not take the token (locked)."
