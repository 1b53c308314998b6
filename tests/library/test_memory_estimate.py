"""The KV cache's size equals that of mlx-lm's caches; the memory estimate and its verdict."""

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.library.memory_estimate import CACHE_STEP, fit, kv_bytes, shape_of, splits
from app.library.types import Device, FitVerdict, Layer, Shape, Sizes
from tests.examples import at_most
from tests.models import GEMMA3, LLAMA, MAMBA

LATENT: dict[str, Any] = {
    "model_type": "deepseek_v3",
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 64,
    "moe_intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "n_routed_experts": None,
    "kv_lora_rank": 24,
    "q_lora_rank": 16,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 16,
    "v_head_dim": 16,
}
CONFIGS: dict[str, dict[str, Any]] = {
    "grouped heads": LLAMA | {"vocab_size": 64},
    "no head size": {key: value for key, value in LLAMA.items() if key != "head_dim"} | {"vocab_size": 64},
    "sliding layers": GEMMA3 | {"vocab_size": 64},
    "sliding layers by name": LLAMA
    | {
        "vocab_size": 64,
        "sliding_window": 32,
        "num_hidden_layers": 3,
        "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
    },
    "a window that mlx-lm passes over": LLAMA | {"vocab_size": 64, "sliding_window": 32},
    "a state": MAMBA | {"vocab_size": 64},
    "compressed": LATENT,
    "compressed, spread out": LATENT
    | {"model_type": "deepseek_v2", "rope_scaling": {"type": "yarn", "factor": 1, "mscale_all_dim": 0}},
}


def cache_of(config: dict[str, Any], tokens: int) -> tuple[int, bool]:
    """Bytes of keys and values after so many tokens through mlx-lm's own model, and whether all caches are plain."""
    import mlx.core as mx
    from mlx_lm.models.cache import ArraysCache, KVCache, make_prompt_cache

    architecture = import_module(f"mlx_lm.models.{config['model_type']}")
    model = architecture.Model(architecture.ModelArgs.from_dict(config))
    model.set_dtype(mx.float16)
    cache = make_prompt_cache(model)
    for _ in range(tokens // 64):
        mx.eval(model(mx.zeros((1, 64), mx.int32), cache=cache))
        mx.eval([layer.state for layer in cache])
    kept = [layer for layer in cache if not isinstance(layer, ArraysCache)]
    return sum(layer.nbytes for layer in kept), all(type(layer) is KVCache for layer in cache)


@pytest.mark.parametrize("name", CONFIGS)
def test_kv_bytes_equal_mlx_lms_caches(name: str) -> None:
    shape = shape_of(CONFIGS[name])
    assert shape is not None
    size, plain = cache_of(CONFIGS[name], CACHE_STEP)
    assert shape.plain == plain
    # A rotating cache may hold one chunk more than its window while a prompt is read.
    windows = sum(layer.count * layer.values_per_token * 2 * 64 for layer in shape.layers if layer.window)
    assert kv_bytes(shape, CACHE_STEP) == pytest.approx(size, abs=windows)


@pytest.mark.parametrize(
    ("config", "layers"),
    [
        ({"model_type": "qwen3_next", "full_attention_interval": 4}, (Layer(3, 64),)),
        ({"model_type": "jamba", "attn_layer_period": 8, "attn_layer_offset": 4}, (Layer(1, 64),)),
        ({"model_type": "nemotron_h", "hybrid_override_pattern": "M-M*M-M*-M-*"}, (Layer(3, 64),)),
        ({"model_type": "lfm2", "full_attn_idxs": [2, 5]}, (Layer(2, 64),)),
        ({"model_type": "granitemoehybrid", "layer_types": ["mamba", "attention"]}, (Layer(6, 64),)),
        ({"model_type": "exaone4", "sliding_window_pattern": "LLLG", "sliding_window": 99},
         (Layer(9, 64, 99), Layer(3, 64))),
        ({"model_type": "recurrent_gemma", "block_types": ["recurrent", "attention"], "attention_window_size": 77},
         (Layer(6, 64, 77),)),
        ({"model_type": "gemma3n", "layer_types": ["full_attention"], "num_kv_shared_layers": 2}, (Layer(10, 64),)),
        ({"model_type": "openelm", "num_key_value_heads": [1, 2]}, (Layer(6, 32), Layer(6, 64))),
        ({"model_type": "falcon", "num_key_value_heads": None, "multi_query": True}, (Layer(12, 32),)),
    ],
)  # fmt: skip
def test_shape_of_mixed_layers(config: dict[str, Any], layers: tuple[Layer, ...]) -> None:
    usual = {"num_hidden_layers": 12, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16}
    shape = shape_of(usual | config)
    assert shape is not None
    assert shape.layers == layers


def test_text_part_of_a_multimodal_model() -> None:
    text = {"num_hidden_layers": 2, "num_attention_heads": 4, "head_dim": 8}
    assert shape_of({"model_type": "qwen3_vl", "text_config": text}) == Shape((Layer(2, 64),), heads=4)


@pytest.mark.parametrize(
    ("config", "parts", "even"),
    [
        ({"num_attention_heads": 5, "num_key_value_heads": 5}, 2, False),
        ({"num_attention_heads": 32, "num_key_value_heads": 8}, 4, True),
        ({"num_attention_heads": 32, "num_key_value_heads": 8}, 3, False),
        ({"num_attention_heads": 24, "num_key_value_heads": 8}, 6, False),
        ({"num_attention_heads": 24, "num_key_value_heads": 2}, 4, True),
        ({"num_attention_heads": 12}, 3, True),
        ({"text_config": {"n_heads": 7}}, 2, False),
        ({"num_key_value_heads": [4, 6]}, 4, False),
        ({}, 2, True),
    ],
)
def test_splits_only_even_heads(config: dict[str, Any], parts: int, even: bool) -> None:
    assert splits(config, parts) is even


def test_shape_of_a_type_uses_mlx_lms_defaults() -> None:
    shape = shape_of({"model_type": "gemma3", "text_config": {"num_hidden_layers": 6, "sliding_window": 1024}})
    assert shape == Shape((Layer(5, 2048, 1024), Layer(1, 2048)), plain=False, heads=8)


@pytest.mark.parametrize("config", [{}, {"model_type": "llama"}, {"num_hidden_layers": 2}, {"num_hidden_layers": True}])
def test_shape_of_an_incomplete_config_is_none(config: dict[str, Any]) -> None:
    assert shape_of(config) is None


KEYS = (
    "model_type num_hidden_layers num_attention_heads num_key_value_heads head_dim hidden_size layer_types text_config "
    "sliding_window sliding_window_pattern kv_lora_rank qk_rope_head_dim num_kv_shared_layers full_attention_interval"
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 10**15)
    | st.floats()
    | st.sampled_from(["gemma3", "LG", "full_attention"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=6),
    max_leaves=12,
)


@pytest.mark.slow
@at_most(40)
@given(st.dictionaries(st.sampled_from(KEYS.split()), VALUES))
def test_shape_of_any_config_does_not_raise(config: dict[str, Any]) -> None:
    splits(config, 2)
    shape = shape_of(config)
    assert shape is None or kv_bytes(shape, 4096) >= 0


GB = 10**9
SHAPE = Shape((Layer(32, 2 * 8 * 128),))
"""As many layers and heads as Llama 3.1 8B has: 128 KiB a token."""


def test_fit_lines_add_up_to_the_total() -> None:
    sum_ = fit(Sizes(4 * GB, shape=SHAPE), 8192, Device(16 * GB), Sizes(GB, shape=SHAPE))
    assert sum(line.bytes for line in sum_.lines) == sum_.total
    labels = [line.label for line in sum_.lines]
    assert labels == ["Weights", "KV cache", "Draft model's weights", "Draft model's KV cache", "Compute buffer"]
    assert sum_.lines[1].bytes == 8192 * 131_072 == kv_bytes(SHAPE, 8192)
    assert all(line.note for line in sum_.lines)


@pytest.mark.parametrize(
    ("weights", "verdict", "sentence"),
    [
        (4 * GB, FitVerdict.FITS, "4.2 GB of the 16.0 GB"),
        (13 * GB, FitVerdict.TIGHT, "Close other programs"),
        (16 * GB, FitVerdict.WONT_FIT, "If you try anyway"),
    ],
)
def test_fit_verdict_depends_on_the_limit(weights: int, verdict: FitVerdict, sentence: str) -> None:
    sum_ = fit(Sizes(weights, shape=Shape(())), 4096, Device(16 * GB))
    assert sum_.verdict is verdict
    assert sentence in sum_.sentence and sum_.sentence.endswith(".")


def test_fit_verdict_depends_on_the_context() -> None:
    sizes = Sizes(4 * GB, shape=SHAPE)
    assert fit(sizes, 4096, Device(8 * GB)).verdict is FitVerdict.FITS
    assert fit(sizes, 131_072, Device(8 * GB)).verdict is FitVerdict.WONT_FIT


@pytest.mark.parametrize(
    ("dtype", "bits", "device", "size", "kv_bits", "note"),
    [
        ("float16", None, Device(16 * GB), 2 * GB, 16, "the size of the weight files"),
        ("float32", None, Device(16 * GB), 2 * GB, 32, "the size of the weight files"),
        ("float16", None, Device(16 * GB, on_cpu=True), 4 * GB, 32, "converted to float32"),
        ("float16", None, Device(7 * GB, on_cpu=True), 2 * GB, 16, "the size of the weight files"),
        ("bfloat16", 8, Device(16 * GB, on_cpu=True), 4 * GB, 32, "dequantized to float32"),
        ("bfloat16", 8, Device(7 * GB, on_cpu=True), 2 * GB + GB // 16, 32, "with scales in float32"),
        ("bfloat16", 8, Device(16 * GB, True, keeps_packed=True), 2 * GB + GB // 16, 32, "with scales in float32"),
    ],
)
def test_fit_counts_weights_and_kv_cache_as_they_are_computed(
    dtype: str, bits: int | None, device: Device, size: int, kv_bits: int, note: str
) -> None:
    weights, cache, _ = fit(Sizes(2 * GB, GB, bits, 64, dtype, SHAPE), 8192, device).lines
    assert (weights.bytes, cache.bytes) == (size, kv_bits // 8 * 8192 * 65_536)
    assert weights.shows_note is (size != 2 * GB)
    assert note in weights.note and f"{kv_bits} bits" in cache.note


SMOL = {"hidden_size": 576, "intermediate_size": 1536, "num_hidden_layers": 30, "num_attention_heads": 9}
SMOL_SIZES = (269 * 10**6, 134_515_008)
DEMO = {"hidden_size": 160, "intermediate_size": 448, "num_hidden_layers": 3, "num_attention_heads": 5}
MIXTRAL = {"hidden_size": 512, "intermediate_size": 1024, "num_hidden_layers": 6, "num_attention_heads": 8}
MIXTRAL_SIZES = (171_525_309, 42_880_000)


@pytest.mark.parametrize(
    ("config", "kv_heads", "sizes", "context", "step", "peak"),
    [
        (DEMO, 5, (2_562_240, 1_281_120), 2048, 16, 16.2e6),
        (DEMO, 5, (2_562_240, 1_281_120), 2048, 256, 29.1e6),
        (DEMO, 5, (2_562_240, 1_281_120), 2048, 2048, 127.7e6),
        (MIXTRAL, 4, MIXTRAL_SIZES, 2000, 64, 206.0e6),
        (MIXTRAL, 4, MIXTRAL_SIZES, 2000, 512, 248.8e6),
        (SMOL, 3, SMOL_SIZES, 2048, 0, 638.5e6),
        pytest.param(SMOL, 3, SMOL_SIZES, 32, 0, 602.1e6, id="first pass after loading"),
    ],
)
def test_fit_is_near_the_measured_peak_on_the_cpu(
    config: dict[str, Any], kv_heads: int, sizes: tuple[int, int], context: int, step: int, peak: float
) -> None:
    """The peaks of MLX's allocator with these models, each with this prefill step."""
    head_size = config["hidden_size"] // config["num_attention_heads"]
    shape = shape_of(config | {"num_key_value_heads": kv_heads, "head_dim": head_size})
    dtype = "float32" if config is MIXTRAL else "float16"
    found = fit(Sizes(*sizes, dtype=dtype, shape=shape), context, Device(8 * GB, True, prefill_chunk=step))
    assert found.total == pytest.approx(peak, rel=0.05)


def test_fit_on_a_gpu_counts_no_attention_scores() -> None:
    shape = shape_of(SMOL | {"num_key_value_heads": 3})
    on_gpu, on_cpu = (
        fit(Sizes(*SMOL_SIZES, dtype="float32", shape=shape), 32_768, Device(16 * GB, cpu, prefill_chunk=2048))
        for cpu in (False, True)
    )
    assert on_cpu.lines[-1].bytes - on_gpu.lines[-1].bytes == 2048 * 9 * 32_768 * 4


def test_kv_bytes_stop_at_the_window() -> None:
    shape = Shape((Layer(5, 100, 1024), Layer(1, 100)), plain=False)
    assert kv_bytes(shape, 100_096) - kv_bytes(shape, 50_176) == (100_096 - 50_176) * 100 * 2
    assert "5 of 6 layers keep only the last 1,024" in fit(Sizes(1, shape=shape), 8192, Device(GB)).lines[1].note


def test_kv_bytes_grow_in_steps() -> None:
    assert kv_bytes(SHAPE, 1) == kv_bytes(SHAPE, 256) < kv_bytes(SHAPE, 257)


def test_fit_unknown_values_are_named() -> None:
    assert "unknown" in fit(Sizes(GB), 4096, Device(16 * GB)).lines[1].note
    assert "state" in fit(Sizes(GB, shape=Shape((), plain=False)), 4096, Device(16 * GB)).lines[1].note
