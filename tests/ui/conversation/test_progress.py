"""The progress row of loads and prefills."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QProgressBar
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import Frame, PrefillProgress
from app.engine.types import Loading
from app.ui.conversation.progress import ProgressRow
from app.ui.look.theme import Theme
from app.ui.widgets.frame import STEPS
from tests.ui.desk import named


@pytest.fixture
def row(qtbot: QtBot, theme: Theme) -> ProgressRow:
    made = ProgressRow(theme)
    qtbot.addWidget(made)
    return made


def words(row: ProgressRow) -> str:
    return named(row, QLabel, "progress_words").text()


def bar(row: ProgressRow) -> QProgressBar:
    return named(row, QProgressBar, "progress_bar")


def cancel(row: ProgressRow) -> QAbstractButton:
    return named(row, QAbstractButton, "cancel")


@pytest.mark.parametrize(
    ("loading", "text", "maximum", "value"),
    [
        (None, "Opening demo", 0, -1),
        (Loading("tokenizer", 0, 0), "Opening demo: tokenizer", 0, -1),
        (Loading("weights", 1_000_000, 4_000_000), "Opening demo: 25 % of 4.00 MB", STEPS, STEPS // 4),
    ],
)
def test_loading_shows_its_stage_or_share(
    row: ProgressRow, loading: Loading | None, text: str, maximum: int, value: int
) -> None:
    row.show_loading("demo", loading)
    assert (words(row), bar(row).maximum(), row.isVisible()) == (text, maximum, True)
    assert value < 0 or bar(row).value() == value


def test_prefill_shows_share_remaining_time_and_reuse_without_cancel(row: ProgressRow) -> None:
    row.show_prefill(PrefillProgress(250, 1000, 38, 3.0), 1.0)
    assert words(row) == "Prefill: 25 % of 1,000 tokens · 3.00 s left · 38 from the cache"
    assert row.accessibleName() == f"Progress: {words(row)}"
    assert not cancel(row).isVisible()
    row.show_prefill(PrefillProgress(250, 1000, 0, None, again=True), 1.0)
    assert words(row).endswith("prefilled again: this model's cache can't be trimmed")
    row.show_prefill(PrefillProgress(0, 0, 0, None), 1.0)
    assert (words(row), bar(row).maximum()) == ("Prefilling the prompt", 0)


def test_first_decode_step_replaces_the_complete_prefill(row: ProgressRow) -> None:
    row.show_prefill(PrefillProgress(8, 9, 0, None), 1.0)
    row._on_advanced(Frame(prefill=PrefillProgress(9, 9, 0, None), prefill_ended=1.2))
    assert (words(row), bar(row).maximum()) == ("First decode step", 0)


def test_prefill_is_shown_after_a_moment(row: ProgressRow) -> None:
    compiling = PrefillProgress(0, 0, 0, None, stage="Compiling the output format")
    row.show_prefill(compiling, 0.2)
    assert not row.isVisible()
    row.show_prefill(compiling, 0.4)
    assert row.isVisible() and words(row) == "Compiling the output format"


def test_cancel_emits_and_is_disabled_while_stopping(row: ProgressRow, qtbot: QtBot) -> None:
    row.show_loading("demo", None)
    with qtbot.waitSignal(row.cancelled):
        cancel(row).click()
    row.show_stopping()
    assert not cancel(row).isEnabled()
    row.show_loading("demo", None)
    assert cancel(row).isEnabled() and cancel(row).isVisible()
