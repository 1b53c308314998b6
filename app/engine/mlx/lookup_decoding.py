"""Prompt lookup through mlx-lm's loop for draft models.

The loop asks for the same number of draft tokens in each step and verifies all of them. Here a step verifies the tokens
that the text proposes, and none where nothing matches: the target model runs on those only, and `LookupCache` corrects
how many tokens the loop trims.
"""

import time
from collections.abc import Sequence
from typing import Any, cast

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm.generate import maybe_quantize_kv_cache
from mlx_lm.models.cache import can_trim_prompt_cache, trim_prompt_cache

from app.engine.draft_length import DraftLength
from app.engine.lookup import NO_PROPOSAL, Lookup, Proposal
from app.engine.mlx.sampler import Processor, Sampler
from app.engine.types import KV, LookupStats

NO_TOKEN = 2**32 - 1
"""Draft token where nothing is proposed. No sampler returns it, so the loop never accepts it."""


class LookupDecoding:
    """The state of one run, shared by the target model, draft model, cache and sampler that the loop gets."""

    def __init__(
        self,
        prompt: tuple[int, ...],
        max_tokens: int,
        kv: KV,
        caches: list[Any],
        sampler: Sampler,
        processors: Sequence[Processor],
        length: DraftLength,
    ) -> None:
        """`processors` see the last prompt token and the answer, as with a draft model."""
        self.lookup, self._length = Lookup(prompt), length
        self._left, self._kv = max_tokens, kv
        self._caches, self._cache = caches, LookupCache(caches)
        self._sampler, self._processors = sampler, processors
        self._seen, self._new = mx.array(prompt[-1:], mx.uint32), list[int]()
        self._proposal: Proposal | None = None
        """The proposal of this step; None until the first draft token is asked for, so also during prefill."""
        self._is_drafting, self._given = False, 0
        self._random_states: list[mx.array] = []
        """The state of the random numbers after each sampled row."""
        self._taken, self._started = 0, 0.0
        self._seconds: float | None = None
        """The time of the pass of this step; None: other passes ran at the same time."""
        self._ahead: mx.array | None = None
        """The logits of a pass that began before its token was known."""
        self._has_begun = False
        """Whether the pass of this step was such a pass."""
        self._steps = self._verified = 0

    def options(self, target: Module) -> dict[str, Any]:
        """Return the arguments of `stream_generate`. Not stored here: `target` may refer to the run."""
        model = LookupTarget(target, self)
        return {
            "model": model,
            "draft_model": LookupDraft(self),
            "num_draft_tokens": self._length.most,
            "prompt_cache": [self._cache],
            "sampler": model.sample,
            "logits_processors": None,
            "kv_bits": None,
        }

    @property
    def has_processors(self) -> bool:
        return bool(self._processors)

    def begin_draft(self) -> None:
        self._is_drafting = True

    def sample(self, logprobs: mx.array, target: Module) -> mx.array:
        """Return the next draft token, or the sampled tokens of a pass."""
        if self._is_drafting:
            return mx.array([self._next_draft()], mx.uint32)
        # Row by row, with the random numbers that a run without drafts would use for these tokens.
        sampled = []
        for row in range(logprobs.shape[0]):
            sampled.append(self._sampler(logprobs[row : row + 1]))
            self._random_states.append(mx.random.state[0])  # type: ignore[index]
        if len(sampled) > 1:
            return mx.concatenate(sampled)
        if self._length.is_idle and self._left > 1 and not self._processors:
            # Like mlx-lm's loop without drafts: the device computes the next pass while this token is handled.
            self._ahead = self._forward(target, sampled[0][None])
            mx.async_eval(self._ahead)
        return sampled[0]

    def verify(self, target: Module, tokens: mx.array) -> mx.array:
        """Return the logits of the model's own token and of the proposed ones, after the processors."""
        self._is_drafting, proposal = False, self._proposal
        if proposal is not None:
            self._cache.unverified = tokens.shape[1] - 1 - len(proposal.ids)
            tokens = tokens[:, : len(proposal.ids) + 1]
            self._started = time.monotonic()
            self._steps += bool(proposal.ids)
            self._verified += len(proposal.ids)
        self._has_begun = self._ahead is not None
        logits = self._forward(target, tokens) if self._ahead is None else self._ahead
        self._ahead = None
        return self._processed(logits, proposal.ids) if proposal is not None and self._processors else logits

    def _forward(self, target: Module, tokens: mx.array) -> mx.array:
        logits: mx.array = target(tokens, cache=self._caches)
        # The loop quantizes only caches that it gets itself.
        maybe_quantize_kv_cache(self._caches, self._kv.quantized_start, self._kv.group_size, self._kv.bits)
        return logits

    def take(self, token: int) -> None:
        """Add the next token of the answer."""
        if not self._taken:
            alone = self._ahead is None and not self._has_begun
            self._seconds = time.monotonic() - self._started if alone else None
        self._taken += 1
        self._left -= 1
        self._new.append(token)
        self.lookup.extend((token,))

    @property
    def unused_passes(self) -> int:
        return int(self._ahead is not None)

    def stats(self) -> LookupStats:
        mean = round(self._verified / self._steps) if self._steps else 0
        return LookupStats(self._steps, mean + 1, self._length.cost(mean + 1))

    def _next_draft(self) -> int:
        if self._proposal is None or self._taken:
            self._end_step()
            self._proposal, self._given = self._propose(), 0
        ids, self._given = self._proposal.ids, self._given + 1
        return ids[self._given - 1] if self._given <= len(ids) else NO_TOKEN

    def _end_step(self) -> None:
        if self._proposal is None:
            return
        (ids, matched), taken = self._proposal, self._taken
        if taken < len(self._random_states):
            high, low = cast("list[int]", self._random_states[taken - 1].tolist())
            mx.random.seed(high << 32 | low)
        self._length.learn(matched, len(ids), taken - 1, self._seconds)
        self._random_states.clear()
        self._taken = 0

    def _propose(self) -> Proposal:
        """Propose no more tokens than the run may still generate, without the last one: the model's own."""
        most = min(self._length.most, self._left - 1)
        found = self.lookup.propose(most) if most > 0 else NO_PROPOSAL
        return Proposal(found.ids[: self._length.choose(found.matched, self._ahead is not None)], found.matched)

    def _processed(self, logits: mx.array, proposed: tuple[int, ...]) -> mx.array:
        self._seen, self._new = mx.concatenate([self._seen, mx.array(self._new, mx.uint32)]), []
        rows, seen = [], self._seen
        for index in range(len(proposed) + 1):
            if index:
                seen = mx.concatenate([self._seen, mx.array(proposed[:index], mx.uint32)])
            row = logits[:, index]
            for processor in self._processors:
                row = processor(seen, row)
            rows.append(row)
        return mx.stack(rows, axis=1)


class LookupTarget(Module):
    """The model, which computes only the proposed tokens of a step."""

    layers = (None,)
    """mlx-lm counts them to split the cache: all layers are behind one `LookupCache`."""

    def __init__(self, inner: Module, decoding: LookupDecoding) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.inner = inner
        self._decoding = decoding

    def __call__(self, tokens: mx.array, cache: Any = None) -> mx.array:
        return self._decoding.verify(self.inner, tokens)

    def sample(self, logprobs: mx.array) -> mx.array:
        return self._decoding.sample(logprobs, self.inner)


class LookupDraft(Module):
    """A draft model without layers and cache; the sampler returns its tokens, whatever its logits are."""

    layers = ()

    def __init__(self, decoding: LookupDecoding) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._decoding = decoding
        self._logits = mx.zeros((1, 1, 1))

    def __call__(self, tokens: mx.array, cache: Any = None) -> mx.array:
        self._decoding.begin_draft()
        return self._logits


class LookupCache:
    """All caches of the model as one, for the loop: it trims draft tokens that were never computed, too."""

    def __init__(self, caches: list[Any]) -> None:
        self._caches = caches
        self.unverified: int | None = None
        """Draft tokens of this step that were not computed; None: the step is trimmed."""

    @property
    def state(self) -> list[Any]:
        return [cache.state for cache in self._caches]

    def is_trimmable(self) -> bool:
        return bool(can_trim_prompt_cache(self._caches))

    def trim(self, count: int) -> int:
        if self.unverified is not None:
            trim_prompt_cache(self._caches, max(0, count - self.unverified))
            self.unverified = None
        return count
