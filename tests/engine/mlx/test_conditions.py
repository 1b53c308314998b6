"""The conditions of a run and the slowdown cause that they give; with real runs."""

import time
from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine import system_load
from app.engine.mlx import run
from app.engine.protocol import StopFlag
from app.engine.run_analysis import Cause, slow_cause
from app.engine.system_load import ExternalLoad
from app.engine.types import KV, CacheMissReason, Conditions, Finish, Limits, Request, Sampling, TokenPrompt
from tests import models
from tests.engine.mlx.conftest import Open

IDS = tuple(5 + (index * index * 37 + index) % 1_900 for index in range(900))


FOREIGN = {"main": 10_000.0, "draft": 3.0}
"""Two models of the same random weights with other rotary positions."""


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore other processes."""
    monkeypatch.setattr(ExternalLoad, "share", lambda _self: 0.0)
    monkeypatch.setattr(ExternalLoad, "page_faults", lambda _self: 0)


def asked(*ids: int, tokens: int = 4, **kv: object) -> Request:
    return Request(TokenPrompt(ids), Sampling(temperature=0), Limits(tokens), KV(**kv))  # type: ignore[arg-type]


def conditions(finish: Finish) -> Conditions:
    assert finish.conditions is not None
    return finish.conditions


def name(finish: Finish) -> str | None:
    cause = slow_cause(finish)
    return cause.name if cause is not None else None


@pytest.mark.slow
def test_slowdown_cause_names_a_changed_first_token(open_model: Open, demo_model: Path) -> None:
    player = open_model(demo_model)
    first = player.play(asked(*IDS)).finish
    onwards = player.play(asked(*IDS, *IDS[:5])).finish
    changed = player.play(asked(4, *IDS[1:])).finish
    assert conditions(first).again == conditions(onwards).again == 0 and name(first) is None
    assert conditions(changed).place == 0 and conditions(changed).again > 800
    assert (
        conditions(changed).hindrance is CacheMissReason.DIFFERS and conditions(changed).weights == player.model.weights
    )
    assert conditions(changed).kv > 0
    times = changed.times
    slow = times.prefill_ended - times.prefill_started
    assert name(changed) == ("reread" if slow * conditions(changed).again / changed.new > 0.3 else None)


@pytest.mark.slow
def test_slowdown_cause_names_other_settings_and_untrimmable_caches(
    open_model: Open, recurrent: Path, tmp_path: Path
) -> None:
    player = open_model(recurrent)
    ids = tuple(token % 300 + 5 for token in IDS)
    player.play(asked(*ids[:200]))
    back = conditions(player.play(asked(*ids[:100], *ids[200:300])).finish)
    assert (back.hindrance, back.again, back.place) == (CacheMissReason.STUCK, 100, 100)
    player.play(asked(*ids[:200]))
    assert conditions(player.play(asked(*ids[:200], reuse=False)).finish).again == 0
    plain = open_model(models.tiny_llama(tmp_path, head_dim=64))
    plain.play(asked(*ids[:200]))
    other = conditions(plain.play(asked(*ids[:200], bits=4, group_size=64)).finish)
    assert (other.hindrance, other.again) == (CacheMissReason.SETTINGS, 200)


@pytest.mark.slow
def test_slowdown_cause_names_waiting_cpu_load_and_page_faults(
    open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = open_model(tiny_llama)
    paused = StopFlag()
    paused.made_at -= 3.0
    assert name(player.engine.generate(asked(*range(5, 14)), lambda event: None, paused)) == "loading"
    monkeypatch.setattr(ExternalLoad, "share", lambda _self: 0.6)
    slow = asked(*(token % 300 + 5 for token in IDS), tokens=200, reuse=False)
    finish = player.play(slow).finish
    assert conditions(finish).others == 0.6 and conditions(finish).on_processors == player.model.on_cpu
    monkeypatch.setattr(ExternalLoad, "page_faults", lambda _self: 900_000)
    assert name(player.play(asked(*range(5, 14))).finish) == "swapping"


@pytest.mark.slow
def test_slowdown_cause_names_a_useless_draft_model(open_model: Open, tmp_path: Path) -> None:
    shape = {"hidden_size": 512, "intermediate_size": 1_024, "num_hidden_layers": 4, "head_dim": 64}
    main, other = (models.tiny_llama(tmp_path / name, **shape, rope_theta=theta) for name, theta in FOREIGN.items())
    player = open_model(main, other)
    finish = player.play(replace(asked(*range(5, 14), tokens=40), draft_tokens=4)).finish
    assert finish.drafted is not None and finish.drafted.accepted < finish.drafted.proposed / 4
    assert name(finish) == "draft"
    assert name(player.play(asked(*range(5, 14), tokens=40)).finish) is None


@pytest.mark.slow
def test_slowdown_cause_is_none_for_undisturbed_runs(open_model: Open, demo_model: Path, demo_draft: Path) -> None:
    player = open_model(demo_model, demo_draft)
    said: list[Cause | None] = []
    for number in range(50):
        fresh = tuple(5 + (index * index * 41 + index * number + number) % 1_900 for index in range(60))
        request = Request(
            TokenPrompt(IDS[: 40 + 3 * number] if number % 3 else fresh),
            Sampling(temperature=0.7 * (number % 2), seed=number),
            Limits(6 + number % 9),
            observe=10 * (number % 5 == 1),
            draft_tokens=3 * (number >= 40),
        )
        said.append(slow_cause(player.play(request).finish))
    assert said.count(None) >= 48, said


def test_external_load_counts_other_processes_since_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    now, had = [100.0], [7.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(system_load, "others_s", lambda: had[0])
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    watched = ExternalLoad()
    now[0], had[0] = 100.1, 7.4
    assert watched.share() is None, "too short to tell"
    now[0], had[0] = 102.0, 11.0
    assert watched.share() == 0.5
    monkeypatch.setattr(system_load, "others_s", lambda: None)
    assert watched.share() is None and ExternalLoad().share() is None
    assert ExternalLoad().page_faults() >= 0


@pytest.mark.slow
def test_slowdown_cause_names_a_slow_logits_processor(
    open_model: Open, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that computes; time that it waits is the model's."""

    def work(_tokens: mx.array, logits: mx.array) -> mx.array:
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass
        return logits

    player = open_model(demo_model)
    assert name(player.play(asked(*IDS[:9], tokens=10)).finish) is None
    monkeypatch.setattr(run, "processors_for", lambda *_: [work])
    slow = player.play(asked(*IDS[:9], tokens=10)).finish
    assert name(slow) == "processors" and 0.5 <= conditions(slow).processing < 1
