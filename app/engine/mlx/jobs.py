"""Maps each job of `app.engine.jobs` to its function."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.engine import jobs
from app.engine.mlx.caches.cache import PromptCache
from app.engine.mlx.interpretability.ablation import leave_out
from app.engine.mlx.interpretability.attention import attention, attention_matrix
from app.engine.mlx.interpretability.hidden_states import hidden_states
from app.engine.mlx.interpretability.lens import look_inside
from app.engine.mlx.loaded import Loaded
from app.engine.mlx.measuring.measure import decode, measure_speeds
from app.engine.mlx.measuring.token_reads import token_reads
from app.engine.mlx.perplexity.compare import Comparison
from app.engine.mlx.perplexity.score import weigh
from app.engine.protocol import Emit, StopFlag


@dataclass(frozen=True, slots=True)
class Bench:
    """The open model and the callbacks of a job."""

    main: Loaded
    cache: PromptCache
    emit: Emit
    stop: StopFlag


Ids = tuple[int, ...]


def _weigh(on: Bench, ids: Ids, job: jobs.ScoreTokens) -> object:
    see = job.kept.put if job.kept is not None else None
    return weigh(on.main, ids, on.emit, on.stop, see, job.begun)


def _weigh_against(on: Bench, ids: Ids, job: jobs.CompareTokens) -> object:
    return weigh(on.main, ids, on.emit, on.stop, Comparison(job.kept, job.found).see, job.begun)


def _look_inside(on: Bench, ids: Ids, job: jobs.ReadLens) -> object:
    return look_inside(on.main, on.cache, ids, job.places, on.emit, on.stop)


def _attend(on: Bench, ids: Ids, job: jobs.ReadAttention) -> object:
    return attention(on.main, on.cache, ids, job.place, on.emit, on.stop)


def _attend_whole(on: Bench, ids: Ids, job: jobs.ReadAttentionMatrix) -> object:
    return attention_matrix(on.main, ids, job.layer, job.head, on.stop)


def _read_states(on: Bench, ids: Ids, job: jobs.ReadHiddenStates) -> object:
    return hidden_states(on.main, on.cache, ids, job.place, on.emit, on.stop)


def _leave_out(on: Bench, ids: Ids, job: jobs.Ablate) -> object:
    return leave_out(on.main, ids, job.answer, job.place, job.parts, on.emit, on.stop)


PROMPT_JOBS: dict[type[Any], Callable[[Bench, Ids, Any], object]] = {
    jobs.ScoreTokens: _weigh,
    jobs.CompareTokens: _weigh_against,
    jobs.ReadLens: _look_inside,
    jobs.ReadAttention: _attend,
    jobs.ReadAttentionMatrix: _attend_whole,
    jobs.ReadHiddenStates: _read_states,
    jobs.Ablate: _leave_out,
}
"""Jobs that get the token ids of their prompt."""


def _count_reads(on: Bench, job: jobs.CountReads) -> object:
    return token_reads(on.main.module, job.context)


def _measure_speeds(on: Bench, job: jobs.MeasureSpeeds) -> object:
    return measure_speeds(job.matrix, job.working_set)


def _measure_decoding(on: Bench, job: jobs.MeasureDecoding) -> object:
    return decode(on.main, job.context, on.emit, on.stop)


MEASURING_JOBS: dict[type[Any], Callable[[Bench, Any], object]] = {
    jobs.CountReads: _count_reads,
    jobs.MeasureSpeeds: _measure_speeds,
    jobs.MeasureDecoding: _measure_decoding,
}
