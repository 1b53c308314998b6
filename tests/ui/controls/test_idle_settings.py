"""What has no effect is named with its reason, and a run leaves out exactly what a model refuses."""

from itertools import product

import pytest

from app.bridge.conversation import suited
from app.engine.types import KV, Capabilities, Sampling
from app.ui.controls.idle_settings import idle_kv, idle_sampling

WINDOWS = {"repetition_window", "presence_window", "frequency_window"}


@pytest.mark.parametrize(
    ("sampling", "idle"),
    [
        (Sampling(), {"min_tokens_to_keep", "xtc_threshold"} | WINDOWS),
        (Sampling(min_p=0.1, xtc_probability=0.5), WINDOWS),
        (Sampling(min_p=0.1, xtc_probability=0.5, presence_penalty=1), WINDOWS - {"presence_window"}),
        (
            Sampling(temperature=0, repetition_penalty=1.1, presence_penalty=-1, frequency_penalty=1),
            {"top_p", "top_k", "min_p", "min_tokens_to_keep", "xtc_probability", "xtc_threshold", "seed"},
        ),
    ],
)
def test_idle_sampling(sampling: Sampling, idle: set[str]) -> None:
    found = idle_sampling(sampling)
    assert found.keys() == idle
    assert all(why.startswith("Without effect") for why in found.values())


def test_what_the_model_refuses_is_said_in_its_words() -> None:
    refusals = {"kv_bits": "Only plain KV caches can be quantised.", "max_kv_size": "It ignores the size."}
    idle = idle_kv(KV(), refusals, drafting=False)
    assert idle["kv_bits"] == refusals["kv_bits"]
    assert idle["kv_max_size"] == refusals["max_kv_size"]
    assert {"kv_group_size", "kv_quantized_start"} <= idle.keys()
    assert idle_kv(KV(enabled=False), {"bare_loop": "It needs it."}, drafting=False)["kv_enabled"] == "It needs it."


CAN = ("kv_bits", "max_kv_size", "bare_loop")


@pytest.mark.parametrize("drafting", [True, False])
@pytest.mark.parametrize("able", list(product((True, False), repeat=3)))
def test_what_is_greyed_is_left_out_of_a_run_and_nothing_else(able: tuple[bool, bool, bool], drafting: bool) -> None:
    can = Capabilities(kv_bits=able[0], max_kv_size=able[1], bare_loop=able[2])
    refusals = {name: "No." for name, holds in zip(CAN, able, strict=True) if not holds}
    for enabled, bits, size in product((True, False), (None, 4), (None, 64)):
        kv = KV(enabled=enabled, bits=bits, max_size=size)
        idle, sent = idle_kv(kv, refusals, drafting), suited(kv, can, drafting)
        assert sent.enabled == (enabled or "kv_enabled" in idle)
        if sent.enabled:
            assert sent.bits == (None if "kv_bits" in idle else bits)
            assert sent.max_size == (None if "kv_max_size" in idle else size)
