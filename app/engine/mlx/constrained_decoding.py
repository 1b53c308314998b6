"""Constrained decoding: a logits processor after the penalties, which masks all tokens that the format forbids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import numpy as np

from app.engine.errors import UserError
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.logprob_recorder import readable
from app.engine.mlx.sampler import Flags
from app.engine.structured_output.grammar import FUEL, KIND, grammar_of
from app.engine.types import ExactPrompt, Reason, Request, TokenPrompt
from app.i18n import tr

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

MARK_TOKENS = 24
"""The end tag of the reasoning is searched in this many of the last tokens."""
MAY_COME = b"\xc8"
"""The byte with which the matcher marks an allowed token."""
Unformed = tuple[mx.array, Flags]
"""Logits before the constraint, and the allowed tokens."""


class FormatConstraint:
    """Constrains the tokens of an answer to a format. Rejected draft tokens reset it to their start."""

    def __init__(
        self, model: LoadedModel, matcher: LLMatcher, ends: frozenset[int], reasons: bool, raw: bool, keeps: bool
    ) -> None:
        """`reasons`: the answer begins in reasoning. `keeps`: store the unconstrained logits for the recorder."""
        self._fresh, self._matcher = matcher, matcher.deep_copy()
        self._piece, self._ends = model.spelling.piece, ends
        marks = model.model.reasoning or ("", "")
        opening = model.tokenizer.encode(marks[0], add_special_tokens=False) if marks[0] else []
        self._opening = opening[0] if len(opening) == 1 and not reasons and not raw else None
        self._closing = marks[1].encode()
        self._reasons, self._keeps = reasons, keeps
        self._ids: list[int] = []
        self._begun: int | None = None if reasons else 0
        """The number of tokens before the format applies; None during reasoning."""
        self._eaten = 0
        self._before = self._written = 0
        self._allowed: bytes | None = None
        self._kept: dict[int, Unformed] = {}

    def replay(self, written: Sequence[int], before: int) -> None:
        """Feed the tokens that the answer already has; the processors see `before` prompt tokens with them."""
        for token in written:
            self._add(token)
        self._written, self._before = len(written), before - len(written)
        if self.ended() is Reason.DEAD_END:
            what = tr("The answer so far doesn't match the output format.")
            raise UserError(what, tr("Change the output format, or turn it off."), kind=KIND)

    def process(self, tokens: mx.array, logits: mx.array) -> mx.array:
        """Mask banned tokens. Waits for the tokens so far while the model computes the next logits."""
        count = int(tokens.size) - self._before
        if count:
            last = tokens[-1:]
            mx.async_eval(last)
            mx.async_eval(logits)
            self._follow(count, int(last.item()))  # type: ignore[arg-type]
        elif self._ids:
            self._truncate(0)
        if self._begun is None or self.ended() is not None:
            self._kept.pop(count, None)
            return logits
        size = logits.shape[-1]  # a model may have more rows than tokens
        allowed = self._mask()[:size].ljust(size, b"\0")
        if not self._ids and self._opening is not None and int(logits.argmax().item()) == self._opening:  # type: ignore[arg-type]
            allowed = allowed[: self._opening] + MAY_COME + allowed[self._opening + 1 :]
        if self._keeps:
            self._kept[count] = readable(logits), np.frombuffer(allowed, np.bool_)
        flags: Any = memoryview(allowed).cast("?")
        return mx.where(mx.array(flags), logits, -mx.inf)

    def finish_reason(self, ids: Sequence[int]) -> Reason | None:
        """Return the finish reason if the last token completes the format; None: the run continues."""
        self._follow(self._written + len(ids), ids[-1])
        return self.ended()

    def ended(self) -> Reason | None:
        if self._begun is None:
            return None
        if self._eaten < len(self._ids) - self._begun or MAY_COME not in self._mask() or self._matcher.is_error():
            return Reason.DEAD_END
        return Reason.FORM if self._matcher.is_stopped() else None

    def unconstrained(self, position: int) -> Unformed | None:
        """Return the unconstrained logits of a token of this run; None if the format did not apply."""
        return self._kept.pop(self._written + position, None)

    def _follow(self, count: int, last: int) -> None:
        """Accept the new tokens, after a step back if some were rejected."""
        if count == len(self._ids) and self._ids[-1] == last:
            return
        self._truncate(count - 1)
        self._add(last)

    def _truncate(self, count: int) -> None:
        del self._ids[count:]
        if self._begun is not None and self._begun > count:
            self._begun = None
        if not count and not self._reasons:
            self._begun = 0
        eaten = 0 if self._begun is None else min(self._eaten, count - self._begun)
        if eaten < self._eaten and not self._matcher.rollback(self._eaten - eaten):
            self._matcher = self._fresh.deep_copy()  # the matcher can't go back from its final state
            self._matcher.consume_tokens(self._ids[self._begun : count])
        self._eaten = eaten
        self._allowed = None

    def _add(self, token: int) -> None:
        """Add a token. One that isn't allowed is not passed to the matcher, which could not recover."""
        fits = self._fits(token)
        self._ids.append(token)
        self._allowed = None
        if self._begun is None:
            tail = b"".join(map(self._piece, self._ids[-MARK_TOKENS:]))
            self._begun = len(self._ids) if self._closing in tail else None
        elif len(self._ids) == 1 and token == self._opening:
            self._begun = None
        elif fits and self._matcher.consume_token(token):
            self._eaten += 1

    def _fits(self, token: int) -> bool:
        if self._begun is None or self._eaten < len(self._ids) - self._begun or token in self._ends:
            return False
        if self._allowed is not None:
            return self._allowed[token : token + 1] == MAY_COME
        return self._matcher.validate_tokens([token]) == 1

    def _mask(self) -> bytes:
        """Return the allowed tokens, one byte each. Without numpy, which is slow between two tokens (cold caches)."""
        if self._allowed is None:
            self._allowed = self._matcher.compute_logit_bias()
        return self._allowed


def constraint_of(
    request: Request, model: LoadedModel, prompt: ExactPrompt, ends: frozenset[int], shown: int
) -> FormatConstraint | None:
    """Return the constraint of a request, or None. `shown`: number of prompt tokens that the processors see."""
    if not request.form:
        return None
    from llguidance import LLMatcher, LLParserLimits

    limits = LLParserLimits(**FUEL)  # type: ignore[arg-type]
    matcher = LLMatcher(_tokenizer(model, ends), grammar_of(request.form), log_level=0, limits=limits)
    count = written_count(request, prompt)
    constraint = FormatConstraint(
        model, matcher, ends, begins_reasoning(model, prompt, count), prompt.raw, bool(request.observe)
    )
    constraint.replay(prompt.ids[len(prompt.ids) - count :], shown)
    return constraint


def _tokenizer(model: LoadedModel, ends: frozenset[int]) -> LLTokenizer:
    """Return llguidance's tokenizer. Cached for each set of EOS ids, since it reads the whole vocabulary."""
    from llguidance import LLTokenizer, TokenizerWrapper

    if ends not in model.grammars:
        spelt = _Vocabulary(model, ends)
        model.grammars[ends] = LLTokenizer(TokenizerWrapper(spelt), eos_token=spelt.ends)
    made: LLTokenizer = model.grammars[ends]
    return made


class _Vocabulary:
    """The vocabulary for llguidance. Special tokens and EOS have no text, even if their spelling is visible."""

    bos_token_id = None

    def __init__(self, model: LoadedModel, ends: frozenset[int]) -> None:
        count, tokenizer = model.model.vocabulary, model.tokenizer
        self._encode = tokenizer.encode
        self.tokens = [*map(model.spelling.piece, range(count)), b"end"]
        self.ends = sorted(ends) or [count]
        """A model without EOS never samples the last id."""
        self.eos_token_id = self.ends[0]
        marks = {edge.text for edge in model.markers.edges}
        added = getattr(tokenizer, "added_tokens_decoder", {})
        special = {token for token, known in added.items() if known.special or known.content in marks}
        special |= {*tokenizer.all_special_ids, *self.ends, count}
        self._special = frozenset(token for token in special if token <= count)
        self.special_token_ids = sorted(self._special)

    def __call__(self, text: str) -> list[int]:
        """Tokenize forced text like the model's tokenizer; special tags are split into letters."""
        ids = list(self._encode(text, add_special_tokens=False))
        return ids if self._special.isdisjoint(ids) else list(self._in_letters(text.encode()))

    def _in_letters(self, text: bytes) -> Iterator[int]:
        known = {piece: token for token, piece in enumerate(self.tokens) if token not in self._special}
        while text:
            size = next((size for size in range(min(len(text), 16), 0, -1) if text[:size] in known), 0)
            if not size:
                return
            yield known[text[:size]]
            text = text[size:]


def written_count(request: Request, prompt: ExactPrompt) -> int:
    """Return how many tokens at the end of the prompt belong to the answer."""
    return len(prompt.begun) or (request.prompt.written if isinstance(request.prompt, TokenPrompt) else 0)


def begins_reasoning(model: LoadedModel, prompt: ExactPrompt, written: int) -> bool:
    """Return whether the answer began in reasoning; its tokens may have closed it."""
    if prompt.raw or model.model.reasoning is None:
        return False
    if not written or prompt.begun:
        return prompt.opens_reasoning
    before = model.spelling.decode(prompt.ids[: len(prompt.ids) - written])
    return before.rstrip().endswith(model.model.reasoning[0])
