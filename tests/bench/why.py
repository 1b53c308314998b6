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
from app.engine.protocol import StopFlag
from app.engine.types import Decoded, LoadRequest, Model, Reads, Speeds
from tests.bench.lengths import length
from tests.bench.row import Row
from tests.models import tiny_llama

WIDTHS = (64, 128, 256, 512, 1024, 2048)[: length(6, 2)]
LAYERS = 4
ROUNDS = length(4, 1)
CLEAR = 2.0
SCATTER = 1.5
"""Rounds that are further apart tell of other programs, and nothing is said then."""


def rows() -> list[Row]:
    engine = MlxEngine()
    try:
        measured = [_measured(engine, width) for width in WIDTHS]
    finally:
        engine.close()
    found, quiet = [each for each, _ in measured], all(quiet for _, quiet in measured)
    beside = found[0].seconds[Bound.OVERHEAD]
    reading = [each.reads.bytes / each.speeds.bytes_per_s for each in found]
    clear = [not 1 / CLEAR < each / beside < CLEAR for each in reading]
    said = [each.bound is not Bound.OVERHEAD for each in found]
    agreed = [told is (each > beside) for told, each in zip(said, reading, strict=True)]
    right = sum(one for one, counts in zip(agreed, clear, strict=True) if counts) / max(1, sum(clear))
    crossings = sum(one != other for one, other in pairwise(said))
    detail = {"beside_ms": 1000 * beside, "crossings": crossings, "models": [_detail(each) for each in found]}
    return [
        Row("why.bound_as_foreseen", right if quiet else None, "ratio", 1.0, "higher", detail),
        Row("why.widest_share", found[-1].share if quiet else None, "ratio", 0.5, "higher", _detail(found[-1])),
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
        max(each) / min(each) < SCATTER
        for each in ([one.bytes_per_s for one in speeds], [one.tokens_per_s for one in decoded])
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
