"""The finish line under an answer, and the details of its run."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.ui.conversation.finish_explanation import NextStep
from app.ui.conversation.finish_line import FinishLine, RunDetails
from app.ui.look.palette import LIGHT, Color
from app.ui.look.theme import Theme
from tests.ui.desk import named

CUT = "Reached max tokens (256 tokens) · 1.1 s decoding · 231 tok/s"
STEPS = (NextStep.CONTINUE, NextStep.RAISE_LIMIT)
ICONS = ("copy_last", "retry_last", "edit_last", "more_about_run", "menu_last")


@pytest.fixture
def line(qtbot: QtBot, theme: Theme) -> Iterator[FinishLine]:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(1000, 200)
    made = FinishLine(theme)
    made.setParent(page)
    page.show()
    made.resize(680, 30)
    yield made


@pytest.fixture
def details(qtbot: QtBot, theme: Theme) -> RunDetails:
    made = RunDetails(theme)
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


def labels(details: RunDetails) -> dict[str, QLabel]:
    return {label.accessibleName(): label for label in details.findChildren(QLabel) if label.isVisible()}


def words(line: FinishLine) -> QLabel:
    return named(line, QLabel, "finish_reason")


def button(pane: QWidget, name: str) -> QAbstractButton:
    return named(pane, QAbstractButton, name)


def test_line_has_visible_words_and_an_exact_accessible_name(line: FinishLine) -> None:
    line.show_finish("Complete (EOS) · 14 tokens", "stop, EOS token <|im_end|>", ())
    assert words(line).text() == "Complete (EOS) · 14 tokens"
    assert words(line).accessibleName() == "Finish reason: stop, EOS token <|im_end|>"
    assert line.isVisible()


def test_line_shows_model_text_without_markup(line: FinishLine) -> None:
    line.show_finish("Stop string “<b>x</b>&amp;</s>” reached", "stop string", ())
    plain = QLabel("Stop string “<b>x</b>&amp;</s>” reached")
    plain.setTextFormat(words(line).textFormat())
    plain.setFont(words(line).font())
    assert words(line).sizeHint().width() == plain.sizeHint().width() > 120, "all of it has its room"
    assert words(line).textFormat().name == "PlainText"


def test_line_of_a_failure_is_red_until_the_next_run(line: FinishLine) -> None:
    line.show_finish("It failed", "error", (), failed=True)
    assert words(line).palette().windowText().color().name() == LIGHT[Color.ERROR]
    line.show_finish("Complete (EOS)", "stop", ())
    assert words(line).palette().color(words(line).foregroundRole()).name() == LIGHT[Color.MUTED]


def test_buttons_emit_and_name_their_actions(line: FinishLine, qtbot: QtBot) -> None:
    line.show_finish(CUT, "length", STEPS)
    with qtbot.waitSignal(line.stepped) as emitted:
        button(line, "step_raise_the_limit").click()
    assert emitted.args == [NextStep.RAISE_LIMIT]
    for name in ICONS:
        shown = button(line, name)
        assert shown.accessibleName() and shown.toolTip() and not shown.icon().isNull(), name
        assert shown.focusPolicy().name == "TabFocus" or shown.focusPolicy().value & 1, "it is in the tab order"


@pytest.mark.parametrize(
    ("steps", "last", "chat", "visible"),
    [
        ((), True, True, {*ICONS}),
        ((NextStep.RETRY,), True, True, {"step_retry", *ICONS} - {"retry_last"}),
        ((NextStep.EDIT,), True, True, {"step_edit", *ICONS} - {"retry_last"}),
        (STEPS, False, True, {*ICONS}),
        ((), True, False, {*ICONS} - {"edit_last"}),
    ],
)
def test_line_offers_each_step_once(
    line: FinishLine, steps: tuple[NextStep, ...], last: bool, chat: bool, visible: set[str]
) -> None:
    """Only the last run has steps, and a raw page is edited in place. A former run's steps are gone."""
    line.show_finish("It failed", "error", (NextStep.CONTINUE,))
    line.show_finish("Of the next run", "error", steps, last=last, chat=chat)
    assert {each.objectName() for each in line.findChildren(QAbstractButton) if each.isVisible()} == visible


def test_line_when_cleared_is_hidden(line: FinishLine) -> None:
    line.show_finish("Complete (EOS)", "stop", (NextStep.RETRY,))
    button(line, "more_about_run").click()
    line.clear()
    assert not line.isVisible()
    assert words(line).accessibleName() == "Finish reason: none yet"
    assert not button(line, "more_about_run").isChecked()


@pytest.mark.parametrize(("width", "below"), [(400, True), (900, False)])
def test_line_in_a_narrow_window_puts_buttons_below(line: FinishLine, width: int, below: bool) -> None:
    line.show_finish(CUT, "length", STEPS)
    line.resize(width, 100)
    QApplication.processEvents()
    label, step = words(line), button(line, "step_continue")
    assert label.width() >= label.fontMetrics().horizontalAdvance(CUT)
    assert (step.y() > label.geometry().bottom()) == below
    assert (step.x() > label.geometry().right()) == (not below)


def test_explanation_is_above_the_figures_at_full_height(details: RunDetails) -> None:
    words = ("Max tokens was reached before the model generated EOS. " * 5).strip()
    details.show_details((("Why it stopped", words),), (("Seed", "7"),))
    QApplication.processEvents()
    story, seed = labels(details)[f"Why it stopped: {words}"], labels(details)["Seed: 7"]
    assert story.height() >= story.heightForWidth(story.width()) > 2 * seed.fontMetrics().height()
    assert story.geometry().bottom() < seed.geometry().top()


def test_details_of_an_earlier_run_are_replaced(details: RunDetails) -> None:
    details.show_details((), (("Seed", "7"),))
    details.show_details((), (("Seed", "8"),))
    QApplication.processEvents()
    assert "Seed: 7" not in labels(details) and "Seed: 8" in labels(details)


def test_buttons_are_for_the_last_run_only(details: RunDetails, qtbot: QtBot) -> None:
    details.show_details((), (("Seed", "7"),))
    ways = {
        "code_of_run": details.code_wanted,
        "try_run_with": details.experiment_wanted,
        "export_last_tokens": details.tokens_wanted,
        "receipt_of_run": details.receipt_wanted,
    }
    for name, signal in ways.items():
        with qtbot.waitSignal(signal):
            button(details, name).click()
    details.show_details((), (("Seed", "7"),), last=False)
    assert not any(button(details, name).isVisible() for name in ways)
