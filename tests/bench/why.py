"""Whether what binds is named as was foreseen: narrow layers by what there is beside reading, wide ones by that.

A narrow model shows what a token takes beside its reading. Wider ones of as many layers take the same and read more, so
it can be told from their bytes which of the two is more. Where they are within a factor of two of each other nothing is
held against it.
"""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from app.ceiling.figures import Bound, Ceiling
from app.engine.mlx.engine import MlxEngine
from app.engine.mlx.measuring import measure
from app.engine.protocol import StopFlag
from app.engine.types import Decoded, LoadRequest, Model, Reads, Speeds
from tests.bench.lengths import length
from tests.bench.row import Row
from tests.models import tiny_llama

WIDTHS = (64, 128, 256, 512, 1024, 2048)[: length(6, 2)]
LAYERS = 4
ROUNDS = length(12, 1)
SHORT = {"PASS_S": 0.08, "STREAM_S": 0.1, "PRODUCT_S": 0.01, "DECODE_S": 0.3}
"""Seconds of each measurement of a round: others hold up a long one more surely than a short one."""
CLEAR = 2.0
BEST, SCATTER = 3, 1.3
"""Both figures are those of the best rounds, which nobody held up. So many of them have to agree, or nothing is said of
that model; two such errors are less than what is clear."""


def rows() -> list[Row]:
    engine = MlxEngine()
    usual = {name: getattr(measure, name) for name in SHORT}
    try:
        for name, seconds in SHORT.items():
            setattr(measure, name, seconds)
        measured = [_measured(engine, width) for width in WIDTHS]
    finally:
        for name, seconds in usual.items():
            setattr(measure, name, seconds)
        engine.close()
    found, quiet = [each for each, _ in measured], [quiet for _, quiet in measured]
    beside = found[0].seconds[Bound.OVERHEAD]
    reading = [each.reads.bytes / each.speeds.bytes_per_s for each in found]
    clear = [steady and not 1 / CLEAR < each / beside < CLEAR for steady, each in zip(quiet, reading, strict=True)]
    said = [each.bound is not Bound.OVERHEAD for each in found]
    agreed = [told is (each > beside) for told, each in zip(said, reading, strict=True)]
    right = sum(one for one, counts in zip(agreed, clear, strict=True) if counts) / max(1, sum(clear))
    crossings = sum(one != other for one, other in pairwise(said))
    detail = {
        "beside_ms": 1000 * beside,
        "crossings": crossings,
        "models": [_detail(each) for each in found],
        "steady": quiet,
    }
    return [
        Row("why.bound_as_foreseen", right if quiet[0] and sum(clear) > 1 else None, "ratio", 1.0, "higher", detail),
        Row("why.widest_share", found[-1].share if quiet[-1] else None, "ratio", 0.5, "higher", _detail(found[-1])),
    ]


def _measured(engine: MlxEngine, width: int) -> tuple[Ceiling, bool]:
    """And whether nobody else had the machine."""
    shape = {"hidden_size": width, "intermediate_size": 3 * width, "num_hidden_layers": LAYERS, "head_dim": width // 4}
    with tempfile.TemporaryDirectory() as folder:
        asked = LoadRequest(str(tiny_llama(Path(folder), **shape)))
        assert isinstance(engine.load(asked, lambda event: None, StopFlag()), Model)
    reads = engine.token_reads(0)
    assert isinstance(reads, Reads)
    rounds = [_round(engine, reads) for _ in range(ROUNDS)]
    speeds, decoded = [speeds for speeds, _ in rounds], [decoded for _, decoded in rounds]
    quiet = all(
        max(each) / sorted(each)[-BEST:][0] < SCATTER
        for each in ([one.bytes_per_s for one in speeds], [one.tokens_per_s for one in decoded])
    )
    # Nothing is faster than what it reads: then the machine was held up whenever it was measured by itself.
    quiet = (
        quiet and max(each.bytes_per_s for each in speeds) > max(each.tokens_per_s for each in decoded) * reads.bytes
    )
    best = max(speeds, key=lambda one: one.bytes_per_s), max(decoded, key=lambda one: one.tokens_per_s)
    return Ceiling(reads, *best), quiet


def _round(engine: MlxEngine, reads: Reads) -> tuple[Speeds, Decoded]:
    speeds, decoded = engine.speeds(reads.largest, reads.bytes), engine.decode(0, lambda event: None, StopFlag())
    assert isinstance(speeds, Speeds) and isinstance(decoded, Decoded)
    return speeds, decoded


def _detail(found: Ceiling) -> dict[str, Any]:
    return {
        "bytes_per_token": found.reads.bytes,
        "bytes_per_s": found.speeds.bytes_per_s,
        "tokens_per_s": found.decoded.tokens_per_s,
        "share": found.share,
        "bound": found.bound.value,
    }
