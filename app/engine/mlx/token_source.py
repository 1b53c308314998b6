"""Puts one run's source of tokens together: which loop, which taps, which sampler."""

from dataclasses import dataclass

import mlx.core as mx
from mlx.nn.layers.base import Module

from app.engine.mlx.caches.cache import Reuse
from app.engine.mlx.form import AnswerForm
from app.engine.mlx.loaded import Loaded
from app.engine.mlx.logprob_recorder import LogprobRecorder, Stopwatch
from app.engine.mlx.model_hook import ModelHook
from app.engine.mlx.prefill import PrefillWatch
from app.engine.mlx.sampler import Processor, Sampler, processors_for, sampler_for, within
from app.engine.mlx.speculate import DraftCount
from app.engine.mlx.think_budget import ThinkBudget
from app.engine.mlx.token_generators import Choice, Drafting, Steps, library_steps, uncached_steps
from app.engine.protocol import StopFlag
from app.engine.types import Request


@dataclass(frozen=True, slots=True)
class Feed:
    """Everything a run's tokens come from."""

    main: Loaded
    draft: Loaded | None
    request: Request
    ids: tuple[int, ...]
    allowed: int
    end_ids: frozenset[int]
    reuse: Reuse
    watch: PrefillWatch
    observer: LogprobRecorder | None
    form: AnswerForm | None
    budget: ThinkBudget | None
    drafted: DraftCount
    stop: StopFlag
    working: Stopwatch
    """Of what penalties and the form take of this thread."""

    def steps(self) -> Steps:
        """The tokens, lazily; close it on the thread that iterates it."""
        choice = Choice(self._sampler(), self._processors(), self.allowed)
        module = self._target()
        if not self.request.kv.enabled:
            return uncached_steps(module, self.ids, choice, self.end_ids, self.stop)
        self.main.silent.eos_token_ids = self.end_ids
        return library_steps(
            module,
            self.main.silent,
            self.ids[self.reuse.reused :],
            choice,
            self.request.kv,
            self.reuse.caches,
            self.main.pace.chunk(),
            self.watch.progress,
            self._drafting(),
        )

    def _sampler(self) -> Sampler:
        return sampler_for(self.request.sampling, self.end_ids | self.main.line_ends)

    def _processors(self) -> list[Processor]:
        """The observer only looks on, and has a watch of its own; what the budget puts in is not to be seen by it."""
        own, observer = [within_time(self.working, each) for each in self._own_processors()], self.observer
        if observer and own and not self.draft:
            own.append(observer.process)
        return [*own, within_time(self.working, self.budget.process)] if self.budget else own

    def _own_processors(self) -> list[Processor]:
        """With a draft model the processors run for its guesses too; the adjusted logits come from the steps then."""
        processors = processors_for(self.request.sampling, self._unseen())
        if any(model.rows > model.model.vocabulary for model in (self.main, self.draft) if model):
            processors.append(within(self.main.model.vocabulary))
        if self.form:
            processors.append(self.form.process)
        return processors

    def _unseen(self) -> tuple[int, ...]:
        """What the library does not show to the processors: cached tokens, and beside a draft model its own prefill."""
        return self.ids[:-1] if self.draft else self.ids[: self.reuse.reused]

    def _target(self) -> Module:
        """The model itself, or with a tap where somebody has to listen."""
        if self.draft:
            return ModelHook(self.main.module, self._count_step, self._keep, self.drafted.propose)
        if self.observer:
            return ModelHook(self.main.module, self.watch.decodes, self._keep)
        return self.main.module

    def _drafting(self) -> Drafting | None:
        if not self.draft:
            return None
        return Drafting(ModelHook(self.draft.module, self.watch.draft_pass), self.request.draft_tokens)

    def _count_step(self, count: int) -> bool:
        decodes = self.watch.target_pass(count)
        if decodes:
            self.drafted.step(count)
        return decodes

    def _keep(self, logits: mx.array) -> None:
        if self.observer:
            self.observer.keep_raw(logits)


def within_time(watch: Stopwatch, process: Processor) -> Processor:
    def timed(tokens: mx.array, logits: mx.array) -> mx.array:
        with watch:
            return process(tokens, logits)

    return timed
