"""Memory estimate of a model. The KV cache's size follows from its config.json, in the way mlx-lm builds the cache."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from app.engine.model_files.conversion import FLOAT32_BYTES, HALVES, fits_in_float32
from app.i18n import tr
from app.library.types import Device, Fit, FitLine, FitVerdict, Layer, Shape, Sizes

Config = Mapping[str, object]

HALF_BYTES = 2
CACHE_STEP = 256
"""mlx-lm's caches grow by this many tokens."""

WINDOWED = frozenset((
    "afmoe", "cohere2", "exaone4", "exaone_moe", "gear", "gemma3", "gemma3_text", "gemma3n", "gemma3n_text",
    "gemma4", "gemma4_text", "gpt_oss", "laguna", "llama", "mellum", "ministral3", "mistral", "mistral3", "olmo3",
    "recurrent_gemma",
))  # fmt: skip
"""Model types whose sliding-window layers get a RotatingKVCache in mlx-lm; others get a full cache."""
STATE_ONLY = frozenset(("mamba", "mamba2", "falcon_mamba", "rwkv7"))
OWN_CACHES = frozenset((
    "baichuan_m1", "deepseek_v32", "falcon_h1", "glm_moe_dsa", "iquestloopcoder", "llama4", "llama4_text",
    "mimo_v2_flash", "muse_glimmer", "muse_spark", "plamo2", "plamo3", "spark2_5", "step3p5",
))  # fmt: skip
"""Model types with their own caches, which can't be trimmed."""
LATENT = frozenset((
    "deepseek_v3", "deepseek_v32", "glm4_moe_lite", "glm_moe_dsa", "kimi_k2", "kimi_linear", "longcat_flash",
))  # fmt: skip
"""Model types with multi-head latent attention: one compressed vector for all heads."""
CACHES_PER_LAYER = {"longcat_flash": 2}
HEADS = ("num_attention_heads", "n_heads", "n_head", "num_heads")
HIDDEN = ("hidden_size", "n_embd", "d_model", "model_dim", "dim")
UNSAID: dict[str, dict[str, object]] = {
    "gemma3": {"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "sliding_window_pattern": 6},
    "gemma3_text": {"num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256, "sliding_window_pattern": 6},
}
"""mlx-lm's defaults for values missing in these types' config.json."""

MOST_LAYERS = 10_000
"""The most layers in an untrusted config.json."""
LARGEST = 2**40
"""Largest factor from config.json, since products become bytes."""

FULL, SLIDING, NONE = "full", "sliding", "none"


def shape_of(config: Config) -> Shape | None:
    """Return the values that determine the KV cache's size; None if config.json lacks them."""
    model_type = str(config.get("model_type", ""))
    if model_type in STATE_ONLY:
        return Shape((), plain=False)
    text = UNSAID.get(model_type, {}) | dict(text_part(config))
    count = _number(text, "num_hidden_layers", "n_layers", "n_layer", "num_layers", "num_transformer_layers")
    values = _values_per_token(text, model_type)
    if count is None or count > MOST_LAYERS or values is None:
        return None
    kinds = _cache_types(text, model_type, count)
    window = _number(text, "sliding_window", "attention_window_size")
    per_layer = [values[index % len(values)] for index in range(count)]
    grouped = Counter(
        (value, window if kind == SLIDING else None)
        for kind, value in zip(kinds, per_layer, strict=False)
        if kind != NONE
    )
    layers = tuple(Layer(number, value, limit) for (value, limit), number in grouped.items())
    plain = kinds == [FULL] * count and model_type not in OWN_CACHES
    return Shape(layers, plain, _number(text, *HEADS) or 0, _width(text))


def kv_bytes(shape: Shape, context: int, value_bytes: int = HALF_BYTES) -> int:
    return sum(_layer_values(layer, context) for layer in shape.layers) * value_bytes


def splits(config: Config, parts: int) -> bool:
    """Return whether the heads divide evenly among `parts` processes, as far as known; fewer heads are repeated."""
    text = text_part(config)
    heads = _number(text, *HEADS)
    return not any(number > parts and number % parts for number in (heads or 0, *(_kv_heads(text, heads) or ())))


def text_part(config: Config) -> Config:
    inner = config.get("text_config")
    return cast(Config, inner) if isinstance(inner, dict) else config


def _layer_values(layer: Layer, context: int) -> int:
    tokens = -(-context // CACHE_STEP) * CACHE_STEP
    if layer.window is not None:
        tokens = min(tokens, layer.window)
    return layer.count * layer.values_per_token * tokens


def _values_per_token(text: Config, model_type: str) -> list[int] | None:
    """Return the number of values per token in each layer; the list repeats if layers differ."""
    rank, rope = _number(text, "kv_lora_rank"), _number(text, "qk_rope_head_dim")
    heads = _number(text, *HEADS)
    if rank and rope and model_type in LATENT:
        return [CACHES_PER_LAYER.get(model_type, 1) * (rank + rope)]
    if rank and rope and heads:
        return [heads * ((_number(text, "qk_nope_head_dim") or 0) + rope + (_number(text, "v_head_dim") or rope))]
    size = _number(text, "head_dim", "kv_channels", "attention_head_dim") or _head_size(text, heads)
    kv_heads = _kv_heads(text, heads)
    if not size or not kv_heads:
        return None
    return [number * (size + (_number(text, "v_head_dim") or size)) for number in kv_heads]


def _head_size(text: Config, heads: int | None) -> int | None:
    width = _number(text, *HIDDEN)
    return width // heads if width and heads else None


def _width(text: Config) -> int:
    """Return the values per token of a pass: 3 in the MLP, and about 10 of the hidden size; 0: unknown."""
    hidden = _number(text, *HIDDEN) or 0
    inner = _number(text, "intermediate_size", "ffn_hidden_size", "n_inner") or 4 * hidden
    return 10 * hidden + 3 * inner if hidden else 0


def _kv_heads(text: Config, heads: int | None) -> list[int] | None:
    for key in ("num_key_value_heads", "num_kv_heads", "n_kv_heads", "n_head_kv"):
        value = text.get(key)
        if isinstance(value, list) and value and all(type(each) is int and 0 <= each <= LARGEST for each in value):
            return value[:MOST_LAYERS]
    if text.get("multi_query") is True:
        return [1]
    number = _number(text, "num_key_value_heads", "num_kv_heads", "n_kv_heads", "n_head_kv") or heads
    return [number] if number else None


def _cache_types(text: Config, model_type: str, count: int) -> list[str]:
    """Return the cache types of the layers, without the last layers that share a cache."""
    kinds = _layer_types(text, count) or [FULL] * count
    if model_type == "recurrent_gemma":  # its attention layers all have the window
        kinds = [SLIDING if kind == FULL else kind for kind in kinds]
    if model_type not in WINDOWED:
        kinds = [FULL if kind == SLIDING else kind for kind in kinds]
    return kinds[: count - (_number(text, "num_kv_shared_layers") or 0)]


def _layer_types(text: Config, count: int) -> list[str] | None:
    types = text.get("layer_types") or text.get("layers_block_type") or text.get("block_types")
    if isinstance(types, list) and types:
        return [_kind(str(types[index % len(types)])) for index in range(count)]
    if isinstance(pattern := text.get("hybrid_override_pattern"), str):
        return [FULL if sign == "*" else NONE for sign in pattern]
    if isinstance(places := text.get("full_attn_idxs"), list):
        known = {place for place in places if type(place) is int}
        return [FULL if index in known else NONE for index in range(count)]
    if isinstance(pattern := text.get("sliding_window_pattern"), str) and pattern:
        return [FULL if pattern[index % len(pattern)] == "G" else SLIDING for index in range(count)]
    if every := _number(text, "sliding_window_pattern"):
        return [FULL if index % every == every - 1 else SLIDING for index in range(count)]
    if every := _number(text, "full_attention_interval"):
        return [FULL if (index + 1) % every == 0 else NONE for index in range(count)]
    if every := _number(text, "attn_layer_period"):
        offset = _number(text, "attn_layer_offset") or 0
        return [FULL if index % every == offset else NONE for index in range(count)]
    return None


def _kind(name: str) -> str:
    if "linear" in name or "attention" not in name:
        return NONE
    return SLIDING if "sliding" in name else FULL


def _number(text: Config, *keys: str) -> int | None:
    """Return the first positive integer of these config values."""
    values = (text.get(key) for key in keys)
    return next((value for value in values if type(value) is int and 0 < value <= LARGEST), None)


LEAST_BUFFER, UNKNOWN_BUFFER = 0.02, 0.05
"""Minimum size of the compute buffer, relative to weights and KV cache; its size where config.json doesn't tell."""
FIRST_PASS_CACHES = 6
"""KV caches of the first pass after loading: the model's, those of two texts and of their batch, and copies."""
PRODUCTS_CPU, PRODUCTS_GPU = 600_000_000, 125_000_000_000
"""Multiplications of a prefill step. It takes an eighth of a second, at 5 billion or a trillion per second."""
STEP_MIN, STEP_MAX = 16, 2_048
"""Range of the engine's prefill steps, which are powers of two."""
NUMBERS_PER_GROUP = 2
"""A scale and a bias."""
TIGHT_FROM = 0.8
"""Share of the limit from which on other programs slow down."""

SENTENCES = {
    FitVerdict.FITS: tr("It needs about {total} of the {limit} that this device allows."),
    FitVerdict.TIGHT: tr(
        "It needs about {total} of the {limit} that this device allows. Close other programs, or use a short context."
    ),
    FitVerdict.WONT_FIT: tr(
        "It needs about {total} of the {limit} that this device allows. If you try anyway, loading may fail, or "
        "generation may be slow because of swapping."
    ),
}


def fit_of(sizes: Sizes, context: int, device: Device, draft: Sizes | None = None) -> Fit | None:
    """Return the memory estimate of a model; None without weights."""
    return fit(sizes, context, device, draft) if sizes.weights else None


def fit(sizes: Sizes, context: int, device: Device, draft: Sizes | None = None) -> Fit:
    """Return the memory estimate and its verdict. `draft`: the sizes of the draft model."""
    device = replace(device, limit=device.limit or system_memory())
    lines = list(_model_lines(sizes, context, device, tr("Weights"), tr("KV cache")))
    if draft is not None:
        lines += _model_lines(draft, context, device, tr("Draft model's weights"), tr("Draft model's KV cache"))
    lines.append(_buffer_line(lines, [each for each in (sizes, draft) if each is not None], context, device))
    total = sum(line.bytes for line in lines)
    verdict = _verdict(total, device.limit)
    sentence = SENTENCES[verdict].format(total=_gb(total), limit=_gb(device.limit))
    return Fit(verdict, tuple(lines), total, device.limit, sentence, device.name)


def _buffer_line(lines: Sequence[FitLine], models: Sequence[Sizes], context: int, device: Device) -> FitLine:
    rest = sum(line.bytes for line in lines)
    buffers = [_buffer_bytes(each, context, device) for each in models]
    known = [each for each in buffers if each is not None]
    share = round(rest * (LEAST_BUFFER if len(known) == len(models) else UNKNOWN_BUFFER))
    return FitLine(tr("Compute buffer"), max(share, *known, 0), tr("activations, and copies of the KV cache"))


def _buffer_bytes(sizes: Sizes, context: int, device: Device) -> int | None:
    """Return the bytes beside weights and KV cache, in a prefill step or in the first pass; None if unknown."""
    shape = sizes.shape
    if shape is None or not shape.width or not sizes.parameters:
        return None
    value_bytes = _value_bytes(sizes, device)
    # MLX copies the cache of a layer to enlarge it. On a GPU, attention scores aren't stored.
    layers = [replace(shape, layers=(replace(layer, count=1),)) for layer in shape.layers]
    copied = max((kv_bytes(layer, context, value_bytes) for layer in layers), default=0)
    scores = shape.heads * context if device.on_cpu else 0
    step = copied + min(context, _prefill_step(sizes.parameters, device)) * (scores + shape.width) * value_bytes
    first_pass = FIRST_PASS_CACHES * kv_bytes(shape, CACHE_STEP, value_bytes) if shape.plain else 0
    return max(step, first_pass - kv_bytes(shape, context, value_bytes))


def _prefill_step(parameters: int, device: Device) -> int:
    if device.prefill_chunk:
        return device.prefill_chunk
    tokens = (PRODUCTS_CPU if device.on_cpu else PRODUCTS_GPU) // parameters
    return min(STEP_MAX, max(STEP_MIN, 1 << max(0, tokens.bit_length() - 1)))


def _model_lines(sizes: Sizes, context: int, device: Device, weights: str, cache: str) -> tuple[FitLine, FitLine]:
    size, is_converted, note = _weights_in_memory(sizes, device)
    kv = _kv_line(cache, sizes.shape, context, _value_bytes(sizes, device))
    return FitLine(weights, size, note, is_converted), kv


def _value_bytes(sizes: Sizes, device: Device) -> int:
    """Return the bytes of a value of activations and KV cache."""
    is_converted = _weights_in_memory(sizes, device)[1]
    return FLOAT32_BYTES if is_converted or sizes.dtype == "float32" else HALF_BYTES


def _weights_in_memory(sizes: Sizes, device: Device) -> tuple[int, bool, str]:
    """Return the bytes that the engine will hold, whether it converts the weights, and a note on both."""
    has_halves, parameters = sizes.dtype in HALVES, sizes.parameters or 0
    if device.on_cpu and parameters and fits_in_float32(parameters, device.limit):
        if sizes.bits and not device.keeps_packed:
            return FLOAT32_BYTES * parameters, True, tr("dequantized to float32, which is faster on the CPU")
        if has_halves and not sizes.bits:
            return FLOAT32_BYTES * parameters, True, tr("converted to float32, which is faster on the CPU")
    if device.on_cpu and sizes.bits and sizes.group_size and has_halves:
        added = parameters // sizes.group_size * NUMBERS_PER_GROUP * (FLOAT32_BYTES - HALF_BYTES)
        return sizes.weights + added, True, tr("the size of the weight files, with scales in float32")
    return sizes.weights, False, tr("the size of the weight files")


def system_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _kv_line(label: str, shape: Shape | None, context: int, value_bytes: int) -> FitLine:
    if shape is None:
        return FitLine(label, 0, tr("unknown: not in config.json"), True)
    if not shape.layers:
        return FitLine(label, 0, tr("none: the model has a small state instead"), True)
    note = tr("at %n tokens, {bits} bits", "at %n token, {bits} bits", context)
    if windows := [layer.window for layer in shape.layers if layer.window is not None]:
        note = tr(
            "at %n tokens, {bits} bits; {windowed} of {layers} layers keep only the last {window}",
            "at %n token, {bits} bits; {windowed} of {layers} layers keep only the last {window}",
            context,
        )
    note = note.format(
        bits=8 * value_bytes,
        windowed=sum(layer.count for layer in shape.layers if layer.window is not None),
        layers=sum(layer.count for layer in shape.layers),
        window=f"{max(windows, default=0):,}",
    )
    return FitLine(label, kv_bytes(shape, context, value_bytes), note)


def _verdict(total: int, limit: int) -> FitVerdict:
    if total > limit:
        return FitVerdict.WONT_FIT
    return FitVerdict.TIGHT if total > limit * TIGHT_FROM else FitVerdict.FITS


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"
