"""Hidden states at a token: norm, change from layer to layer, and cosine with other positions."""

from array import array
from collections.abc import Iterator, Sequence

import mlx.core as mx
import numpy as np
from mlx.nn.layers.embedding import Embedding
from mlx.nn.layers.quantized import QuantizedEmbedding

from app.engine.distributions import FLOAT_BYTES
from app.engine.loops import find_loop
from app.engine.mlx.caches.cache import PromptCache
from app.engine.mlx.interpretability.layers import Layers, states
from app.engine.mlx.interpretability.lens import prefilled_cache
from app.engine.mlx.loaded import Loaded
from app.engine.mlx.perplexity import LOGITS_BYTES
from app.engine.mlx.prefill import PrefillStoppedError
from app.engine.mlx.top_k import likeliest
from app.engine.protocol import Emit, StopFlag
from app.engine.types import EmbeddingNeighbor, HiddenStates, LayerState

WINDOW = 256
"""Number of positions that are compared with each other."""
NEIGHBOURS = 8
TINY = 1e-12
Table = Embedding | QuantizedEmbedding


def hidden_states(
    main: Loaded, held: PromptCache, ids: tuple[int, ...], place: int, emit: Emit, stop: StopFlag
) -> HiddenStates:
    """Return the hidden states at the token `place` and in a window around it.

    The conversation's cache is only read.
    """
    end = min(len(ids), max(place + 1 + WINDOW // 2, WINDOW))
    first = max(0, end - WINDOW)
    layers = Layers(main.module)
    cache = prefilled_cache(main, held, ids[:first], emit, stop)
    with layers.heard() as heard:
        main.module(mx.array(ids[first:end], mx.uint32)[None], cache=cache)
    given, handed = states(heard, end - first)
    by_layer = tuple(_layer_states(given, handed, place - first, stop))
    alike = tuple(_cosines(each, stop) for each in handed)
    near = _nearest_embeddings(main, ids[place], given[place - first] if given is not None else None, stop)
    return HiddenStates(place, by_layer, near, first, end - first, alike, find_loop(ids))


def _layer_states(given: mx.array | None, handed: Sequence[mx.array], at: int, stop: StopFlag) -> Iterator[LayerState]:
    """Yield the state after each layer, compared with the layer's input, in float64."""
    before = np.array(given[at], np.float64) if given is not None else None
    for rows in handed:
        if stop.asked:
            raise PrefillStoppedError
        after, change, cosine = np.array(rows[at], np.float64), None, None
        norm = float(np.linalg.norm(after))
        if before is not None:
            length = max(float(np.linalg.norm(before)), TINY)
            change, cosine = float(np.linalg.norm(after - before)) / length, float(before @ after)
            cosine /= max(length * norm, TINY)
        yield LayerState(norm, change, cosine)
        before = after


def _cosines(rows: mx.array, stop: StopFlag) -> Sequence[float]:
    if stop.asked:
        raise PrefillStoppedError
    unit = np.array(_unit(rows))
    return array("f", (unit @ unit.T).astype(np.float32).tobytes())


def _nearest_embeddings(
    main: Loaded, token: int, came: mx.array | None, stop: StopFlag
) -> tuple[EmbeddingNeighbor, ...] | None:
    """Return the tokens with the nearest embedding vectors; None without an embedding.

    Rows are dequantized in chunks.
    """
    table, count = _embedding(main, token, came), main.model.vocabulary
    if table is None:
        return None
    own, cosines = _unit(table(mx.array([token])))[0], list[mx.array]()
    step = max(1, LOGITS_BYTES // (FLOAT_BYTES * own.size))
    for first in range(0, count, step):
        if stop.asked:
            raise PrefillStoppedError
        cosines.append(_unit(table(mx.arange(first, min(count, first + step)))) @ own)
        mx.eval(cosines[-1])
    found = np.nan_to_num(np.array(mx.concatenate(cosines)), nan=-np.inf)
    found[token] = -np.inf
    best, _ = likeliest(found[None], min(NEIGHBOURS, count - 1))
    return tuple(EmbeddingNeighbor(each, main.spelling.texts[each], float(found[each])) for each in best[0].tolist())


def _embedding(main: Loaded, token: int, came: mx.array | None) -> Table | None:
    """Return the token embedding; None if there is none.

    Of several tables (also of positions or single layers) it is the one most like the first layer's input.
    """
    parts = main.module.modules()
    tables = [each for each in parts if isinstance(each, Table) and each.weight.shape[0] >= main.model.vocabulary]
    if len(tables) < 2 or came is None:
        return tables[-1] if tables else None

    def likeness(table: Table) -> float:
        own = _unit(table(mx.array([token])))[0]
        return float(np.array(own @ came[: own.size])) if own.size <= came.size else -np.inf

    return max(tables, key=likeness)


def _unit(rows: mx.array) -> mx.array:
    rows = rows.astype(mx.float32)
    return rows / mx.maximum(mx.linalg.norm(rows, axis=1, keepdims=True), TINY)
