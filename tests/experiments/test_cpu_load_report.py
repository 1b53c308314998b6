"""Whether other programs had the machine is measured, and told."""

import ctypes
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine import system_load
from app.engine.system_load import others_s
from app.experiments.cpu_load_report import sentence_on_others, share_of_others
from app.experiments.export import report
from app.experiments.figures import Spread, table
from app.experiments.questions import named
from app.experiments.types import ExperimentOutcome
from tests.experiments.builders import at_speeds, carried_out

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


@pytest.fixture(autouse=True)
def four_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)


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
def test_the_rounds_are_named_in_which_others_had_the_machine(shares: tuple[float | None, ...], said: str) -> None:
    assert sentence_on_others(shared(*shares)) == said


def test_half_a_processor_is_told_of_a_machine_that_has_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 16)
    assert "4.0 %" in sentence_on_others(shared(0.04, processors=16))


def test_it_stands_in_the_sentence_and_in_the_table() -> None:
    sweep, stops = named("sweep"), named("stops")
    assert sweep is not None and stops is not None
    made = shared(*(0.5,) * 6)
    assert report(sweep, made).conclusion.sentence.endswith(
        " rounds) between the slowest, a, and the fastest, b. Other programs used 50 % of the CPU time in every round."
    )
    assert "Other programs" not in report(stops, made).conclusion.sentence, "it measures no time"
    found = table(made)
    place = [column.key for column in found.columns].index("others")
    assert [row.spreads[place] for row in found.rows] == [Spread(0.5, 0.5, 0.5)] * 2


def test_a_share_is_a_share_whatever_the_clocks_say() -> None:
    (run, *_) = shared(7.0).results
    assert share_of_others(run) == 1.0
    assert share_of_others(replace(run, others=-0.01)) == 0.0
    assert share_of_others(replace(run, others=None)) is None


@pytest.mark.skipif(not system_load.STAT.is_file() and sys.platform != "darwin", reason="the system does not tell")
def test_what_another_program_takes_is_seen_and_what_this_one_takes_is_not() -> None:
    before = others_s()
    exec(BURN, {})
    between = others_s()
    subprocess.run([sys.executable, "-c", BURN], check=True)
    after = others_s()
    assert before is not None and between is not None and after is not None
    assert after - between > 0.12
    assert between - before > -0.1, "its own time is taken off once"


def test_every_run_is_watched() -> None:
    template = named("template")
    assert template is not None
    known = others_s() is not None
    assert all((run.others is not None) == known for run in carried_out(template).results)


@pytest.mark.parametrize("text", ["", "cpu", "cpu a b c", "cpu  1 2"])
def test_a_system_that_tells_nothing_is_no_error(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(system_load, "STAT", tmp_path / "stat")
    assert others_s() is None
    (tmp_path / "stat").write_text(text, encoding="ascii")
    assert others_s() is None


def test_a_mac_is_asked_for_its_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
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
