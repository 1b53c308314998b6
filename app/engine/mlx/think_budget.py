"""Logits processor that forces the end-of-reasoning tag once the reasoning budget is used up."""

from collections.abc import Sequence
from typing import NamedTuple

import mlx.core as mx

from app.engine.mlx.constrained_decoding import begins_reasoning, written_count
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.logprob_recorder import readable
from app.engine.types import ENDLESS, Channel, ExactPrompt, ReasoningStats, Request

LONGEST_MARK = 64
"""Maximum bytes before a token that are searched for the beginning of a tag."""


class _BudgetState(NamedTuple):
    """The state after a token: the channel of the answer."""

    voice: str
    thought: int = 0
    """Reasoning tokens so far, without the tags."""
    again: int = 0
    """Number of times that reasoning started again after the budget was used up."""
    tail: bytes = b""
    """The possible start of a tag."""


class ThinkBudget:
    """Limits the reasoning tokens of an answer. If tokens of a draft model are rejected, it is reset to that point."""

    def __init__(
        self, model: LoadedModel, most: int, thinks: bool, keeps: bool, written: Sequence[int], shown: int
    ) -> None:
        """`thinks`: the answer begins in reasoning, with `written` tokens.

        `keeps`: keep the logits of replaced tokens. `shown`: the number of prompt tokens that the processors see.
        """
        self._edges = [(each.inside, each.text.encode(), each.then) for each in model.markers.edges if each.text]
        self._piece, self._most, self._keeps = model.spelling.piece, most, keeps
        self._mark: tuple[int, ...] = tuple(model.tokenizer.think_end_tokens or ())
        self._states = [_BudgetState(Channel.REASONING if thinks else model.markers.start)]
        self._ids: list[int] = []
        self._put: dict[int, mx.array | None] = {}
        """The places of the forced tokens, and the model's logits there."""
        self._written, self._before = len(written), shown - len(written)
        for token in written:
            self._add(token)

    def process(self, tokens: mx.array, logits: mx.array) -> mx.array:
        """Insert the end tag, as the last processor. Waits for the tokens so far while the model computes."""
        count = int(tokens.size) - self._before
        if count:
            last = tokens[-1:]
            mx.async_eval(last)
            mx.async_eval(logits)
            self._follow(count, int(last.item()))  # type: ignore[arg-type]
        else:
            self._truncate(0)
        due = self._next_forced()
        if due is None:
            self._put.pop(count, None)
            return logits
        self._put[count] = readable(logits) if self._keeps else None
        chosen = mx.where(mx.arange(logits.shape[-1]) == due, 0.0, -mx.inf).astype(logits.dtype)
        return mx.broadcast_to(chosen, logits.shape)

    def replaced_logits(self, position: int) -> mx.array | None:
        """Return the model's logits for a forced token of this run; None: it was sampled."""
        return self._put.get(self._written + position)

    def summary(self, ids: Sequence[int]) -> ReasoningStats | None:
        """Return the effect on a run of this many tokens; None if there was none."""
        put = tuple(position - self._written for position in sorted(self._put) if position < self._written + len(ids))
        if not put:
            return None
        self._truncate(self._written + len(ids) - 1)
        self._add(ids[-1])
        rest = b"".join(map(self._piece, ids[put[-1] + 1 :]))
        late = rest.count(b"".join(map(self._piece, self._mark)))
        return ReasoningStats(put, self._most, self._states[-1].again, late)

    def _next_forced(self) -> int | None:
        """Return the next token of the end tag, which the model may have begun itself; None if none is due."""
        state = self._states[-1]
        if state.voice != Channel.REASONING or state.thought < self._most:
            return None
        sizes = range(len(self._mark) - 1, 0, -1)
        return self._mark[next((size for size in sizes if tuple(self._ids[-size:]) == self._mark[:size]), 0)]

    def _follow(self, count: int, last: int) -> None:
        """Accept the new tokens, after a step back if some were rejected."""
        if count != len(self._ids) or self._ids[-1] != last:
            self._truncate(count - 1)
            self._add(last)

    def _truncate(self, count: int) -> None:
        del self._ids[count:], self._states[count + 1 :]

    def _add(self, token: int) -> None:
        state = self._states[-1]
        self._ids.append(token)
        tail = (state.tail + self._piece(token))[-LONGEST_MARK:]
        found = [(tail.find(mark), mark, then) for inside, mark, then in self._edges if inside == state.voice]
        at, mark, then = min((each for each in found if each[0] >= 0), key=lambda each: each[0], default=(-1, b"", ""))
        thinks = state.voice == Channel.REASONING
        if at < 0:
            self._states.append(state._replace(thought=state.thought + thinks, tail=tail))
            return
        marked = len(self._mark) - 1 if thinks and tuple(self._ids[-len(self._mark) :]) == self._mark else 0
        again = then == Channel.REASONING and state.thought >= self._most
        self._states.append(_BudgetState(then, state.thought - marked, state.again + again, tail[at + len(mark) :]))


def budget_of(request: Request, model: LoadedModel, prompt: ExactPrompt, shown: int) -> ThinkBudget | None:
    """Return the budget of a request; None without one. `shown`: number of prompt tokens that the processors see."""
    if request.limits.think_budget == ENDLESS or prompt.raw or not model.model.can.think_budget:
        return None
    count = written_count(request, prompt)
    thinks, keeps = begins_reasoning(model, prompt, count), bool(request.observe and request.speculates)
    written = prompt.ids[len(prompt.ids) - count :]
    return ThinkBudget(model, request.limits.think_budget, thinks, keeps, written, shown)
