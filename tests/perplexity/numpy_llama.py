"""A Llama of our own, in float64 and nothing but numpy: what a model's files say, computed a second time."""

import json
from pathlib import Path

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def logprobs(folder: Path, ids: list[int], window: int | None = None, keep: int = 0) -> Floats:
    """What is said at each place, as natural logarithms. Of a window's tokens, `keep` are the first of the text."""
    config = json.loads((folder / "config.json").read_text())
    (file,) = folder.glob("*.safetensors")
    loaded = mx.load(str(file))
    assert isinstance(loaded, dict)
    weights = {name: np.array(each.astype(mx.float32)).astype(np.float64) for name, each in loaded.items()}
    inside = weights["model.embed_tokens.weight"][ids]
    places = np.arange(len(ids))
    seen = np.tri(len(ids), dtype=bool)
    if window is not None:
        seen &= (places < keep) | (places[:, None] - places < np.where(places[:, None] < window, window, window - keep))
    for number in range(config["num_hidden_layers"]):
        layer = {name.removeprefix(f"model.layers.{number}."): each for name, each in weights.items()}
        inside = inside + _attention(_norm(inside, layer["input_layernorm.weight"], config), layer, config, seen)
        normed = _norm(inside, layer["post_attention_layernorm.weight"], config)
        gate = normed @ layer["mlp.gate_proj.weight"].T
        up = normed @ layer["mlp.up_proj.weight"].T
        inside = inside + (gate / (1 + np.exp(-gate)) * up) @ layer["mlp.down_proj.weight"].T
    head = weights.get("lm_head.weight", weights["model.embed_tokens.weight"])
    logits = _norm(inside, weights["model.norm.weight"], config) @ head.T
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def _norm(inside: Floats, weight: Floats, config: dict[str, float]) -> Floats:
    return np.asarray(inside / np.sqrt((inside**2).mean(axis=1, keepdims=True) + config["rms_norm_eps"]) * weight)


def _attention(inside: Floats, layer: dict[str, Floats], config: dict[str, int], seen: NDArray[np.bool_]) -> Floats:
    heads, shared, size = config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"]
    query, key, value = (
        (inside @ layer[f"self_attn.{name}_proj.weight"].T).reshape(len(inside), count, size).swapaxes(0, 1)
        for name, count in (("q", heads), ("k", shared), ("v", shared))
    )
    key, value = (np.repeat(each, heads // shared, axis=0) for each in (_turned(key, config), value))
    scores = _turned(query, config) @ key.swapaxes(1, 2) / np.sqrt(size)
    scores = np.where(seen, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights /= weights.sum(axis=2, keepdims=True)
    return np.asarray((weights @ value).swapaxes(0, 1).reshape(len(inside), -1) @ layer["self_attn.o_proj.weight"].T)


def _turned(states: Floats, config: dict[str, int]) -> Floats:
    """Rotary positions, both halves of a head as the two sides of an angle."""
    half = config["head_dim"] // 2
    angles = np.arange(states.shape[1])[:, None] * config["rope_theta"] ** (-np.arange(half) / half)
    one, other = states[..., :half], states[..., half:]
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.concatenate((one * cosine - other * sine, other * cosine + one * sine), axis=-1)
