"""The pane of the exact prompt."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.ui.look.palette import Colour
from app.ui.look.theme import MARGIN_PX, Theme
from app.ui.prompt.cache_words import CacheStatus
from app.ui.prompt.exact_prompt import NEXT, SENT, ExactPromptPane, ShownPrompt
from tests.ui.prompt.prompts import PROMPT, colours, label, opened, words


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> ExactPromptPane:
    return opened(qtbot, theme)


def press(pane: ExactPromptPane, name: str) -> None:
    button = pane.findChild(QAbstractButton, name)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def choose(pane: ExactPromptPane, name: str) -> None:
    found = pane.findChild(QAction, name)
    assert isinstance(found, QAction)
    found.trigger()


def test_empty_pane_says_what_appears(pane: ExactPromptPane) -> None:
    assert "to see its tokens here" in label(pane, "exact_prompt_words")
    assert not pane.tokens.isVisible()
    said = pane.findChild(QLabel, "exact_prompt_words")
    assert said is not None and said.margin() == MARGIN_PX, "as far from the edge as all else there"
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
    band = theme.hex(Colour.REUSED)
    pane.show_reading(NEXT, ShownPrompt(PROMPT, 0))
    assert band not in colours(pane)
    pane.show_reading(NEXT, ShownPrompt(PROMPT, 3))
    assert band in colours(pane)
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
    choose(pane, "copy_exact_text")
    assert QGuiApplication.clipboard().text() == PROMPT.text
    choose(pane, "copy_exact_ids")
    assert QGuiApplication.clipboard().text() == "1 50 51 52 53 54"


def test_whitespace_is_shown_on_demand(pane: ExactPromptPane) -> None:
    pane.show_reading(NEXT, ShownPrompt(PROMPT))
    before = pane.tokens.viewport().grab().toImage()
    press(pane, "exact_prompt_spaces")
    assert pane.tokens.viewport().grab().toImage() != before
    press(pane, "exact_prompt_spaces")
    assert pane.tokens.viewport().grab().toImage() == before


def test_long_prompt_is_laid_out_in_steps_with_its_end_visible(pane: ExactPromptPane, qtbot: QtBot) -> None:
    count = 40_000
    long = words(count)
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
    reveal, compare = (pane.findChild(QAbstractButton, name) for name in ("reveal_difference", "compare_reuse"))
    assert reveal is not None
    assert compare is not None
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
