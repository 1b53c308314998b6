"""Whether what binds is named as was foreseen: narrow layers by what there is beside reading, wide ones by that.

A narrow model shows what a token takes beside its reading. Wider ones of as many layers take the same and read more, so
it can be told from their bytes which of the two is more. Where they are within a factor of two of each other nothing is
held against it.

Tokens and the reading of as many bytes are timed in turn, a tenth of a second each, so that whoever else has the
machine holds up both alike; as of tokens, each reading hangs on the one before and is under way while that is waited
for. Of each turn the middle one counts, of all turns the middle ratio.
"""

import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import mlx.core as mx

from app.ceiling.figures import Bound, Ceiling
from app.engine.mlx.engine import MlxEngine
from app.engine.mlx.measuring import measure
from app.engine.mlx.measuring.measure import Weights
from app.engine.protocol import StopFlag
from app.engine.types import Decoded, LoadRequest, Model, Reads, Speeds
from tests.bench.lengths import length
from tests.bench.pairing import compare
from tests.bench.row import Row
from tests.models import tiny_llama

WIDTHS = (64, 128, 256, 512, 1024)[: length(5, 2)]
LAYERS = 4
PAIRS = length(32, 1)
TURN_S = 0.1
CLEAR = 2.0
FASTEST = 1.2
"""Nothing is faster than what it reads, but for scatter: beyond that the machine was held up all the time."""


def rows() -> list[Row]:
    engine, usual = MlxEngine(), measure.DECODE_S
    measure.DECODE_S = TURN_S
    try:
        measured = [_measured(engine, width) for width in WIDTHS]
    finally:
        measure.DECODE_S = usual
        engine.close()
    found, details = [each for each, _ in measured], [detail for _, detail in measured]
    beside = found[0].seconds[Bound.OVERHEAD]
    reading = [each.reads.bytes / each.speeds.bytes_per_s for each in found]
    clear = [not 1 / CLEAR < each / beside < CLEAR for each in reading]
    said = [each.bound is not Bound.OVERHEAD for each in found]
    agreed = [told is (each > beside) for told, each in zip(said, reading, strict=True)]
    right = sum(one for one, counts in zip(agreed, clear, strict=True) if counts) / max(1, sum(clear))
    share, crossings = found[-1].share, sum(one != other for one, other in pairwise(said))
    detail = {"beside_ms": 1000 * beside, "crossings": crossings, "clear": clear, "models": details}
    return [
        Row("why.bound_as_foreseen", right if sum(clear) > 1 else None, "ratio", 1.0, "higher", detail),
        Row("why.widest_share", share if share <= FASTEST else None, "ratio", 0.5, "higher", details[-1]),
    ]


def _measured(engine: MlxEngine, width: int) -> tuple[Ceiling, dict[str, Any]]:
    shape = {"hidden_size": width, "intermediate_size": 3 * width, "num_hidden_layers": LAYERS, "head_dim": width // 4}
    with tempfile.TemporaryDirectory() as folder:
        asked = LoadRequest(str(tiny_llama(Path(folder), **shape)))
        assert isinstance(engine.load(asked, lambda event: None, StopFlag()), Model)
    reads, main, streams = engine.token_reads(0), engine._main, list[float]()
    assert isinstance(reads, Reads) and main is not None
    own, wanted = measure.fitting(reads.largest, reads.bytes)
    several = [measure._made(own) for _ in range(-(-wanted // own.bytes))]
    size = own.bytes * len(several)

    def stream() -> float:
        streams.append(size / median(_gaps(several)))
        return streams[-1]

    def decode() -> float:
        """In bytes a second, too."""
        return reads.bytes / median(measure._gaps(main, 0, lambda event: None, StopFlag())[1])

    compared = compare(decode, stream, PAIRS)
    speed = median(streams)
    decoded = Decoded(compared.median * speed / reads.bytes, 0.0, 1.0)
    found = Ceiling(reads, Speeds(speed, speed, 1.0, size), decoded)
    return found, compared.detail() | _detail(found)


def _gaps(several: list[Weights]) -> list[float]:
    """Seconds between readings of all these; the first ones warm up."""
    vector = mx.ones((1, several[0].matrix.columns))

    def begin(before: mx.array) -> mx.array:
        found = mx.zeros(1)
        for each in several:
            found = found + each.times(vector + 0 * before).sum()
        mx.async_eval(found)
        return found

    mx.synchronize()
    under_way, arrivals = begin(mx.zeros(1)), list[float]()
    while len(arrivals) <= measure.WARM_UP_TOKENS + 1 or arrivals[-1] - arrivals[0] <= TURN_S:
        following = begin(under_way)
        mx.eval(under_way)
        arrivals.append(time.monotonic())
        under_way = following
    return [later - earlier for earlier, later in pairwise(arrivals[measure.WARM_UP_TOKENS :])]


def _detail(found: Ceiling) -> dict[str, Any]:
    return {
        "bytes_per_token": found.reads.bytes,
        "bytes_per_s": found.speeds.bytes_per_s,
        "tokens_per_s": found.decoded.tokens_per_s,
        "share": found.share,
        "bound": found.bound.value,
    }
