"""What is known of a run's end besides, with values fed by hand."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.conversation.finish_line import RunDetails
from app.ui.look.theme import Theme


@pytest.fixture
def details(qtbot: QtBot, qapp: QApplication) -> Iterator[RunDetails]:
    made = RunDetails(Theme(qapp))
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    yield made


def labels(details: RunDetails) -> dict[str, QLabel]:
    return {label.accessibleName(): label for label in details.findChildren(QLabel) if label.isVisible()}


def button(details: RunDetails, name: str) -> QPushButton:
    found = details.findChild(QPushButton, name)
    assert isinstance(found, QPushButton), name
    return found


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
