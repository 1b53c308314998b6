"""The mailbox: events in order, and a signal for lone ones."""

import pytest

from app.bridge.mailbox import ALONE_S, Mailbox
from app.engine.types import Loading


def test_mailbox_signals_only_events_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    times = [10.0, 10.0 + ALONE_S / 2, 10.0 + ALONE_S, 10.0 + 2.1 * ALONE_S, 11.0]
    coming = iter(times)
    monkeypatch.setattr("app.bridge.mailbox.time.monotonic", lambda: next(coming))
    box, roused, events = Mailbox(), [], [Loading(str(number), 0, 0) for number in range(len(times))]
    box.lone_event_arrived.connect(lambda: roused.append(len(box._events)))
    for event in events:
        box.put(event)
    assert roused == [1, 4, 5]
    assert box.drain() == events
    assert box.drain() == []
