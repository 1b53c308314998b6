"""What a failed control does to a run."""

from tests.bench import window, window_parts
from tests.bench.row import Row
from tests.bench.window import BUSY, IDLE, NAIVE, controlled

RATIO = Row("window.throughput_ratio.800", 0.97, "x", 0.96, "higher", {"pairs": 12})
GROWTH = Row("window.cost_growth.plain", 1.1, "x", 1.2, "lower")


def idle(value: float | None) -> Row:
    return Row(IDLE, value, "x", 0.98, "higher")


def naive(value: float | None) -> Row:
    return Row(NAIVE, value, "x", 0.85, "lower")


def test_with_both_controls_good_all_rows_stand() -> None:
    found = [idle(0.999), naive(0.5), RATIO, GROWTH]
    assert controlled(found) == found


def test_an_idle_window_that_costs_something_voids_the_ratios_and_nothing_else() -> None:
    *_, ratio, growth = controlled([idle(0.95), naive(0.5), RATIO, GROWTH])
    assert ratio.value is None
    assert ratio.detail == {"pairs": 12, "void": f"void: {IDLE} did not hold in this run"}
    assert growth == GROWTH


def test_what_has_a_control_of_its_own_stands() -> None:
    busy = Row(BUSY, 0.9, "x", 0.8, "higher")
    assert controlled([idle(0.9), naive(0.9), busy])[-1] == busy


def test_a_naive_window_that_costs_nothing_voids_the_ratios() -> None:
    assert controlled([idle(1.0), naive(0.95), RATIO])[-1].verdict == "inconclusive"


def test_controls_that_say_nothing_or_did_not_run_void_the_ratios() -> None:
    assert controlled([idle(None), naive(0.5), RATIO])[-1].value is None
    assert controlled([RATIO])[-1].value is None


def test_every_part_is_known_by_both_sides() -> None:
    assert tuple(window_parts.PARTS) == window.PARTS
