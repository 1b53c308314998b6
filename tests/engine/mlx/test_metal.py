"""Metal, simulated on the CPU: its errors leave nothing wired, and its compiling is in no measured time."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import mlx.core as mx
import pytest

from app.engine.mlx import memory, run
from app.engine.mlx.loading import probe
from app.engine.mlx.sampler import Sampler, sampler_for
from app.engine.types import KV, Event, Limits, Prefill, Reason, Request, Sampling, TokenPrompt
from tests.engine.mlx.conftest import Open, Player
from tests.engine.mlx.metal import WORKING_SET, Metal

REQUEST = Request(TokenPrompt(tuple(range(5, 29))), Sampling(temperature=0.83, seed=3), Limits(8))


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 4])
def test_run_after_a_metal_error_works(open_model: Open, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    metal = Metal(monkeypatch)
    assert memory.limit_bytes() == WORKING_SET
    player = open_model("tiny_llama")
    usual, before = player.play(REQUEST), player.main
    assert metal.wired == 0
    metal.fail(step)
    failed = player.play(replace(REQUEST, kv=KV(reuse=False)))
    assert (failed.finish.reason, metal.wired) == (Reason.ERROR, 0)
    assert failed.finish.failure is not None and failed.finish.failure.kind == "memory"
    again = player.play(REQUEST)
    assert (again.ids, again.finish.reused, again.finish.failure) == (usual.ids, 0, None)
    assert player.main is not before, "it was loaded again"
    assert metal.wired == 0


@pytest.mark.usefixtures("timed_in_full")
def test_probe_times_no_kernel_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    now, seen = [0.0], set[int]()

    def module(tokens: mx.array, cache: object) -> None:
        now[0] += 0.0625 if tokens.shape[1] in seen else 10.0
        seen.add(tokens.shape[1])

    monkeypatch.setattr(memory, "on_cpu", lambda: False)
    monkeypatch.setattr(probe, "make_prompt_cache", lambda module: [])
    monkeypatch.setattr(probe, "time", SimpleNamespace(monotonic=lambda: now[0]))
    measure: Callable[[Any], Any] = probe._measure
    assert measure(module).tokens_per_s == 64 / 0.0625


@pytest.mark.slow
def test_sampler_is_compiled_before_the_prefill_and_its_time_reported(
    player: Player, open_model: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = player.play(REQUEST)
    assert usual.finish.warming == 0
    calls: list[str] = []

    def watched(sampling: Sampling, untouchable: frozenset[int]) -> Sampler:
        real = sampler_for(sampling, untouchable)

        def sample(logprobs: mx.array) -> mx.array:
            calls.append(f"{logprobs.dtype} {logprobs.shape}")
            return real(logprobs)

        return sample

    def note(event: Event) -> bool:
        if isinstance(event, Prefill):
            calls.append("prefill")
        return False

    monkeypatch.setattr(run, "sampler_for", watched)
    monkeypatch.setattr(memory, "on_cpu", lambda: False)
    played = open_model("tiny_llama").play(REQUEST, note)
    assert calls[0] != "prefill" and len(set(calls) - {"prefill"}) == 1, "it is compiled for the shape that it samples"
    assert 0 < played.finish.warming < played.finish.times.first_token - played.finish.times.sent
    assert played.ids == usual.ids
