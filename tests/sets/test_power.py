"""What so many rows can show is told before, with what is assumed."""

import pytest

from app.sets.power import power_told, smallest

FIVE = "found four times in five, if the arms differ in"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ((200, 1, 2), f"200 rows can show differences of 10 points ({FIVE} one row of five)."),
        ((10_000, 1, 2), f"10,000 rows can show differences of 1.3 points ({FIVE} one row of five)."),
        ((30, 1, 2), f"30 rows can show differences of 30 points ({FIVE} no other rows)."),
        (
            (200, 3, 3),
            "200 rows can show differences of 11 points, or smaller ones, since each is asked 3 times, "
            f"corrected for 3 comparisons ({FIVE} one row of five).",
        ),
        ((5, 1, 2), "5 rows are too few to show any difference."),
        ((1, 1, 2), "1 row is too few to show any difference."),
        ((200, 1, 1), ""),
        ((0, 1, 2), ""),
    ],
)
def test_told(asked: tuple[int, int, int], told: str) -> None:
    assert power_told(*asked) == told


def test_more_rows_show_less_and_more_comparisons_need_more() -> None:
    sizes = [smallest(rows) or 2 for rows in (5, 6, 20, 50, 100, 200, 1_000, 10_000)]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) == len(sizes)
    assert (smallest(100, 6) or 2) > (smallest(100) or 0)
