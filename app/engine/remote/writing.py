"""What a server writes, as tokens: each piece of text is one, unless the server tells more of them, by their names."""

import codecs
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from app.engine.batching import Batch
from app.engine.protocol import Emit, StopFlag
from app.engine.remote.chunk import Choice, Chunk
from app.engine.stop_strings import NO_PATTERNS, Patterns, Scanner, StopMatch
from app.engine.text import named
from app.engine.tokenizers.spelling import Rule
from app.engine.types import ENDLESS, NO_ID, Alternative, Channel, Request, Token, TokenLogprobs, TopTokens, VisibleText

RULES = (
    Rule(),
    Rule(byte_level=True),
    Rule(replaced=(("▁", " "),), byte_fallback=True),
    Rule(replaced=(("▁", " "),), byte_fallback=True, dropped_first=True),
)
LONGEST_TOKEN = 64
CHARACTERS_LIMIT = 4 << 20
SLACK = 4096
"""An answer beyond so many characters more than all its tokens could have is without end."""
CHARACTERS_PER_S, LEAST = 100_000, 20
"""Twenty thousand tokens; a piece counts as so many characters at least, since each is a row in many tables."""
LONGEST_PIECE = 2_048
"""No token is longer, so what is was several."""
POLL_S, GRAIN_S = 0.02, 0.005


def spelt(choices: Sequence[Choice], text: str) -> tuple[list[str], list[Choice]] | None:
    """The text that becomes whole with each token, and the tokens with readable names.

    The last one may be an end, which is no text, and mlx_lm.server leaves out a space at the beginning. None where no
    way of reading them gives the answer.
    """
    for rule in RULES:
        pieces = [rule.spell(each.text) for each in choices]
        for count in dict.fromkeys((len(pieces), max(0, len(pieces) - 1))):
            texts = _texts(rule, pieces[:count])
            whole = "".join(texts)
            if text in (whole, whole.removeprefix(" ")):
                return [*texts, *[""] * (len(pieces) - count)], [_read(each, rule) for each in choices]
    return None


def _texts(rule: Rule, pieces: list[bytes]) -> list[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    texts = [decoder.decode(piece) for piece in pieces]
    first = next((place for place, text in enumerate(texts) if text), None)
    if first is not None:
        texts[first] = rule.begin(texts[first])
    return texts


def _read(choice: Choice, rule: Rule) -> Choice:
    def read(name: str) -> str:
        return named(rule.spell(name))

    top = tuple(Alternative(each.id, read(each.text), each.logprob, each.raw_logit) for each in choice.top)
    return replace(choice, text=read(choice.text), top=top)


class VoicedReader:
    """Does for a server's answer what a `ReplyReader` does by the marks in a model's own.

    Servers look for stop strings too, but each in its way (some miss one that straddles tokens), and none says which
    it found: so they are not told of any.
    """

    def __init__(self, stop_strings: Sequence[str]) -> None:
        self._strings = tuple(stop_strings)
        self._finder = Scanner(Patterns(self._strings))
        self._voices: deque[tuple[Channel, int]] = deque()
        """Voices of what is not shown yet, and how many characters each has."""
        self._written = self._read = 0
        self._half = ""
        self.stopped: StopMatch | None = None

    def read(self, voice: Channel, piece: str) -> tuple[str, tuple[VisibleText, ...]]:
        """The text that is whole now, and what may be shown."""
        text = self._whole(piece)
        if self.stopped is not None or not text:
            return text, ()
        self._voices.append((voice, len(text)))
        held = len(self._finder.held)
        certain, which, rest = self._finder.read(text)
        shown = tuple(self._show(certain))
        if which is not None:
            string = self._strings[which]
            self.stopped = StopMatch(string, self._written - held + len(certain), string + rest)
        self._written += len(text)
        return text, shown

    def finish(self) -> tuple[VisibleText, ...]:
        """What was held back turned out to begin nothing."""
        if self.stopped is not None:
            return ()
        held, self._finder = self._finder.held, Scanner(NO_PATTERNS)
        return tuple(self._show(held))

    def _whole(self, piece: str) -> str:
        """A server that cuts its text in UTF-16 sends half a character at the end of one piece and half in the next."""
        text, self._half = self._half + piece, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _show(self, text: str) -> Iterator[VisibleText]:
        while text:
            voice, size = self._voices.popleft()
            part, text = text[:size], text[size:]
            if len(part) < size:
                self._voices.appendleft((voice, size - len(part)))
            yield VisibleText(voice, part, self._read)
            self._read += len(part)


class RateLimit:
    """Waits before what would be too much at once. Times are not touched by it: they were taken when it came."""

    def __init__(self, stop: StopFlag) -> None:
        self._stop = stop
        self._due = 0.0

    def allows(self, characters: int) -> bool:
        """Now, or in a moment; not when the answer was stopped meanwhile."""
        now = time.monotonic()
        while self._due - now > GRAIN_S and not self._stop.asked:
            time.sleep(min(self._due - now, POLL_S))
            now = time.monotonic()
        self._due = max(self._due, now) + max(characters, LEAST) / CHARACTERS_PER_S
        return not self._stop.asked


class Writing:
    """Takes chunks, emits tokens, and looks for stop strings."""

    def __init__(self, request: Request, emit: Emit, redact: Callable[[str], str], stop: StopFlag) -> None:
        self._request = request
        self._redact, self._pace = redact, RateLimit(stop)
        self._reader = VoicedReader(request.limits.stop_strings)
        self._batch = Batch[Token](request.interval, emit, iter)
        self.count = self.characters = 0
        self.most = most_characters(request)
        self._said: list[str] = []
        self.heard = 0
        """Characters that came, also those that wait."""
        self.first_at = self.last_at = 0.0

    @property
    def match(self) -> StopMatch | None:
        """The stop string, once it is complete."""
        return self._reader.stopped

    @property
    def said(self) -> str:
        """The answer without its reasoning."""
        return "".join(self._said)

    def take(self, chunk: Chunk, at: float) -> None:
        """A piece of a stream. A piece of several tokens stays one: when each of them came is not known."""
        choices = list(chunk.choices)
        for voice, text in chunk.pieces:
            told = choices.pop(0) if len(choices) == 1 else None
            self._put(voice, text, at, told)

    def take_whole(self, chunk: Chunk, at: float) -> None:
        """An answer at temperature 0 that came at once, and each of its tokens with its candidates.

        The likeliest candidate was chosen: mlx_lm.server names another one, whichever its sorting put first.
        """
        texts = [text for _, text in chunk.pieces]
        chosen = [_likeliest(each) for each in chunk.choices]
        found = spelt(chosen, texts[0]) if len(texts) == 1 else None
        if found is None:
            self.take(Chunk(chunk.pieces), at)
            return
        for text, choice in zip(*found, strict=True):
            self._put(chunk.pieces[0][0], text, at, choice)
            if self.match is not None:
                break

    def finish(self) -> tuple[VisibleText, ...]:
        """Hand the rest over; what was held back comes out."""
        released = self._reader.finish()
        self._said += (each.text for each in released if each.voice is Channel.NORMAL)
        self._batch.hand_over()
        return released

    def _put(self, voice: Channel, text: str, at: float, choice: Choice | None) -> None:
        self.heard += len(text)
        text = self._redact(text)
        # Of what is without end there is no more to be shown than that.
        for start in range(0, max(1, min(len(text), LONGEST_PIECE + self.most - self.characters)), LONGEST_PIECE):
            part = text[start : start + LONGEST_PIECE]
            if self._pace.allows(len(part)):
                self._emit(voice, part, at, choice if len(text) <= LONGEST_PIECE else None)

    def _emit(self, voice: Channel, piece: str, at: float, choice: Choice | None) -> None:
        text, shown = self._reader.read(Channel.NORMAL if self._request.raw else voice, piece)
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
    """An answer of more is without end."""
    limit = request.limits.max_tokens
    return CHARACTERS_LIMIT if limit == ENDLESS else min(CHARACTERS_LIMIT, LONGEST_TOKEN * limit + SLACK)


def _redacted(choice: Choice, redact: Callable[[str], str]) -> Choice:
    """A token's name may be any text."""
    top = tuple(each._replace(text=redact(each.text)) for each in choice.top)
    return replace(choice, text=redact(choice.text), top=top)


def _likeliest(choice: Choice) -> Choice:
    if not choice.top:
        return choice
    best = choice.top[0]
    return Choice(best.text, best.id, best.logprob, choice.top)


def _observed(choice: Choice, count: int) -> TokenLogprobs | None:
    """What isn't told (logits, the entropy of all there is, how likely the end was) is no number."""
    if choice.logprob is None:
        return None
    top: Sequence[Alternative] = choice.top[:count]
    chosen = Alternative(choice.id, choice.text, choice.logprob, math.nan)
    rank = 1 + sum(each.logprob > chosen.logprob for each in choice.top)
    rest = max(0.0, 1.0 - sum(each.probability for each in top))
    return TokenLogprobs(chosen, rank, TopTokens.of(top), math.nan, math.nan, rest)
