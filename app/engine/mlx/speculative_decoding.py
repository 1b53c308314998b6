"""Speculative decoding with an own number of draft tokens in each step, through mlx-lm's loop for draft models.

The loop asks for the same number of draft tokens in each step and verifies all of them. Here a step verifies as many as
its source proposes, or none: the target model runs on those only, and `LoopCache` corrects how many tokens the loop
trims.
"""

import time
from collections.abc import Sequence
from typing import Any, cast

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm.models.cache import can_trim_prompt_cache

from app.engine.draft_length import DraftLength
from app.engine.mlx.draft_sources import CacheLayers, DraftSource
from app.engine.mlx.sampler import Processor, Sampler
from app.engine.types import DraftedSteps

NO_TOKEN = 2**32 - 1
"""Draft token where nothing is proposed. No sampler returns it, so the loop never accepts it."""


class SpeculativeDecoding:
    """The state of one run, shared by the target model, draft model, cache and sampler that the loop gets."""

    def __init__(
        self,
        source: DraftSource,
        length: DraftLength,
        layers: CacheLayers,
        new: tuple[int, ...],
        max_tokens: int,
        sampler: Sampler,
        processors: Sequence[Processor],
    ) -> None:
        """Start with the prompt tokens that aren't cached. `processors` see the last one and the answer."""
        self._source, self._length, self._layers = source, length, layers
        self._unread, self._left = len(new) - 1, max_tokens
        """Prompt tokens that the loop has not passed to the draft model; max tokens that are left."""
        self._cache = LoopCache(layers)
        self._sampler, self._processors = sampler, processors
        self._seen, self._new = mx.array(new[-1:], mx.uint32), list[int]()
        self._matched, self._count = 0, -1
        """The match and the number of draft tokens of this step; -1 before the first one."""
        self._is_drafting, self._given = False, 0
        self._drafted = list[mx.array]()
        """The tokens of this step that a draft model sampled."""
        self._random_states: list[mx.array] = []
        """The state of the random numbers after each sampled row."""
        self._state_before: list[int] = []
        """The state before the draft tokens were sampled."""
        self._taken, self._started = 0, 0.0
        self._ahead: mx.array | None = None
        """The logits of a pass that began before its token was known."""
        self._has_begun = False
        """Whether the pass of this step was such a pass."""
        self._steps = self._verified = 0

    def options(self, target: Module) -> dict[str, Any]:
        """Return the arguments of `stream_generate`. Not stored here: `target` may refer to the run."""
        model = LoopTarget(target, self)
        return {
            "model": model,
            "draft_model": LoopDraft(self),
            "num_draft_tokens": self._length.most,
            "prompt_cache": [self._cache],
            "sampler": model.sample,
            "logits_processors": None,
            "kv_bits": None,
        }

    @property
    def has_processors(self) -> bool:
        return bool(self._processors)

    def draft(self, tokens: mx.array) -> None:
        """Note that a draft token will be sampled; during prefill, let the source process the prompt."""
        if self._unread:
            self._unread -= tokens.shape[1]
            self._source.prefill(tokens)
        else:
            self._is_drafting = True

    def sample(self, logprobs: mx.array, target: Module) -> mx.array:
        """Return the next draft token, or the sampled tokens of a pass."""
        if self._is_drafting:
            return self._next_draft()
        # Row by row, with the random numbers that a run without drafts would use for these tokens.
        sampled = []
        for row in range(logprobs.shape[0]):
            sampled.append(self._sampler(logprobs[row : row + 1]))
            self._random_states.append(mx.random.state[0])  # type: ignore[index]
        if len(sampled) > 1:
            return mx.concatenate(sampled)
        if self._length.is_idle and self._left > 1 and not self._processors:
            # Like mlx-lm's loop without drafts: the device computes the next pass while this token is handled.
            self._ahead = self._layers.forward(target, sampled[0][None])
            mx.async_eval(self._ahead)
        return sampled[0]

    def verify(self, target: Module, tokens: mx.array) -> mx.array:
        """Return the logits of the model's own token and of the draft tokens, after the processors."""
        self._is_drafting = False
        if self._count >= 0:
            self._cache.unverified = tokens.shape[1] - 1 - self._count
            tokens = tokens[:, : self._count + 1]
            self._steps += self._count > 0
            self._verified += self._count
        if self._drafted:
            _restore(self._state_before)
        self._has_begun = self._ahead is not None
        logits = self._layers.forward(target, tokens) if self._ahead is None else self._ahead
        self._ahead = None
        return self._processed(logits, tokens[0]) if self._count >= 0 and self._processors else logits

    def take(self, token: int) -> None:
        """Add the next token of the answer."""
        self._taken += 1
        self._left -= 1
        self._new.append(token)
        self._source.take(token)

    @property
    def unused_passes(self) -> int:
        return int(self._ahead is not None)

    def stats(self) -> DraftedSteps:
        mean = round(self._verified / self._steps) if self._steps else 0
        return DraftedSteps(self._steps, mean + 1, self._length.cost(mean + 1))

    def _next_draft(self) -> mx.array:
        if self._count < 0 or self._taken:
            self._end_step()
            self._begin_step()
        if self._given == self._count:
            return mx.array([NO_TOKEN], mx.uint32)
        self._given += 1
        return self._source.propose(self._sample_draft)

    def _begin_step(self) -> None:
        """Choose the number of draft tokens: no more than the run may still generate, without the model's own one."""
        self._started = time.monotonic()
        most = min(self._length.most, self._left - 1)
        self._matched = self._source.match(most) if most > 0 else 0
        chosen = self._length.choose(self._matched, self._ahead is not None)
        self._count, self._given = min(chosen, most) if self._matched else 0, 0
        if self._processors:
            self._seen, self._new = mx.concatenate([self._seen, mx.array(self._new, mx.uint32)]), []
        if self._count:
            self._source.catch_up()

    def _end_step(self) -> None:
        if self._count < 0:
            return
        if self._taken < len(self._random_states):
            _restore(_random_state(self._random_states[self._taken - 1]))
        self._source.end_step(self._taken - 1)
        self._length.learn(self._matched, self._count, self._taken - 1, self._step_seconds())
        self._random_states.clear()
        self._drafted.clear()
        self._taken = 0

    def _step_seconds(self) -> float | None:
        """Return the time of this step with everything around its pass; None if it isn't a typical one.

        A typical step without draft tokens overlaps with the passes before and after it, as in mlx-lm's loop.
        """
        overlaps = self._has_begun, self._ahead is not None
        is_typical = not any(overlaps) if self._count or self._processors else all(overlaps)
        return time.monotonic() - self._started if is_typical else None

    def _sample_draft(self, logits: mx.array) -> mx.array:
        """Sample a draft token with the random numbers of the target model's token at this place.

        Both models then choose the same token more often than with random numbers of their own, and a seed gives the
        same text as without drafts.
        """
        if not self._drafted:
            self._state_before = _random_state(mx.random.state[0])  # type: ignore[index]
        seen = mx.concatenate([self._seen, *self._drafted]) if self._processors else self._seen
        for processor in self._processors:
            logits = processor(seen, logits)
        token = self._sampler(logits - mx.logsumexp(logits, axis=-1, keepdims=True))
        self._drafted.append(token)
        return token

    def _processed(self, logits: mx.array, tokens: mx.array) -> mx.array:
        rows, seen = [], self._seen
        for index in range(tokens.size):
            if index:
                seen = mx.concatenate([self._seen, tokens[1 : index + 1]])
            row = logits[:, index]
            for processor in self._processors:
                row = processor(seen, row)
            rows.append(row)
        return mx.stack(rows, axis=1)


class LoopTarget(Module):
    """The model, which computes only the draft tokens of a step that its source proposed."""

    layers = (None,)
    """mlx-lm counts them to split the cache: all layers are behind one `LoopCache`."""

    def __init__(self, inner: Module, decoding: SpeculativeDecoding) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.inner = inner
        self._decoding = decoding

    def __call__(self, tokens: mx.array, cache: Any = None) -> mx.array:
        return self._decoding.verify(self.inner, tokens)

    def sample(self, logprobs: mx.array) -> mx.array:
        return self._decoding.sample(logprobs, self.inner)


class LoopDraft(Module):
    """A draft model without layers and cache. The sampler returns its tokens and ignores its logits."""

    layers = ()

    def __init__(self, decoding: SpeculativeDecoding) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._decoding = decoding
        self._logits = mx.zeros((1, 1, 1))

    def __call__(self, tokens: mx.array, cache: Any = None) -> mx.array:
        self._decoding.draft(tokens)
        return self._logits


class LoopCache:
    """All caches of the model as one, for the loop: it trims draft tokens that were never computed, too."""

    def __init__(self, layers: CacheLayers) -> None:
        self._layers = layers
        self.unverified: int | None = None
        """Draft tokens of this step that were not computed; None: the step is trimmed."""

    @property
    def state(self) -> list[Any]:
        return [layer.state for layer in self._layers.layers]

    def is_trimmable(self) -> bool:
        return bool(can_trim_prompt_cache(self._layers.layers))

    def trim(self, count: int) -> int:
        if self.unverified is not None:
            self._layers.trim(max(0, count - self.unverified))
            self.unverified = None
        return count


def _random_state(state: mx.array) -> list[int]:
    return cast("list[int]", state.tolist())


def _restore(state: list[int]) -> None:
    high, low = state
    mx.random.seed(high << 32 | low)
