"""Converts the events of one run to frames: O(1) and a few bytes for each token."""

from array import array
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass

from app.engine.meter.speeds import (
    Curve,
    LatencyPercentiles,
    Point,
    end_to_end_speed,
    gaps,
    mean_speed,
    rate,
    recorded_curve,
    remaining_seconds,
)
from app.engine.types import (
    ENDLESS,
    Channel,
    Event,
    ExactPrompt,
    Finish,
    Loading,
    Memory,
    Prefill,
    PromptEvent,
    Reason,
    Token,
    VisibleText,
)


@dataclass(frozen=True, slots=True)
class PrefillProgress:
    """Progress of the prefill in tokens, without cached ones. `total` 0: unknown.

    The last prompt token doesn't count: the first decode step processes it.
    """

    done: int
    total: int
    reused: int
    remaining: float | None
    """Estimated seconds left, from the speed so far; None without a speed."""
    again: bool = False
    """The prompt had been prefilled before, but this KV cache can't be trimmed."""
    stage: str = ""
    """Name of the current step before the prefill; empty in the prefill."""
    started: float = 0.0
    """Seconds from Send to the start of the prefill."""


@dataclass(frozen=True, slots=True)
class RunMetrics:
    """The numbers of a run. None: not defined yet, shown as “–”."""

    elapsed: float = 0.0
    """Seconds since Send, at most until the end of the run."""
    first_token: float | None = None
    """TTFT: seconds from Send to the arrival of the first token."""
    prompt_speed: float | None = None
    """Prefill speed in tok/s; known after the run."""
    speed_now: float | None = None
    speed_mean: float | None = None
    end_to_end: float | None = None
    tokens: int = 0
    """Generated tokens, EOS token included."""
    visible: int | None = 0
    """Generated tokens that are displayed: without EOS and a stop string. None: a server counted more than it sent."""
    reasoning: int = 0
    """Number of reasoning tokens among `tokens`."""
    reasoning_before: int = 0
    """Number of reasoning tokens in the reply prefix of a forked answer."""
    pieces: bool = False
    """`tokens` counts pieces of text, because the server hasn't reported a number of tokens."""

    @property
    def thought(self) -> int:
        """Reasoning tokens of the answer, those in the prompt included; 0 if unknown."""
        return 0 if self.pieces else self.reasoning_before + self.reasoning


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Use of the context window: tokens in it, tokens that this run may add, and its size (None: unknown)."""

    used: int = 0
    reserve: int = 0
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """All events since the last frame, and the current numbers.

    `shown`, `tokens` and `points` are *new* since the last frame and come exactly once: append them. `prompted`,
    `memory` and `context` are None if unchanged. `prefill` is None outside the prefill.
    """

    shown: tuple[VisibleText, ...] = ()
    tokens: tuple[Token, ...] = ()
    points: tuple[Point, ...] = ()
    metrics: RunMetrics = RunMetrics()
    context: ContextUse | None = None
    prefill: PrefillProgress | None = None
    prompted: PromptEvent | None = None
    memory: Memory | None = None
    sent: float = 0.0
    """Time of Send, on the clock of the tokens' times."""
    at: float = 0.0
    """Time of this frame, on the same clock, for views that skip frames."""
    prefill_ended: float | None = None
    """Seconds from Send to the end of the prefill; None before it, and if it isn't known."""


@dataclass(frozen=True, slots=True)
class Summary:
    figures: RunMetrics
    context: ContextUse | None
    gaps: LatencyPercentiles | None
    prefill_seconds: float | None


LEAST_DELAY_S = 0.085
"""Seconds until a token with logprobs reaches the meter: they arrive in groups, and a frame later."""


class ArrivalDelay:
    """Estimates the delay between a token's arrival and the meter: a shorter wait is not a pause.

    If tokens come in groups, the next one may be as late as the first token of the last group.
    """

    def __init__(self) -> None:
        self.seconds = LEAST_DELAY_S
        self._before = 0.0
        self._is_coming = False

    def learn(self, now: float, first: float | None) -> None:
        """Update the estimate. `first` is the arrival of the frame's first token; None without tokens.

        Tokens that arrived since the last frame were not delayed. A group may take several frames: its later tokens are
        less late, so they don't lower the estimate.
        """
        if first is not None:
            late = LEAST_DELAY_S + max(0.0, self._before - first)
            self.seconds = max(late, self.seconds) if self._is_coming else late
        self._before, self._is_coming = now, first is not None


class Meter:
    """Measures one run. `max_tokens` and `context` are for the context gauge only."""

    def __init__(self, sent: float, max_tokens: int, context: int | None) -> None:
        self._sent = sent
        self._max_tokens = max_tokens
        self._length = context
        self._curve = Curve(sent)
        self._arrivals = self._curve.arrivals
        self._delay = ArrivalDelay()
        self._starts = array("q")
        self.ids = array("q")
        """Ids of the generated tokens, for Continue."""
        self.prompted: PromptEvent | None = None
        self._pieces_shown: list[VisibleText] = []
        """The visible text of all frames so far."""
        self._characters = 0
        self._reasoning = self._reasoning_before = 0
        self._voice = Channel.NORMAL
        self._prompt_tokens = 0
        self._pieces = False
        self._reused = 0
        self._prefill: Prefill | None = None
        self._stage = ""
        """Name of the current step before the prefill; empty in the prefill."""
        self._prefilling = False
        self._prefill_started = sent
        self._prefill_ended: float | None = None
        """Time of the last progress before the first decode step, which has the last prompt token."""
        self._finish: Finish | None = None
        self._shown: list[VisibleText] = []
        self._tokens: list[Token] = []
        self._is_prompt_new = False
        self._memory: Memory | None = None

    def fold(self, event: Event) -> None:
        """Add an event; the most frequent type is tested first."""
        if isinstance(event, Token):
            self._fold_token(event)
        elif isinstance(event, Memory):
            self._memory = event
        elif isinstance(event, Prefill):
            self._fold_prefill(event)
        elif isinstance(event, PromptEvent):
            self._fold_prompted(event)
        elif isinstance(event, Loading):
            self._stage = event.stage

    def finish(self, finish: Finish) -> None:
        self._finish = finish
        self._curve.end()
        self._shown.extend(finish.released)
        self._reasoning -= len(finish.thinking.put) if finish.thinking is not None else 0
        self._prefilling, self._stage = False, ""

    @property
    def prompt(self) -> ExactPrompt | None:
        return self.prompted.prompt if self.prompted is not None else None

    @property
    def text(self) -> str:
        """The visible text of all frames so far, tool calls included, reasoning not."""
        return "".join(piece.text for piece in self._pieces_shown if piece.voice is not Channel.REASONING)

    @property
    def reasoning(self) -> str:
        return "".join(piece.text for piece in self._pieces_shown if piece.voice is Channel.REASONING)

    def frame(self, now: float) -> Frame:
        self._delay.learn(now, self._tokens[0].at if self._tokens else None)
        if self._finish is None:
            self._curve.wait(now - self._delay.seconds)
        shown = _join_channels(self._shown)
        self._pieces_shown.extend(shown)
        frame = Frame(
            shown=shown,
            tokens=tuple(self._tokens),
            points=tuple(self._curve.points),
            metrics=self._metrics(now),
            context=self._context(),
            prefill=self._progress(),
            prompted=self.prompted if self._is_prompt_new else None,
            memory=self._memory,
            sent=self._sent,
            at=now,
            prefill_ended=self._end_of_prefill(),
        )
        self._shown.clear()
        self._tokens.clear()
        self._curve.points.clear()
        self._is_prompt_new, self._memory = False, None
        return frame

    def so_far(self, now: float) -> tuple[Frame, Curve]:
        """Return all frames until now as one without tokens, and the speed curve."""
        frame = Frame(
            shown=_join_channels(self._pieces_shown),
            metrics=self._metrics(now),
            context=self._context(),
            prefill=self._progress(),
            prompted=self.prompted,
            sent=self._sent,
            at=now,
            prefill_ended=self._end_of_prefill(),
        )
        return frame, recorded_curve((at - self._sent for at in self._arrivals), self._curve.drafts)

    def summary(self) -> Summary:
        ended = self._finish.times.ended if self._finish else 0.0
        whole = self._finish is not None and self._finish.wire is not None and self._finish.wire.whole
        between = None if whole else gaps(self._arrivals, self._curve.drafts)
        return Summary(self._metrics(ended), self._context(), between, self._prefill_seconds())

    def _fold_token(self, token: Token) -> None:
        self._curve.add(token.at, token.from_draft)
        self._starts.append(self._characters)
        self.ids.append(token.id)
        self._characters += len(token.text)
        self._tokens.append(token)
        if token.shown:
            self._shown.extend(token.shown)
            self._voice = token.shown[-1].voice
        self._reasoning += self._voice is Channel.REASONING
        self._prefilling = False

    def _fold_prefill(self, event: Prefill) -> None:
        if self._prefill is None:
            self._prefill_started = event.at if event.done == 0 else self._sent
        if event.done < event.total:
            self._prefill_ended = event.at
        self._prefill = event
        self._prefilling = True

    def _fold_prompted(self, event: PromptEvent) -> None:
        self.prompted, self._is_prompt_new, self._stage = event, True, ""
        self._prompt_tokens = len(event.prompt.ids)
        self._reused = event.reused
        self._pieces = not event.prompt.ids
        self._voice = Channel.REASONING if event.prompt.opens_reasoning else Channel.NORMAL
        self._shown.extend(event.shown)
        self._reasoning_before = self._read_beginning(event)

    def _read_beginning(self, event: PromptEvent) -> int:
        pieces, count = deque(event.shown), 0
        position = -sum(map(len, event.prompt.begun))
        for text in event.prompt.begun:
            position += len(text)
            while pieces and pieces[0].start < position:
                self._voice = pieces.popleft().voice
            count += self._voice is Channel.REASONING
        return count

    def _metrics(self, now: float) -> RunMetrics:
        count, last = self._token_count()
        first = self._arrivals[0] if self._arrivals else 0.0
        ended = self._finish.times.ended if self._finish else now
        uncounted = self._pieces and not (self._finish and self._finish.wire and self._finish.wire.counted)
        unknown = uncounted and self._finish is not None
        visible = self._visible()
        at = None if self._finish else now - self._delay.seconds
        return RunMetrics(
            elapsed=max(0.0, ended - self._sent),
            first_token=first - self._sent if count else None,
            prompt_speed=self._prompt_speed(),
            speed_now=None if unknown or visible is None else self._curve.speed(at),
            speed_mean=None if unknown else mean_speed(count, first, last),
            end_to_end=None if unknown else end_to_end_speed(count, self._sent, last),
            tokens=count,
            visible=visible,
            reasoning=0 if visible is None else self._reasoning,
            reasoning_before=self._reasoning_before,
            pieces=uncounted,
        )

    def _token_count(self) -> tuple[int, float]:
        """Return the number of tokens and the arrival of the last one; a server reports its count at the end."""
        finish = self._finish
        if finish is not None and finish.wire is not None and finish.wire.counted and self._arrivals:
            return finish.tokens, finish.times.last_token
        return len(self._arrivals), self._arrivals[-1] if self._arrivals else 0.0

    def _visible(self) -> int | None:
        count = len(self._arrivals)
        if self._finish is None:
            return count
        # A server may count the EOS token, which has no text; other differences mean that a piece is not a token.
        if self._token_count()[0] - count not in (0, self._finish.reason is Reason.STOP):
            return None
        if self._finish.stop_at is not None:
            return bisect_left(self._starts, self._finish.stop_at)
        return count - (self._finish.stop_id is not None and count > 0)

    def _prefill_seconds(self) -> float | None:
        """Return the seconds of the prefill; None until the run has finished, since only `Finish` has the times."""
        times = self._finish.times if self._finish is not None else None
        return times.prefill_ended - times.prefill_started if times is not None and times.prefill_ended else None

    def _end_of_prefill(self) -> float | None:
        event, ended = self._prefill, self._prefill_ended
        is_over = event is not None and (bool(self._arrivals) or event.done >= event.total - 1)
        return ended - self._sent if is_over and ended is not None else None

    def _prompt_speed(self) -> float | None:
        seconds = self._prefill_seconds()
        return rate(self._finish.prefilled, seconds) if self._finish is not None and seconds is not None else None

    def _progress(self) -> PrefillProgress | None:
        if self._stage:
            return PrefillProgress(0, 0, 0, None, stage=self._stage)
        if self._prefill is None or not self._prefilling:
            return None
        total, at = max(0, self._prefill.total - 1), self._prefill.at
        done = min(self._prefill.done, total)
        again = self.prompted is not None and self.prompted.stuck
        remaining = remaining_seconds(done, total, self._prefill_started, at)
        started = max(0.0, self._prefill_started - self._sent)
        return PrefillProgress(done, total, self._reused, remaining, again, started=started)

    def _context(self) -> ContextUse | None:
        finish = self._finish
        if finish is not None and finish.wire is not None and finish.wire.counted:
            return ContextUse(finish.reused + finish.new + finish.tokens, 0, self._length)
        if not self._prompt_tokens:
            return None
        used = self._prompt_tokens + len(self._arrivals)
        if not self._arrivals:
            used = self._reused + (self._prefill.done if self._prefill is not None else 0)
        if self._finish is not None:
            return ContextUse(self._finish.reused + self._finish.new + len(self._arrivals), 0, self._length)
        planned = self._prompt_tokens + self._max_tokens
        if self._length is not None:
            planned = self._length if self._max_tokens == ENDLESS else min(planned, self._length)
        return ContextUse(used, max(0, planned - used), self._length)


def _join_channels(shown: list[VisibleText]) -> tuple[VisibleText, ...]:
    """Join adjacent texts of one channel, so that a frame is one insertion into the transcript."""
    joined: list[VisibleText] = []
    texts: list[str] = []
    for piece in shown:
        if texts and joined[-1].voice is not piece.voice:
            joined[-1] = VisibleText(joined[-1].voice, "".join(texts))
            texts.clear()
        if not texts:
            joined.append(piece)
        texts.append(piece.text)
    if texts:
        joined[-1] = VisibleText(joined[-1].voice, "".join(texts))
    return tuple(joined)
