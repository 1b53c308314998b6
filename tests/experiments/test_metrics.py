"""The numbers of runs and their words, the pace of a run over its tokens, and the CPU load of other programs."""

import ctypes
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from app import i18n
from app.engine import system_load
from app.engine.system_load import others_s
from app.engine.types import DraftStats, Failure, Reason
from app.experiments.conclusion_text import faster, level, spanned
from app.experiments.export import report
from app.experiments.metrics import (
    COLUMNS,
    Spread,
    VariantMetrics,
    batch_throughput,
    cell,
    compare_batches,
    compare_variants,
    endings,
    heading,
    same_tokens,
    sentence_on_others,
    share_of_others,
    single_runs,
    single_throughput,
    spread,
    table,
    usual,
)
from app.experiments.pace import DRAWN, NEAR, SLOPE, curve, last_place, over_shared, slope, speed_at, speed_at_end
from app.experiments.questions import stops, sweep, template
from app.experiments.questions.draft import accepted_by_place
from app.experiments.significance import RatioEstimate, Significance
from app.experiments.texts import distinct
from app.experiments.types import Batch, ExperimentOutcome
from app.number_format import DASH, size, two_digits
from tests.experiments.builders import at_speeds, carried_out, even, outcome, result

BURN = "import time\nend = time.process_time() + 0.15\nwhile time.process_time() < end: pass"


def shared(*shares: float | None, processors: int = 4) -> ExperimentOutcome:
    """Return two variants, with this CPU load of other programs in each round."""
    made = at_speeds(["a", "b"], [[10.0] * len(shares)] * 2)
    results = []
    for run in made.results:
        share = shares[run.round - 1]
        seconds = run.finish.times.ended - run.finish.times.sent
        results.append(replace(run, others=None if share is None else share * seconds * processors))
    return replace(made, results=tuple(results))


@pytest.fixture
def four_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)


@pytest.mark.usefixtures("four_processors")
@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((0.0, 0.05, 0.09), ""),
        ((None, None), ""),
        ((0.5, 0.5, 0.5), "Other programs used 50 % of the CPU time in every round."),
        ((0.25, 0.774, 0.5), "Other programs used 25 to 77 % of the CPU time in every round."),
        ((0.0, 0.3, 0.0, 0.6), "Other programs used 30 to 60 % of the CPU time in 2 of 4 rounds (2, 4)."),
        ((0.0, 0.3), "Other programs used 30 % of the CPU time in 1 of 2 rounds (2)."),
    ],
)
def test_sentence_on_others_of_busy_rounds_has_their_share(shares: tuple[float | None, ...], said: str) -> None:
    assert sentence_on_others(shared(*shares)) == said


def test_sentence_on_others_of_many_processors_includes_small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 16)
    assert "4.0 %" in sentence_on_others(shared(0.04, processors=16))


@pytest.mark.usefixtures("four_processors")
def test_report_of_busy_rounds_has_the_load_in_sentence_and_table() -> None:
    made = shared(*(0.5,) * 6)
    assert report(sweep.EXPERIMENT, made).conclusion.sentence.endswith(
        " rounds) between the slowest, a, and the fastest, b. Other programs used 50 % of the CPU time in every round."
    )
    assert "Other programs" not in report(stops.EXPERIMENT, made).conclusion.sentence, "it measures no time"
    found = table(made)
    position = [column.key for column in found.columns].index("others")
    assert [row.spreads[position] for row in found.rows] == [Spread(0.5, 0.5, 0.5)] * 2


@pytest.mark.usefixtures("four_processors")
def test_share_of_others_out_of_range_is_clamped() -> None:
    (run, *_) = shared(7.0).results
    assert share_of_others(run) == 1.0
    assert share_of_others(replace(run, others=-0.01)) == 0.0
    assert share_of_others(replace(run, others=None)) is None


@pytest.mark.skipif(not system_load.STAT.is_file() and sys.platform != "darwin", reason="the system does not tell")
def test_others_s_counts_another_process_but_not_its_own() -> None:
    before = others_s()
    exec(BURN, {})
    between = others_s()
    subprocess.run([sys.executable, "-c", BURN], check=True)
    after = others_s()
    assert before is not None and between is not None and after is not None
    assert after - between > 0.12
    assert between - before > -0.1, "its own time is taken off once"


def test_run_results_of_an_experiment_have_the_load_of_other_programs() -> None:
    known = others_s() is not None
    assert all((run.others is not None) == known for run in carried_out(template.EXPERIMENT).results)


@pytest.mark.parametrize("text", ["", "cpu", "cpu a b c", "cpu  1 2"])
def test_others_s_with_an_unreadable_stat_file_is_none(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(system_load, "STAT", tmp_path / "stat")
    assert others_s() is None
    (tmp_path / "stat").write_text(text, encoding="ascii")
    assert others_s() is None


def test_busy_time_on_macos_is_the_sum_of_its_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")

    class Mach:
        def __init__(self, _name: object) -> None:
            self.mach_host_self = type("Ask", (), {"__call__": lambda _self: 7})()

        def host_statistics(self, host: object, flavour: int, ticks: list[int], count: object) -> int:
            assert getattr(host, "value", 0) == 7 and flavour == 3
            ticks[0], ticks[1], ticks[2], ticks[3] = 500, 300, 9_000, 200
            return 0

    monkeypatch.setattr(ctypes, "CDLL", Mach)
    system_load._host.cache_clear()
    busy = system_load._busy_mac()
    system_load._host.cache_clear()
    assert busy == 1_000


def spread_of(made: ExperimentOutcome, key: str, arm: int = 0) -> Spread | None:
    found = table(made)
    position = [column.key for column in found.columns].index(key)
    return found.rows[arm].spreads[position]


def test_spread_of_three_speeds_has_minimum_median_and_maximum() -> None:
    made = at_speeds(["one"], [[10.0, 40.0, 20.0]])
    found = spread_of(made, "speed_mean")
    assert found is not None
    assert [found.least, found.middle, found.most] == pytest.approx([10, 20, 40])
    assert spread([None, None]) is None


def test_table_without_values_of_a_metric_has_no_column_for_it() -> None:
    assert "acceptance" not in [column.key for column in table(at_speeds(["one"], [[10.0]])).columns]
    drafted = outcome(["one"], [result(0, 1, even(9, 10), drafted=DraftStats(8, 6, 3))])
    assert spread_of(drafted, "acceptance") == Spread(0.75, 0.75, 0.75)
    assert spread_of(drafted, "tokens_per_step") == Spread(3, 3, 3)


def test_table_of_a_failed_run_counts_it_only_in_the_endings() -> None:
    good = result(0, 1, even(9, 10))
    failed = replace(good, finish=replace(good.finish, reason=Reason.ERROR, failure=Failure("No.", "Try again.")))
    row = table(outcome(["one"], [good, failed])).rows[0]
    assert row.runs == 1
    assert row.endings == (("length", 1), ("error", 1))


def test_columns_of_a_run_equal_the_metrics_of_its_summary() -> None:
    run = result(0, 1, even(9, 10), kv=12, peak=34)
    metrics = run.summary.figures
    told = {column.key: column.of(run) for column in COLUMNS}
    assert told["speed_mean"] == metrics.speed_mean == pytest.approx(10)
    assert told["first_token"] == metrics.first_token == 0.5
    assert told["prompt_speed"] == metrics.prompt_speed == pytest.approx(20)
    assert told["end_to_end"] == metrics.end_to_end == pytest.approx(9 / 1.3)
    assert (told["tokens"], told["memory_kv"], told["memory_peak"]) == (9, 12, 34)


def test_table_of_uncounted_server_tokens_has_pieces() -> None:
    run = result(0, 1, even(9, 10))
    metrics = replace(run.summary.figures, pieces=True)
    uncounted = replace(run, summary=replace(run.summary, figures=metrics))
    keys = [column.key for column in table(outcome(["one"], [uncounted])).columns]
    assert "pieces" in keys and not {"tokens", "visible"} & set(keys)
    assert spread_of(outcome(["one"], [uncounted]), "pieces") == Spread(9, 9, 9)
    assert "pieces" not in [column.key for column in table(outcome(["one"], [run])).columns]


def test_slope_of_a_run_is_its_change_of_speed_per_100_tokens() -> None:
    assert slope(result(0, 1, even(400, 50))) == pytest.approx(0)
    arrivals, now = [], 0.0
    for index in range(400):
        now += 1 / (100 - index / 10)
        arrivals.append(now)
    assert SLOPE.of(result(0, 1, arrivals)) == pytest.approx(-10, rel=0.05)
    assert slope(result(0, 1, even(20, 50))) is None


def test_accepted_by_place_of_draft_steps_counts_each_position() -> None:
    steps = [[1, 1, 0], [0], [1, 0], [1, 1, 1, 0], [1]]
    assert accepted_by_place(bool(drafted) for step in steps for drafted in step) == (4, 2, 1)
    assert accepted_by_place([]) == ()


def test_distinct_of_ids_is_the_share_of_distinct_ngrams() -> None:
    assert distinct([1, 2, 1, 2], 1) == 0.5
    assert distinct([1, 2, 1, 2], 2) == pytest.approx(2 / 3)
    assert distinct([1], 2) is None


@pytest.mark.parametrize(
    ("ratio", "said", "extent"),
    [
        (11.64, "12× faster", "10 to 13×"),
        (2.0, "2.0× faster", "1.8 to 2.2×"),
        (1.2, "20 % faster", "+8.0 to +32 %"),
        (1.05, "5.0 % faster", "−5.5 to +16 %"),
        (0.8, "20 % slower", "−28 to −12 %"),
        (0.25, "4.0× slower", "3.6 to 4.4×"),
    ],
)
def test_faster_of_a_ratio_has_two_digits_and_an_interval(ratio: float, said: str, extent: str) -> None:
    judged = RatioEstimate(Significance.HIGHER, ratio, ratio * 0.9, ratio * 1.1, 7, 6)
    assert faster(judged) == f"{said} ({extent}, 7 rounds)"
    assert faster(judged, "it") == f"{said} than it ({extent}, 7 rounds)"


def test_spanned_of_different_sizes_has_the_range() -> None:
    told = [
        spanned(Spread(*sizes), partial(size, digits=two_digits))
        for sizes in ((860.0, 860.0, 860.0), (861e3, 861e3, 884e3), (990e3, 1e6, 1.2e6))
    ]
    assert told == ["860 bytes", "860 kB (860 to 880 kB)", "1.0 MB (990 kB to 1.2 MB)"]


def test_compared_variants_after_few_rounds_have_the_ratio_of_the_medians() -> None:
    made = at_speeds(("off", "lookup"), ([100.0, 100.0, 100.0], [127.5, 72.4, 114.2]))
    judged = compare_variants(made, 0, 1, usual("speed_mean"))
    assert judged is not None and judged.ratio == pytest.approx(1.142, rel=1e-3)


def test_level_without_significance_has_the_interval() -> None:
    same = RatioEstimate(Significance.SAME, 1.02, 0.96, 1.08, 7, 7)
    assert level(same) == "no significant difference in speed (−4.0 to +8.0 %, 7 rounds)"
    assert level(replace(same, low=1.01)) == "a difference in speed of less than 3 % (+1.0 to +8.0 %, 7 rounds)"
    few = replace(same, verdict=Significance.UNSURE, rounds=1)
    assert level(few) == "not significant yet: speed (−4.0 to +8.0 %, 1 round; 7 are needed)"
    two = "not significant yet: speed +2.0 % (−4.0 to +8.0 %, 2 rounds; 7 are needed)"
    assert level(replace(few, rounds=2)) == two


def batched(speed: float, ids: tuple[int, ...] = ()) -> ExperimentOutcome:
    """Return two variants of ten tokens at 10 tok/s, in three rounds, and the same as a batch at this speed."""
    single = [result(arm, at, even(10, 10, 0.1)) for at in (1, 2, 3) for arm in (0, 1)]
    together = [
        Batch((0, 1), at, tuple(result(arm, at, even(10, speed, 1 / speed), ids=ids) for arm in (0, 1)))
        for at in (1, 2, 3)
    ]
    return replace(outcome(["a", "b"], single), batches=tuple(together))


def test_batch_throughput_counts_all_tokens_over_the_whole_time() -> None:
    made = batched(8)
    runs = single_runs(made, made.batches[0])
    assert [run.arm for run in runs] == [0, 1]
    assert single_throughput(runs) == pytest.approx(20 / 2)
    assert batch_throughput(made.batches[:1]) == pytest.approx(20 / 1.25)
    assert batch_throughput(made.batches[:2]) == pytest.approx(40 / 2.5)
    judged = compare_batches(made, 1)
    assert judged is not None and judged.ratio == pytest.approx(1.6) and judged.rounds == 3
    assert same_tokens(made, made.batches)
    assert not same_tokens(batched(8, ids=tuple(range(50, 60))), batched(8, ids=tuple(range(50, 60))).batches)


def test_compared_batches_with_an_incomplete_round_leave_it_out() -> None:
    made = replace(batched(8), results=batched(8).results[:3])
    judged = compare_batches(made, 1)
    assert judged is not None and judged.rounds == 1
    assert compare_batches(replace(made, results=()), 1) is None


@pytest.mark.parametrize(
    ("key", "spread", "words"),
    [
        ("tokens", Spread(50, 50.0, 50), "50"),
        ("tokens", Spread(40, 45.0, 50), "45 (40–50)"),
        ("tokens", Spread(40, 45.5, 51), "45.5 (40–51)"),
        ("speed_mean", Spread(40.0, 45.0, 50.0), "45.0 (40.0–50.0)"),
        ("first_token", Spread(0.02, 0.025, 0.03), "25.0 (20.0–30.0) ms"),
        ("first_token", Spread(0.9, 1.2, 1.5), "1.20 s (900 ms–1.50 s)"),
        ("memory_peak", Spread(2e6, 2e6, 2e6), "2.00 MB"),
        ("acceptance", None, DASH),
    ],
)
def test_cell_of_a_spread_has_the_median_and_the_range(key: str, spread: Spread | None, words: str) -> None:
    assert cell(usual(key), spread) == words


def test_heading_of_a_column_has_its_unit_unless_the_cells_do() -> None:
    assert heading(usual("speed_mean")) == "Mean speed (tok/s)"
    assert heading(usual("first_token")) == "Time to first token"


@pytest.mark.parametrize(
    ("ended", "shown", "kept"),
    [
        (((Reason.STOP, 3),), "<complete (stop)>", "stop"),
        (
            ((Reason.STOP, 2), (Reason.LENGTH, 1)),
            "2 × <complete (stop)>, 1 × <max tokens (length)>",
            "2 × stop, 1 × length",
        ),
    ],
)
def test_endings_of_runs_are_translated_only_on_screen(
    ended: tuple[tuple[Reason, int], ...], shown: str, kept: str
) -> None:
    row = VariantMetrics("off", 3, (), ended)
    i18n.set_translator(lambda text, comment, n: f"<{text}>")
    try:
        assert endings(row) == shown
    finally:
        i18n.set_translator(None)
    assert endings(row, str) == kept


def test_curve_of_a_run_has_the_speed_around_each_token() -> None:
    arrivals = [*even(40, 10.0), *(4.4 + 0.05 * index for index in range(1, 41))]
    run = result(0, 1, arrivals)
    points = curve(run)
    assert [point.tokens for point in points] == list(range(2, 81))
    assert points[0].speed == pytest.approx(10.0) and points[-1].speed == pytest.approx(20.0)
    assert all(point.speed == speed_at(run, point.tokens) for point in points[NEAR - 1 : -NEAR])
    assert [point.seconds for point in points] == [pytest.approx(at) for at in arrivals[1:]]


def test_speed_at_a_token_averages_equally_many_tokens_on_both_sides() -> None:
    """A run that gets faster, or slower, is at each token as fast as it is there."""
    arrivals = [0.0]
    for index in range(219):
        arrivals.append(arrivals[-1] + (1 + index / 100) / 100)
    run = result(0, 1, arrivals)
    for token in (2, 15, 100, last_place(220), 219):
        assert speed_at(run, token) == pytest.approx(100 / (1 + (token - 1.5) / 100), rel=0.003)
    assert last_place(220) == 200
    assert [speed_at(run, token) for token in (0, 1, 220, 221)] == [None] * 4
    assert all(speed_at(result(0, 1, even(count, 10.0)), last_place(count)) for count in range(3, 60))
    assert [speed_at_end(run), speed_at(run, 200)] == [speed_at(run, 200)] * 2


def test_over_shared_of_different_lengths_uses_the_common_tokens() -> None:
    """A long run takes part in more that goes wrong than a short one."""
    long = [*even(20, 100.0), *(5 + index / 100 for index in range(1, 41))]
    made = outcome(["a", "b"], [result(0, 1, even(20, 100.0)), result(1, 1, long), result(1, 2, [0.5])])
    speed, said = over_shared(made, (0, 1))
    assert [speed.of(run) for run in made.results] == [pytest.approx(100), pytest.approx(100), None]
    assert said == "over the first 20 tokens"
    waiting, _ = over_shared(made, (0, 1), waiting=True)
    assert waiting.of(made.results[0]) == pytest.approx(20 / (0.5 + 0.19))


def test_curve_of_a_short_or_long_run_has_a_limited_number_of_points() -> None:
    assert [point.tokens for point in curve(result(0, 1, even(3, 10.0)))] == [2, 3]
    assert curve(result(0, 1, even(1, 10.0))) == ()
    assert DRAWN <= len(curve(result(0, 1, even(100 * NEAR, 10.0)))) < 2 * DRAWN
