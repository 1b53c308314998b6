"""Each attack on a boundary in short, and the harness itself: what it is there to find, it finds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.echo.engine import EchoEngine
from app.engine.types import LoadRequest
from tests.faults import boundaries
from tests.faults.boundary import Blow, Boundary, Result, attacked, endured
from tests.faults.boundary import table as boundary_table
from tests.faults.strain import waiting_ms
from tests.faults.windows import QUICK, Scene, scene

BLOCK_S = 0.3
EATEN = 200_000_000

pytestmark = pytest.mark.usefixtures("qapp")


def windows() -> dict[str, list[Boundary]]:
    """The attacks of each module, by the engine that they are made on."""
    found: dict[str, list[Boundary]] = {}
    for name in boundaries.names():
        for each in boundaries.of(name):
            found.setdefault(f"{name}, {each.engine.__name__}", []).append(each)
    return found


WINDOWS = windows()


@pytest.mark.parametrize("attacks", WINDOWS.values(), ids=WINDOWS)
def test_attacks_on_a_window(attacks: list[Boundary], tmp_path: Path) -> None:
    """One after another, as each is made again and again in full; there it has a process of its own besides."""
    with scene(tmp_path, attacks[0].engine) as made:
        results = [(each.incoming, each.attack, endured(made, each, 0).lost) for each in attacks]
    assert [each for each in results if each[-1]] == []


@contextmanager
def blocking(made: Scene) -> Iterator[Blow]:
    """Nothing of the window runs meanwhile."""

    def blow() -> None:
        end = time.thread_time() + BLOCK_S
        while time.thread_time() < end:
            pass

    yield blow


@contextmanager
def eating(made: Scene) -> Iterator[Blow]:
    """Given back at once, and seen all the same."""
    yield lambda: len(b"x" * EATEN)


@contextmanager
def deleting(made: Scene) -> Iterator[Blow]:
    """The conversation goes."""

    def blow() -> None:
        made.playground.delete(0)
        made.until(lambda: not made.state.turns)

    yield blow


@contextmanager
def complaining(made: Scene) -> Iterator[Blow]:
    def blow() -> None:
        raise AssertionError("not refused")

    yield blow


@contextmanager
def opening(made: Scene) -> Iterator[Blow]:
    """A model is still being opened when the blow is over."""
    yield lambda: made.playground.load(LoadRequest("another"))


TRIAL = Boundary("a trial", "us", "none", "nothing", blocking)


def test_a_window_that_stands_still_is_found(tmp_path: Path) -> None:
    result = attacked(TRIAL, tmp_path, BLOCK_S)
    assert result.longest_ms >= 600 * BLOCK_S
    assert len(result.lost) == 1 and result.lost[0].startswith("lag p99")


def test_memory_that_is_taken_is_found(tmp_path: Path) -> None:
    (lost,) = attacked(replace(TRIAL, made=eating), tmp_path, 0).lost
    assert lost.endswith("MB, over 64")


def test_a_conversation_that_goes_is_found(tmp_path: Path) -> None:
    lost = attacked(replace(TRIAL, made=deleting), tmp_path, 0).lost
    assert any(told.startswith("the journal had") for told in lost)


def test_a_model_that_is_being_opened_is_waited_for(tmp_path: Path) -> None:
    slow = replace(TRIAL, made=opening, engine=lambda: EchoEngine(replace(QUICK, load_seconds=0.1)))
    assert attacked(slow, tmp_path, 0).lost == ()


def test_what_a_blow_finds_is_told(tmp_path: Path) -> None:
    result = attacked(replace(TRIAL, made=complaining), tmp_path, 0)
    assert (result.times, result.lost) == (1, ("blow 1: not refused",))


def test_a_gap_counts_by_its_length() -> None:
    assert waiting_ms([0.0] * 10_000) == 0
    assert waiting_ms([0.0] * 10_000 + [8_000.0]) > 6_500
    assert waiting_ms([0.0] * 10_000 + [40.0]) < 40
    assert waiting_ms([]) == 0


def test_the_table_says_what_was_held_and_what_was_lost() -> None:
    lost = Result(3, 60, 80, 2, ("lag p99 60 ms, over 50",))
    told = boundary_table([(TRIAL, Result(1_200, 4, 9, 2)), (TRIAL, lost)])
    assert "| a trial | us | none | nothing | held: 1,200 times, lag p99 4 ms, longest 9 ms, +2 MB |" in told
    assert "**lost**: 3 times" in told and told.endswith("- a trial, nothing: lag p99 60 ms, over 50")


def test_an_attack_has_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that ends its process is told as that, and the others are made."""
    monkeypatch.setattr(boundaries, "FILE", tmp_path / "boundaries.md")
    monkeypatch.setattr(boundaries, "of", lambda name: (TRIAL,))
    monkeypatch.setenv("SLUICE_ATTACK_SECONDS", "0")
    held, gone = boundaries.rows("sessions", "moon")
    assert held.held and held.times == 1
    assert gone.lost == ("the program ended with 1",)
    assert boundaries.FILE.read_text("utf-8").strip() in capsys.readouterr().out
