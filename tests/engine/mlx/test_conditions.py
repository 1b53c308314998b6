"""The conditions of real runs and the slowdown cause that they give."""

import time
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine import system_load
from app.engine.mlx import run
from app.engine.run_analysis import slow_cause
from app.engine.system_load import ExternalLoad
from app.engine.types import CacheMissReason, Request
from tests import models
from tests.engine.mlx import asking
from tests.engine.mlx.conftest import Open, Played, Player

IDS = tuple(5 + (index * index * 37 + index) % 1_900 for index in range(900))
SHORT = tuple(range(5, 14))


@pytest.fixture(autouse=True)
def no_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExternalLoad, "share", lambda _self: 0.0)
    monkeypatch.setattr(ExternalLoad, "page_faults", lambda _self: 0)


def ask(*ids: int, tokens: int = 4, **kv: object) -> Request:
    return asking.ask(ids, None, tokens, **kv)


def name(played: Played) -> str | None:
    cause = slow_cause(played.finish)
    return cause.name if cause is not None else None


@pytest.mark.slow
def test_slowdown_cause_names_a_changed_first_token(demo: Player) -> None:
    first, onwards = demo.play(ask(*IDS)), demo.play(ask(*IDS, *IDS[:5]))
    changed = demo.play(ask(4, *IDS[1:]))
    found, times = changed.conditions, changed.finish.times
    assert first.conditions.again == onwards.conditions.again == 0 and name(first) is None
    assert (found.place, found.hindrance, found.weights) == (0, CacheMissReason.DIFFERS, demo.model.weights)
    assert found.again > 800 and found.kv > 0
    slow = times.prefill_ended - times.prefill_started
    assert name(changed) == ("reread" if slow * found.again / changed.finish.new > 0.3 else None)


@pytest.mark.slow
def test_conditions_name_other_settings_and_untrimmable_caches(open_model: Open, tmp_path: Path) -> None:
    player = open_model("recurrent")
    ids = tuple(token % 300 + 5 for token in IDS)
    player.play(ask(*ids[:200]))
    back = player.play(ask(*ids[:100], *ids[200:300])).conditions
    assert (back.hindrance, back.again, back.place) == (CacheMissReason.STUCK, 100, 100)
    player.play(ask(*ids[:200]))
    assert player.play(ask(*ids[:200], reuse=False)).conditions.again == 0
    plain = open_model(models.tiny_llama(tmp_path, head_dim=64))
    plain.play(ask(*ids[:200]))
    other = plain.play(ask(*ids[:200], bits=4, group_size=64)).conditions
    assert (other.hindrance, other.again) == (CacheMissReason.SETTINGS, 200)


@pytest.mark.slow
def test_slowdown_cause_names_a_slow_logits_processor(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that computes; time that it waits is the model's."""

    def work(_tokens: mx.array, logits: mx.array) -> mx.array:
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass
        return logits

    assert name(demo.play(ask(*SHORT, tokens=10))) is None
    monkeypatch.setattr(run, "processors_for", lambda *_: [work])
    slow = demo.play(ask(*SHORT, tokens=10))
    assert name(slow) == "processors" and 0.5 <= slow.conditions.processing < 1


def test_external_load_counts_other_processes_since_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    now, had = [100.0], [7.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(system_load, "others_s", lambda: had[0])
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    load = ExternalLoad()
    now[0], had[0] = 100.1, 7.4
    assert load.share() is None, "too short"
    now[0], had[0] = 102.0, 11.0
    assert load.share() == 0.5
    monkeypatch.setattr(system_load, "others_s", lambda: None)
    assert load.share() is None and ExternalLoad().share() is None
    assert ExternalLoad().page_faults() >= 0
