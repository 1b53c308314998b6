"""One process of the check: makes the models, or measures one model on one device, and prints JSON."""

import argparse
import json
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import mlx.core as mx

ALTERNATIVES = 20
LONG_PROMPT = 200
LARGE = {
    "hidden_size": 2_048,
    "num_hidden_layers": 16,
    "intermediate_size": 8_192,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "head_dim": 128,
}
"""A random Llama of a billion parameters, which is not only launches on a fast GPU."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("work", choices=("models", "tokens", "window"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--device", choices=("cpu", "default"), default="default")
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--real", type=Path, help="the real model that `models` converts")
    parser.add_argument("--large", action="store_true", help="whether `models` makes the large one")
    options = parser.parse_args()
    if options.device == "cpu":
        mx.set_default_device(mx.cpu)  # before mlx-lm is imported, which makes its stream on the default device
    if options.work == "models":
        found: dict[str, Any] = make_models(options.folder, options.real, options.large)
    elif options.work == "tokens":
        found = tokens(options.folder, options.tokens)
    else:
        found = window()
    sys.stdout.write(json.dumps(found) + "\n")


def make_models(folder: Path, real: Path | None, has_large: bool) -> dict[str, str]:
    """Make a dense, a mixture and a hybrid model, and the real one in float32 and in 4 bits; return their folders."""
    from mlx_lm.convert import convert

    from tests import models
    from tests.engine.mlx.architectures import config

    hybrid = config("qwen3_next", import_module("mlx_lm.models.qwen3_next")) | {"vocab_size": models.VOCABULARY_ROWS}
    made = {
        "dense": models.tiny_llama(folder / "dense"),
        "mixture": models.mixture(folder / "mixture"),
        "hybrid": models.random_model(folder / "hybrid", hybrid),
    }
    if real is not None:
        made["real"], made["real-4-bit"] = real, folder / "real-4-bit"
        made["real-float32"] = converted(real, folder / "real-float32", mx.float32)
        convert(str(real), str(made["real-4-bit"]), quantize=True, q_bits=4, q_group_size=64, dtype="float16")
    if has_large:
        made["large"] = converted(models.tiny_llama(folder / "large-float32", **LARGE), folder / "large", mx.float16)
    return {name: str(each) for name, each in made.items()}


def converted(source: Path, target: Path, dtype: mx.Dtype) -> Path:
    """Copy a model with its floating-point weights in another type."""
    target.mkdir(parents=True)
    for file in source.iterdir():
        if file.suffix != ".safetensors" and file.is_file() and not file.name.endswith(".index.json"):
            (target / file.name).write_bytes(file.read_bytes())
    weights: dict[str, mx.array] = {}
    for file in sorted(source.glob("*.safetensors")):
        read: dict[str, mx.array] = mx.load(str(file))  # type: ignore[assignment]
        weights |= {
            name: array.astype(dtype) if mx.issubdtype(array.dtype, mx.floating) else array
            for name, array in read.items()
        }
    mx.save_safetensors(str(target / "model.safetensors"), weights, {"format": "mlx"})
    return target


def tokens(folder: Path, count: int) -> dict[str, Any]:
    """Return greedy tokens with their alternatives after a short and a long prompt, and memory and speed."""
    before = driver_bytes()
    from app.engine.types import KV, Limits, Request, TokenPrompt
    from tests.bench.engine import GREEDY, Bench

    bench, runs = Bench(folder, ""), []
    sampling = replace(GREEDY, logit_bias=bench.no_end)
    for ids in (bench.ids, [bench.ids[index % len(bench.ids)] for index in range(LONG_PROMPT)]):
        request = Request(TokenPrompt(tuple(ids)), sampling, Limits(count), KV(reuse=False), observe=ALTERNATIVES)
        finish, answer = bench.play(request)
        seen = [each.observed for each in answer]
        top = [{str(one.id): one.probability for one in each.top} if each else {} for each in seen]
        runs.append({"ids": [each.id for each in answer], "top": top})
    times = finish.times
    prefill_s, decode_s = times.prefill_ended - times.prefill_started, times.last_token - times.first_token
    memory = {"active": mx.get_active_memory(), "cache": mx.get_cache_memory(), "peak": mx.get_peak_memory()}
    after, conditions = driver_bytes(), finish.conditions
    return {
        "precision": finish.precision,
        "tf32": conditions.tf32 if conditions is not None else None,
        "runs": runs,
        "prefill_tokens_per_s": finish.prefilled / prefill_s,
        "decode_tokens_per_s": (count - 1) / decode_s,
        "memory": memory,
        "driver_bytes": after - before if after is not None and before is not None else None,
    }


def driver_bytes() -> int | None:
    """Return the memory in use on the first GPU, as nvidia-smi reports it; None without it."""
    asked = ("nvidia-smi", "--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits")
    try:
        return int(subprocess.run(asked, capture_output=True, text=True, check=True).stdout) << 20
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None


def window() -> dict[str, Any]:
    """Return the speed in the window divided by that of mlx-lm's own loop; the model is that of `tests.bench.real`."""
    from tests.bench.real import _throughput

    row = _throughput()
    return {"ratio": row.value} | row.detail


if __name__ == "__main__":
    main()
