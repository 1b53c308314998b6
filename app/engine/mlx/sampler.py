"""Samplers and logits processors: mlx-lm's own, given the tokens that mlx-lm doesn't show them."""

from collections.abc import Callable

import mlx.core as mx
from mlx_lm.sample_utils import make_logits_processors, make_sampler

from app.engine.types import Sampling

Sampler = Callable[[mx.array], mx.array]
Processor = Callable[[mx.array, mx.array], mx.array]


def sampler_for(sampling: Sampling, untouchable: frozenset[int]) -> Sampler:
    """Make a sampler. XTC spares the `untouchable` ids: EOS and line breaks, as in mlx-lm."""
    made: Sampler = make_sampler(
        temp=sampling.temperature,
        top_p=sampling.top_p,
        min_p=sampling.min_p,
        min_tokens_to_keep=sampling.min_tokens_to_keep,
        top_k=sampling.top_k,
        xtc_probability=sampling.xtc_probability,
        xtc_threshold=sampling.xtc_threshold,
        xtc_special_tokens=sorted(untouchable),
    )
    return made


def processors_for(sampling: Sampling, unseen: tuple[int, ...]) -> list[Processor]:
    """Make the penalties and the bias. They also see the `unseen` ids, so a cache hit or a draft changes no output."""
    repetition = sampling.repetition_penalty
    made: list[Processor] = make_logits_processors(
        logit_bias=dict(sampling.logit_bias) or None,
        repetition_penalty=None if repetition == 1.0 else repetition,
        repetition_context_size=sampling.repetition_window,
        presence_penalty=sampling.presence_penalty or None,
        presence_context_size=sampling.presence_window,
        frequency_penalty=sampling.frequency_penalty or None,
        frequency_context_size=sampling.frequency_window,
    )
    if not unseen or not made:
        return made
    prefix = mx.array(unseen, mx.uint32)
    return [_with_prefix(processor, prefix) for processor in made]


def within(vocabulary: int) -> Processor:
    """Mask ids that the model can output but not read again."""

    def process(_tokens: mx.array, logits: mx.array) -> mx.array:
        return mx.where(mx.arange(logits.shape[-1]) < vocabulary, logits, -mx.inf)

    return process


def _with_prefix(processor: Processor, prefix: mx.array) -> Processor:
    def process(tokens: mx.array, logits: mx.array) -> mx.array:
        return processor(mx.concatenate([prefix, tokens.astype(mx.uint32)]), logits)

    return process
