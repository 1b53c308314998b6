"""One run, from the admitted prompt to its last word."""

import time
from contextlib import closing
from dataclasses import replace
from functools import partial

import mlx.core as mx

from app.engine.cpu_load import ExternalLoad
from app.engine.errors import UserError, without_panic
from app.engine.mlx import memory
from app.engine.mlx.caches.cache import PromptCache, Reuse
from app.engine.mlx.failures import run_failure
from app.engine.mlx.form import AnswerForm, form_of
from app.engine.mlx.loaded import Loaded
from app.engine.mlx.logprob_recorder import LogprobRecorder, Stopwatch
from app.engine.mlx.memory import MemorySampler
from app.engine.mlx.prefill import PrefillStoppedError, PrefillWatch
from app.engine.mlx.reply import Reply
from app.engine.mlx.sampler import SampledDistribution, sampler_for
from app.engine.mlx.speculate import DraftCount
from app.engine.mlx.think_budget import ThinkBudget, budget_of
from app.engine.mlx.token_generators import Step
from app.engine.mlx.token_source import Feed
from app.engine.mlx.validate_request import FitCheck, max_new_tokens
from app.engine.protocol import Emit, StopFlag
from app.engine.types import (
    CacheMissReason,
    Conditions,
    ExactPrompt,
    Failure,
    Finish,
    Memory,
    Prompted,
    Reason,
    Request,
)
from app.i18n import tr

NO_REUSE = Reuse([], 0, None, tr("the bare loop keeps no cache"), hindrance=CacheMissReason.BARE)


class Run:
    """Feeds the model, hands out its tokens, and knows after each of them whether it has ended, and why."""

    def __init__(
        self,
        main: Loaded,
        draft: Loaded | None,
        cache: PromptCache,
        prompt: ExactPrompt,
        request: Request,
        emit: Emit,
        stop: StopFlag,
        weights: int,
        told: bool = False,
    ) -> None:
        """`weights`: bytes of all models in memory. `told`: they are known to be too large, and used all the same."""
        self._main, self._draft, self._cache = main, draft, cache
        self._prompt, self._request = prompt, request
        self._emit, self._stop = emit, stop
        self._end_ids = main.eos_ids() | frozenset(request.limits.stop_ids)
        self._memory = partial(_memory, weights, cache)
        self._reuse = NO_REUSE
        self._warming = 0.0
        self._disturbance = ExternalLoad()
        self._foresight = FitCheck(main.model.kv, request.kv, told, cache.others.make_room)
        self._watch = PrefillWatch(len(prompt.ids), emit, stop)
        self._drafted = DraftCount(main.spelling.texts)
        self._observer = self._new_observer() if request.observe else None
        self._form: AnswerForm | None = None
        self._working = Stopwatch(time.thread_time)  # what it waits for is the model's
        self._budget: ThinkBudget | None = None
        self._reply = Reply(main, prompt, request, emit, self._observer)

    def go(self) -> Finish:
        """Run to the end. Whatever happens, what was written is kept, and the cache is what it says it is."""
        failure: Failure | None = None
        try:
            with without_panic():
                reason = self._generate()
            self._settle_cache()
        except PrefillStoppedError:
            reason = Reason.STOPPED
            self._settle_cache()
        except Exception as error:
            reason, failure = Reason.ERROR, run_failure(error)
            # Nobody knows what else an error of the library's has spoiled.
            (self._cache.drop if isinstance(error, UserError) else self._cache.clear)()
        self._emit(self._memory())
        return self._finish(reason, failure)

    def _generate(self) -> Reason:
        """Raises what the library raises; PrefillStoppedError when the user stops before the first token."""
        if self._request.kv.enabled:
            ids, session = self._prompt.ids, self._request.session
            self._reuse = self._cache.prepare(ids, self._request.kv, self._main, self._draft, session)
        new = len(self._prompt.ids) - self._reuse.reused
        shown = 1 if self._draft else new
        self._form = form_of(self._request, self._main, self._prompt, self._end_ids, shown)
        self._budget = budget_of(self._request, self._main, self._prompt, shown)
        difference, note = self._reuse.first_difference, self._reuse.note
        begun, stuck = self._reply.begun, self._reuse.stuck
        self._emit(Prompted(self._prompt, self._reuse.reused, new, difference, note, begun, stuck, self._reuse.session))
        read, sampled = partial(self._cache.keep_prompt, self._prompt.ids), MemorySampler(self._memory, self._emit)
        self._watch = PrefillWatch(new, self._emit, self._stop, read, sampled.tick)
        self._foresight.prompt(new)
        self._warm()
        mx.reset_peak_memory()
        sampled.tick(time.monotonic())
        mx.random.seed(self._request.sampling.seed)
        with closing(self._feed().steps()) as steps:
            for step in steps:
                now = time.monotonic()
                self._take(step, now)
                sampled.tick(now)
                if (reason := self._why_ended()) is not None:
                    return reason
                self._foresight.grow(len(self._reply.ids))
        if self._stop.asked:
            return Reason.STOPPED
        raise UserError(tr("The model stopped handing out tokens."), tr("Try again, or reload the model."))

    def _warm(self) -> None:
        """On Metal a sampler is compiled when it is first used, and for each new temperature: that may take seconds,
        which are neither the prompt's nor the first token's."""
        if memory.on_cpu():
            return
        started = time.monotonic()
        sampler = sampler_for(self._request.sampling, self._end_ids | self._main.line_ends)
        mx.eval(sampler(mx.zeros((1, self._main.rows), getattr(mx, self._main.model.precision))))
        self._warming = time.monotonic() - started

    def _take(self, step: Step, now: float) -> None:
        """One `GenerationResponse` becomes one Token; its arrays are let go here."""
        self._drafted.token(len(self._reply.ids), step.from_draft)
        if self._observer:
            unformed = self._form.unformed(len(self._reply.ids)) if self._form else None
            chosen_from = step.logprobs if self._draft else None
            if self._budget and self._draft and (instead := self._budget.instead(len(self._reply.ids))) is not None:
                chosen_from = instead
            self._observer.note(step.token, step.from_draft, chosen_from, unformed)
        self._reply.take(step.token, step.library_reason, now, step.from_draft, self._stop.asked)

    def _why_ended(self) -> Reason | None:
        return self._reply.why_ended(self._form) or (Reason.STOPPED if self._stop.asked else None)

    def _new_observer(self) -> LogprobRecorder:
        texts, request = self._main.spelling.texts, self._request
        drawing = SampledDistribution(request.sampling, self._end_ids | self._main.line_ends)
        return LogprobRecorder(request.observe, self._end_ids, texts.__getitem__, drawing, self._draft is not None)

    def _feed(self) -> Feed:
        return Feed(
            main=self._main,
            draft=self._draft,
            request=self._request,
            ids=self._prompt.ids,
            allowed=max_new_tokens(self._request, self._main.model.context, len(self._prompt.ids)),
            end_ids=self._end_ids,
            reuse=self._reuse,
            watch=self._watch,
            observer=self._observer,
            form=self._form,
            budget=self._budget,
            drafted=self._drafted,
            stop=self._stop,
            working=self._working,
        )

    def _settle_cache(self) -> None:
        """The prompt as far as it was processed, and all that was generated, are in the cache now."""
        if self._request.kv.enabled:
            self._cache.keep((*self._prompt.ids[: self._reuse.reused + self._watch.done], *self._reply.ids))
        if self._watch.new > 1 and self._reply.ids:
            self._main.pace.learn(self._watch.new - 1, self._watch.ended - self._watch.started)

    def _finish(self, reason: Reason, failure: Failure | None) -> Finish:
        return replace(
            self._reply.finish(reason, self._stop, failure, (self._watch.started, self._watch.ended)),
            reused=self._reuse.reused,
            new=self._read(),
            drafted=self._drafted.total() if self._draft else None,
            thinking=self._budget.told(self._reply.ids) if self._budget else None,
            warming=self._warming,
            observing=self._observer.spent.seconds if self._observer else 0.0,
            conditions=self._conditions(),
        )

    def _read(self) -> int:
        """How much of the prompt; the bare loop reads it in one piece."""
        whole = bool(self._reply.ids) or not self._request.kv.enabled
        return len(self._prompt.ids) - self._reuse.reused if whole else self._watch.done

    def _conditions(self) -> Conditions:
        weights, reuse = self._main.model.weights, self._reuse
        return Conditions(
            others=self._disturbance.share(),
            on_processors=self._main.model.on_cpu,
            page_faults=self._disturbance.page_faults(),
            weights=weights,
            kv=memory.kv_bytes(reuse.caches),
            draft_share=self._draft.model.weights / max(1, weights) if self._draft else 0.0,
            again=reuse.again,
            hindrance=reuse.hindrance,
            place=reuse.first_difference or 0,
            processing=self._working.seconds,
        )


def _memory(weights: int, cache: PromptCache) -> Memory:
    """No method of the run: what is asked while a prompt is read would hold the run in a cycle."""
    return memory.read(weights, memory.kv_bytes(cache.caches), cache.others.size)
