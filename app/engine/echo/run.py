"""One run of the scripted engine: prefill and decode at a configured pace, with every finish reason of a real run."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.engine.echo.script import END_ID, END_TEXT, REPLIES, THINK_MARKS, ScriptedToken
from app.engine.protocol import Emit, StopFlag, TokenBatch
from app.engine.stop_strings import NO_MARKERS, Markers, ReplyReader
from app.engine.types import (
    ENDLESS,
    Alternative,
    DraftStats,
    ExactPrompt,
    Failure,
    Finish,
    Memory,
    Prefill,
    PromptEvent,
    Reason,
    RejectedTokens,
    Request,
    Times,
    Token,
    TokenLogprobs,
    TokenScore,
    TopTokens,
)

PREFILL_STEP = 64
LIBRARY_REASONS = {Reason.STOP: "stop", Reason.LENGTH: "length"}
HIGHEST_BITS = 12
STEPS = 8
LIKELIEST = (16, " the")


@dataclass(frozen=True, slots=True)
class EchoOptions:
    """The behavior of the scripted engine. A pace of 0 means no delay."""

    replies: tuple[str, ...] = REPLIES
    reasoning: str = ""
    """Emitted as a reasoning section before each reply."""
    tokens_per_second: float = 40.0
    prefill_per_second: float = 2000.0
    load_seconds: float = 0.4
    context: int = 2048
    load_failure: Failure | None = None
    run_failure: Failure | None = None
    fails_after: int = 0
    """With a `run_failure`: the number of tokens before it."""
    draft_every: int = 0
    """One token in this many comes from the target model, the others from the draft model; 0: no draft model."""
    draft_misses: int = 0
    """The number of rejected proposals at each token of the target model."""


class EchoRun:
    """The state of one run. `cached` grows as the cache of a real engine would."""

    def __init__(
        self,
        knobs: EchoOptions,
        clock: Callable[[], float],
        request: Request,
        prompt: ExactPrompt,
        emit: Emit,
        stop: StopFlag,
        prefill_step: int = PREFILL_STEP,
    ) -> None:
        self._knobs = knobs
        self._clock = clock
        self._request = request
        self._prompt = prompt
        self._emit = emit
        self._stop = stop
        self._prefill_step = prefill_step
        markers = Markers.reasoning(*THINK_MARKS) if knobs.reasoning else NO_MARKERS
        self._reader = ReplyReader.behind(prompt, request.limits.stop_strings, markers)
        self._started = clock()
        self._prefilled = (0.0, 0.0)
        self._arrivals = (0.0, 0.0)
        self._batch = TokenBatch[Token](request.interval, emit, iter)
        self._drafted = 0
        self._rejected: list[RejectedTokens] = []
        self._recording_s = 0.0
        self.cached: list[int] = []
        self.written = 0

    def go(
        self, reused: int, first_difference: int | None, script: Iterator[ScriptedToken], memory: Callable[[], Memory]
    ) -> Finish:
        prompt = self._prompt
        begun = self._reader.resume("".join(prompt.begun))
        self._emit(PromptEvent(prompt, reused, len(prompt.ids) - reused, first_difference, shown=begun))
        self._emit(memory())
        self.cached.extend(prompt.ids[:reused])
        reason = Reason.STOPPED
        if self._prefill(prompt.ids[reused:]):
            reason = self._decode(script, self._knobs.context - len(prompt.ids))
        self._batch.hand_over()
        self._emit(memory())
        return self._finish(reason, reused, min(len(self.cached), len(prompt.ids)) - reused)

    def _prefill(self, ids: tuple[int, ...]) -> bool:
        """Simulate the prefill; return whether it was completed.

        As in mlx-lm, the last prompt token belongs to decoding.
        """
        started = self._clock()
        for done in range(0, len(ids) - 1, self._prefill_step):
            self._emit(Prefill(done, len(ids), self._clock()))
            step = ids[done : min(done + self._prefill_step, len(ids) - 1)]
            if self._wait_for_tokens(len(step), self._knobs.prefill_per_second):
                return False
            self.cached.extend(step)
        self._prefilled = (started, self._clock())
        self.cached.extend(ids[-1:])
        for done in (len(ids) - 1, len(ids)):
            self._emit(Prefill(done, len(ids), self._prefilled[1]))
        return True

    def _decode(self, script: Iterator[ScriptedToken], room: int) -> Reason:
        limits = self._request.limits
        limit = room if limits.max_tokens == ENDLESS else min(room, limits.max_tokens)
        while self.written < limit:
            if self._wait_for_tokens(1, self._knobs.tokens_per_second):
                return Reason.STOPPED
            if self._knobs.run_failure is not None and self.written >= self._knobs.fails_after:
                return Reason.ERROR
            piece = next(script, ScriptedToken(END_ID, ""))
            self._write(piece)
            if self._reader.stopped is not None:
                return Reason.STOP_STRING
            if piece.id == END_ID or piece.id in limits.stop_ids:
                return Reason.STOP
        return Reason.CONTEXT_FULL if limit == room else Reason.LENGTH

    def _write(self, piece: ScriptedToken) -> None:
        at = self._clock()
        self._arrivals = (self._arrivals[0] or at, at)
        every = self._knobs.draft_every if self._request.draft_tokens else 0
        from_draft = bool(every) and (self.written + 1) % every != 0
        shown = self._reader.read(piece.text)
        observed = self._record(piece) if self._request.observe else None
        token = Token(self.written, piece.id, piece.text, shown, at, from_draft, observed)
        self.cached.append(piece.id)
        self.written += 1
        self._drafted += from_draft
        if every and not from_draft:
            self._reject(piece)
        if self._batch.add(token):
            self._batch.hand_over()

    def _reject(self, piece: ScriptedToken) -> None:
        misses = range(1, self._knobs.draft_misses + 1)
        if misses:
            texts = tuple(f"{piece.text}{miss}" for miss in misses)
            self._rejected.append(RejectedTokens(self.written - 1, tuple(piece.id + miss for miss in misses), texts))

    def _drafts(self) -> DraftStats | None:
        if not (self._knobs.draft_every and self._request.draft_tokens):
            return None
        rejected = tuple(self._rejected)
        proposed = self._drafted + sum(len(each.ids) for each in rejected)
        return DraftStats(proposed, self._drafted, self.written - self._drafted, rejected)

    def _record(self, piece: ScriptedToken) -> TokenLogprobs:
        begun = self._clock()
        observed = logprobs_of(piece, self._request.observe)
        self._recording_s += self._clock() - begun
        return observed

    def _wait_for_tokens(self, tokens: int, pace: float) -> bool:
        """Wait for the duration of this many tokens; return whether the user asked to stop."""
        return self._stop.wait(tokens / pace) if pace else self._stop.asked

    def _finish(self, reason: Reason, reused: int, new: int) -> Finish:
        ended = reason is Reason.STOP
        matched = self._reader.stopped
        return Finish(
            reason,
            library_reason=LIBRARY_REASONS.get(reason),
            tokens=self.written,
            times=Times(
                self._stop.made_at,
                *self._prefilled,
                *self._arrivals,
                self._stop.asked_at,
                self._clock(),
                self._started,
            ),
            released=self._reader.finish(),
            hidden=matched.hidden if matched else "",
            stop_id=self.cached[-1] if ended else None,
            stop_text=matched.text if matched else END_TEXT if ended else "",
            stop_at=matched.at if matched else None,
            reused=reused,
            new=new,
            drafted=self._drafts(),
            observing=self._recording_s,
            failure=self._knobs.run_failure if reason is Reason.ERROR else None,
        )


def logprobs_of(piece: ScriptedToken, count: int) -> TokenLogprobs:
    """Return made-up logprobs: each further alternative has half the probability of the one before."""
    tops = tuple(
        Alternative(piece.id + rank, piece.text if rank == 0 else f"{piece.text}{rank}", logprob, logprob + 10.0)
        for rank in range(count)
        for logprob in [math.log(0.5 ** (rank + 1))]
    )
    return TokenLogprobs(
        tops[0], 1, TopTokens.of(tops), entropy=2 * math.log(2), eos_probability=0.001, rest=0.5**count
    )


def weight_of(token: int) -> TokenScore:
    """Return a made-up surprisal of an id, in eighths of a bit. Above 1 bit, another token was the top token."""
    bits = token * 37 % (HIGHEST_BITS * STEPS) / STEPS
    logprob = -bits * math.log(2)
    if bits <= 1:
        return TokenScore(logprob, 1, token, "", logprob)
    return TokenScore(logprob, round(2**bits), *LIKELIEST, math.log(0.5))
