"""Where tokens come from: mlx-lm's `stream_generate`, or the bare loop that recomputes everything for each token."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm.generate import stream_generate, wired_limit
from mlx_lm.tokenizer_utils import TokenizerWrapper

from app.engine.mlx.sampler import Processor, Sampler
from app.engine.protocol import StopFlag
from app.engine.types import KV


@dataclass(frozen=True, slots=True)
class Step:
    """What is used of a `GenerationResponse`; the rest, above all its vocabulary-wide array, is let go."""

    token: int
    logprobs: mx.array
    from_draft: bool
    library_reason: str | None


Steps = Generator[Step, None, None]


@dataclass(frozen=True, slots=True)
class Choice:
    """How to choose tokens, and how many."""

    sampler: Sampler
    processors: Sequence[Processor]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Drafting:
    """The draft model of a run."""

    module: Module
    tokens: int


def library_steps(
    module: Module,
    tokenizer: TokenizerWrapper,
    feed: tuple[int, ...],
    choice: Choice,
    kv: KV,
    caches: list[Any],
    prefill_chunk: int,
    prefilled: Callable[[int, int], None],
    drafting: Drafting | None,
) -> Steps:
    """The library's own loop. With a draft model it drops the progress call-back; the taps tell it then."""
    options: dict[str, Any] = {"draft_model": drafting.module, "num_draft_tokens": drafting.tokens} if drafting else {}
    responses = stream_generate(
        module,
        tokenizer,
        mx.array(feed, mx.uint32),
        max_tokens=choice.max_tokens,
        sampler=choice.sampler,
        logits_processors=list(choice.processors) or None,
        prompt_cache=caches,
        prefill_step_size=prefill_chunk,
        kv_bits=kv.bits,
        kv_group_size=kv.group_size,
        quantized_kv_start=kv.quantized_start,
        prompt_progress_callback=prefilled,
        **options,
    )
    try:
        for response in responses:
            yield Step(response.token, response.logprobs, response.from_draft, response.finish_reason)
    finally:
        responses.close()  # on this thread, so that it can synchronise its stream


def uncached_steps(
    module: Module, prompt: tuple[int, ...], choice: Choice, end_ids: frozenset[int], stop: StopFlag
) -> Steps:
    """No cache at all: for each token the whole sequence goes through the model. It shows what the cache is worth.

    A pass may take long, so a token that comes out of it after Stop is none any more.
    """
    ids = list(prompt)
    with wired_limit(module):
        for count in range(1, choice.max_tokens + 1):
            if stop.asked:
                return
            sequence = mx.array(ids, mx.uint32)
            logits = module(sequence[None])[:, -1, :]
            for processor in choice.processors:
                logits = processor(sequence, logits)
            logprobs = logits - mx.logsumexp(logits, keepdims=True)
            token = int(choice.sampler(logprobs).item())  # type: ignore[arg-type]
            if stop.asked:
                return
            reason = "stop" if token in end_ids else "length" if count == choice.max_tokens else None
            yield Step(token, logprobs.squeeze(0), False, reason)
            ids.append(token)
