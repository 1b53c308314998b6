"""One run: from the validated prompt through `stream_generate` to its finish reason."""

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm.generate import GenerationResponse, stream_generate, wired_limit

from app.engine.draft_length import DraftLength
from app.engine.errors import UserError, without_panic
from app.engine.lookup import Lookup
from app.engine.mlx import memory
from app.engine.mlx.caches.prompt_cache import PromptCache, Reuse
from app.engine.mlx.constrained_decoding import FormatConstraint, constraint_of
from app.engine.mlx.draft_sources import CacheLayers, DraftSource, LookupSource, ModelSource, SharedLayers
from app.engine.mlx.failures import run_failure
from app.engine.mlx.gpu_watch import GpuWatch
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.logprob_recorder import LogprobRecorder, Stopwatch
from app.engine.mlx.memory import MemorySampler
from app.engine.mlx.prefill import PrefillStoppedError, PrefillWatch
from app.engine.mlx.reply import Reply
from app.engine.mlx.sampler import Processor, SampledDistribution, Sampler, processors_for, sampler_for, within
from app.engine.mlx.speculative_decoding import SpeculativeDecoding
from app.engine.mlx.think_budget import ThinkBudget, budget_of
from app.engine.mlx.validate_request import FitCheck, max_new_tokens
from app.engine.protocol import Emit, StopFlag
from app.engine.system_load import ExternalLoad
from app.engine.types import (
    AUTOMATIC,
    CacheMissReason,
    Conditions,
    DraftStats,
    ExactPrompt,
    Failure,
    Finish,
    Memory,
    PromptEvent,
    Reason,
    RejectedTokens,
    Request,
    Times,
)
from app.i18n import tr

NO_REUSE = Reuse([], 0, None, tr("generation without a KV cache reuses nothing"), hindrance=CacheMissReason.BARE)


@dataclass(frozen=True, slots=True)
class UncachedResponse:
    """The fields of a `GenerationResponse` that a run uses, for generation without a cache."""

    token: int
    logprobs: mx.array
    from_draft: bool
    finish_reason: str | None


class Generation:
    """One run: feeds the model, emits its tokens, and checks after each of them whether the run ends."""

    def __init__(
        self,
        main: LoadedModel,
        draft: LoadedModel | None,
        cache: PromptCache,
        prompt: ExactPrompt,
        request: Request,
        emit: Emit,
        stop: StopFlag,
        weights: int,
        unchecked: bool = False,
    ) -> None:
        """`weights`: bytes of all models in memory. `unchecked`: the user opened a model despite the memory warning."""
        self._main, self._draft, self._cache = main, draft, cache
        self._prompt, self._request = prompt, request
        self._emit, self._stop = emit, stop
        self._end_ids = main.eos_ids() | frozenset(request.limits.stop_ids)
        self._memory = partial(_memory, weights, cache)
        self._reuse = NO_REUSE
        self._warming = self._cache_lookup = 0.0
        self._external_load, self._gpu_watch = ExternalLoad(), GpuWatch(main.module)
        self._fit_check = FitCheck(main.model.kv, request.kv, unchecked, cache.others.make_room)
        self._watch = PrefillWatch(len(prompt.ids), emit, stop)
        self._drafts = draft is not None or request.looks_up
        self._draft_count = DraftCount(main.spelling.texts)
        self._decoding: SpeculativeDecoding | None = None
        """None: mlx-lm's own loop, which proposes a fixed number of tokens of a draft model."""
        self._recorder = self._new_recorder() if request.observe else None
        self._constraint: FormatConstraint | None = None
        self._working = Stopwatch(time.thread_time)
        """CPU time of penalties and output format on this thread; waiting counts as the model's time."""
        self._budget: ThinkBudget | None = None
        self._reply = Reply(main, prompt, request, emit, self._recorder)

    def go(self) -> Finish:
        """Run to the end. After a failure the tokens generated so far remain, and the cache is consistent."""
        reason, failure = Reason.STOPPED, None
        try:
            with without_panic():
                sampled = self._prepare()
                cached = self._request.kv.enabled
                # Closed on this thread, where mlx-lm synchronizes its stream.
                with closing(stream_generate(**self._options()) if cached else self._uncached()) as responses:
                    reason = self._take_all(responses, sampled)
            self._settle_cache()
        except PrefillStoppedError:
            self._settle_cache()
        except Exception as error:
            reason, failure = Reason.ERROR, run_failure(error)
            # An error of the library may have left any cache in a bad state.
            (self._cache.drop if isinstance(error, UserError) else self._cache.clear)()
        self._emit(self._memory())
        return self._finish(reason, failure)

    def _prepare(self) -> MemorySampler:
        """Prepare the first pass. Raises UserError for a prompt that doesn't fit into memory."""
        if self._request.kv.enabled:
            ids, session = self._prompt.ids, self._request.session
            started = time.monotonic()
            self._reuse = self._cache.prepare(ids, self._request.kv, self._main, self._draft, session)
            self._cache_lookup = time.monotonic() - started
        new = len(self._prompt.ids) - self._reuse.reused
        shown = 1 if self._drafts else new
        self._constraint = constraint_of(self._request, self._main, self._prompt, self._end_ids, shown)
        self._budget = budget_of(self._request, self._main, self._prompt, shown)
        difference, note = self._reuse.first_difference, self._reuse.note
        begun, stuck = self._reply.begun, self._reuse.stuck
        self._emit(
            PromptEvent(self._prompt, self._reuse.reused, new, difference, note, begun, stuck, self._reuse.session)
        )
        read, sampled = partial(self._cache.keep_prompt, self._prompt.ids), MemorySampler(self._memory, self._emit)
        self._watch = PrefillWatch(new, self._emit, self._stop, read, sampled.tick)
        self._fit_check.check_prompt(new)
        self._warm()
        mx.reset_peak_memory()
        sampled.tick(time.monotonic())
        mx.random.seed(self._request.sampling.seed)
        return sampled

    def _warm(self) -> None:
        """Compile the sampler. Metal does it at first use and for each new temperature, which may take seconds."""
        if memory.on_cpu():
            return
        started = time.monotonic()
        sampler = sampler_for(self._request.sampling, self._end_ids | self._main.line_ends)
        mx.eval(sampler(mx.zeros((1, self._main.rows), getattr(mx, self._main.model.precision))))
        self._warming = time.monotonic() - started

    def _options(self) -> dict[str, Any]:
        """Return the arguments of `stream_generate`. With a draft model mlx-lm ignores the progress callback."""
        kv, silent = self._request.kv, self._main.silent
        silent.eos_token_ids = self._end_ids
        options: dict[str, Any] = {
            "model": self._target(),
            "tokenizer": silent,
            "prompt": mx.array(self._prompt.ids[self._reuse.reused :], mx.uint32),
            "max_tokens": self._allowed,
            "sampler": self._sampler(),
            "logits_processors": self._processors() or None,
            "prompt_cache": self._reuse.caches,
            "prefill_step_size": self._request.prefill_step or self._main.pace.step_size(),
            "kv_bits": kv.bits,
            "kv_group_size": kv.group_size,
            "quantized_kv_start": kv.quantized_start,
            "prompt_progress_callback": self._watch.progress,
        }
        if self._draft and self._request.draft_tokens != AUTOMATIC:
            options |= {"draft_model": self._draft_target(), "num_draft_tokens": self._request.draft_tokens}
            options["prompt_cache"] = SharedLayers(self._reuse.caches)
        elif self._drafts:
            self._decoding = self._new_decoding(options["sampler"], options["logits_processors"] or ())
            options |= self._decoding.options(options["model"])
        return options

    def _new_decoding(self, sampler: Sampler, processors: Sequence[Processor]) -> SpeculativeDecoding:
        count = len(self._main.module.layers)
        layers = CacheLayers(SharedLayers(self._reuse.caches)[:count], self._request.kv)
        new = self._prompt.ids[self._reuse.reused :]
        source, length = self._source(new, count)
        return SpeculativeDecoding(source, length, layers, new, self._allowed, sampler, processors)

    def _source(self, new: tuple[int, ...], count: int) -> tuple[DraftSource, DraftLength]:
        """Return the source of draft tokens. The layers of a draft model follow the `count` ones of the model."""
        if self._draft is None:
            wanted = self._request.lookup_tokens
            length = DraftLength(self._main.step_costs, 0 if wanted == AUTOMATIC else wanted)
            return LookupSource(self._new_lookup()), length
        layers = CacheLayers(SharedLayers(self._reuse.caches)[count:], self._request.kv)
        return ModelSource(self._draft_target(), layers, new, self._main.rows), DraftLength(self._draft.step_costs)

    def _new_lookup(self) -> Lookup:
        return Lookup(self._prompt.ids)

    def _uncached(self) -> Generator[UncachedResponse, None, None]:
        """Generate with a pass over the whole sequence for each token. A token that comes after Stop is dropped."""
        module, sampler, processors = self._target(), self._sampler(), self._processors()
        ids, allowed = list(self._prompt.ids), self._allowed
        with wired_limit(module):
            for count in range(1, allowed + 1):
                if self._stop.asked:
                    return
                sequence = mx.array(ids, mx.uint32)
                logits = module(sequence[None])[:, -1, :]
                for processor in processors:
                    logits = processor(sequence, logits)
                logprobs = logits - mx.logsumexp(logits, keepdims=True)
                token = int(sampler(logprobs).item())  # type: ignore[arg-type]
                if self._stop.asked:
                    return
                reason = "stop" if token in self._end_ids else "length" if count == allowed else None
                yield UncachedResponse(token, logprobs.squeeze(0), False, reason)
                ids.append(token)

    @property
    def _allowed(self) -> int:
        return max_new_tokens(self._request, self._main.model.context, len(self._prompt.ids))

    def _sampler(self) -> Sampler:
        return sampler_for(self._request.sampling, self._end_ids | self._main.line_ends)

    def _processors(self) -> list[Processor]:
        """Return the logits processors. The recorder only reads, and comes before the reasoning budget."""
        own, recorder = [timed(self._working, each) for each in self._own_processors()], self._recorder
        if recorder and own and not self._drafts:
            own.append(recorder.process)
        return [*own, timed(self._working, self._budget.process)] if self._budget else own

    def _own_processors(self) -> list[Processor]:
        """Return the processors that change logits: penalties, bias and output format.

        With a draft model mlx-lm also runs them for draft tokens, so the recorder takes the adjusted logits from the
        responses.
        """
        # mlx-lm doesn't show cached tokens to the processors, nor, with a draft model, those of its own prefill.
        unseen = self._prompt.ids[:-1] if self._drafts else self._prompt.ids[: self._reuse.reused]
        processors = processors_for(self._request.sampling, unseen)
        if any(model.rows > model.model.vocabulary for model in (self._main, self._draft) if model):
            processors.append(within(self._main.model.vocabulary))
        if self._constraint:
            processors.append(self._constraint.process)
        return processors

    def _target(self) -> Module:
        """Return the model, with a hook if its passes are counted or its logits recorded."""
        if self._drafts:
            return ModelHook(self._main.module, self._count_step, self._keep_raw, self._draft_count.propose)
        if self._recorder:
            return ModelHook(self._main.module, self._watch.decodes, self._keep_raw)
        return self._main.module

    def _draft_target(self) -> Module:
        assert self._draft is not None
        return ModelHook(self._draft.module, self._watch.draft_pass)

    def _count_step(self, count: int) -> bool:
        decodes = self._watch.target_pass(count)
        if decodes:
            self._draft_count.step(count)
        return decodes

    def _keep_raw(self, logits: mx.array) -> None:
        if self._recorder:
            self._recorder.keep_raw(logits)

    def _take_all(self, responses: Iterable[GenerationResponse | UncachedResponse], sampled: MemorySampler) -> Reason:
        for response in responses:
            now = time.monotonic()
            self._take(response, now)
            sampled.tick(now)
            reason = self._reply.why_ended(self._constraint) or (Reason.STOPPED if self._stop.asked else None)
            if reason is not None:
                return reason
            self._fit_check.check_growth(len(self._reply.ids))
        if self._stop.asked:
            return Reason.STOPPED
        raise UserError(tr("The model stopped without a finish reason."), tr("Try again, or reload the model."))

    def _take(self, response: GenerationResponse | UncachedResponse, now: float) -> None:
        written = len(self._reply.ids)
        if self._decoding:
            self._decoding.take(response.token)
        self._draft_count.token(written, response.from_draft)
        if self._recorder:
            unconstrained = self._constraint.unconstrained(written) if self._constraint else None
            # Without processors the model's own logits were sampled, and reading others would wait for the next pass.
            adjusts = self._decoding.has_processors if self._decoding else self._drafts
            chosen_from = response.logprobs if adjusts else None
            if self._budget and self._drafts and (replaced := self._budget.replaced_logits(written)) is not None:
                chosen_from = replaced
            self._recorder.note(response.token, response.from_draft, chosen_from, unconstrained)
        self._reply.take(response.token, response.finish_reason, now, response.from_draft, self._stop.asked)

    def _new_recorder(self) -> LogprobRecorder:
        return recorder_of(self._main, self._request, self._end_ids, self._drafts)

    def _settle_cache(self) -> None:
        """Record what the cache holds: the prefilled prompt, and all generated tokens."""
        if self._request.kv.enabled:
            self._cache.trim_after_run((*self._prompt.ids[: self._reuse.reused + self._watch.done], *self._reply.ids))
        if self._watch.new > 1 and self._reply.ids:
            self._main.pace.learn(self._watch.new - 1, self._watch.ended - self._watch.started)

    def _finish(self, reason: Reason, failure: Failure | None) -> Finish:
        # Without a cache all prompt tokens are prefilled in one pass.
        whole = bool(self._reply.ids) or not self._request.kv.enabled
        finish = self._reply.finish(reason, self._stop, failure, (self._watch.started, self._watch.ended))
        return replace(
            finish,
            reused=self._reuse.reused,
            new=len(self._prompt.ids) - self._reuse.reused if whole else self._watch.done,
            drafted=self._draft_stats() if self._drafts else None,
            thinking=self._budget.summary(self._reply.ids) if self._budget else None,
            warming=self._warming,
            cache_lookup=self._cache_lookup,
            observing=self._recorder.spent.seconds if self._recorder else 0.0,
            conditions=self._conditions(finish.times),
        )

    def _draft_stats(self) -> DraftStats:
        if self._decoding is None:
            return self._draft_count.total()
        found, chosen = self._draft_count.total(self._decoding.unused_passes), self._decoding.stats()
        return replace(found, lookup=chosen) if self._draft is None else replace(found, automatic=chosen)

    def _conditions(self, times: Times) -> Conditions:
        weights, reuse = self._main.model.weights, self._reuse
        return Conditions(
            others=self._external_load.share(),
            on_processors=self._main.model.on_cpu,
            page_faults=self._external_load.page_faults(),
            weights=weights,
            kv=memory.kv_bytes(reuse.caches),
            draft_share=self._draft.model.weights / max(1, weights) if self._draft else 0.0,
            again=reuse.again,
            hindrance=reuse.hindrance,
            place=reuse.first_difference or 0,
            processing=self._working.seconds,
            tf32=self._main.model.tf32,
            gpu=self._gpu_watch.conditions((times.prefill_started, times.prefill_ended, times.first_token)),
        )


def recorder_of(main: LoadedModel, request: Request, end_ids: frozenset[int], drafts: bool = False) -> LogprobRecorder:
    distribution = SampledDistribution(request.sampling, end_ids | main.line_ends)
    return LogprobRecorder(request.observe, end_ids, main.spelling.texts.__getitem__, distribution, drafts)


class DraftCount:
    """Counts proposed and accepted tokens: one pass of the target model is one step."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self._texts = texts
        self._proposed = 0
        self._accepted = 0
        self._steps = 0
        self._step: mx.array | None = None
        self._accepted_now = 0
        self._rejected: list[tuple[int, list[int]]] = []

    def step(self, rows: int) -> None:
        self._steps += 1
        self._proposed += rows - 1

    def propose(self, tokens: mx.array) -> None:
        """Store the input of the target model: its own token and the draft tokens, which aren't computed yet."""
        self._step, self._accepted_now = tokens, 0

    def token(self, index: int, from_draft: bool) -> None:
        """Count the next token of the run; one that the target model sampled ends a step."""
        self._accepted += from_draft
        self._accepted_now += from_draft
        if not from_draft and self._step is not None:
            # The whole array is computed, since it was fed; a part would be one more operation.
            step: list[list[int]] = self._step.tolist()  # type: ignore[assignment]
            self._step = None
            if rest := step[0][1 + self._accepted_now :]:
                self._rejected.append((index, rest))

    def total(self, unused_passes: int = 0) -> DraftStats:
        texts = self._texts.__getitem__
        rejected = tuple(RejectedTokens(index, tuple(ids), tuple(map(texts, ids))) for index, ids in self._rejected)
        return DraftStats(self._proposed, self._accepted, self._steps - unused_passes, rejected)


class ModelHook(Module):
    """Wraps a model for one run, because mlx-lm doesn't report the prefill of a draft model, nor raw logits.

    `before` gets the number of input tokens and returns whether the logits are needed. `after` gets the logits, and
    `given` the input tokens. No value is changed.
    """

    def __init__(
        self,
        inner: Module,
        before: Callable[[int], bool],
        after: Callable[[mx.array], None] | None = None,
        given: Callable[[mx.array], None] | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.inner = inner
        self._before, self._after, self._given = before, after, given

    @property
    def layers(self) -> Any:
        """The model's layers. mlx-lm counts them to find the draft model's part of a cache."""
        return self.inner.layers

    def __call__(self, tokens: mx.array, cache: Any = None) -> mx.array:
        wanted = self._before(int(tokens.shape[1]))
        logits: mx.array = self.inner(tokens, cache=cache)
        if wanted and self._given:
            self._given(tokens)
        if wanted and self._after:
            self._after(logits)
        return logits


def _memory(weights: int, cache: PromptCache) -> Memory:
    """Sample the memory. A function, since a bound method as prefill callback would create a reference cycle."""
    return memory.read(weights, memory.kv_bytes(cache.caches), cache.others.size)


def timed(watch: Stopwatch, process: Processor) -> Processor:
    def timed_process(tokens: mx.array, logits: mx.array) -> mx.array:
        with watch:
            return process(tokens, logits)

    return timed_process
