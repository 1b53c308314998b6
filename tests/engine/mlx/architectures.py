"""mlx-lm's architectures built small, with random weights."""

import inspect
import math
from collections.abc import Callable
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any, TypeVar

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.utils import tree_map

from app.engine.errors import UserError
from app.engine.mlx.caches.prompt_cache import PromptCache
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.prefill import PrefillPace
from app.engine.protocol import StopFlag
from app.engine.text import TextCache
from app.library.supported_architectures import ALIASES, model_types
from tests.engine.tiers import mostly_slow

Found = TypeVar("Found")

VOCABULARY = 128
IDS = tuple(5 + (index * 37) % 120 for index in range(40))
NEED_METAL = frozenset(("bitnet",))
REPRESENTATIVE = ("llama", "qwen3", "gemma3_text", "gpt_oss", "mixtral", "deepseek_v2", "mamba", "granitemoehybrid")
"""Dense, sliding window, attention sinks, experts, latent attention, state space, and a mixture of them."""
COUNTS = {
    "vocab_size": VOCABULARY, "num_vocab": VOCABULARY, "vocab_size_per_layer_input": VOCABULARY,
    "hidden_size": 64, "n_embd": 64, "d_model": 64, "model_dim": 64, "block_dim": 64, "hidden_dim": 64,
    "intermediate_size": 128, "ffn_hidden_size": 128, "n_inner": 128, "ff_intermediate_size": 128,
    "intermediate_size_mlp": 128, "shared_intermediate_size": 64, "moe_intermediate_size": 32,
    "expert_ffn_hidden_size": 32, "shared_expert_intermediate_size": 32, "moe_shared_expert_intermediate_size": 32,
    "share_expert_dim": 32, "hidden_size_per_layer_input": 16,
    "num_hidden_layers": 4, "n_layer": 4, "n_layers": 4, "num_layers": 4, "num_transformer_layers": 4,
    "num_attention_heads": 4, "n_head": 4, "n_heads": 4, "num_heads": 4, "swa_num_attention_heads": 4,
    "num_swa_attention_heads": 4,
    "num_key_value_heads": 2, "n_kv_heads": 2, "num_kv_heads": 2, "swa_num_key_value_heads": 2,
    "num_swa_key_value_heads": 2, "num_attention_groups": 2, "num_global_key_value_heads": 2, "n_shared_head": 2,
    "head_dim": 16, "swa_head_dim": 16, "swa_v_head_dim": 16, "global_head_dim": 16, "hidden_size_per_head": 16,
    "kv_channels": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 16, "v_head_dim": 16, "kv_lora_rank": 32,
    "q_lora_rank": 32, "rotary_dim": 8, "index_head_dim": 16, "index_n_heads": 2, "index_topk": 64,
    "num_experts": 4, "num_local_experts": 4, "n_routed_experts": 4, "moe_num_experts": 4, "num_experts_per_tok": 2,
    "num_experts_per_token": 2, "moe_topk": 2, "moe_top_k": 2, "moe_k": 2, "n_shared_experts": 1,
    "num_shared_experts": 1, "num_shared_expert": 1, "moe_num_shared_experts": 1, "zero_expert_num": 2,
    "top_k_experts": 2, "n_group": 1, "topk_group": 1, "moe_layer_freq": 1, "first_k_dense_replace": 1,
    "decoder_sparse_step": 1, "num_dense_layers": 1, "moe_layer_start_index": 0, "moe_layer_interval": 1,
    "max_position_embeddings": 1024, "n_positions": 1024, "n_ctx": 1024, "model_max_length": 1024,
    "original_max_position_embeddings": 1024, "sliding_window": 64, "sliding_window_size": 64, "window_size": 64,
    "attention_window_size": 64, "loop_window_size": 64, "sliding_window_pattern": 2,
    "conv_kernel": 4, "conv_L_cache": 3, "conv_window": 2, "conv1d_width": 4, "state_size": 16, "ssm_state_size": 16,
    "time_step_rank": 4, "n_groups": 2, "mamba_d_conv": 4, "mamba_d_state": 16, "mamba_expand": 2,
    "mamba_num_heads": 4, "mamba_head_dim": 16, "mamba_n_heads": 4, "mamba_d_head": 32, "mamba_n_groups": 2,
    "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 16, "linear_value_head_dim": 16,
    "linear_conv_kernel_dim": 4, "a_low_rank_dim": 8, "v_low_rank_dim": 8, "gate_low_rank_dim": 8,
    "decay_low_rank_dim": 8, "group_norm_size": 1, "layer_group_size": 2, "full_attention_interval": 2,
    "attn_layer_offset": 1, "attn_layer_period": 2, "expert_layer_offset": 1, "expert_layer_period": 2,
    "cla_share_factor": 2, "dim_model_base": 64, "block_multiple_of": 32, "ffn_dim_divisor": 8, "num_query_heads": 4,
    "dense_attention_every_n_layers": 2, "num_kv_reuse_layers": 1, "num_kv_shared_layers": 2,
    "num_nextn_predict_layers": 0, "chunk_size": 64, "mamba_chunk_size": 16,
}  # fmt: skip
"""The settings that decide the size, by all their names."""
OTHERS = {
    "rms_norm_eps": 1e-5, "norm_eps": 1e-5, "layer_norm_eps": 1e-5, "layer_norm_epsilon": 1e-5,
    "layernorm_epsilon": 1e-5, "rope_theta": 10_000.0, "swa_rope_theta": 10_000.0, "rotary_emb_base": 10_000,
    "rotary_pct": 0.5, "partial_rotary_factor": 0.5, "routed_scaling_factor": 1.0, "logits_scaling": 1.0,
    "attention_multiplier": 0.25, "embedding_multiplier": 1.0, "residual_multiplier": 1.0, "scale_depth": 1.4,
    "scale_emb": 1.0, "logits_soft_cap": 30.0, "block_ffn_dim_multiplier": 1.5, "time_step_limit": (0.0, 100.0),
    "scoring_func": "sigmoid", "topk_method": "noaux_tc", "hidden_act": "silu", "gegelu_limit": 20.0,
    "rope_scaling": None, "mlp_only_layers": [], "rope_parameters": {"rope_theta": 10_000.0, "rope_type": "default"},
    "attention_method": "MLA", "zero_expert_type": "identity",
}  # fmt: skip
FULL, SLIDING = "full_attention", "sliding_attention"
KINDS = [SLIDING, FULL] * 2
YARN = {"type": "yarn", "factor": 2.0, "original_max_position_embeddings": 1024, "mscale_all_dim": 1.0, "alpha": 1.0,
        "short_factor": [1.0] * 4, "long_factor": [1.0] * 4}  # fmt: skip
ROPE = {"rope_theta": 10_000.0, "rope_type": "default", "llama_4_scaling_beta": 0.1,
        "original_max_position_embeddings": 1024}  # fmt: skip
GEMMA3N = {"layer_types": KINDS, "intermediate_size": [128] * 4, "activation_sparsity_pattern": [0.0] * 4,
           "rope_local_base_freq": 1e4, "final_logit_softcapping": 30.0, "altup_num_inputs": 4, "laurel_rank": 8,
           "altup_coef_clip": 120.0, "altup_correct_scale": True, "altup_active_idx": 0, "rope_scaling": None,
           "query_pre_attn_scalar": 16}  # fmt: skip
KIMI = {"kda_layers": [1, 3], "full_attn_layers": [2, 4], "num_heads": 4, "head_dim": 16, "short_conv_kernel_size": 4}
LLAMA4 = {"num_experts_per_tok": 1, "attention_bias": False, "attention_chunk_size": 64, "use_qk_norm": True,
          "interleave_moe_layer_step": 2}  # fmt: skip
OWN: dict[str, dict[str, Any]] = {
    "afmoe": {"layer_types": KINDS},
    "baichuan_m1": {"sliding_window_layers": [0, 2], "num_swa_attention_heads": 4, "num_swa_key_value_heads": 2},
    "dbrx": {
        "ffn_config": {"ffn_hidden_size": 64, "moe_num_experts": 4, "moe_top_k": 2},
        "attn_config": {"kv_n_heads": 2, "clip_qkv": 8.0, "rope_theta": 10_000.0},
    },
    "deepseek_v2": {"rope_scaling": YARN},
    "exaone4": {"sliding_window_pattern": "LG"},
    "exaone_moe": {"layer_types": KINDS, "is_moe_layer": [False, True] * 2},
    "falcon_h1": {"mamba_d_ssm": 64, "mamba_d_head": 16, "mamba_n_groups": 1},
    "gemma4": {"text_config": {"layer_types": KINDS}},
    "gear": {"layer_types": KINDS},
    "gemma3n": {"text_config": GEMMA3N},
    "granitemoehybrid": {"layer_types": ["mamba", "attention"] * 2},
    "hunyuan": {"rope_scaling": YARN},
    "kimi_linear": {"linear_attn_config": KIMI},
    "lfm2": {"full_attn_idxs": [1, 3]},
    "lfm2-vl": {"text_config": {"conv_bias": False, "block_auto_adjust_ff_dim": True, "full_attn_idxs": [1, 3]}},
    "lfm2_moe": {"full_attn_idxs": [1, 3]},
    "llama4": {"text_config": LLAMA4},
    "llama4_text": {"no_rope_layers": [1, 0] * 2},
    "mellum": {"layer_types": KINDS, "rope_parameters": {FULL: ROPE, SLIDING: ROPE}},
    "mimo_v2_flash": {"moe_layer_freq": [0, 1] * 2, "hybrid_layer_pattern": [0, 1] * 2},
    "minicpm3": {"rope_scaling": YARN},
    "ministral3": {"rope_parameters": ROPE},
    "mistral3": {"text_config": {"model_type": "mistral"}},
    "mistral4": {"rope_parameters": ROPE},
    "nemotron_h": {"hybrid_override_pattern": ["M", "*", "-", "M"]},
    "openelm": {"num_query_heads": [4] * 4, "num_kv_heads": [2] * 4, "ffn_multipliers": [2.0] * 4},
    "phi3small": {"vocab_size": 100_352},
    "qwen3": {"rope_theta": 10_000.0},
    "qwen3_vl_moe": {"text_config": {"norm_topk_prob": True}},
    "recurrent_gemma": {"block_types": ["recurrent", "attention"]},
    "spark2_5": {"layer_types": KINDS, "rope_parameters": {FULL: ROPE, SLIDING: ROPE}},
    "longcat_flash": {"mla_scale_q_lora": True, "mla_scale_kv_lora": True},
    "longcat_flash_ngram": {"mla_scale_q_lora": True, "mla_scale_kv_lora": True},
}
"""Settings that the names alone don't decide."""


UNBUILT = frozenset(("kimi_k3", "minimax_m3_vl", "muse_spark", "nemotron-nas", "olmo", "prism_hadamard_qwen35"))
"""Architectures that need more than small numbers."""


def names() -> frozenset[str]:
    """Return all other architectures of the installed mlx-lm."""
    return model_types() - ALIASES - UNBUILT


def built(name: str) -> Module:
    """Build an architecture in float32, evaluated, and the same each time."""
    mx.random.seed(7)
    architecture = import_module(f"mlx_lm.models.{name}")
    model: Module = architecture.Model(architecture.ModelArgs.from_dict(config(name, architecture)))
    model.update(tree_map(_random, model.parameters()))
    mx.eval(model.parameters())
    return model.eval()


def config(name: str, architecture: ModuleType) -> dict[str, Any]:
    """Small sizes; settings with a default that decides no size keep it."""
    found: dict[str, Any] = {"model_type": name}
    for parameter in inspect.signature(architecture.ModelArgs).parameters.values():
        if parameter.name in COUNTS:
            found[parameter.name] = COUNTS[parameter.name]
        elif parameter.default is inspect.Parameter.empty and parameter.name != "model_type":
            found[parameter.name] = OTHERS.get(parameter.name, False)
    own = OWN.get(name, {})
    if "text_config" in found | own:
        found["text_config"] = {"model_type": name, "tie_word_embeddings": False} | OTHERS | COUNTS
    return found | own | ({"text_config": found["text_config"] | own["text_config"]} if "text_config" in own else {})


def _random(array: mx.array) -> mx.array:
    """Weights as large as trained ones: zeros or ones would hide mistakes."""
    if not mx.issubdtype(array.dtype, mx.floating):
        return array
    spread = 1 / math.sqrt(array.shape[-1]) if array.ndim > 1 else 0.1
    return (mx.random.normal(array.shape) * spread + (array if array.ndim < 2 else 0)).astype(mx.float32)


ARCHITECTURES = mostly_slow(sorted(names() - NEED_METAL), *REPRESENTATIVE)


def context_of(module: Module, rows: int) -> JobContext:
    """As much of a loaded model as a job on a prompt needs."""
    missing: Any = None
    spelling: Any = SimpleNamespace(texts=TextCache(str))
    model: Any = SimpleNamespace(vocabulary=rows)
    main = LoadedModel(module, missing, model, PrefillPace(), False, rows, missing, spelling, missing, frozenset())
    return JobContext(main, PromptCache(), lambda event: None, StopFlag())


def inspected(name: str, unsupported: set[str], look: Callable[[JobContext], Found]) -> Found | None:
    """Inspect an architecture; None if that is refused. The model stays as it was."""
    module = built(name)
    before, whole = module(mx.array(IDS)[None]), parts(module)
    mx.eval(before)
    found = None
    try:
        found = look(context_of(module, before.shape[-1]))
        assert name not in unsupported
    except UserError as refused:
        assert name in unsupported, refused.failure
    assert mx.array_equal(module(mx.array(IDS)[None]), before, equal_nan=True)
    assert parts(module) == whole
    return found


def parts(module: Module) -> list[int]:
    """Return the ids of all modules."""
    return [id(part) for _, part in module.named_modules()]
