"""How the next token is chosen: by mlx-lm's sampler and logits processors, with the same arguments as in a script."""

from collections.abc import Callable
from typing import Any

import mlx.core as mx
from mlx_lm.sample_utils import make_logits_processors, make_sampler

from app.engine.script.options import processor_options, sampler_options
from app.engine.types import Sampling

Sampler = Callable[[mx.array], mx.array]
Processor = Callable[[mx.array, mx.array], mx.array]


def sampler_for(sampling: Sampling, untouchable: frozenset[int]) -> Sampler:
    """XTC never removes the `untouchable` ids: EOS and newline tokens, which mlx-lm's own command spares too."""
    options: dict[str, Any] = sampler_options(sampling)
    made: Sampler = make_sampler(**options, xtc_special_tokens=sorted(untouchable))
    return made


def processors_for(sampling: Sampling, unseen: tuple[int, ...]) -> list[Processor]:
    """Penalties and logit bias. They are shown the `unseen` ids too: else a cache hit or a draft would change them."""
    options: dict[str, Any] = processor_options(sampling)
    made: list[Processor] = make_logits_processors(**options)
    if not unseen or not made:
        return made
    prefix = mx.array(unseen, mx.uint32)
    return [_with_prefix(processor, prefix) for processor in made]


def within(vocabulary: int) -> Processor:
    """Forbid ids beyond the input embedding: the model can't read them."""

    def process(_tokens: mx.array, logits: mx.array) -> mx.array:
        return mx.where(mx.arange(logits.shape[-1]) < vocabulary, logits, -mx.inf)

    return process


def _with_prefix(processor: Processor, prefix: mx.array) -> Processor:
    def process(tokens: mx.array, logits: mx.array) -> mx.array:
        return processor(mx.concatenate([prefix, tokens.astype(mx.uint32)]), logits)

    return process
