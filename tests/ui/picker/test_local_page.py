"""The picker's page of local models: filter, sorting, keyboard, reasons, memory estimate; and the tables' columns."""

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from app.engine.types import Failure, LoadRequest, Model
from app.library.memory_estimate import fit, fit_of, system_memory
from app.library.types import Device, Sizes
from app.state import State
from app.ui.look.theme import Theme
from app.ui.picker.details import FIRST_CONTEXT
from app.ui.picker.local_page import LocalPage
from app.ui.picker.models_table import HUB, LOCAL, LocalRow, ModelTable, day, rough
from tests.ui.desk import button, named, words
from tests.ui.picker.builders import BROKEN, FIRST, GATED, GB, LARGE, ROWS, SMALL, RecordingPicker
from tests.ui.picker.picking import column_of

SIZE_COLUMN = 3


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


def keys(page: LocalPage, *pressed: Qt.Key) -> None:
    for key in pressed:
        QTest.keyClick(named(page, QLineEdit, "local_filter"), key)


def test_local_page_filter_and_arrow_keys_choose_and_enter_opens(page: LocalPage, picker: RecordingPicker) -> None:
    assert page.model is SMALL, "the open model"
    assert not button(page, "delete_model").isEnabled() and "in use" in button(page, "delete_model").toolTip()
    keys(page, Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert page.model is LARGE
    keys(page, Qt.Key.Key_Return)
    assert [request.model for request in picker.loaded] == [str(LARGE.folder)]
    QTest.keyClicks(named(page, QLineEdit, "local_filter"), "LARGE")
    assert column_of(page, "local_models") == [LARGE.name] and page.model is LARGE
    keys(page, Qt.Key.Key_X)
    assert column_of(page, "local_models") == []
    assert page.model is None
    assert words(page, "local_words") == "No model matches."
    assert not button(page, "open_chosen").isEnabled()


def test_local_page_sorted_by_size_keeps_the_choice(page: LocalPage) -> None:
    table = named(page, ModelTable, "local_models")
    table.sortByColumn(SIZE_COLUMN, Qt.SortOrder.AscendingOrder)
    assert column_of(page, "local_models") == [BROKEN.name, SMALL.name, LARGE.name]
    table.sortByColumn(SIZE_COLUMN, Qt.SortOrder.DescendingOrder)
    assert column_of(page, "local_models") == [LARGE.name, SMALL.name, BROKEN.name]
    assert page.model is SMALL


def test_local_page_enter_on_an_unusable_model_shows_why(page: LocalPage, picker: RecordingPicker) -> None:
    keys(page, Qt.Key.Key_Up)
    assert page.model is BROKEN
    assert words(page, "local_details_reason") == "It has no weights. Choose another."
    keys(page, Qt.Key.Key_Return)
    assert picker.loaded == []
    assert words(page, "delete_question_words") == "It has no weights."


def test_local_page_for_a_draft_loads_the_draft_with_the_open_model(page: LocalPage, picker: RecordingPicker) -> None:
    page.show_draft_refusal("Its vocabulary has 5 tokens.")
    assert button(page, "use_as_draft").toolTip() == "Its vocabulary has 5 tokens."
    assert not button(page, "use_as_draft").isEnabled()
    opened = Model("large", Path("/large"), "", 1, 4, 100, 64, ())
    picker.playground.state = State(model=opened)
    page.show_purpose("large")
    page.show_models((LocalRow(SMALL), LocalRow(BROKEN, "It has no weights.")), None)
    page.show_draft_refusal("")
    keys(page, Qt.Key.Key_Return)
    assert picker.loaded == [LoadRequest("/large", draft=str(SMALL.folder))]
    assert "Draft models for large" in words(page, "local_words")


def test_local_page_memory_estimate_has_a_row_for_each_part(page: LocalPage, picker: RecordingPicker) -> None:
    picker.device = Device(16 * GB)
    named(page, QSpinBox, "fit_context").setValue(1_024)
    assert words(page, "fit_bytes_0") == "390 MB"
    assert named(page, QSpinBox, "fit_context").maximum() == SMALL.context
    page.details.show_fit(fit(Sizes(20 * GB), 1_024, Device(16 * GB)))
    assert words(page, "fit_verdict") == "Won't fit"
    sizes = {name: words(page, f"fit_bytes_{name}") for name in ("0", "1", "total", "limit")}
    assert sizes == {"0": "20.0 GB", "1": "–", "total": "21.0 GB", "limit": "16.0 GB"}
    assert "KV cache: unknown: not in config.json." in words(page, "fit_sentence")
    assert not named(page, QLabel, "fit_label_3").isVisible()
    assert "If you try anyway" in words(page, "fit_sentence")
    page.details.show_fit(fit(Sizes(GB), 1_024, Device(16 * GB), Sizes(GB)))
    assert words(page, "fit_label_2") == "Draft model's weights"
    page.details.show_fit(None)
    assert not named(page, QLabel, "fit_verdict").isVisible()


def test_local_page_short_context_of_a_model_is_not_kept_for_the_next(page: LocalPage) -> None:
    short = replace(LARGE, context=2_048)
    page.show_models((LocalRow(short), LocalRow(SMALL)), short.folder)
    context = named(page, QSpinBox, "fit_context")
    assert (page.model, context.value()) == (short, 2_048)
    keys(page, Qt.Key.Key_Down)
    assert (page.model, context.value()) == (SMALL, FIRST_CONTEXT)
    context.setValue(16_384)
    keys(page, Qt.Key.Key_Up, Qt.Key.Key_Down)
    assert (page.model, context.value()) == (SMALL, 16_384)


def test_local_page_new_list_keeps_choice_and_question(page: LocalPage) -> None:
    page.question.ask("Delete it?")
    page.show_models(ROWS, None)
    assert page.question.asking
    keys(page, Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert not page.question.asking
    page.show_models(ROWS[::-1], None)
    assert page.model is LARGE
    page.show_models(ROWS, Path("/mine/broken"))
    assert page.model is BROKEN
    QTest.keyClicks(named(page, QLineEdit, "local_filter"), "small")
    assert page.model is SMALL
    page.show_models([row for row in ROWS if row.model is not SMALL], None)
    assert page.model is None
    assert not button(page, "open_chosen").isEnabled()
    assert words(page, "local_details_name") == ""
    named(page, QLineEdit, "local_filter").clear()
    page.show_models((), None)
    assert "There are no models yet" in words(page, "local_words")


def test_local_page_delete_button_suits_the_place_of_the_model(page: LocalPage) -> None:
    delete = button(page, "delete_model")
    page.show_models(ROWS, LARGE.folder)
    assert (delete.text(), delete.accessibleName()) == ("Delete…", "Delete")
    assert "from this computer" in delete.toolTip()
    page.show_models(ROWS, BROKEN.folder)
    assert delete.text() == delete.accessibleName() == "Remove from list"
    assert "nothing in it is deleted" in delete.toolTip()


def test_details_long_name_is_copied_unchanged_and_fits(page: LocalPage) -> None:
    name = "somebody/Meta_Llama_3_1_70B_Instruct_abliterated_for_those_who_ask_v2"
    why = Failure(f"model_{'of_many_parts_' * 6}.safetensors is incomplete.", "Download it again.")
    page.show_models([LocalRow(replace(LARGE, name=name, unusable=why))], None)
    page.details.show_fit(fit(Sizes(20 * GB), 1_024, Device(16 * GB)))
    QApplication.processEvents()
    label, total = named(page, QLabel, "local_details_name"), named(page, QLabel, "fit_bytes_total")
    label.setSelection(0, len(label.text()))
    assert label.selectedText() == name == label.toolTip()
    assert total.mapTo(page.details, total.rect().bottomRight()).x() <= page.details.viewport().width()


def test_fit_without_a_limit_of_the_device_uses_the_memory_of_the_machine() -> None:
    assert fit_of(Sizes(0), 4096, Device()) is None
    limited, unlimited = (fit_of(Sizes(1000), 4096, Device(limit)) for limit in (5_000, 0))
    assert limited is not None and limited.limit == 5_000
    assert unlimited is not None and unlimited.limit == system_memory() > 10**8


@pytest.mark.parametrize(
    ("then", "words"),
    [
        (datetime(2026, 5, 3, 1).timestamp(), "today"),
        (datetime(2026, 5, 2, 23).timestamp(), "yesterday"),
        (datetime(2026, 3, 9).timestamp(), "9 Mar"),
        (datetime(2024, 12, 31).timestamp(), "31 Dec 2024"),
        *((moment, "–") for moment in (None, 1e300, -1e18, float("nan"), float("inf"))),
    ],
)
def test_day_is_today_yesterday_a_date_or_a_dash(then: float | None, words: str) -> None:
    assert day(then, date(2026, 5, 3)) == words


@pytest.mark.parametrize(("number", "words"), [(934, "934"), (1_500, "1.5 k"), (57_000, "57 k"), (3_400_000, "3.4 M")])
def test_rough_has_two_digits_and_a_unit(number: int, words: str) -> None:
    assert rough(number) == words


def test_columns_unknown_value_is_a_dash_and_sorts_first() -> None:
    assert [column.text(LocalRow(SMALL)) for column in LOCAL][:5] == [SMALL.name, "600 M", "4-bit", "400 MB", "qwen3"]
    assert [column.text(LocalRow(BROKEN)) for column in LOCAL][1] == "–"
    assert [column.text(FIRST) for column in HUB][:5] == [FIRST.id, "4-bit", "–", "mit", "1.2 M"]
    assert HUB[3].text(GATED) == "gated"
    values: list[Any] = [LOCAL[1].value(LocalRow(model)) for model in (BROKEN, SMALL, LARGE)]
    assert values == sorted(values)
    assert all(isinstance(value, float) for value in values)
