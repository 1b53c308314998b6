"""Converts the token ids of a run to text: complete characters by channel, with stop strings and tool calls."""

import threading
import time
from collections.abc import Callable, Iterable
from itertools import starmap
from typing import Any

from mlx_lm.tokenizer_utils import TokenizerWrapper

from app.engine.mlx.constrained_decoding import FormatConstraint
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.logprob_recorder import LogprobRecorder
from app.engine.protocol import Emit, StopFlag, TokenBatch
from app.engine.stop_strings import ReplyReader
from app.engine.tools import LONGEST_CALL, MOST_CALLS, call_of, too_long, tools_of
from app.engine.types import (
    Channel,
    ChatPrompt,
    ExactPrompt,
    Failure,
    Finish,
    PromptSource,
    Reason,
    Request,
    Times,
    Token,
    ToolCall,
    VisibleText,
)
from app.i18n import tr

Read = tuple[str, tuple[VisibleText, ...]]
Bare = tuple[int, int, str, tuple[VisibleText, ...], float, bool]
"""A token without logprobs: index, id, text, visible text, arrival, whether the draft model proposed it."""

COMPLETE = frozenset({Reason.STOP, Reason.STOP_STRING, Reason.FORM})
"""Finish reasons of an answer that may have complete tool calls."""
DESCRIBE_S = 0.05
"""Seconds between two emissions of recorded tokens. Describing them one by one takes eight times as long, since every
call into numpy finds its caches cold.
"""
STACK_BYTES = 1 << 24
"""Some parsers use Python's own parser, which overflows a smaller stack on nested brackets."""


class Reply:
    """The text of an answer: that of each token, and its visible part."""

    def __init__(
        self, model: LoadedModel, prompt: ExactPrompt, request: Request, emit: Emit, recorder: LogprobRecorder | None
    ) -> None:
        start = len(prompt.ids) - len(prompt.begun)
        self._spelling, self._limits = model.spelling, request.limits
        self._precision = model.model.precision
        self._stream = model.spelling.stream(prompt.ids[:start])
        for token in prompt.ids[start:]:
            self._stream.add(token)
        self._reader = ReplyReader.behind(prompt, request.limits.stop_strings, model.markers)
        self._calls = ToolCalls(model.tokenizer, request.prompt)
        self.begun = self._reader.resume("".join(prompt.begun))
        """The visible text of the answer before this run."""
        self.ids: list[int] = []
        self._first_at = self._last_at = 0.0
        self._library_reason: str | None = None
        self._recorder = recorder
        self._flushed_at = 0.0
        self._batch = TokenBatch[Bare](request.interval, emit, self._tokens)
        self._over = False
        self._cut = b""

    def take(self, token: int, library_reason: str | None, now: float, from_draft: bool, last: bool = False) -> None:
        """Add a token. With the `last` one, or a finish reason of the library, all text held back is released."""
        self.ids.append(token)
        self._first_at, self._last_at = self._first_at or now, now
        self._library_reason = library_reason
        if library_reason is None and not last:
            text = self._stream.add(token)
            shown = self._reader.read(text)
        else:
            text, shown = self._finish_text(None if library_reason == "stop" else token)
        self._calls.see(shown)
        full = self._batch.add((len(self.ids) - 1, token, text, shown, now, from_draft))
        if full and (self._recorder is None or now - self._flushed_at >= DESCRIBE_S):
            self._flushed_at = now
            self._batch.hand_over()

    def why_ended(self, constraint: FormatConstraint | None = None) -> Reason | None:
        """Return the finish reason; None: the run continues. A token that completes the output format ends it."""
        if self._reader.stopped:
            return Reason.STOP_STRING
        if (
            constraint is not None
            and self._library_reason != "stop"
            and (reason := constraint.finish_reason(self.ids)) is not None
        ):
            return reason
        if self._library_reason == "length":
            return Reason.LENGTH if len(self.ids) == self._limits.max_tokens else Reason.CONTEXT_FULL
        return Reason.STOP if self._library_reason == "stop" else None

    def finish(
        self, reason: Reason, stop: StopFlag, failure: Failure | None, prefill: tuple[float, float] = (0.0, 0.0)
    ) -> Finish:
        """Emit the remaining tokens and return the Finish."""
        self._batch.hand_over()
        del self._batch  # the cycle would keep all tokens alive until a garbage collection
        # Text held back when the run failed between two tokens, and the bytes of an incomplete character.
        self._calls.see(released := () if self._over else self._finish_text()[1])
        match = self._reader.stopped
        ended_by = self.ids[-1] if reason is Reason.STOP else None
        times = Times(stop.made_at, *prefill, self._first_at, self._last_at, stop.asked_at, time.monotonic())
        return Finish(
            reason=reason,
            library_reason=self._library_reason,
            tokens=len(self.ids),
            times=times,
            released=released,
            hidden=match.hidden if match else "",
            cut=self._cut,
            calls=self._calls.read() if reason in COMPLETE else (),
            stop_id=ended_by,
            stop_text=self._spelling.text(ended_by) if ended_by is not None else match.text if match else "",
            stop_at=match.at if match else None,
            precision=self._precision,
            failure=failure,
        )

    def _finish_text(self, token: int | None = None) -> Read:
        """Add the last token and release the text held back. None: the last token was EOS, which has no text."""
        text = "" if token is None else self._stream.add(token)
        left, self._cut = self._stream.finish()
        self._over = True
        text += left
        return text, (*self._reader.read(text), *self._reader.finish())

    def _tokens(self, waiting: list[Bare]) -> Iterable[Token]:
        if self._recorder is None:
            return starmap(Token, waiting)
        # A run that failed after recording a token has recorded one more than it emitted.
        observed = self._recorder.describe()[: len(waiting)]
        return (Token(*bare, each) for bare, each in zip(waiting, observed, strict=True))


class ToolCalls:
    """Collects the tool-call channel; each section is a call, which mlx-lm's parsers read as untrusted input."""

    def __init__(self, tokenizer: TokenizerWrapper, source: PromptSource) -> None:
        self._parse: Callable[[str, Any], Any] | None = tokenizer.tool_parser
        self._source = source
        self._texts: list[str] = []
        self._end = -1

    def see(self, shown: Iterable[VisibleText]) -> None:
        for piece in shown:
            if piece.voice is not Channel.TOOL:
                continue
            if self._texts and piece.start == self._end:
                self._texts[-1] += piece.text
            else:
                self._texts.append(piece.text)
            self._end = piece.start + len(piece.text)

    def read(self) -> tuple[ToolCall, ...]:
        """Return all calls of an answer that has ended."""
        parse, texts = self._parse, self._texts[:MOST_CALLS]
        if parse is None or not texts:
            return ()
        tools = tools_of(self._source.tools) if isinstance(self._source, ChatPrompt) else None
        found: list[ToolCall] = []
        threading.stack_size(STACK_BYTES)  # applies to all later threads, which only use what they need
        reader = threading.Thread(target=lambda: found.extend(_calls(texts, parse, tools)))
        reader.start()
        reader.join()
        return tuple(found[:MOST_CALLS])


def _calls(texts: list[str], parse: Callable[[str, Any], Any], tools: list[Any] | None) -> Iterable[ToolCall]:
    for text in texts:
        if len(text) > LONGEST_CALL:
            yield too_long(text)
            continue
        try:
            parsed = parse(text, tools)
            calls = [call_of(each, text) for each in (parsed if isinstance(parsed, list) else [parsed])]
        except Exception as error:  # a parser may raise anything on untrusted text
            why = tr("mlx-lm can't read this call: {why}").format(why=f"{type(error).__name__}: {error}"[:200])
            yield ToolCall("", "{}", text, why)
        else:
            yield from calls
