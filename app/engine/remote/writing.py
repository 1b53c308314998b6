"""Converts a server's answer to tokens: a piece of text is one token, unless logprobs list several."""

import codecs
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from app.engine.protocol import Emit, StopFlag, TokenBatch
from app.engine.remote.event_stream import Chunk, ChunkToken
from app.engine.stop_strings import Scanner, StopMatch
from app.engine.text import DecoderRule, printable_piece
from app.engine.types import ENDLESS, NO_ID, Alternative, Channel, Request, Token, TokenLogprobs, TopTokens, VisibleText

RULES = (
    DecoderRule(),
    DecoderRule(byte_level=True),
    DecoderRule(replaced=(("▁", " "),), byte_fallback=True),
    DecoderRule(replaced=(("▁", " "),), byte_fallback=True, dropped_first=True),
)
LONGEST_TOKEN = 64
CHARACTERS_LIMIT = 4 << 20
SLACK = 4096
"""Characters beyond the longest possible answer; a longer one is treated as endless."""
CHARACTERS_PER_S, MIN_CHARACTERS = 100_000, 20
"""Maximum characters per second, and the minimum that a piece counts for, since each is a row in tables."""
LONGEST_PIECE = 2_048
"""Maximum characters of a piece; longer ones are split, since no token is longer."""
POLL_S, GRAIN_S = 0.02, 0.005


def decode_tokens(choices: Sequence[ChunkToken], text: str) -> tuple[list[str], list[ChunkToken]] | None:
    """Return the text of each token and the tokens with readable names; None if they can't be aligned with the answer.

    The last token may be EOS, which has no text, and mlx_lm.server drops a leading space.
    """
    for rule in RULES:
        pieces = [rule.spell(each.text) for each in choices]
        for count in dict.fromkeys((len(pieces), max(0, len(pieces) - 1))):
            texts = _texts(rule, pieces[:count])
            whole = "".join(texts)
            if text in (whole, whole.removeprefix(" ")):
                return [*texts, *[""] * (len(pieces) - count)], [_read(each, rule) for each in choices]
    return None


def _texts(rule: DecoderRule, pieces: list[bytes]) -> list[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    texts = [decoder.decode(piece) for piece in pieces]
    first = next((index for index, text in enumerate(texts) if text), None)
    if first is not None:
        texts[first] = rule.begin(texts[first])
    return texts


def _read(choice: ChunkToken, rule: DecoderRule) -> ChunkToken:
    def read(name: str) -> str:
        return printable_piece(rule.spell(name))

    top = tuple(Alternative(each.id, read(each.text), each.logprob, each.raw_logit) for each in choice.top)
    return replace(choice, text=read(choice.text), top=top)


class StopStringReader:
    """Finds stop strings in a server's answer, whose channels the server separates itself.

    Stop strings aren't sent: some servers miss those across tokens, and none reports which one it found.
    """

    def __init__(self, stop_strings: Sequence[str]) -> None:
        self._strings = tuple(stop_strings)
        self._finder = Scanner(self._strings)
        self._channels: deque[tuple[Channel, int]] = deque()
        """Channels of the pending text, with their lengths."""
        self._written = self._read = 0
        self._surrogate = ""
        self.stopped: StopMatch | None = None

    def read(self, channel: Channel, piece: str) -> tuple[str, tuple[VisibleText, ...]]:
        """Return the text that is complete, and the part of it to display."""
        text = self._join_surrogates(piece)
        if self.stopped is not None or not text:
            return text, ()
        self._channels.append((channel, len(text)))
        held = len(self._finder.held)
        certain, which, rest = self._finder.read(text)
        shown = tuple(self._show(certain))
        if which is not None:
            string = self._strings[which]
            self.stopped = StopMatch(string, self._written - held + len(certain), string + rest)
        self._written += len(text)
        return text, shown

    def finish(self) -> tuple[VisibleText, ...]:
        """Return the text held back, which was no stop string."""
        if self.stopped is not None:
            return ()
        held, self._finder = self._finder.held, Scanner(())
        return tuple(self._show(held))

    def _join_surrogates(self, piece: str) -> str:
        """Join surrogates that a server with UTF-16 strings has split over two pieces."""
        text, self._surrogate = self._surrogate + piece, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._surrogate = text[:-1], text[-1]
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _show(self, text: str) -> Iterator[VisibleText]:
        while text:
            channel, size = self._channels.popleft()
            part, text = text[:size], text[size:]
            if len(part) < size:
                self._channels.appendleft((channel, size - len(part)))
            yield VisibleText(channel, part, self._read)
            self._read += len(part)


class RateLimit:
    """Delays pieces beyond a maximum rate; their recorded times don't change."""

    def __init__(self, stop: StopFlag) -> None:
        self._stop = stop
        self._due = 0.0

    def allows(self, characters: int) -> bool:
        """Wait until the rate allows these characters; return False after Stop."""
        now = time.monotonic()
        while self._due - now > GRAIN_S and not self._stop.asked:
            time.sleep(min(self._due - now, POLL_S))
            now = time.monotonic()
        self._due = max(self._due, now) + max(characters, MIN_CHARACTERS) / CHARACTERS_PER_S
        return not self._stop.asked


class ReplyAssembler:
    """Converts chunks to tokens, and finds stop strings."""

    def __init__(self, request: Request, emit: Emit, redact: Callable[[str], str], stop: StopFlag) -> None:
        self._request = request
        self._redact, self._rate = redact, RateLimit(stop)
        self._reader = StopStringReader(request.limits.stop_strings)
        self._batch = TokenBatch[Token](request.interval, emit, iter)
        self.count = self.characters = 0
        self.most = most_characters(request)
        self._said: list[str] = []
        self.heard = 0
        """Received characters, pending ones included."""
        self.first_at = self.last_at = 0.0

    @property
    def match(self) -> StopMatch | None:
        return self._reader.stopped

    @property
    def said(self) -> str:
        return "".join(self._said)

    def take(self, chunk: Chunk, at: float) -> None:
        """Add a chunk of a stream. A piece of several tokens stays one token, since their times are unknown."""
        choices = list(chunk.choices)
        for channel, text in chunk.pieces:
            choice = choices.pop(0) if len(choices) == 1 else None
            self._put(channel, text, at, choice)

    def take_whole(self, chunk: Chunk, at: float) -> None:
        """Add a complete answer at temperature 0 with logprobs.

        The likeliest alternative was sampled; mlx_lm.server may report another one.
        """
        texts = [text for _, text in chunk.pieces]
        chosen = [_likeliest(each) for each in chunk.choices]
        found = decode_tokens(chosen, texts[0]) if len(texts) == 1 else None
        if found is None:
            self.take(Chunk(chunk.pieces), at)
            return
        for text, choice in zip(*found, strict=True):
            self._put(chunk.pieces[0][0], text, at, choice)
            if self.match is not None:
                break

    def finish(self) -> tuple[VisibleText, ...]:
        """Emit the rest, and return the text that was held back."""
        released = self._reader.finish()
        self._said += (each.text for each in released if each.voice is Channel.NORMAL)
        self._batch.hand_over()
        return released

    def _put(self, channel: Channel, text: str, at: float, choice: ChunkToken | None) -> None:
        self.heard += len(text)
        text = self._redact(text)
        # An endless answer is cut here.
        for start in range(0, max(1, min(len(text), LONGEST_PIECE + self.most - self.characters)), LONGEST_PIECE):
            part = text[start : start + LONGEST_PIECE]
            if self._rate.allows(len(part)):
                self._emit(channel, part, at, choice if len(text) <= LONGEST_PIECE else None)

    def _emit(self, channel: Channel, piece: str, at: float, choice: ChunkToken | None) -> None:
        text, shown = self._reader.read(Channel.NORMAL if self._request.raw else channel, piece)
        self._said += (each.text for each in shown if each.voice is Channel.NORMAL)
        asks = choice is not None and self._request.observe
        observed = _observed(_redacted(choice, self._redact), self._request.observe) if choice and asks else None
        identity = choice.id if choice is not None and choice.id >= 0 else NO_ID
        full = self._batch.add(Token(self.count, identity, text, shown, at, observed=observed))
        self.count += 1
        self.characters += len(text)
        self.first_at, self.last_at = self.first_at or at, at
        if full:
            self._batch.hand_over()


def most_characters(request: Request) -> int:
    """Return the number of characters beyond which an answer is endless."""
    limit = request.limits.max_tokens
    return CHARACTERS_LIMIT if limit == ENDLESS else min(CHARACTERS_LIMIT, LONGEST_TOKEN * limit + SLACK)


def _redacted(choice: ChunkToken, redact: Callable[[str], str]) -> ChunkToken:
    """Mask the key in the texts of tokens, which can be any text."""
    top = tuple(each._replace(text=redact(each.text)) for each in choice.top)
    return replace(choice, text=redact(choice.text), top=top)


def _likeliest(choice: ChunkToken) -> ChunkToken:
    if not choice.top:
        return choice
    best = choice.top[0]
    return ChunkToken(best.text, best.id, best.logprob, choice.top)


def _observed(choice: ChunkToken, count: int) -> TokenLogprobs | None:
    """Return the logprobs; unknown values (logits, entropy, EOS probability) are NaN."""
    if choice.logprob is None:
        return None
    top: Sequence[Alternative] = choice.top[:count]
    chosen = Alternative(choice.id, choice.text, choice.logprob, math.nan)
    rank = 1 + sum(each.logprob > chosen.logprob for each in choice.top)
    rest = max(0.0, 1.0 - sum(each.probability for each in top))
    return TokenLogprobs(chosen, rank, TopTokens.of(top), math.nan, math.nan, rest)
