"""The scripted engine: implements the engine protocol without a model, for tests, screenshots and demonstrations."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import cast

from app.engine.echo.run import PREFILL_STEP, EchoOptions, EchoRun, logprobs_of, weight_of
from app.engine.echo.script import END_ID, END_TEXT, THINK_MARKS, VOCABULARY, ScriptedToken, render, reply
from app.engine.jobs import Job, Result, ScoreChoices, ScoredChoices, ScoreTokens, unsupported
from app.engine.protocol import Emit, StopFlag, failed_run
from app.engine.text import common_prefix
from app.engine.types import (
    Adapter,
    CacheMissReason,
    Cancellation,
    Capabilities,
    ChatPrompt,
    ChoiceScore,
    ExactPrompt,
    Failure,
    Finish,
    KVShape,
    Loading,
    LoadRequest,
    Memory,
    Model,
    Prefill,
    PromptSource,
    Reason,
    Request,
    Reusable,
    Role,
    SpelledToken,
    TokenScores,
    Tuning,
)
from app.i18n import tr

__all__ = ["EchoEngine", "EchoOptions"]

WEIGHTS_BYTES = 48_000_000
KV_BYTES_PER_TOKEN = 24_576
ACTIVATIONS_BYTES = 6_000_000
LIMIT_BYTES = 256_000_000
LOADING_STEPS = 20
SCRIPTED = tr("scripted: no model is loaded")
REFUSALS = (("form", SCRIPTED), ("think_budget", SCRIPTED), ("tools", SCRIPTED), ("lookup", SCRIPTED))


class EchoEngine:
    """A deterministic engine with made-up timing."""

    def __init__(self, knobs: EchoOptions | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._knobs = knobs or EchoOptions()
        self._clock = clock
        self._loaded = False
        self._cache: list[int] = []
        self._rest: Iterator[ScriptedToken] = iter(())
        self._known: dict[int, str] = {}
        self._peak = 0
        self._tuning = Tuning()

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        self.unload()
        pause = self._knobs.load_seconds / LOADING_STEPS
        for step in range(LOADING_STEPS + 1):
            emit(Loading(tr("weights"), WEIGHTS_BYTES * step // LOADING_STEPS, WEIGHTS_BYTES))
            if stop.wait(pause) if pause else stop.asked:
                return Cancellation()
        if self._knobs.load_failure is not None:
            return self._knobs.load_failure
        self._loaded = True
        for text in self._knobs.replies:
            self._known.update((piece.id, piece.text) for piece in reply(text, self._knobs.reasoning))
        return self._model(request)

    def has_model(self) -> bool:
        return self._loaded

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        prompt = render(source, self._known)
        if isinstance(prompt, Failure):
            return prompt
        texts = (prompt.text[start:end] for start, end in prompt.offsets)
        self._known.update(zip(prompt.ids, texts, strict=True))
        if prompt.begun or prompt.raw:
            return prompt
        opening, closing = THINK_MARKS
        return replace(prompt, opens_reasoning=prompt.text.rfind(opening) > prompt.text.rfind(closing))

    def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        """Return token texts. Each token has one byte of a character, the last one the rest."""
        prompt = self.render(source)
        if isinstance(prompt, Failure):
            return prompt
        found: list[SpelledToken] = []
        waiting: list[int] = []
        for token, (start, end) in zip(prompt.ids, prompt.offsets, strict=True):
            text = prompt.text[start:end]
            waiting.append(token)
            if text:
                spelt, last = text.encode(), len(waiting) - 1
                found += [SpelledToken(each, spelt[at : at + 1], "") for at, each in enumerate(waiting[:-1])]
                found.append(SpelledToken(token, spelt[last:], text))
                waiting.clear()
        return (*found, *(SpelledToken(each, b"", "") for each in waiting))

    def reusable(self, ids: tuple[int, ...], request: Request) -> Reusable:
        if not (request.kv.reuse and request.kv.enabled):
            return Reusable(hindrance=CacheMissReason.OFF if request.kv.enabled else CacheMissReason.BARE)
        if not self._cache:
            return Reusable()
        same = common_prefix(ids, self._cache)
        parted = self._cache[same : same + 1] if same < len(ids) else []
        cached = (parted[0], self._known.get(parted[0], "")) if parted else None
        # The last prompt token is always processed again.
        return Reusable(
            min(same, len(ids) - 1), same, cached, CacheMissReason.DIFFERS if parted else CacheMissReason.NONE
        )

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        """Simulate the prefill of the uncached tokens, then emit the script."""
        if not self._loaded:
            return failed_run(stop, Failure(tr("No model is loaded."), tr("Open a model first."), kind="no model"))
        prompt = self.render(request.prompt)
        if isinstance(prompt, Failure):
            return failed_run(stop, prompt)
        if len(prompt.ids) >= self._knobs.context:
            what = tr("The prompt has {length} tokens, but the model's context window has only {context}.")
            what = what.format(length=len(prompt.ids), context=self._knobs.context)
            failure = Failure(what, tr("Shorten it, or start a new session."), kind="context full")
            return failed_run(stop, failure, Reason.CONTEXT_FULL)
        self._peak = 0
        reused = self.reusable(prompt.ids, request).count
        first_difference = reused if self._cache else None
        self._rest = self._script(request, prompt)
        step = request.prefill_step or self._tuning.prefill_chunk or PREFILL_STEP
        run = EchoRun(self._knobs, self._clock, request, prompt, emit, stop, step)
        self._cache = run.cached
        return run.go(reused, first_difference, self._rest, self.memory)

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        """Score tokens and choices with made-up values; other jobs are unsupported, and so are distributions."""
        if isinstance(job, ScoreChoices):
            return cast("Result | Failure | Cancellation", self._score_choices(job, stop))
        if not isinstance(job, ScoreTokens) or job.kept is not None:
            return unsupported(job)
        return cast("Result | Failure | Cancellation", self._score_tokens(job, emit, stop))

    def _score_tokens(self, job: ScoreTokens, emit: Emit, stop: StopFlag) -> TokenScores | Failure | Cancellation:
        prompt = self.render(job.source)
        if isinstance(prompt, Failure):
            return prompt
        ids, pace, weights = prompt.ids, self._knobs.prefill_per_second, job.begun if job.begun is not None else []
        for done in range(len(weights), len(ids), PREFILL_STEP):
            emit(Prefill(done, len(ids), self._clock()))
            read = ids[done : done + PREFILL_STEP]
            if stop.wait(len(read) / pace) if pace else stop.asked:
                return Cancellation()
            weights += [weight_of(token) if done + at else None for at, token in enumerate(read)]
        emit(Prefill(len(ids), len(ids), self._clock()))
        return TokenScores(ids, tuple(weights))

    def _score_choices(self, job: ScoreChoices, stop: StopFlag) -> int | Cancellation:
        count = 0
        for row in job.rows:
            if stop.asked:
                return Cancellation()
            count, prompt = count + 1, self.render(row[0].source)
            if isinstance(prompt, Failure):
                job.keep(prompt)
                continue
            own = [[*each.continuation.strip().encode()] for each in row]
            logprobs = [sum(weight_of(token).logprob for token in tokens) for tokens in own]
            alone = [logprob / 2 if job.unconditional else None for logprob in logprobs]
            scores = zip(row, logprobs, own, alone, strict=True)
            found = tuple(ChoiceScore(each.text, logprob, len(ids), less) for each, logprob, ids, less in scores)
            job.keep(ScoredChoices(prompt, found))
        return count

    def generate_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], stop: StopFlag
    ) -> tuple[Finish, ...]:
        """Run the requests one after the other, since there is no device that could batch them."""
        return tuple(self.generate(request, emit, stop) for request, emit in zip(requests, emits, strict=True))

    def tune(self, tuning: Tuning) -> None:
        self._tuning = tuning

    def memory(self) -> Memory:
        """Return simulated memory: weights, bytes for each cached token, and working memory."""
        weights = WEIGHTS_BYTES if self._loaded else 0
        kv = len(self._cache) * KV_BYTES_PER_TOKEN
        active = weights + kv + (ACTIVATIONS_BYTES if self._loaded else 0)
        self._peak = max(self._peak, active)
        limit = min(LIMIT_BYTES, self._tuning.memory_limit or LIMIT_BYTES)
        return Memory(active, ACTIVATIONS_BYTES // 2, self._peak, limit, weights, kv)

    def unload(self) -> None:
        self._loaded = False
        self._cache, self._rest, self._peak = [], iter(()), 0

    def close(self) -> None:
        self.unload()

    def _script(self, request: Request, prompt: ExactPrompt) -> Iterator[ScriptedToken]:
        """Yield the text to generate: the rest of a reply for a known prompt, else the next reply.

        Tokens that the answer already has are skipped, so a fork continues after its position.
        """
        if self._cache and list(prompt.ids) == self._cache:
            return self._rest
        turns = 0
        if isinstance(request.prompt, ChatPrompt):
            turns = sum(message.role is Role.USER for message in request.prompt.messages) - 1
        seed = request.sampling.seed if request.sampling.temperature else 0
        script = reply(self._knobs.replies[(turns + seed) % len(self._knobs.replies)], self._knobs.reasoning)
        return islice(self._remember_tokens(script, request.observe), len(prompt.begun), None)

    def _remember_tokens(self, script: Iterator[ScriptedToken], observed: int) -> Iterator[ScriptedToken]:
        for piece in script:
            self._known[piece.id] = piece.text
            if observed:
                for candidate in logprobs_of(piece, observed).top[1:]:
                    self._known.setdefault(candidate.id, candidate.text)
            yield piece

    def _model(self, request: LoadRequest) -> Model:
        return Model(
            name="echo",
            folder=Path(request.model),
            architecture="script",
            parameters=0,
            weights=WEIGHTS_BYTES,
            context=self._knobs.context,
            vocabulary=VOCABULARY,
            eos=((END_ID, END_TEXT),),
            kv=KVShape(KV_BYTES_PER_TOKEN // 4, 4, (64,)),
            reasoning=THINK_MARKS if self._knobs.reasoning else None,
            adapter=Adapter(Path(request.adapter).name, Path(request.adapter), 8, 20.0) if request.adapter else None,
            can=Capabilities(draft=bool(self._knobs.draft_every), batch=True, refusals=REFUSALS),
            report=(SCRIPTED,),
        )
