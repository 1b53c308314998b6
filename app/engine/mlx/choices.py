"""Log-likelihoods of choices after their prompts, by the rules of lm-evaluation-harness.

Choices are scored one after the other: a batch would round differently. The tokens that a prompt shares with the one
before it, such as few-shot examples, are prefilled once if the cache can be trimmed.
"""

import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace

import mlx.core as mx
import numpy as np
from mlx_lm.generate import wired_limit

from app.engine.distributions import FLOAT_BYTES, Logprobs
from app.engine.errors import UserError
from app.engine.jobs import Choice, ScoreChoices, ScoredChoices
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.perplexity import LOGITS_BYTES
from app.engine.mlx.prefill import CHUNK_MIN
from app.engine.mlx.validate_request import exact_prompt
from app.engine.text import common_prefix
from app.engine.types import ChatPrompt, ChoiceScore, ExactPrompt, PromptSource, RawPrompt
from app.i18n import tr

Ids = tuple[int, ...]


def score_choices(context: JobContext, job: ScoreChoices) -> int:
    """Score all rows. Raises PrefillStoppedError after Stop; the rows until then are already with `job.keep`."""
    scorer, count = _RowScorer(context, job.unconditional), 0
    with wired_limit(context.main.module):
        for row in job.rows:
            context.check_stop()
            count += 1
            try:
                found = scorer.score(row)
            except UserError as refused:
                job.keep(refused.failure)
            else:
                job.keep(found)
    return count


class _RowScorer:
    def __init__(self, context: JobContext, unconditional: bool) -> None:
        self._main, self._unconditional = context.main, unconditional
        self._prompted, self._bare = PrefixScorer(context), PrefixScorer(context)

    def score(self, row: Sequence[Choice]) -> ScoredChoices:
        prompts: dict[PromptSource, ExactPrompt] = {}
        scores = []
        for choice in row:
            if not choice.continuation.strip():
                raise UserError(tr("A choice is empty."), tr("Give every choice a text."), kind="choice")
            source, continuation = _without_trailing_space(choice.source, choice.continuation)
            prompt = prompts.get(source) or exact_prompt(source, self._main)
            prompts[source] = prompt
            own = self._continuation_ids(source, prompt, continuation)
            logprob = self._prompted.log_likelihood(prompt.ids, own)
            score = ChoiceScore(choice.text, logprob, len(own))
            scores.append(replace(score, unconditional=self._alone(continuation)) if self._unconditional else score)
        return ScoredChoices(next(iter(prompts.values())), tuple(scores))

    def _alone(self, continuation: str) -> float:
        """Return the log-likelihood of a text after the BOS token, or EOS where there is none."""
        tokenizer = self._main.tokenizer
        named = (tokenizer.bos_token_id, tokenizer.eos_token_id, *sorted(self._main.eos_ids()), 0)
        begin = next(each for each in named if each is not None)
        return self._bare.log_likelihood((int(begin),), self._ids(continuation))

    def _continuation_ids(self, source: PromptSource, prompt: ExactPrompt, continuation: str) -> Ids:
        """Return the ids of a continuation: those of prompt and continuation together, without the prompt's number."""
        whole = exact_prompt(_extended(source, continuation), self._main)
        own = whole.ids[len(prompt.ids) :] if whole.text.startswith(prompt.text) else ()
        return own or self._ids(continuation)

    def _ids(self, text: str) -> Ids:
        return tuple(self._main.tokenizer.encode(text, add_special_tokens=False))


class PrefixScorer:
    """Scores continuations after prompts, with the cache of the last prompt."""

    def __init__(self, context: JobContext) -> None:
        self._context, self._main = context, context.main
        self._caches, self._ids = self._main.new_cache(), Ids()
        self._next: Logprobs | None = None
        """The logits after the prompt."""
        self._step = max(CHUNK_MIN, LOGITS_BYTES // (FLOAT_BYTES * self._main.rows))

    def log_likelihood(self, prompt: Ids, own: Ids) -> float:
        """Return the sum of the log-probabilities of these ids after the prompt, in nats."""
        _check_room(self._main, len(prompt) + len(own))
        total = _logprob_sum(self._logits_after(prompt), own[:1])
        if len(own) == 1:
            return total
        caches = self._caches if self._main.plain_cache else deepcopy(self._caches)
        for at in range(0, len(own) - 1, self._step):
            self._context.check_stop()
            part = own[at : min(at + self._step, len(own) - 1)]
            logits = np.array(self._main.forward(part, caches).astype(mx.float32))
            total += _logprob_sum(logits, own[at + 1 : at + 1 + len(part)])
        if self._main.plain_cache:
            self._trim(len(own) - 1)
        return total

    def _logits_after(self, prompt: Ids) -> Logprobs:
        if self._next is not None and prompt == self._ids:
            return self._next
        common = common_prefix(self._ids, prompt[:-1])
        if self._main.plain_cache:
            self._trim(len(self._ids) - common)
        elif common < len(self._ids):
            self._caches, common = self._main.new_cache(), 0
        self._ids = prompt[:common]
        while len(self._ids) < len(prompt) - 1:
            self._context.check_stop()
            done, started = len(self._ids), time.monotonic()
            end = min(done + self._main.pace.step_size(), len(prompt) - 1)
            self._main.forward(prompt[done:end], self._caches)
            mx.eval([layer.state for layer in self._caches])
            self._main.pace.learn(end - done, time.monotonic() - started)
            self._ids = prompt[:end]
        self._next = np.array(self._main.forward(prompt[-1:], self._caches).astype(mx.float32))
        self._ids = prompt
        return self._next

    def _trim(self, count: int) -> None:
        for layer in self._caches:
            layer.trim(count)


def _extended(source: PromptSource, continuation: str) -> PromptSource:
    if isinstance(source, ChatPrompt):
        return replace(source, reply_start=source.reply_start + continuation)
    assert isinstance(source, RawPrompt)
    return RawPrompt(source.text + continuation)


def _without_trailing_space(source: PromptSource, continuation: str) -> tuple[PromptSource, str]:
    """Move whitespace from the end of a raw prompt to the continuation, since tokens often begin with a space."""
    if not isinstance(source, RawPrompt):
        return source, continuation
    text = source.text.rstrip()
    return RawPrompt(text), source.text[len(text) :] + continuation


def _check_room(main: LoadedModel, length: int) -> None:
    if main.model.context is not None and length > main.model.context:
        what = tr("Prompt and choice have {length} tokens, but the context window holds {context}.")
        what = what.format(length=f"{length:,}", context=f"{main.model.context:,}")
        raise UserError(what, tr("Shorten the prompt, or use fewer examples."), kind="context")


def _logprob_sum(logits: Logprobs, ids: Ids) -> float:
    """Return the sum of the log-probabilities of these ids, each by its row of logits."""
    highest = logits.max(axis=1)
    own = np.take_along_axis(logits, np.array(ids)[:, None], axis=1)[:, 0] - highest
    totals = np.log(np.exp(logits - highest[:, None]).sum(axis=1, dtype=np.float64))
    return float((own - totals).sum())
