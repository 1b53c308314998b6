"""The progress row says how far, how long, and lets go."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QProgressBar
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import PrefillProgress
from app.engine.types import Loading
from app.ui.conversation.progress import ProgressRow
from app.ui.look.theme import Theme
from app.ui.widgets.frame import STEPS


@pytest.fixture
def row(qtbot: QtBot, theme: Theme) -> ProgressRow:
    made = ProgressRow(theme)
    qtbot.addWidget(made)
    return made


def words(row: ProgressRow) -> str:
    label = row.findChild(QLabel, "progress_words")
    assert label is not None
    return label.text()


def bar(row: ProgressRow) -> QProgressBar:
    found = row.findChild(QProgressBar, "progress_bar")
    assert found is not None
    return found


def test_loading_before_the_first_report_is_busy(row: ProgressRow) -> None:
    row.show_loading("demo", None)
    assert words(row) == "Opening demo"
    assert bar(row).maximum() == 0
    assert row.isVisible()


def test_loading_without_a_total_shows_its_stage(row: ProgressRow) -> None:
    row.show_loading("demo", Loading("tokenizer", 0, 0))
    assert words(row) == "Opening demo: tokenizer"
    assert bar(row).maximum() == 0


def test_loading_shows_its_share(row: ProgressRow) -> None:
    row.show_loading("demo", Loading("weights", 1_000_000, 4_000_000))
    assert words(row) == "Opening demo: 25 % of 4.00 MB"
    assert bar(row).value() == STEPS // 4


def test_prefill_shows_share_remaining_time_and_reuse(row: ProgressRow) -> None:
    row.show_prefill(PrefillProgress(250, 1000, 38, 3.0), 1.0)
    assert words(row) == "Prefill: 25 % of 1,000 tokens · 3.00 s left · 38 reused"
    assert row.accessibleName() == f"Progress: {words(row)}"


def test_prefill_hides_cancel(row: ProgressRow) -> None:
    row.show_prefill(PrefillProgress(250, 1000, 38, 3.0), 1.0)
    cancel = row.findChild(QAbstractButton, "cancel")
    assert cancel is not None and not cancel.isVisible()
    row.show_loading("demo", None)
    assert cancel.isVisible()


def test_prefill_without_progress_is_busy(row: ProgressRow) -> None:
    row.show_prefill(PrefillProgress(250, 1000, 0, None, again=True), 1.0)
    assert words(row).endswith("prefilled again: this model's cache can't be trimmed")
    row.show_prefill(PrefillProgress(0, 0, 0, None), 1.0)
    assert words(row) == "Prefilling the prompt"
    assert bar(row).maximum() == 0


def test_prefill_shows_its_preparation(row: ProgressRow) -> None:
    row.show_prefill(PrefillProgress(0, 0, 0, None, stage="Compiling the output format"), 0.2)
    assert not row.isVisible()
    row.show_prefill(PrefillProgress(0, 0, 0, None, stage="Compiling the output format"), 0.4)
    assert row.isVisible() and words(row) == "Compiling the output format"
    cancel = row.findChild(QAbstractButton, "cancel")
    assert cancel is not None and not cancel.isVisible()


def test_cancel_emits_and_is_disabled_while_stopping(row: ProgressRow, qtbot: QtBot) -> None:
    row.show_loading("demo", None)
    cancel = row.findChild(QAbstractButton, "cancel")
    assert cancel is not None
    with qtbot.waitSignal(row.cancelled):
        cancel.click()
    row.show_stopping()
    assert not cancel.isEnabled()
    row.show_loading("demo", None)
    assert cancel.isEnabled()
