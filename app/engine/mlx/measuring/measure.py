"""Measures how fast this computer reads and multiplies matrices of one shape, and the decode speed of a model."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import mlx.core as mx
from mlx_lm.generate import generate_step, wired_limit

from app.engine.jobs import MeasureDecoding, MeasureSpeeds
from app.engine.meter.speeds import percentile
from app.engine.mlx import memory
from app.engine.mlx.gpu_watch import GpuWatch
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.prefill import PrefillWatch
from app.engine.system_load import ExternalLoad
from app.engine.types import Conditions, DecodeSpeed, Matrix, PeakSpeeds

TURN_BYTES = 512_000_000
"""Maximum bytes of the first turn of products, more than any processor's cache has."""
MATRICES, MOST_PRODUCTS = 8, 1_024
"""Minimum number of matrices in a turn of at least TURN_BYTES, and maximum number of products in any turn."""
GROWTH, TURN_S, AGREEMENT = 4, 0.01, 0.03
"""Turns grow until they take TURN_S, which is long compared with a launch, or the speed rises by less than 3 %."""
SHARE_OF_FREE = 0.25
PASS_S, STREAM_S, PRODUCT_S = 0.25, 0.4, 0.02
PRODUCTS = ((1_024, 64), (1_024, 256), (1_024, 1_024), (4_096, 1_024), (16_384, 1_024))
"""Rows of the matrix and number of vectors. Larger products are measured as long as they are quick."""
LAST_TOKENS, WARM_UP_TOKENS = 64, 2
QUICKER_PERCENT = 25
DECODE_S = 1.5
PROMPT_TOKENS = 64
"""Minimum tokens for measuring the prefill speed."""


class WeightMatrix(NamedTuple):
    """A matrix in memory, plain or as `mx.quantized_matmul` takes it."""

    matrix: Matrix
    arrays: tuple[mx.array, ...]

    def times(self, vectors: mx.array) -> mx.array:
        kind, (weight, *rest) = self.matrix, self.arrays
        if kind.bits is None:
            return vectors @ weight.T
        scales, biases = rest[0], rest[1] if len(rest) > 1 else None
        return mx.quantized_matmul(
            vectors, weight, scales, biases, group_size=kind.group_size, bits=kind.bits, mode=kind.mode
        )


def measure_speeds(_context: JobContext, job: MeasureSpeeds) -> PeakSpeeds:
    """Measure the speeds with a matrix of this kind. Takes two seconds, on a fast GPU up to five."""
    own = job.matrix
    plain = Matrix(max(1, own.bytes // (4 * own.columns)), own.columns, own.bytes, "float32")
    working_set, own_speed = _measure_bandwidth(own, job.working_set)
    plain_speed = own_speed if _kind(own) == _kind(plain) else _measure_bandwidth(plain, job.working_set)[1]
    speeds = PeakSpeeds(own_speed, plain_speed, _measure_products(own), working_set)
    memory.free_buffers()
    return speeds


def measure_decoding(context: JobContext, job: MeasureDecoding) -> DecodeSpeed:
    """Measure the decode speed after `job.context` tokens."""
    main, length = context.main, job.context
    started, disturbance, gpu = time.monotonic(), ExternalLoad(), GpuWatch(main.module)
    with wired_limit(main.module):
        _, alone = _measure_gaps(context, 0)
        prompt_s, gaps = _measure_gaps(context, length)
    read = length / prompt_s if length >= PROMPT_TOKENS and prompt_s > 0 else main.pace.tokens_per_s
    grown = percentile(sorted(gaps), QUICKER_PERCENT) - percentile(sorted(alone), QUICKER_PERCENT)
    others, faults = disturbance.share(), disturbance.page_faults()
    beside = Conditions(others, main.model.on_cpu, faults, main.model.weights, gpu=gpu.conditions())
    return DecodeSpeed(1 / median(gaps), grown if length else 0.0, read, time.monotonic() - started, beside)


def _kind(matrix: Matrix) -> tuple[str, int | None, int, str]:
    return matrix.precision, matrix.bits, matrix.group_size, matrix.mode


def _measure_bandwidth(matrix: Matrix, needed: int) -> tuple[int, float]:
    """Return the bytes read in turn, and the bytes per second.

    A fast GPU needs less time for the first turn than for its launch, so the turns grow while that raises the speed.
    """
    turn, best = min(needed, TURN_BYTES), (0.0, 0)
    while True:
        size, speed, seconds = _measure_turn(matrix, needed, turn)
        is_final = seconds >= TURN_S or speed < best[0] * (1 + AGREEMENT)
        best = max(best, (speed, size))
        if is_final:
            return best[1], best[0]
        turn *= GROWTH


def _measure_turn(matrix: Matrix, needed: int, turn: int) -> tuple[int, float, float]:
    """Return the bytes read in turn, the bytes per second and the seconds of the fastest turn."""
    free = memory.available_bytes()
    wanted = max(1, min(needed, turn, turn if free is None else int(free * SHARE_OF_FREE)))
    rows = max(1, min(matrix.rows, matrix.rows * min(max(turn, TURN_BYTES) // MATRICES, wanted) // matrix.bytes))
    part = Matrix(rows, matrix.columns, matrix.bytes * rows // matrix.rows, *_kind(matrix))
    vector, first = mx.ones((1, part.columns), getattr(mx, part.precision)), _allocate(part)
    size = sum(array.nbytes for array in first.arrays)
    seconds = min(_turn_times(partial(_evaluate, first, vector), PASS_S / 4))
    products = max(1, min(-(-turn // size), int(PASS_S / seconds), MOST_PRODUCTS))
    count = max(1, min(products, round(wanted / size)))
    several = [first, *(_allocate(part) for _ in range(count - 1))]
    repeated = [several[number % count] for number in range(products)]
    fastest = min(_turn_times(lambda: mx.eval([each.times(vector) for each in repeated]), STREAM_S))
    return size * count, size * products / fastest, fastest


def _measure_products(matrix: Matrix) -> float:
    """Return multiplications per second."""
    best = 0.0
    for most, count in PRODUCTS:
        rows = min(matrix.rows, most)
        part = _allocate(Matrix(rows, matrix.columns, 0, *_kind(matrix)))
        vectors = mx.ones((count, matrix.columns), getattr(mx, matrix.precision))
        mx.eval(vectors)
        seconds = min(_turn_times(partial(_evaluate, part, vectors), PRODUCT_S))
        best = max(best, count * rows * matrix.columns / seconds)
        if seconds > PRODUCT_S:
            break
    return best


def _evaluate(part: WeightMatrix, vectors: mx.array) -> None:
    mx.eval(part.times(vectors))


def _allocate(matrix: Matrix) -> WeightMatrix:
    """Allocate a matrix; its values don't matter."""
    shape, kind = (matrix.rows, matrix.columns), getattr(mx, matrix.precision)
    arrays = [mx.full(shape, 0.01, kind)]
    if matrix.bits is not None:
        groups = (matrix.rows, matrix.columns // matrix.group_size)
        scales = mx.ones(groups, kind) if matrix.mode == "affine" else mx.full(groups, 56, mx.uint8)
        packed = mx.full((matrix.rows, matrix.columns * matrix.bits // 32), 0x12345678, mx.uint32)
        arrays = [packed, scales, *([scales + 0] if matrix.mode == "affine" else [])]
    mx.eval(arrays)
    return WeightMatrix(matrix, tuple(arrays))


def _turn_times(work: Callable[[], object], seconds: float) -> Iterator[float]:
    """Yield the seconds of each turn until the time is over. The first turn is a warm-up."""
    work()
    ends = time.monotonic() + seconds
    while True:
        started = time.monotonic()
        work()
        ended = time.monotonic()
        yield max(ended - started, 1e-9)
        if ended >= ends:
            return


def _measure_gaps(context: JobContext, length: int) -> tuple[float, list[float]]:
    """Return the seconds of the prefill of this many tokens, and those between the tokens generated after it."""
    main = context.main
    ids = mx.array([7 * index % main.model.vocabulary for index in range(length + 1)], mx.uint32)
    watch, arrivals = PrefillWatch(length + 1, context.emit, context.stop), list[float]()
    steps = generate_step(
        ids,
        main.module,
        max_tokens=LAST_TOKENS + WARM_UP_TOKENS,
        prompt_cache=main.new_cache(),
        prefill_step_size=main.pace.step_size(),
        prompt_progress_callback=watch.progress,
    )
    with closing(steps):
        for _ in steps:
            arrivals.append(time.monotonic())
            context.check_stop()
            if len(arrivals) > WARM_UP_TOKENS + 1 and arrivals[-1] - arrivals[0] > DECODE_S:
                break
    gaps = [max(later - earlier, 1e-9) for earlier, later in pairwise(arrivals[WARM_UP_TOKENS:])]
    return watch.ended - watch.started, gaps
