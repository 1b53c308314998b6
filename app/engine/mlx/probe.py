"""A first pass through a fresh model: that it runs at all, how fast, and which kind of cache it keeps."""

from __future__ import annotations

import time
from dataclasses import dataclass

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.nn.layers.embedding import Embedding
from mlx.nn.layers.quantized import QuantizedEmbedding
from mlx_lm.models.cache import can_trim_prompt_cache, make_prompt_cache

from app.engine.files import AGAIN
from app.engine.mlx.failures import is_memory, weights_failure
from app.engine.mlx.loaded import is_plain, kv_shape
from app.engine.mlx.pace import CHUNK_MIN, PrefillPace
from app.engine.refusal import RefusedError, details_of
from app.engine.types import Failure, KVShape
from app.words import tr

WARM_UP_TOKENS = 8
TIMED_TOKENS = (64, 256)
QUICK_S = 0.05


@dataclass(frozen=True, slots=True)
class Findings:
    """What the first pass showed."""

    vocabulary: int
    embedding_rows: int
    plain_cache: bool
    trims: bool
    bare_loop: bool
    own_cache: bool
    kv: KVShape
    pace: PrefillPace


def probe(module: Module) -> Findings:
    """Run the model on a few tokens; a model that can't is refused here and not in the middle of a chat."""
    try:
        return _probe(module)
    except Exception as error:
        failure = _failure_of(error)
    finally:
        mx.clear_cache()
    raise RefusedError.of(failure)


def _probe(module: Module) -> Findings:
    cache = make_prompt_cache(module)
    logits = module(mx.zeros((1, WARM_UP_TOKENS), mx.int32), cache=cache)
    mx.eval(logits)
    if bool(mx.isnan(logits).any()):
        raise RefusedError(tr("The model computes no numbers: its weights are damaged."), AGAIN, kind="weights")
    plain = is_plain(cache)
    return Findings(
        vocabulary=int(logits.shape[-1]),
        embedding_rows=_embedding_rows(module) or int(logits.shape[-1]),
        plain_cache=plain,
        trims=can_trim_prompt_cache(cache),
        bare_loop=_runs_without_cache(module),
        own_cache=hasattr(module, "make_cache"),
        kv=kv_shape(cache) if plain else KVShape(),
        pace=_measure(module),
    )


def _failure_of(error: Exception) -> Failure:
    if is_memory(error) or isinstance(error, RefusedError):
        return weights_failure(error, "")
    return Failure(tr("The model opened, but it does not run."), AGAIN, details_of(error))


def _embedding_rows(module: Module) -> int:
    """Rows of the token embedding, the largest table of the model: an id beyond them reads foreign memory."""
    tables = (part for _, part in module.named_modules() if isinstance(part, Embedding | QuantizedEmbedding))
    return max((int(table.weight.shape[0]) for table in tables), default=0)


def _runs_without_cache(module: Module) -> bool:
    try:
        mx.eval(module(mx.zeros((1, 2), mx.int32)))
    except Exception:  # recurrent models may need their state; then there is no bare loop for them
        return False
    return True


def _measure(module: Module) -> PrefillPace:
    """The prefill speed on a short text, and on a longer one where that was quick."""
    pace = PrefillPace()
    for tokens in TIMED_TOKENS:
        started = time.monotonic()
        cache = make_prompt_cache(module)
        module(mx.zeros((1, max(tokens, CHUNK_MIN)), mx.int32), cache=cache)
        mx.eval([layer.state for layer in cache])
        seconds = time.monotonic() - started
        pace.learn(tokens, seconds)
        if seconds > QUICK_S:
            break
    return pace
