"""Maps each job of `app.engine.jobs` to the function that does it."""

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
from app.engine.mlx.perplexity import DistributionComparison, weigh
from app.engine.protocol import Emit, StopFlag


@dataclass(frozen=True, slots=True)
class JobContext:
    """The open model and the callbacks of a job."""

    main: Loaded
    cache: PromptCache
    emit: Emit
    stop: StopFlag


Ids = tuple[int, ...]


def _score_tokens(context: JobContext, ids: Ids, job: jobs.ScoreTokens) -> object:
    see = job.kept.put if job.kept is not None else None
    return weigh(context.main, ids, context.emit, context.stop, see, job.begun)


def _compare_tokens(context: JobContext, ids: Ids, job: jobs.CompareTokens) -> object:
    return weigh(
        context.main, ids, context.emit, context.stop, DistributionComparison(job.kept, job.found).see, job.begun
    )


def _read_lens(context: JobContext, ids: Ids, job: jobs.ReadLens) -> object:
    return look_inside(context.main, context.cache, ids, job.places, context.emit, context.stop)


def _read_attention(context: JobContext, ids: Ids, job: jobs.ReadAttention) -> object:
    return attention(context.main, context.cache, ids, job.place, context.emit, context.stop)


def _read_attention_matrix(context: JobContext, ids: Ids, job: jobs.ReadAttentionMatrix) -> object:
    return attention_matrix(context.main, ids, job.layer, job.head, context.stop)


def _read_hidden_states(context: JobContext, ids: Ids, job: jobs.ReadHiddenStates) -> object:
    return hidden_states(context.main, context.cache, ids, job.place, context.emit, context.stop)


def _ablate(context: JobContext, ids: Ids, job: jobs.Ablate) -> object:
    return leave_out(context.main, ids, job.answer, job.place, job.parts, context.emit, context.stop)


PROMPT_JOBS: dict[type[Any], Callable[[JobContext, Ids, Any], object]] = {
    jobs.ScoreTokens: _score_tokens,
    jobs.CompareTokens: _compare_tokens,
    jobs.ReadLens: _read_lens,
    jobs.ReadAttention: _read_attention,
    jobs.ReadAttentionMatrix: _read_attention_matrix,
    jobs.ReadHiddenStates: _read_hidden_states,
    jobs.Ablate: _ablate,
}
"""Jobs that get the token ids of their prompt."""


def _count_reads(context: JobContext, job: jobs.CountReads) -> object:
    return token_reads(context.main.module, job.context)


def _measure_speeds(context: JobContext, job: jobs.MeasureSpeeds) -> object:
    return measure_speeds(job.matrix, job.working_set)


def _measure_decoding(context: JobContext, job: jobs.MeasureDecoding) -> object:
    return decode(context.main, job.context, context.emit, context.stop)


MEASURING_JOBS: dict[type[Any], Callable[[JobContext, Any], object]] = {
    jobs.CountReads: _count_reads,
    jobs.MeasureSpeeds: _measure_speeds,
    jobs.MeasureDecoding: _measure_decoding,
}
