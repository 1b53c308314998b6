"""The bar that explains an ending, with values fed by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.conversation.ending_bar import UNBROKEN, EndingBar
from app.ui.look.theme import Theme


@pytest.fixture
def bar(qtbot: QtBot, qapp: QApplication) -> Iterator[EndingBar]:
    made = EndingBar(Theme(qapp))
    qtbot.addWidget(made)
    yield made


def named(bar: EndingBar, kind: type[QWidget], name: str) -> QWidget:
    found = bar.findChild(kind, name)
    assert isinstance(found, QWidget)
    return found


def test_the_reason_is_read_out_with_its_name(bar: EndingBar) -> None:
    bar.show_ending("stop, end token <|im_end|>", (), ())
    label = named(bar, QLabel, "finish_reason")
    assert label.accessibleName() == "Finish reason: stop, end token <|im_end|>"
    assert bar.isVisible()


def test_a_step_tells_its_words(bar: EndingBar, qtbot: QtBot) -> None:
    bar.show_ending("length, the limit of 8 tokens", (), (("Continue", "Continue"), ("Raise the limit", "Have more")))
    button = named(bar, QPushButton, "step_raise_the_limit")
    assert isinstance(button, QPushButton)
    with qtbot.waitSignal(bar.stepped) as told:
        button.click()
    assert told.args == ["Raise the limit"]


def test_steps_of_the_last_run_are_gone(bar: EndingBar) -> None:
    bar.show_ending("error, no memory", (), (("Retry", "Retry"),))
    bar.show_ending("stop, end token", (), ())
    assert [button.text() for button in bar.findChildren(QPushButton) if button.isVisible()] == []


def test_no_figure_is_cut_where_there_is_little_room(bar: EndingBar) -> None:
    long = "p50 12 ms · p95 230 ms · p99 370 ms"
    bar.show_ending("stop", (("Between steps", long), ("Draft", "57 % accepted, 2.7 tokens a step")), ())
    button = named(bar, QToolButton, "more_about_run")
    assert isinstance(button, QToolButton)
    button.click()
    bar.resize(480, 200)
    QApplication.processEvents()
    labels = named(bar, QWidget, "run_details").findChildren(QLabel)
    told = next(label for label in labels if label.accessibleName() == f"Between steps: {long}")
    assert bar.width() == 480, "nor does it want more"
    assert told.height() >= told.heightForWidth(told.width())
    assert [part.replace(UNBROKEN, " ") for part in told.text().split(" · ")] == long.split(" · ")
    assert " ms" not in told.text()


def test_details_are_a_click_away(bar: EndingBar) -> None:
    bar.show_ending("stop, end token", (("Seed", "7"),), ())
    details = named(bar, QWidget, "run_details")
    assert not details.isVisible()
    button = named(bar, QToolButton, "more_about_run")
    assert isinstance(button, QToolButton)
    button.click()
    assert details.isVisible()
    assert "Seed: 7" in [label.accessibleName() for label in details.findChildren(QLabel)]


def test_without_a_run_there_is_nothing_to_see(bar: EndingBar) -> None:
    bar.show_ending("stop, end token", (), (("Retry", "Retry"),))
    bar.clear()
    assert not bar.isVisible()
    assert named(bar, QLabel, "finish_reason").accessibleName() == "Finish reason: none yet"


def test_the_story_stands_above_the_figures_and_takes_all_the_room_it_needs(bar: EndingBar) -> None:
    words = "The limit cut it off; the model had not ended. " * 5
    bar.resize(600, 300)
    bar.show_ending("length, the limit", (("Seed", "7"),), (), (("Why it stopped", words.strip()),))
    named(bar, QToolButton, "more_about_run").click()  # type: ignore[attr-defined]
    labels = {label.accessibleName(): label for label in bar.findChildren(QLabel) if label.isVisible()}
    story, seed = labels[f"Why it stopped: {words.strip()}"], labels["Seed: 7"]
    assert story.height() >= story.heightForWidth(story.width()) > 2 * seed.fontMetrics().height()
    assert story.geometry().bottom() < seed.geometry().top()


def test_recording_is_offered_where_it_would_tell_more(bar: EndingBar, qtbot: QtBot) -> None:
    bar.show_ending("stop, end token", (("Seed", "7"),), (), unrecorded=True)
    named(bar, QToolButton, "more_about_run").click()  # type: ignore[attr-defined]
    button = named(bar, QPushButton, "record_from_now")
    assert button.isVisible()
    with qtbot.waitSignal(bar.recording_wanted):
        button.click()  # type: ignore[attr-defined]
    assert not button.isEnabled()
    bar.show_ending("stop, end token", (("Seed", "7"),), ())
    assert not button.isVisible()


@pytest.mark.parametrize(("width", "below"), [(380, True), (900, False)])
def test_the_reason_is_not_broken_for_the_buttons(bar: EndingBar, width: int, below: bool) -> None:
    bar.show_ending("length, the limit of 20 tokens", (), (("Continue", "Continue"), ("Raise the limit", "Raise it")))
    bar.resize(width, 100)
    QApplication.processEvents()
    label, step = named(bar, QLabel, "finish_reason"), named(bar, QPushButton, "step_continue")
    assert label.width() > label.fontMetrics().horizontalAdvance("length, the limit of 20 tokens")
    assert (step.y() > label.geometry().bottom()) == below
    assert (step.x() > label.geometry().right()) == (not below)
    bar.show_ending("stop", (), ())
    QApplication.processEvents()
    button = named(bar, QToolButton, "code_of_run")
    assert button.x() > label.geometry().right(), "a short one has room beside it"


def test_no_button_is_cut_where_there_is_little_room(qtbot: QtBot, qapp: QApplication) -> None:
    around, bar = QWidget(), EndingBar(Theme(qapp))
    qtbot.addWidget(around)
    QVBoxLayout(around).addWidget(bar)
    bar.show_ending("length, it ran out", (), (("Continue", "Continue"), ("Raise the limit", "Raise the limit")))
    kinds = ((QToolButton, "more_about_run"), (QPushButton, "step_continue"), (QPushButton, "step_raise_the_limit"))
    buttons = [named(bar, kind, name) for kind, name in kinds]
    around.show()

    def in_two_lines() -> bool:
        tops = [each.y() for each in buttons]
        return max(tops) - min(tops) > buttons[0].height() // 2

    around.resize(900, 200)
    qtbot.waitUntil(lambda: bar.width() > 800 and not in_two_lines())
    around.resize(around.minimumSizeHint().width(), 200)
    qtbot.waitUntil(in_two_lines)
    assert bar.width() < 300
    assert all(each.width() >= each.sizeHint().width() for each in buttons)
    around.resize(900, 200)
    qtbot.waitUntil(lambda: not in_two_lines())
