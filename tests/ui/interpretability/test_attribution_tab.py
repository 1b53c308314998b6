"""Attribution: parts of the user come first, parts of the template last."""

import csv
import io

import pytest
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from app.engine.types import (
    AblationResult,
    AblationUnit,
    Alternative,
    AnswerLogprob,
    ExactPrompt,
    PromptPart,
    PromptSpan,
)
from app.records.inspection_results import attribution_json
from app.ui.interpretability.attribution_tab import AttributionTab
from app.ui.look.theme import Theme
from app.ui.widgets import ChoiceBox
from tests.ui.cells import cells
from tests.ui.desk import named

TEXT = "<s>user Hi. Who?</s>"
OFFSETS = ((0, 3), (3, 7), (7, 11), (11, 16), (16, 20))
SPANS = (
    PromptSpan(PromptPart.TEMPLATE, 0, 7),
    PromptSpan(PromptPart.USER, 7, 16),
    PromptSpan(PromptPart.SPECIAL, 16, 20),
)
PROMPT = ExactPrompt(TEXT, (1, 2, 3, 4, 5), OFFSETS, SPANS)
PARTS = tuple(range(at, at + 1) for at in range(1, 5))


def result(parts: tuple[range, ...] = PARTS, effects: tuple[float, ...] = (9.0, -0.5, 2.25, 7.0)) -> AblationResult:
    whole, alone = AnswerLogprob(0.0, (0.0, -1.0)), AnswerLogprob(-9.0, (-9.0, -1.0))
    without = tuple(AnswerLogprob(-effect, (-effect, -1.0)) for effect in effects)
    candidates = tuple(Alternative(each, text, 0.0, 0.0) for each, text in ((1, "a"), (2, "b")))
    return AblationResult(parts, whole, without, alone, candidates, (), (), 0.0, True, 3e-7)


def of_user(text: str) -> ExactPrompt:
    """Make a prompt with this text as its only part."""
    return ExactPrompt(
        f"<s>{text}", (1, 2), ((0, 3), (3, 3 + len(text))), (PromptSpan(PromptPart.USER, 3, 3 + len(text)),)
    )


@pytest.fixture
def words(qtbot: QtBot, theme: Theme) -> AttributionTab:
    part = AttributionTab(theme)
    qtbot.addWidget(part)
    qtbot.addWidget(part.chooser)
    part.resize(274, 600)
    part.show()
    return part


def test_table_shows_template_parts_last(words: AttributionTab) -> None:
    words.show_found(PROMPT, AblationUnit.SENTENCE, result(), 0)
    assert cells(named(words, QTableView, "inside_parts")) == [
        ["2.25", "␣Who?"],
        ["−0.50", "␣Hi."],
        ["9.00", "Template: user"],
        ["7.00", "Template: </s>"],
    ]
    assert words.summary() == "␣Who?: 2.25 nats more likely."
    assert words.proof().endswith("ways to prefill: 3e-07.")
    told = attribution_json(PROMPT, result(), lambda odds: odds.answer)
    assert [(each["position"], each["template"]) for each in told] == [(3, False), (2, False), (1, True), (4, True)]


def test_long_part_is_cut_and_visible(words: AttributionTab) -> None:
    words.show_found(of_user("x" * 300), AblationUnit.SENTENCE, result((range(1, 2),), (0.0,)), 0)
    assert not named(words, QTableView, "inside_parts").isColumnHidden(1)


def test_choosers_have_labels(words: AttributionTab) -> None:
    words.chooser.show()
    for within, name, shown in ((words.chooser, "inside_unit", "Remove"), (words, "inside_of", "Effect on")):
        box = named(within, ChoiceBox, name)
        (label,) = (each for each in within.findChildren(QLabel) if each.text() == shown)
        assert label.buddy() is box


def test_show_place_without_a_change_leaves_the_table(words: AttributionTab, qtbot: QtBot) -> None:
    words.show_found(PROMPT, AblationUnit.SENTENCE, result(), 3)
    table = named(words, QTableView, "inside_parts")
    with qtbot.assertNotEmitted(table.model().dataChanged):
        words.show_place(3)
    with qtbot.waitSignal(table.model().dataChanged):
        words.show_place(4)
    with qtbot.assertNotEmitted(table.model().dataChanged):
        words.show_place(5)
    with qtbot.waitSignal(table.model().dataChanged):
        words.show_found(PROMPT, AblationUnit.SENTENCE, result(effects=(1.0, 2.0, 3.0, 4.0)), 5)


def test_as_csv_escapes_formulas(words: AttributionTab) -> None:
    text = '=SUM(A1), "so"'
    words.show_found(of_user(text), AblationUnit.SENTENCE, result((range(1, 2),), (0.0,)), 0)
    head, line = csv.reader(io.StringIO(words.as_csv(), newline=""))
    assert head == ["position", "tokens", "text", "on_answer", "on_token", "not_2"]
    assert line == ["1", "1", f"'{text}", "0", "0", "0"]
