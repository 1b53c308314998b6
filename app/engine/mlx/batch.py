"""Several requests as one batch of mlx-lm's, each with the tokens that it would have alone."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import mlx.core as mx
from mlx_lm.generate import BatchGenerator, StopSequences

from app.engine.errors import UserError, without_panic
from app.engine.mlx import memory
from app.engine.mlx.caches.prompt_cache import PromptCache
from app.engine.mlx.constrained_decoding import constraint_of
from app.engine.mlx.failures import run_failure
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.reply import Reply
from app.engine.mlx.run import recorder_of
from app.engine.mlx.sampler import Processor, Sampler, processors_for, sampler_for, within
from app.engine.mlx.think_budget import budget_of
from app.engine.mlx.validate_request import max_new_tokens, validate
from app.engine.protocol import Emit, StopFlag
from app.engine.text import common_prefix
from app.engine.types import KV, ExactPrompt, Failure, Finish, PromptEvent, Reason, Request, Sampling
from app.i18n import tr

KEYS_AHEAD = 256
WORTH_SHARING = 16
NEXT = -1
"""Placeholder for the next token of each row."""


def validate_batch_request(request: Request, main: LoadedModel) -> ExactPrompt:
    """Return the exact prompt of a request that can run in a batch; raise UserError otherwise."""
    if not main.model.can.batch:
        raise UserError(main.model.can.refusal("batch"), tr("Run the variants one by one."), kind="batch")
    kv = request.kv
    if not kv.enabled or kv.bits is not None or kv.max_size is not None or request.speculates:
        what = tr("A batch needs a plain KV cache and no draft tokens.")
        raise UserError(what, tr("Change these settings, or run them one by one."), kind="batch")
    prompt = validate(request, main, None)
    if main.model.context is not None and len(prompt.ids) >= main.model.context:
        raise UserError(tr("The prompt is longer than the model's context window."), tr("Shorten it."), kind="context")
    return prompt


class BatchRun:
    """A run of several requests as one batch."""

    def __init__(
        self,
        main: LoadedModel,
        cache: PromptCache,
        prompts: Sequence[ExactPrompt],
        requests: Sequence[Request],
        emits: Sequence[Emit],
        stop: StopFlag,
        weights: int,
    ) -> None:
        """`weights`: bytes of all models in memory."""
        self._main, self._cache, self._stop, self._weights = main, cache, stop, weights
        rows = zip(prompts, requests, emits, strict=True)
        self._rows = [_Row(main, prompt, request, emit) for prompt, request, emit in rows]
        self._step_size = requests[0].prefill_step or main.pace.step_size()

    def go(self) -> tuple[Finish, ...]:
        """Run to the end. After a failure the tokens generated so far remain."""
        failure: Failure | None = None
        mx.reset_peak_memory()
        try:
            with without_panic():
                self._generate()
        except Exception as error:
            failure = run_failure(error)
        return tuple(row.finish(self._stop, failure) for row in self._rows)

    def _generate(self) -> None:
        count = len(self._rows)
        batch = BatchGenerator(
            self._main.module,
            completion_batch_size=count,
            prefill_batch_size=count,
            prefill_step_size=self._step_size,
        )
        with closing(batch) as generator:
            waiting = dict(zip(self._insert(generator), self._rows, strict=True))
            while waiting and not self._stop.asked:
                prompted, responses = generator.next()
                now = time.monotonic()
                for response in prompted:
                    waiting[response.uid].read = response.progress[0]
                for response in responses:
                    row = waiting[response.uid]
                    row.take(response.token, response.finish_reason, now)
                    if row.reason is None:
                        continue
                    del waiting[response.uid]
                    if response.finish_reason is None:  # ended by a stop string, which the library doesn't know
                        generator.remove([response.uid])
            for row in self._rows:
                row.emit(memory.read(self._weights, generator.prompt_cache_nbytes))  # the cache of all rows

    def _insert(self, generator: BatchGenerator) -> list[int]:
        """Rows with greedy sampling share one sampler, which then samples all of them at once."""
        likeliest = sampler_for(Sampling(temperature=0), frozenset())
        begun, prompts = self._common_prefix(), [list(row.prompt.ids) for row in self._rows]
        if not begun:
            self._report_prefix(0, 0)
        uids: list[int] = generator.insert(
            [ids[begun:] for ids in prompts],
            [row.allowed for row in self._rows],
            caches=[self._prefix_cache(prompts[0][:begun])] * len(prompts) if begun else None,  # copied by each row
            all_tokens=[ids[:begun] for ids in prompts],
            samplers=[row.sampler() or likeliest for row in self._rows],
            logits_processors=[row.processors() for row in self._rows],
            stop_sequences=[StopSequences([[token] for token in row.end_ids]) for row in self._rows],
        )
        return uids

    def _common_prefix(self) -> int:
        """Return the length of the common prefix, if prefilling it once is worthwhile and allowed."""
        first, *others = (row.prompt.ids for row in self._rows)
        if not others or not all(row.reuses for row in self._rows):
            return 0
        shared = min(common_prefix(first, ids) for ids in others)
        shared = min(shared, *(len(ids) - 2 for ids in (first, *others)))
        return shared if shared >= WORTH_SHARING else 0

    def _report_prefix(self, begun: int, reused: int) -> None:
        """Report the common prefix as prefilled for the first row and as reused for the others."""
        for number, row in enumerate(self._rows):
            row.begin(begun if number else reused)

    def _prefix_cache(self, ids: list[int]) -> list[Any]:
        """Return the cache of the common prefix. It is reused by the next batch, which usually has the same prefix."""
        found = self._cache.prepare((*ids, NEXT), KV(), self._main, None)
        self._report_prefix(len(ids), found.reused)
        chunk, known = self._step_size, found.reused
        for at in range(found.reused, len(ids), chunk):
            if self._stop.asked:
                break
            self._main.module(mx.array(ids[at : at + chunk])[None], cache=found.caches)
            mx.eval([layer.state for layer in found.caches])
            known = min(at + chunk, len(ids))
        for row in self._rows:
            row.known = known
        self._cache.trim_after_run(tuple(ids[:known]))
        return found.caches


class _Row:
    def __init__(self, main: LoadedModel, prompt: ExactPrompt, request: Request, emit: Emit) -> None:
        self._main, self._request, self.emit = main, request, emit
        self.prompt = prompt
        self.end_ids = main.eos_ids() | frozenset(request.limits.stop_ids)
        self.allowed = max_new_tokens(request, main.model.context, len(prompt.ids))
        self.reuses = request.kv.reuse
        self.reason: Reason | None = None
        self._recorder = recorder_of(main, request, self.end_ids) if request.observe else None
        self._reply = Reply(main, prompt, request, emit, self._recorder)
        self._constraint = constraint_of(request, main, prompt, self.end_ids, len(prompt.ids))
        self._budget = budget_of(request, main, prompt, len(prompt.ids))
        self._reused = self.known = self.read = 0
        """`known`: prompt tokens in the cache. `read`: tokens that the library has prefilled."""

    def begin(self, reused: int) -> None:
        """Start the row; `reused` tokens of its prompt need no prefill."""
        self._reused = reused
        self.emit(PromptEvent(self.prompt, reused, len(self.prompt.ids) - reused))

    def sampler(self) -> Sampler | None:
        """Return the row's sampler; None for greedy sampling."""
        sampling = self._request.sampling
        if sampling.temperature == 0:
            return None
        draws = 2 if sampling.xtc_probability else 1
        return _seeded(sampler_for(sampling, self.end_ids | self._main.line_ends), sampling.seed, draws)

    def processors(self) -> list[Processor]:
        short = [within(self._main.model.vocabulary)] if self._main.rows > self._main.model.vocabulary else []
        constraints = [each.process for each in (self._constraint, self._budget) if each]
        own = [*processors_for(self._request.sampling, ()), *short, *constraints]
        return own if self._recorder is None else [self._keep_raw, *own, *([self._recorder.process] if own else [])]

    def _keep_raw(self, _tokens: mx.array, logits: mx.array) -> mx.array:
        """Record the row's logits, as the first of its processors."""
        assert self._recorder is not None
        self._recorder.keep_raw(logits)
        return logits

    def take(self, token: int, library_reason: str | None, now: float) -> None:
        if self._recorder is not None:
            self._recorder.note(token)
        self._reply.take(token, library_reason, now, from_draft=False)
        self.reason = self._reply.why_ended(self._constraint)

    def finish(self, stop: StopFlag, failure: Failure | None) -> Finish:
        failed = failure if self.reason is None else None
        reason = self.reason or (Reason.ERROR if failed else Reason.STOPPED)
        thinking = self._budget.summary(self._reply.ids) if self._budget else None
        finish = self._reply.finish(reason, stop, failed)
        read = len(self.prompt.ids) if self._reply.ids else self.known + self.read
        reused = min(self._reused, read)
        return replace(finish, reused=reused, new=read - reused, thinking=thinking)


def _seeded(sampler: Sampler, seed: int, draws: int) -> Sampler:
    """Give a sampler its own random state, so that its draws don't depend on the other rows.

    mlx has one random state for each thread, and its seed is that state. Before each token it is set to the state that
    it would have if this row ran alone.
    """
    seeds = _seeds(seed, draws)

    def sample(logprobs: mx.array) -> mx.array:
        mx.random.seed(next(seeds))
        return sampler(logprobs)

    return sample


def _seeds(seed: int, draws: int) -> Iterator[int]:
    """Yield the random state before each token. It is computed in blocks, since reading it waits for mlx."""
    key = mx.random.key(seed)
    while True:
        keys = []
        for _ in range(KEYS_AHEAD):
            keys.append(key)
            for _ in range(draws):
                key = mx.random.split(key)[0]
        words: list[list[int]] = mx.stack(keys).tolist()  # type: ignore[assignment]
        yield from ((high << 32) | low for high, low in words)
