"""What Metal compiles at first use is in none of the measured times, or reported separately; simulated on the CPU."""

from types import SimpleNamespace
from typing import Any

import mlx.core as mx
import pytest

from app.engine.mlx import memory
from app.engine.mlx import run as run_module
from app.engine.mlx.loading import probe
from app.engine.mlx.sampler import Sampler, sampler_for
from app.engine.types import Event, Limits, Prefill, Request, Sampling, TokenPrompt
from tests.engine.mlx.conftest import Open

REQUEST = Request(TokenPrompt(tuple(range(5, 29))), Sampling(temperature=0.83, seed=3), Limits(8))


@pytest.mark.usefixtures("timed_in_full")
def test_probe_times_no_kernel_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    now, seen = [0.0], set[int]()

    def passed(tokens: mx.array, cache: object) -> None:
        now[0] += 0.0625 if tokens.shape[1] in seen else 10.0
        seen.add(tokens.shape[1])

    monkeypatch.setattr(memory, "on_cpu", lambda: False)
    monkeypatch.setattr(probe, "make_prompt_cache", lambda module: [])
    monkeypatch.setattr(probe, "time", SimpleNamespace(monotonic=lambda: now[0]))
    module: Any = passed
    assert probe._measure(module).tokens_per_s == 64 / 0.0625


@pytest.mark.slow
def test_sampler_is_compiled_before_the_prefill_and_its_time_reported(
    open_model: Open, tiny_llama: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = open_model(tiny_llama)
    usual = player.play(REQUEST)
    assert usual.finish.warming == 0
    happened: list[str] = []

    def watched(sampling: Sampling, untouchable: frozenset[int]) -> Sampler:
        real = sampler_for(sampling, untouchable)

        def choose(logprobs: mx.array) -> mx.array:
            happened.append(f"{logprobs.dtype} {logprobs.shape}")
            return real(logprobs)

        return choose

    def note(event: Event) -> bool:
        if isinstance(event, Prefill):
            happened.append("prefill")
        return False

    monkeypatch.setattr(run_module, "sampler_for", watched)
    monkeypatch.setattr(memory, "on_cpu", lambda: False)
    player.engine.unload()
    played = open_model(tiny_llama).play(REQUEST, note)
    assert happened[0] != "prefill", "the sampler was first used for the first token"
    assert len(set(happened) - {"prefill"}) == 1, "it is warmed with what it is used for"
    assert 0 < played.finish.warming < played.finish.times.first_token - played.finish.times.sent
    assert played.ids == usual.ids
