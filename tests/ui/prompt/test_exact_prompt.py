"""The pane of the exact prompt."""

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.engine.types import ExactPrompt, PromptPart, PromptSpan, TokenScore, TokenScores
from app.ui.look.palette import Color
from app.ui.look.theme import MARGIN_PX, Theme
from app.ui.prompt.cache_words import CacheStatus
from app.ui.prompt.exact_prompt import NEXT, SENT, ExactPromptPane, ShownPrompt
from app.ui.tokens.colors import LEVELS, PLAIN, ground
from app.ui.tokens.words import STALE, describe_surprisal, summarize_surprisal, surprisal_tone
from app.ui.widgets.find_bar import FindBar
from tests.ui.conftest import go_dark
from tests.ui.desk import named
from tests.ui.tokens.answers import prompt_of

PROMPT = ExactPrompt(
    "<s>be kind Hi you\n",
    (1, 50, 51, 52, 53, 54),
    ((0, 3), (3, 5), (5, 10), (10, 13), (13, 17), (17, 18)),
    (
        PromptSpan(PromptPart.SPECIAL, 0, 3),
        PromptSpan(PromptPart.SYSTEM, 3, 10),
        PromptSpan(PromptPart.USER, 10, 17),
        PromptSpan(PromptPart.TEMPLATE, 17, 18),
    ),
    notes=("The system message was folded.",),
)


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> ExactPromptPane:
    made = ExactPromptPane(theme)
    qtbot.addWidget(made)
    made.resize(600, 260)
    made.show()
    return made


def label(pane: ExactPromptPane, name: str) -> str:
    return named(pane, QLabel, name).text()


def colors(pane: ExactPromptPane) -> set[str]:
    """All colors of the token chips."""
    image = pane.tokens.viewport().grab().toImage()
    return {QColor(image.pixel(x, y)).name() for x in range(image.width()) for y in range(0, image.height(), 2)}


def press(pane: ExactPromptPane, name: str) -> None:
    QTest.mouseClick(named(pane, QAbstractButton, name), Qt.MouseButton.LeftButton)


def test_empty_pane_says_what_appears(pane: ExactPromptPane) -> None:
    assert "to see its tokens here" in label(pane, "exact_prompt_words")
    assert not pane.tokens.isVisible()
    assert named(pane, QLabel, "exact_prompt_words").margin() == MARGIN_PX, "as far from the edge as all else there"
    pane.show_reading(NEXT, ShownPrompt(words="The template refuses this."))
    assert label(pane, "exact_prompt_words") == "The template refuses this."


def test_pane_shows_size_notes_and_legend(pane: ExactPromptPane) -> None:
    pane.show_reading(NEXT, ShownPrompt(PROMPT, 2, 2048, remark="Still going on."))
    assert label(pane, "exact_prompt_count") == "6 of 2,048 tokens"
    assert label(pane, "exact_prompt_notes") == "Still going on. The system message was folded."
    legend = label(pane, "exact_prompt_legend")
    assert all(word in legend for word in ("special token", "system prompt", "your text", "template", "cached"))
    assert "the model's text" not in legend
    pane.show_reading(SENT, ShownPrompt(PROMPT))
    assert label(pane, "exact_prompt_count") == "6 tokens"
    assert "cached" not in label(pane, "exact_prompt_legend")
    assert pane.source == SENT


def test_pane_underlines_exactly_the_cached_tokens(pane: ExactPromptPane, theme: Theme) -> None:
    band = theme.hex(Color.REUSED)
    pane.show_reading(NEXT, ShownPrompt(PROMPT, 0))
    assert band not in colors(pane)
    pane.show_reading(NEXT, ShownPrompt(PROMPT, 3))
    assert band in colors(pane)
    assert pane.tokens.reused == 3
    assert "3 cached" in pane.tokens.accessibleDescription()


def test_pointer_shows_id_and_part(pane: ExactPromptPane, qtbot: QtBot) -> None:
    pane.show_reading(NEXT, ShownPrompt(PROMPT, 1))
    view = pane.tokens.viewport()
    with qtbot.waitSignal(pane.tokens.pointed):
        QTest.mouseMove(view, QPoint(MARGIN_PX + 8, 20))
    assert label(pane, "exact_prompt_legend") == "1 of 6: id 1, '<s>', special token, cached"
    with qtbot.waitSignal(pane.tokens.pointed):
        QTest.mouseMove(view, QPoint(view.width() - 2, 20))
    assert "special token" in label(pane, "exact_prompt_legend")
    assert "id 1" not in label(pane, "exact_prompt_legend")


def test_text_and_ids_are_copied(pane: ExactPromptPane) -> None:
    pane.show_reading(NEXT, ShownPrompt(PROMPT))
    for name, copied in (("copy_exact_text", PROMPT.text), ("copy_exact_ids", "1 50 51 52 53 54")):
        act = pane.findChild(QAction, name)
        assert isinstance(act, QAction)
        act.trigger()
        assert QGuiApplication.clipboard().text() == copied


def test_whitespace_is_shown_on_demand(pane: ExactPromptPane) -> None:
    pane.show_reading(NEXT, ShownPrompt(PROMPT))
    before = pane.tokens.viewport().grab().toImage()
    press(pane, "exact_prompt_spaces")
    assert pane.tokens.viewport().grab().toImage() != before
    press(pane, "exact_prompt_spaces")
    assert pane.tokens.viewport().grab().toImage() == before


def test_long_prompt_is_laid_out_in_steps_with_its_end_visible(pane: ExactPromptPane, qtbot: QtBot) -> None:
    count = 40_000
    long = prompt_of(["word "] * count)
    pane.show_reading(NEXT, ShownPrompt(long))
    bar = pane.tokens.verticalScrollBar()
    assert not pane.tokens.laid_out
    qtbot.waitUntil(lambda: pane.tokens.laid_out)
    assert bar.value() == bar.maximum() > 0
    bar.setValue(0)
    end = len(long.text)
    changed = replace(long, text=long.text + "!", ids=(*long.ids, 7), offsets=(*long.offsets, (end, end + 1)))
    pane.show_reading(NEXT, ShownPrompt(changed))
    assert bar.value() == 0, "a reader elsewhere stays there"
    assert pane.tokens.laid_out, "what did not change is not laid out again"
    pane.tokens.reveal(count)
    assert label(pane, "exact_prompt_legend").startswith(f"{count + 1:,} of {count + 1:,}: id 7, '!'")
    assert bar.value() > 0


def test_cache_line_reveals_the_first_difference(pane: ExactPromptPane, qtbot: QtBot) -> None:
    pane.show_reading(NEXT, ShownPrompt(PROMPT, 3))
    assert not label(pane, "cache_words")
    pane.show_reading(NEXT, ShownPrompt(PROMPT, 3, cache=CacheStatus("Token 4 differs.", 3)))
    assert label(pane, "cache_words") == "Token 4 differs."
    reveal, compare = (named(pane, QAbstractButton, name) for name in ("reveal_difference", "compare_reuse"))
    assert (reveal.text(), compare.isVisible()) == ("Show token 4", False)
    with qtbot.waitSignal(pane.tokens.pointed) as pointed:
        press(pane, "reveal_difference")
    assert pointed.args == [pane.tokens.describe(3)]
    pane.show_reading(SENT, ShownPrompt(PROMPT, 3, cache=CacheStatus("3 of 6.", comparable=True)))
    assert not reveal.isVisible()
    with qtbot.waitSignal(pane.comparison_wanted):
        press(pane, "compare_reuse")
    with qtbot.waitSignal(pane.measure_wanted):
        press(pane, "measure_reuse")


def seek(pane: ExactPromptPane, text: str) -> QLineEdit:
    bar, field = pane.findChild(FindBar), named(pane, QLineEdit, "exact_prompt_search")
    assert bar is not None
    bar.open()
    field.setText(text)
    return field


def test_find_across_tokens_marks_all_of_them(pane: ExactPromptPane) -> None:
    pane.show_reading(NEXT, ShownPrompt(PROMPT))
    plain = colors(pane)
    seek(pane, "KIND h")
    assert label(pane, "exact_prompt_found") == "1 of 1"
    assert colors(pane) - plain
    assert named(pane, QLabel, "exact_prompt_found").accessibleName() == "Matches: 1 of 1"


def test_find_shows_the_next_match_and_leave_returns(pane: ExactPromptPane) -> None:
    pane.show_reading(SENT, ShownPrompt(prompt_of(["word "] * 3_000)))
    scroll = pane.tokens.verticalScrollBar()
    scroll.setValue(0)
    field = seek(pane, "word")
    assert label(pane, "exact_prompt_found") == "1 of 1,000"
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert (label(pane, "exact_prompt_found"), scroll.value() > 0) == ("1,000 of 1,000", True)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert (scroll.value(), field.isVisible()) == (0, False)


def test_find_searches_a_new_prompt(pane: ExactPromptPane) -> None:
    pane.show_reading(NEXT, ShownPrompt(PROMPT))
    seek(pane, "word")
    assert label(pane, "exact_prompt_found") == "No matches."
    pane.show_reading(NEXT, ShownPrompt(prompt_of(["word "] * 2)))
    assert label(pane, "exact_prompt_found") == "1 of 2"


def weight(bits: float, rank: int = 1) -> TokenScore:
    return TokenScore(-bits * math.log(2), rank, 9, " the", math.log(0.31))


WEIGHED = TokenScores(PROMPT.ids, (None, weight(0.2), weight(7.3, 41), weight(3), weight(20, 900), weight(1)))
READING = ShownPrompt(PROMPT, 2, 2048)


def button(pane: ExactPromptPane) -> QAbstractButton:
    return named(pane, QAbstractButton, "exact_prompt_surprise")


def colored(pane: ExactPromptPane) -> None:
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
    assert "no context" in summarize_surprisal(TokenScores((1,), (None,)))


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
    colored(pane)
    seen = colors(pane)
    for each in WEIGHED.weights:
        assert ground(surprisal_tone(each), theme).name() in seen
    assert theme.hex(Color.REUSED) not in seen
    key = named(pane, QWidget, "exact_prompt_scale")
    assert key.isVisible()
    assert "mean 6.3 bits" in label(pane, "exact_prompt_surprise_summary")
    button(pane).click()
    assert pane.tokens.viewport().grab().toImage() == before
    assert not key.isVisible()


def test_known_surprisal_is_shown_at_once(pane: ExactPromptPane, qtbot: QtBot) -> None:
    colored(pane)
    button(pane).click()
    with qtbot.assertNotEmitted(pane.surprise_wanted):
        button(pane).click()
    assert "mean" in label(pane, "exact_prompt_surprise_summary")
    assert ground(LEVELS - 1, pane._theme).name() in colors(pane)


def test_pointed_token_is_described(pane: ExactPromptPane) -> None:
    colored(pane)
    pane.tokens.setFocus()
    for _ in range(3):
        QTest.keyClick(pane.tokens, Qt.Key.Key_Right)
    told = label(pane, "exact_prompt_legend")
    assert told == "3 of 6: id 51, ' kind', surprisal 7.30 bits, probability 0.63 %, rank 41; top token: ' the' 31 %"
    assert named(pane, QLabel, "exact_prompt_legend").isVisible()


def test_late_answer_colors_nothing(pane: ExactPromptPane) -> None:
    pane.allow_surprise(True)
    pane.show_reading(NEXT, READING)
    button(pane).click()
    pane.show_reading(NEXT, ShownPrompt(replace(PROMPT, ids=PROMPT.ids[:-1], offsets=PROMPT.offsets[:-1])))
    pane.show_token_scores(WEIGHED)
    assert not button(pane).isChecked()
    assert STALE in label(pane, "exact_prompt_notes")
