"""The gate lets events through in every other segment, in the order A-B-B-A, and ends when there are pairs enough."""

import gc

import pytest

from app.engine.protocol import Emit, StopFlag
from app.engine.types import Event, Finish, Memory, RawPrompt, Request, Token
from tests.bench.segments import SEGMENT_S, Pair, ratio_of
from tests.bench.sources import Pace, SimulatedEngine, Writer, finish_of, memory_at
from tests.bench.window_gate import SETTLING_TOKENS, Changeover, Gate

WANTED = 4
BARE_S, SHOWN_S = 0.01, 0.02
"""What a token takes; so the window costs half of the speed."""


@pytest.fixture(autouse=True)
def a_quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs that others disturbed are played again, and these tests' time is not the machine's."""
    monkeypatch.setattr("tests.bench.window_gate.Others.seconds", lambda _: 0.0)


class Recorded(Changeover):
    """Changes nothing, and remembers what was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[bool] = []

    @property
    def showing(self) -> bool:
        return not self.asked or self.asked[-1]

    def change(self, showing: bool) -> None:
        self.asked.append(showing)


class Clocked(SimulatedEngine):
    """Its time passes by the token; a word on memory comes with every tenth."""

    def __init__(self, changeover: Recorded) -> None:
        super().__init__(Pace(100, 0.001))
        self.now = 0.0
        self._changeover = changeover

    def clock(self) -> float:
        return self.now

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        writer = Writer("word ")
        while not stop.asked:
            self.now += SHOWN_S if self._changeover.showing else BARE_S
            emit(writer.token(self.now))
            if writer.written % 10 == 0:
                emit(memory_at(writer.written))
        return finish_of(stop, 0.0, writer.written, limited=False)


class Played:
    """One run through a gate."""

    def __init__(self, idle: bool = False) -> None:
        self.changeover = Recorded()
        engine = Clocked(self.changeover)
        gate = Gate(lambda _collect: engine, self.changeover, WANTED, idle, engine.clock).open(gc.collect)
        self.passed: list[tuple[bool, Event]] = []
        self.finish = gate.generate(Request(RawPrompt("")), self._note, StopFlag())
        self.pairs: list[Pair] = gate.pairs

    def _note(self, event: Event) -> None:
        self.passed.append((self.changeover.showing, event))


def test_segments_alternate_as_a_b_b_a_and_the_window_is_left_on_at_the_end() -> None:
    assert Played().changeover.asked == [False, True, False, True, False, True]


def test_it_ends_with_as_many_pairs_as_were_wanted_and_their_ratio_is_what_the_window_costs() -> None:
    played = Played()
    assert len(played.pairs) == WANTED
    assert ratio_of(played.pairs, fewest=WANTED).value == pytest.approx(BARE_S / SHOWN_S)


def test_each_segment_has_its_length_and_counts_nothing_of_the_change() -> None:
    played = Played()
    tokens = sum(pair.bare.tokens + pair.window.tokens for pair in played.pairs)
    for pair in played.pairs:
        assert pair.bare.seconds == pytest.approx(SEGMENT_S, abs=BARE_S + 1e-9)
        assert pair.window.seconds == pytest.approx(SEGMENT_S, abs=SHOWN_S + 1e-9)
    first = round(SEGMENT_S / SHOWN_S)
    assert played.finish.tokens == pytest.approx(tokens + first + SETTLING_TOKENS * (2 * WANTED + 1), abs=2)


def test_nothing_passes_while_the_window_is_off_and_everything_while_it_is_on() -> None:
    played = Played()
    assert all(showing for showing, _ in played.passed)
    tokens = [event for _, event in played.passed if isinstance(event, Token)]
    assert len(tokens) > sum(pair.window.tokens for pair in played.pairs)
    assert any(isinstance(event, Memory) for _, event in played.passed)


def test_with_an_idle_window_nothing_passes_after_the_first_segment() -> None:
    played = Played(idle=True)
    first = round(SEGMENT_S / SHOWN_S) + SETTLING_TOKENS
    assert len([event for _, event in played.passed if isinstance(event, Token)]) == pytest.approx(first, abs=1)
    assert len(played.pairs) == WANTED


def test_what_the_windows_thread_uses_is_counted_while_the_window_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    changeover = Changeover()
    for showing, used, now in ((False, 0.5, 1.0), (True, 0.6, 2.0), (False, 1.1, 4.0), (True, 7.0, 8.0)):
        monkeypatch.setattr("tests.bench.window_gate.time.thread_time", lambda used=used: used)
        monkeypatch.setattr("tests.bench.window_gate.time.perf_counter", lambda now=now: now)
        changeover.change(showing)
    assert changeover.share == pytest.approx(0.25)
