"""Reads one answer of a server. Received text remains after any error."""

import re
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace

from app.engine.errors import DETAILS_LIMIT
from app.engine.protocol import Emit, StopFlag
from app.engine.remote import failures
from app.engine.remote.event_stream import (
    LINE_LIMIT,
    CallPart,
    Chunk,
    EventParser,
    EventTooLongError,
    ServerSentEvent,
    TokenUsage,
    read_chunk,
)
from app.engine.remote.exchange import EndOfStream, Exchange, ResponseData, ResponseStart
from app.engine.remote.foreign_json import replace_invisible
from app.engine.remote.writing import ReplyAssembler
from app.engine.structured_output.grammar import has_format
from app.engine.tools import LONGEST_CALL, MOST_CALLS, call_of, too_long
from app.engine.types import ENDLESS, Failure, Finish, NetworkTiming, Prefill, Reason, Request, Times, ToolCall
from app.files.json_values import clean
from app.i18n import tr


@dataclass(slots=True)
class _Call:
    index: int | None
    id: str
    name: str = ""
    arguments: str = ""

    def add(self, part: CallPart) -> None:
        """Append a part, up to the limit."""
        self.id = self.id or part.id
        self.name = (self.name + part.name)[: LONGEST_CALL + 1]
        self.arguments = (self.arguments + part.arguments)[: LONGEST_CALL + 1]

    def is_other(self, part: CallPart) -> bool:
        """Return whether this part begins another call. Some servers send no index, or the same for all calls."""
        return bool(part.name) and (part.index is None or bool(self.id and part.id and part.id != self.id))


class RemoteToolCalls:
    """Joins the parts of tool calls, in any order. `redact` masks the server's key."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        self._redact = redact
        self._calls: list[_Call] = []
        """The calls so far. One more than the limit is stored, to which all further parts are added."""

    def see(self, parts: Iterable[CallPart]) -> None:
        for part in parts:
            if part.name or part.arguments:
                self._call_of(part).add(part)

    def read(self) -> tuple[ToolCall, ...]:
        """Return all calls of an answer that has ended."""
        return tuple(self._read(call) for call in self._calls[:MOST_CALLS])

    def _call_of(self, part: CallPart) -> _Call:
        same = (each for each in reversed(self._calls) if part.index in (None, each.index))
        known = next(same, None)
        if known is not None and not known.is_other(part):
            return known
        if len(self._calls) <= MOST_CALLS:
            self._calls.append(_Call(part.index, part.id))
        return self._calls[-1]

    def _read(self, call: _Call) -> ToolCall:
        name, arguments = self._redact(call.name), self._redact(call.arguments)
        # A name without arguments may occur in the text.
        text = clean(self._redact(call.name + call.arguments)) if arguments else ""
        if len(call.name) + len(call.arguments) > LONGEST_CALL:
            return too_long(text)
        try:
            read = call_of({"name": name, "arguments": arguments}, text)
        except ValueError as error:
            why = tr("The server's call can't be read: {why}").format(why=self._redact(str(error))[:200])
            return ToolCall("", "{}", text, why)
        return replace(read, arguments=self._redact(read.arguments))  # parsing may have decoded escapes of the key


DONE = "[DONE]"
POLL_S = 0.02
"""Interval of checks for Stop while nothing arrives."""
EVENTS_LIMIT = 4 << 20
BYTES_PER_TOKEN, BYTES_SLACK, BYTES_LIMIT = 1 << 14, 8 << 20, 1 << 30
"""Largest size of an answer: a token with twenty alternatives takes at most BYTES_PER_TOKEN."""
IDLE_BYTES = LINE_LIMIT + (1 << 20)
"""Maximum bytes without text of the answer: usage, keep-alive comments, empty events."""
LONGEST_WHOLE = 1 << 15
"""Max tokens for the timeout of an answer without streaming, if there is no limit."""
LINE_BYTES = 64
"""Minimum bytes that a line counts for, so that empty lines are limited too."""
REDACTED_LIMIT = 4 * DETAILS_LIMIT
"""Characters of an error message that are searched for the key, more than are shown."""
EVENT_STARTS = (b"data:", b"event:", b":")
"""Starts of an event stream, also if its content type is JSON."""
FINISH_LIMIT = 64
CHECKED_LIMIT = 1 << 16
"""Largest answer and grammar, in characters, that are checked against each other: longer ones take seconds."""
PREFILL_S = 0.02
"""Interval of progress events."""
PROGRESS = re.compile(r"keepalive (\d{1,9})/(\d{1,9})")
"""Comment of mlx_lm.server during prefill."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Timeouts of a server, in seconds."""

    silence: float = 30.0
    per_character: float = 1 / 400
    """Added for each character of the prompt before the first piece: many servers send nothing during prefill."""
    last_words: float = 2.0
    """Wait after the finish reason for usage and [DONE], which some servers omit."""
    listing: float = 5.0
    """For the request of the list of models, which contains the context length."""
    per_token: float = 1.0
    """Added for each token of an answer without streaming."""
    opening: float = 600.0
    """For the first request, since the server may load the model; also for keep-alive messages alone."""

    def for_whole(self, limit: int) -> float:
        """Return the timeout of an answer without streaming."""
        return self.opening + self.per_token * (LONGEST_WHOLE if limit == ENDLESS else min(limit, LONGEST_WHOLE))


class RemoteAnswer:
    """Reads an answer until it ends, is stopped, or fails."""

    def __init__(
        self,
        exchange: Exchange,
        request: Request,
        emit: Emit,
        stop: StopFlag,
        silence: float,
        last_words: float,
        idle: float,
        seeded: bool = False,
    ) -> None:
        self._exchange, self._request = exchange, request
        self._emit, self._stop = emit, stop
        self._silence, self._last_words, self._idle = silence, last_words, max(idle, silence)
        self._seeded = seeded
        self._most_bytes = _most_bytes(request)
        self._events = EventParser()
        self._body: list[bytes] = []
        self._opened = ResponseStart(0.0, 0.0, "")
        self._finish_reason = ""
        self._finish_at = self._finish_read_at = 0.0
        """Times when the finish reason arrived and was processed; RateLimit may delay that."""
        self._usage: TokenUsage | None = None
        self._is_done = self._whole = False
        self._event_count = self._bytes = self._bytes_at_text = 0
        """`_bytes_at_text`: bytes received up to the last text."""
        self._progress = self._progress_at = self._prefill_at = 0.0
        """`_prefill_at`: time when progress was last emitted."""
        self.writing = ReplyAssembler(request, emit, exchange.redact, stop)
        self._calls = RemoteToolCalls(exchange.redact)
        self.observed = False
        """Whether alternatives have arrived."""
        self.fingerprint = ""
        """The server's `system_fingerprint`."""

    def go(self) -> Finish:
        """Read the answer and close the connection."""
        with closing(self._exchange):
            outcome = self._read()
        return self._finish(outcome)

    def _read(self) -> Reason | Failure:
        received_at = self._progress_at = time.monotonic()
        while not self._stop.asked:
            news = self._exchange.next(POLL_S)
            now = time.monotonic()
            if self._finish_reason and now - self._finish_read_at > self._last_words:
                return self._reason()
            if now - self._progress_at > self._idle:
                return failures.idle(self._exchange.address, self._idle)
            if news is None:
                if now - received_at > self._silence:
                    return failures.silence(self._exchange.address, self._silence)
                continue
            received_at = now
            if isinstance(news, EndOfStream):
                return self._end_of_stream(news)
            if isinstance(news, ResponseStart):
                self._opened = news
                self._whole = "json" in news.kind
            elif (ending := self._take(news)) is not None:
                return ending
        return Reason.STOPPED

    def _take(self, news: ResponseData) -> Reason | Failure | None:
        begins = not self._bytes
        if begins and news.content.lstrip().startswith(EVENT_STARTS):
            self._whole = False
        lines = 0 if self._whole else news.content.count(b"\n") + news.content.count(b"\r")
        self._bytes += len(news.content) + LINE_BYTES * lines
        most = self._most_bytes if self._whole else min(self._most_bytes, self._bytes_at_text + IDLE_BYTES)
        if self._bytes > most:
            return self._end_if_too_long()
        if self._whole:
            self._body.append(news.content)
            return None
        if begins and news.content.lstrip()[:1] == b"<":
            return failures.not_model_server(self._exchange.address, self._redacted(news.content))
        try:
            events = self._events.read(news.content)
        except EventTooLongError:
            return self._end_if_too_long()
        return self._take_all(events, news.at)

    def _take_all(self, events: list[ServerSentEvent], at: float) -> Reason | Failure | None:
        for event in events:
            self._event_count += 1
            if (ending := self._take_event(event, at)) is not None:
                return ending
        return None

    def _take_event(self, event: ServerSentEvent, at: float) -> Reason | Failure | None:
        if event.comment:
            self._note_progress(event.data, at)
            return None
        if event.data.strip() == DONE:
            self._is_done = True
            return self._reason()
        chunk = read_chunk(event.data)
        if chunk is None:
            return failures.malformed(self._exchange.address, self._exchange.redact(event.data[:REDACTED_LIMIT]))
        return self._take_chunk(chunk, at)

    def _take_chunk(self, chunk: Chunk, at: float) -> Reason | Failure | None:
        if chunk.error:
            return failures.reported_error(self._exchange.address, self._exchange.redact(chunk.error[:REDACTED_LIMIT]))
        self.observed = self.observed or bool(chunk.choices)
        self.fingerprint = chunk.fingerprint or self.fingerprint
        self._calls.see(() if self._request.raw else chunk.calls)
        before = self.writing.heard
        if self._whole and self._request.observe and chunk.choices:
            self.writing.take_whole(chunk, at)
        else:
            self.writing.take(chunk, at)
        if self.writing.heard > before:
            self._bytes_at_text, self._progress_at = self._bytes, at
        self._usage = chunk.usage or self._usage
        if chunk.finish and not self._finish_reason:
            said = replace_invisible(self._exchange.redact(chunk.finish[:REDACTED_LIMIT]))
            self._finish_reason, self._finish_at = said[:FINISH_LIMIT], at
            self._finish_read_at = time.monotonic()
        if self.writing.match is not None:
            return Reason.STOP_STRING
        return self._end_if_too_long() if self._is_endless() else None

    def _end_of_stream(self, news: EndOfStream) -> Reason | Failure:
        """Handle the end of the stream. The answer is complete only with a finish reason."""
        if news.failure is None and self._whole:
            return self._take_body()
        if not self._whole:
            ending = self._take_all(self._events.finish(), time.monotonic())
            # An incomplete event means a broken connection, not invalid data.
            if ending is not None and not (isinstance(ending, Failure) and ending.kind == "malformed"):
                return ending
        if self._finish_reason:
            return self._reason()
        return news.failure or failures.cut_off(self._exchange.address)

    def _take_body(self) -> Reason | Failure:
        body = b"".join(self._body)
        chunk = read_chunk(body, len(body))
        if chunk is None:
            return failures.not_model_server(self._exchange.address, self._redacted(body))
        return self._take_chunk(chunk, time.monotonic()) or self._reason()

    def _redacted(self, content: bytes) -> str:
        return self._exchange.redact(content[:REDACTED_LIMIT].decode("utf-8", "replace"))

    def _end_if_too_long(self) -> Reason | Failure:
        """Ignore too much data after the finish reason, else fail."""
        return self._reason() if self._finish_reason else failures.response_too_large(self._exchange.address)

    def _is_endless(self) -> bool:
        most = self.writing.most
        return self.writing.characters > most or self._event_count > min(EVENTS_LIMIT, most)

    def _note_progress(self, said: str, at: float) -> None:
        """Emit the progress of prefill from mlx_lm.server's comments; it never decreases."""
        found = PROGRESS.fullmatch(said)
        if found is None or self.writing.count:
            return
        done, total = int(found[1]), int(found[2])
        if total > 0 and self._progress < done <= total and (done == total or at - self._prefill_at > PREFILL_S):
            self._progress, self._progress_at, self._prefill_at = done, at, at
            self._emit(Prefill(done, total, at))

    def _breaks_format(self) -> bool:
        said, output_format = self.writing.said, self._request.form
        return len(said) + len(output_format.text) <= CHECKED_LIMIT and not has_format(output_format, said)

    def _reason(self) -> Reason:
        return Reason.LENGTH if self._finish_reason == "length" else Reason.STOP

    def _finish(self, outcome: Reason | Failure) -> Finish:
        released, match = self.writing.finish(), self.writing.match
        if match is not None and outcome in (Reason.STOP, Reason.LENGTH):
            outcome = Reason.STOP_STRING
        reason = Reason.ERROR if isinstance(outcome, Failure) else outcome
        calls = self._calls.read() if reason is Reason.STOP else ()
        usage = self._usage or TokenUsage(None, None, None)
        counted = usage.written is not None
        written = self.writing.count if usage.written is None else usage.written
        cached = min(usage.cached or 0, usage.read or 0)
        # The EOS token has no text; it arrives with the finish reason.
        last_at = max(self.writing.last_at, self._finish_at) if counted and not self._whole else self.writing.last_at
        return Finish(
            reason,
            library_reason=self._finish_reason or None,
            tokens=written,
            times=Times(
                sent=self._stop.made_at,
                first_token=self.writing.first_at,
                last_token=last_at,
                stop_asked=self._stop.asked_at,
                ended=time.monotonic(),
            ),
            released=released,
            hidden=match.hidden if match else "",
            calls=calls,
            stop_text=match.text if match else "",
            stop_at=match.at if match else None,
            reused=cached,
            new=(usage.read or 0) - cached,
            failure=outcome if isinstance(outcome, Failure) else None,
            wire=NetworkTiming(
                connect=self._opened.connect,
                first_byte=self._opened.first_byte,
                pieces=self.writing.count,
                counted=counted,
                whole=self._whole,
                ended=bool(self._finish_reason) or self._is_done,
                seeded=self._seeded,
                cached=usage.cached is not None,
                disobeyed=reason is Reason.STOP and not calls and self._breaks_format(),
            ),
        )


def _most_bytes(request: Request) -> int:
    limit = request.limits.max_tokens
    return BYTES_LIMIT if limit == ENDLESS else min(BYTES_LIMIT, BYTES_PER_TOKEN * limit + BYTES_SLACK)
