"""What stands in the tables' columns."""

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest

from app.library.types import HubModel, LocalModel
from app.ui.picker.columns import HUB, LOCAL, LocalRow, day, rough
from app.ui.picker.model_words import precision
from tests.ui.picker.making import BROKEN, FIRST, GATED, LARGE, SMALL

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
def test_days(then: datetime, words: str) -> None:
    assert day(then.timestamp(), TODAY) == words
    assert day(None) == "–"


@pytest.mark.parametrize("moment", [1e300, -1e18, float("nan"), float("inf")])
def test_a_moment_that_no_calendar_has_is_not_known(moment: float) -> None:
    """A file of ours may be damaged, and a hub may say anything."""
    assert day(moment) == "–"


@pytest.mark.parametrize(("number", "words"), [(934, "934"), (1_500, "1.5 k"), (57_000, "57 k"), (3_400_000, "3.4 M")])
def test_rough_counts(number: int, words: str) -> None:
    assert rough(number) == words


def test_a_row_says_what_is_known_and_dashes_what_is_not() -> None:
    assert [column.text(LocalRow(SMALL)) for column in LOCAL][:5] == [SMALL.name, "600 M", "4-bit", "400 MB", "qwen3"]
    assert [column.text(LocalRow(BROKEN)) for column in LOCAL][1] == "–"
    assert [column.text(FIRST) for column in HUB][:5] == [FIRST.id, "4-bit", "–", "mit", "1.2 M"]
    assert HUB[3].text(GATED) == "gated"


def test_figures_are_sorted_as_figures() -> None:
    keys: list[Any] = [LOCAL[1].value(LocalRow(model)) for model in (BROKEN, SMALL, LARGE)]
    assert keys == sorted(keys)
    assert all(isinstance(key, float) for key in keys)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (replace(SMALL, group_size=64), "4-bit (group 64)"),
        (SMALL, "4-bit"),
        (replace(LARGE, dtype="bfloat16"), "bfloat16"),
        (replace(FIRST, bits=None, dtype="float16"), "float16"),
        (LARGE, ""),
    ],
)
def test_precision_is_the_dtype_or_the_bits_and_their_group(model: LocalModel | HubModel, words: str) -> None:
    assert precision(model) == words
