"""The page of this machine: filtered, sorted and used by keyboard; what can't be done says why."""

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from app.engine.types import Failure, LoadRequest, Model
from app.library.fit import fit
from app.state import State
from app.ui.look.theme import Theme
from app.ui.picker.details import FIRST_CONTEXT
from app.ui.picker.local_page import LocalPage
from app.ui.picker.models_table import HUB, LOCAL, LocalRow, ModelTable, day, rough
from tests.ui.desk import named
from tests.ui.picker.builders import BROKEN, FIRST, GATED, GB, LARGE, ROWS, SMALL, RecordingPicker

FIRST_COLUMN, SIZE_COLUMN = 0, 3


@pytest.fixture
def picker() -> RecordingPicker:
    return RecordingPicker()


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, picker: RecordingPicker) -> LocalPage:
    made = LocalPage(theme, picker.as_controller)
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    made.show_models(ROWS, None)
    return made


def shown(page: LocalPage) -> list[str]:
    model = named(page, ModelTable, "local_models").model()
    return [model.index(row, FIRST_COLUMN).data() for row in range(model.rowCount())]


def keys(page: LocalPage, *pressed: Qt.Key) -> None:
    for key in pressed:
        QTest.keyClick(named(page, QLineEdit, "local_filter"), key)


def test_local_page_first_list_chooses_the_open_model(page: LocalPage) -> None:
    assert page.model is SMALL
    assert not named(page, QAbstractButton, "delete_model").isEnabled()
    assert "in use" in named(page, QAbstractButton, "delete_model").toolTip()


def test_local_page_filter_shows_matching_models(page: LocalPage) -> None:
    QTest.keyClicks(named(page, QLineEdit, "local_filter"), "LARGE")
    assert shown(page) == [LARGE.name]
    assert page.model is LARGE
    keys(page, Qt.Key.Key_X)
    assert shown(page) == []
    assert page.model is None
    assert named(page, QLabel, "local_words").text() == "No model matches."
    assert not named(page, QAbstractButton, "open_chosen").isEnabled()


def test_local_page_sorted_by_size_keeps_the_choice(page: LocalPage) -> None:
    table = named(page, ModelTable, "local_models")
    table.sortByColumn(SIZE_COLUMN, Qt.SortOrder.AscendingOrder)
    assert shown(page) == [BROKEN.name, SMALL.name, LARGE.name]
    table.sortByColumn(SIZE_COLUMN, Qt.SortOrder.DescendingOrder)
    assert shown(page) == [LARGE.name, SMALL.name, BROKEN.name]
    assert page.model is SMALL, "sorting leaves the choice alone"


def test_local_page_enter_on_an_unusable_model_says_why(page: LocalPage, picker: RecordingPicker) -> None:
    keys(page, Qt.Key.Key_Up)
    assert page.model is BROKEN
    assert named(page, QLabel, "local_details_reason").text() == "It has no weights. Choose another."
    keys(page, Qt.Key.Key_Return)
    assert picker.loaded == []
    assert named(page, QLabel, "delete_question_words").text() == "It has no weights."
    assert named(page, QAbstractButton, "delete_model").text() == "Remove from List"


def test_local_page_for_a_draft_enter_loads_the_draft_beside_the_open_model(
    page: LocalPage, picker: RecordingPicker
) -> None:
    opened = Model("large", Path("/large"), "", 1, 4, None, 100, 64, ())
    picker.playground.state = State(model=opened)
    page.show_purpose("large")
    page.show_models((LocalRow(SMALL), LocalRow(BROKEN, "It has no weights.")), None)
    page.show_draft_refusal("")
    keys(page, Qt.Key.Key_Return)
    assert picker.loaded == [LoadRequest("/large", draft=str(SMALL.folder))]
    assert "Draft models for large" in named(page, QLabel, "local_words").text()


def test_local_page_unsuitable_draft_disables_the_button_with_the_reason(page: LocalPage) -> None:
    page.show_draft_refusal("Its vocabulary has 5 tokens.")
    assert named(page, QAbstractButton, "use_as_draft").toolTip() == "Its vocabulary has 5 tokens."
    assert not named(page, QAbstractButton, "use_as_draft").isEnabled()


def test_local_page_memory_estimate_is_shown_line_by_line(page: LocalPage, picker: RecordingPicker) -> None:
    picker.memory_limit = 16 * GB
    named(page, QSpinBox, "fit_context").setValue(1_024)
    assert named(page, QLabel, "fit_bytes_0").text() == "390 MB"
    assert named(page, QSpinBox, "fit_context").maximum() == SMALL.context
    page.details.show_fit(fit(20 * GB, None, 1_024, 16 * GB))
    assert named(page, QLabel, "fit_verdict").text() == "Won't fit"
    assert named(page, QLabel, "fit_bytes_0").text() == "20.0 GB"
    assert named(page, QLabel, "fit_bytes_1").text() == "–", "nobody knows what the KV cache takes"
    assert "KV cache: unknown: not in config.json." in named(page, QLabel, "fit_sentence").text()
    assert named(page, QLabel, "fit_bytes_total").text() == "22.0 GB"
    assert named(page, QLabel, "fit_bytes_limit").text() == "16.0 GB"
    assert not named(page, QLabel, "fit_label_3").isVisible()
    assert "If you try anyway" in named(page, QLabel, "fit_sentence").text()
    page.details.show_fit(fit(GB, None, 1_024, 16 * GB, (GB, None)))
    assert named(page, QLabel, "fit_label_2").text() == "Draft model's weights"
    page.details.show_fit(None)
    assert not named(page, QLabel, "fit_verdict").isVisible()


def test_local_page_model_of_short_context_leaves_the_context_of_the_next(page: LocalPage) -> None:
    short = replace(LARGE, context=2_048)
    page.show_models((LocalRow(short), LocalRow(SMALL)), short.folder)
    context = named(page, QSpinBox, "fit_context")
    assert (page.model, context.value()) == (short, 2_048)
    keys(page, Qt.Key.Key_Down)
    assert (page.model, context.value()) == (SMALL, FIRST_CONTEXT)
    context.setValue(16_384)
    keys(page, Qt.Key.Key_Up, Qt.Key.Key_Down)
    assert (page.model, context.value()) == (SMALL, 16_384)


def test_local_page_new_list_keeps_the_choice(page: LocalPage) -> None:
    keys(page, Qt.Key.Key_Up, Qt.Key.Key_Up)
    page.show_models(ROWS[::-1], None)
    assert page.model is LARGE
    page.show_models(ROWS, Path("/mine/broken"))
    assert page.model is BROKEN
    page.show_models((), None)
    assert page.model is None
    assert "There are no models yet" in named(page, QLabel, "local_words").text()


def test_local_page_all_rows_filtered_out_clears_the_details(page: LocalPage) -> None:
    QTest.keyClicks(named(page, QLineEdit, "local_filter"), "small")
    assert named(page, QAbstractButton, "open_chosen").isEnabled()
    page.show_models([row for row in ROWS if row.model is not SMALL], None)
    assert page.model is None
    assert not named(page, QAbstractButton, "open_chosen").isEnabled()
    assert named(page, QLabel, "local_details_name").text() == ""


def test_local_page_another_choice_closes_the_question(page: LocalPage) -> None:
    page.question.ask("Delete it?")
    page.show_models(ROWS, None)
    assert page.question.asking, "a new list with the same choice answers no question"
    keys(page, Qt.Key.Key_Up)
    assert not page.question.asking


def test_local_page_folder_of_the_user_is_taken_off_the_list(page: LocalPage) -> None:
    button = named(page, QAbstractButton, "delete_model")
    page.show_models(ROWS, LARGE.folder)
    assert (button.text(), button.accessibleName()) == ("Delete…", "Delete")
    assert "from this computer" in button.toolTip()
    page.show_models(ROWS, BROKEN.folder)
    assert button.text() == button.accessibleName() == "Remove from List"
    assert "nothing in it is deleted" in button.toolTip()


def test_details_long_name_is_copied_unchanged_and_fits(page: LocalPage) -> None:
    name = "somebody/Meta_Llama_3_1_70B_Instruct_abliterated_for_those_who_ask_v2"
    why = Failure(f"model_{'of_many_parts_' * 6}.safetensors is incomplete.", "Download it again.")
    page.show_models([LocalRow(replace(LARGE, name=name, unusable=why))], None)
    page.details.show_fit(fit(20 * GB, None, 1_024, 16 * GB))
    QApplication.processEvents()
    label, total = named(page, QLabel, "local_details_name"), named(page, QLabel, "fit_bytes_total")
    label.setSelection(0, len(label.text()))
    assert label.selectedText() == name == label.toolTip()
    assert total.mapTo(page.details, total.rect().bottomRight()).x() <= page.details.viewport().width()


def test_local_page_arrow_keys_choose_and_enter_opens(page: LocalPage, picker: RecordingPicker) -> None:
    keys(page, Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert page.model is LARGE
    keys(page, Qt.Key.Key_Return)
    assert [request.model for request in picker.loaded] == [str(LARGE.folder)]


TODAY = date(2026, 5, 3)


@pytest.mark.parametrize(
    ("then", "words"),
    [
        (datetime(2026, 5, 3, 1), "today"),
        (datetime(2026, 5, 2, 23), "yesterday"),
        (datetime(2026, 3, 9), "9 Mar"),
        (datetime(2024, 12, 31), "31 Dec 2024"),
    ],
)
def test_day_is_today_yesterday_or_a_date(then: datetime, words: str) -> None:
    assert day(then.timestamp(), TODAY) == words
    assert day(None) == "–"


@pytest.mark.parametrize("moment", [1e300, -1e18, float("nan"), float("inf")])
def test_day_outside_of_the_calendar_is_a_dash(moment: float) -> None:
    """A file of ours may be damaged, and a hub may say anything."""
    assert day(moment) == "–"


@pytest.mark.parametrize(("number", "words"), [(934, "934"), (1_500, "1.5 k"), (57_000, "57 k"), (3_400_000, "3.4 M")])
def test_rough_has_two_digits_and_a_unit(number: int, words: str) -> None:
    assert rough(number) == words


def test_columns_unknown_value_is_a_dash() -> None:
    assert [column.text(LocalRow(SMALL)) for column in LOCAL][:5] == [SMALL.name, "600 M", "4-bit", "400 MB", "qwen3"]
    assert [column.text(LocalRow(BROKEN)) for column in LOCAL][1] == "–"
    assert [column.text(FIRST) for column in HUB][:5] == [FIRST.id, "4-bit", "–", "mit", "1.2 M"]
    assert HUB[3].text(GATED) == "gated"


def test_columns_numbers_sort_by_value() -> None:
    keys: list[Any] = [LOCAL[1].value(LocalRow(model)) for model in (BROKEN, SMALL, LARGE)]
    assert keys == sorted(keys)
    assert all(isinstance(key, float) for key in keys)
