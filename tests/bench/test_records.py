"""The journal's bench gives every other segment to the journal and none of those between."""

import time
from collections.abc import Iterator

import pytest

from app.engine.protocol import StopFlag
from app.engine.types import Event
from tests.bench import records
from tests.bench.segments import WANTED_PAIRS
from tests.bench.sources import Writer


class Taking:
    """Stands where a recorder would."""

    def __init__(self) -> None:
        self.taken: list[Event] = []

    def put(self, event: Event) -> None:
        self.taken.append(event)


def ticking() -> Iterator[float]:
    """A clock that goes on by a tenth of a second each time it is read."""
    now = 0.0
    while True:
        now += 0.1
        yield now


def test_segments_alternate_until_there_are_pairs_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ticking()
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    taking, stop, writer = Taking(), StopFlag(), Writer("word ")
    feed = records.Feed(taking, stop)
    given = 0
    while not stop.asked:
        feed.emit(writer.token(0.0))
        given += 1
    assert len(feed.pairs) >= WANTED_PAIRS
    assert all(pair.bare.speed == pytest.approx(10.0) for pair in feed.pairs)
    assert all(pair.window.speed == pytest.approx(10.0) for pair in feed.pairs)
    assert 0.4 < len(taking.taken) / given < 0.6


def test_the_journal_that_is_opened_is_written_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "SESSIONS", 3)
    monkeypatch.setattr(records, "LONG_TOKENS", 20_000)
    monkeypatch.setattr(records, "TRIES", 1)
    row = records._opening()
    assert row.name == "records.open_10000_ms"
    assert row.value is not None and set(row.detail) > {"open the file", "some of its tokens", "search"}
