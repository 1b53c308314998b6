"""Hidden states at a token: norm, change from layer to layer, and cosine with other positions."""

from array import array
from collections.abc import Iterator, Sequence

import mlx.core as mx
import numpy as np
from mlx.nn.layers.embedding import Embedding
from mlx.nn.layers.quantized import QuantizedEmbedding

from app.engine.distributions import FLOAT_BYTES
from app.engine.jobs import ReadHiddenStates
from app.engine.mlx.interpretability.layers import Layers, states
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.perplexity import LOGITS_BYTES
from app.engine.mlx.top_k import likeliest
from app.engine.token_patterns import find_loop
from app.engine.types import EmbeddingNeighbor, HiddenStates, LayerState

WINDOW = 256
"""Number of positions that are compared with each other."""
NEIGHBOURS = 8
TINY = 1e-12
Table = Embedding | QuantizedEmbedding


def read_hidden_states(context: JobContext, ids: tuple[int, ...], job: ReadHiddenStates) -> HiddenStates:
    """Return the hidden states at one token and in a window around it."""
    main, position = context.main, job.position
    end = min(len(ids), max(position + 1 + WINDOW // 2, WINDOW))
    first = max(0, end - WINDOW)
    layers = Layers(main.module)
    cache = context.prefill(ids[:first])
    with layers.record() as recorders:
        main.forward(ids[first:end], cache)
    first_input, outputs = states(recorders, end - first)
    by_layer = tuple(_layer_states(first_input, outputs, position - first, context))
    alike = tuple(_cosines(each, context) for each in outputs)
    near = _nearest_tokens(context, ids[position], first_input[position - first] if first_input is not None else None)
    return HiddenStates(position, by_layer, near, first, end - first, alike, find_loop(ids))


def _layer_states(
    first_input: mx.array | None, outputs: Sequence[mx.array], at: int, context: JobContext
) -> Iterator[LayerState]:
    """Yield the state after each layer, compared with the layer's input, in float64."""
    before = np.array(first_input[at], np.float64) if first_input is not None else None
    for rows in outputs:
        context.check_stop()
        after, change, cosine = np.array(rows[at], np.float64), None, None
        norm = float(np.linalg.norm(after))
        if before is not None:
            length = max(float(np.linalg.norm(before)), TINY)
            change, cosine = float(np.linalg.norm(after - before)) / length, float(before @ after)
            cosine /= max(length * norm, TINY)
        yield LayerState(norm, change, cosine)
        before = after


def _cosines(rows: mx.array, context: JobContext) -> Sequence[float]:
    context.check_stop()
    unit = np.array(_unit(rows))
    return array("f", (unit @ unit.T).astype(np.float32).tobytes())


def _nearest_tokens(context: JobContext, token: int, state: mx.array | None) -> tuple[EmbeddingNeighbor, ...] | None:
    """Return the tokens with the nearest embedding vectors; None without an embedding."""
    main = context.main
    table, count = _embedding(main, token, state), main.model.vocabulary
    if table is None:
        return None
    own, cosines = _unit(table(mx.array([token])))[0], list[mx.array]()
    step = max(1, LOGITS_BYTES // (FLOAT_BYTES * own.size))
    for first in range(0, count, step):
        context.check_stop()
        cosines.append(_unit(table(mx.arange(first, min(count, first + step)))) @ own)
        mx.eval(cosines[-1])
    found = np.nan_to_num(np.array(mx.concatenate(cosines)), nan=-np.inf)
    found[token] = -np.inf
    best, _ = likeliest(found[None], min(NEIGHBOURS, count - 1))
    return tuple(EmbeddingNeighbor(each, main.spelling.texts[each], float(found[each])) for each in best[0].tolist())


def _embedding(main: LoadedModel, token: int, state: mx.array | None) -> Table | None:
    """Return the embedding table; of several, the one most similar to the first layer's input. None without any."""
    parts = main.module.modules()
    tables = [each for each in parts if isinstance(each, Table) and each.weight.shape[0] >= main.model.vocabulary]
    if len(tables) < 2 or state is None:
        return tables[-1] if tables else None

    def likeness(table: Table) -> float:
        own = _unit(table(mx.array([token])))[0]
        return float(np.array(own @ state[: own.size])) if own.size <= state.size else -np.inf

    return max(tables, key=likeness)


def _unit(rows: mx.array) -> mx.array:
    rows = rows.astype(mx.float32)
    return rows / mx.maximum(mx.linalg.norm(rows, axis=1, keepdims=True), TINY)
