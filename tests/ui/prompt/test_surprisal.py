"""Surprisal in the pane of the exact prompt, until the prompt changes."""

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.engine.types import TokenWeights, Weight
from app.ui.look.palette import Colour
from app.ui.look.theme import Theme
from app.ui.prompt.exact_prompt import NEXT, ExactPromptPane, ShownPrompt
from app.ui.tokens.colours import LEVELS, PLAIN, ground
from app.ui.tokens.words import STALE, describe_surprisal, summarize_surprisal, surprisal_tone
from tests.ui.conftest import go_dark
from tests.ui.prompt.prompts import PROMPT, colours, label, opened


def weight(bits: float, rank: int = 1) -> Weight:
    return Weight(-bits * math.log(2), rank, 9, " the", math.log(0.31))


WEIGHED = TokenWeights(PROMPT.ids, (None, weight(0.2), weight(7.3, 41), weight(3), weight(20, 900), weight(1)))
READING = ShownPrompt(PROMPT, 2, 2048)


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> ExactPromptPane:
    return opened(qtbot, theme)


def button(pane: ExactPromptPane) -> QAbstractButton:
    found = pane.findChild(QAbstractButton, "exact_prompt_surprise")
    assert found is not None
    return found


def coloured(pane: ExactPromptPane) -> None:
    """Press the button, and answer it."""
    pane.allow_surprise(True)
    pane.show_reading(NEXT, READING)
    button(pane).click()
    pane.show_token_scores(WEIGHED)


def test_words_have_bits_probability_rank_and_the_top_token() -> None:
    assert (
        describe_surprisal(weight(7.3, 41))
        == "surprisal 7.30 bits, probability 0.63 %, rank 41; top token: ' the' 31 %"
    )
    assert describe_surprisal(weight(0.2)) == "surprisal 0.20 bits, probability 87 %, rank 1 (top token)"
    assert "no context" in describe_surprisal(None)
    assert summarize_surprisal(WEIGHED) == "mean 6.3 bits, total 32 bits"
    assert "no context" in summarize_surprisal(TokenWeights((1,), (None,)))


def test_tone_grows_with_surprisal() -> None:
    tones = [surprisal_tone(weight(bits)) for bits in (0, 0.9, 3, 9.99, 10, 99)]
    assert tones == [0, 1, 3, LEVELS - 1, LEVELS - 1, LEVELS - 1]
    assert surprisal_tone(None) == PLAIN


@pytest.mark.parametrize("dark", [False, True])
def test_grounds_show_surprisal_and_return_to_the_parts(pane: ExactPromptPane, theme: Theme, dark: bool) -> None:
    if dark:
        go_dark(theme)
    pane.show_reading(NEXT, READING)
    before = pane.tokens.viewport().grab().toImage()
    coloured(pane)
    seen = colours(pane)
    for each in WEIGHED.weights:
        assert ground(surprisal_tone(each), theme).name() in seen
    assert theme.hex(Colour.REUSED) not in seen
    key = pane.findChild(QWidget, "exact_prompt_scale")
    assert key is not None
    assert key.isVisible()
    assert "mean 6.3 bits" in label(pane, "exact_prompt_surprise_summary")
    button(pane).click()
    assert pane.tokens.viewport().grab().toImage() == before
    assert not key.isVisible()


def test_known_surprisal_is_shown_at_once(pane: ExactPromptPane, qtbot: QtBot) -> None:
    coloured(pane)
    button(pane).click()
    with qtbot.assertNotEmitted(pane.surprise_wanted):
        button(pane).click()
    assert "mean" in label(pane, "exact_prompt_surprise_summary")
    assert ground(LEVELS - 1, pane._theme).name() in colours(pane)


def test_pointed_token_is_described(pane: ExactPromptPane) -> None:
    coloured(pane)
    pane.tokens.setFocus()
    for _ in range(3):
        QTest.keyClick(pane.tokens, Qt.Key.Key_Right)
    told = label(pane, "exact_prompt_legend")
    assert told == "3 of 6: id 51, ' kind', surprisal 7.30 bits, probability 0.63 %, rank 41; top token: ' the' 31 %"
    assert pane.findChild(QLabel, "exact_prompt_legend").isVisible()  # type: ignore[union-attr]


def test_late_answer_colors_nothing(pane: ExactPromptPane) -> None:
    pane.allow_surprise(True)
    pane.show_reading(NEXT, READING)
    button(pane).click()
    pane.show_reading(NEXT, ShownPrompt(replace(PROMPT, ids=PROMPT.ids[:-1], offsets=PROMPT.offsets[:-1])))
    pane.show_token_scores(WEIGHED)
    assert not button(pane).isChecked()
    assert STALE in label(pane, "exact_prompt_notes")
