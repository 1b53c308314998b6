"""The distributions of a model, computed in one pass and in float64, without the recorder's code."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import mlx.core as mx
import numpy as np

from app.engine.mlx.loaded import LoadedModel
from app.engine.types import Sampling
from tests.engine.sampler_reference import Floats

ALL_PENALTIES = Sampling(
    temperature=0.8,
    repetition_penalty=1.3,
    repetition_window=9,
    presence_penalty=0.7,
    presence_window=30,
    frequency_penalty=0.4,
    frequency_window=25,
    logit_bias=((7, 2.5), (40, -100.0), (41, -3.0)),
    seed=5,
)

TOLERANCES = {"float32": 1e-3, "float16": 2e-2, "bfloat16": 1.5e-1}
"""The precision of logits of each dtype: on Metal models keep their own, mostly half precision."""


def forward(main: LoadedModel, ids: Sequence[int], cache: Any = None) -> Floats:
    """Return the raw logits of every position, in one pass, usually without a cache."""
    logits = main.module(mx.array(tuple(ids))[None], cache=cache)
    return np.array(logits[0].astype(mx.float32)).astype(np.float64)


def log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()))


def penalized(raw: Floats, before: list[int], sampling: Sampling) -> Floats:
    """Apply bias and penalties by their definitions, without mlx-lm."""
    logits = raw.copy()
    for token, bias in sampling.logit_bias:
        logits[token] += bias
    for token in set(before[-sampling.repetition_window :]):
        penalty = sampling.repetition_penalty
        logits[token] *= penalty if logits[token] < 0 else 1 / penalty
    for token in set(before[-sampling.presence_window :]):
        logits[token] -= sampling.presence_penalty
    for token, times in Counter(before[-sampling.frequency_window :]).items():
        logits[token] -= times * sampling.frequency_penalty
    return logits
