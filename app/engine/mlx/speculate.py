"""Speculative decoding: a check that two models fit together, and statistics."""

from collections.abc import Mapping

import mlx.core as mx

from app.engine.mlx.loaded import Loaded
from app.engine.types import Drafted, Rejected
from app.i18n import tr

PROBE_TEXT = "Hello, world! 1234567890\n\tdef f(x): return x  # “naïve” 日本語 한국어 🙂👩‍🚀"


def refusal(main: Loaded, draft: Loaded) -> str | None:
    """Explain why `draft` can't propose tokens to `main`. The library checks none of this and fails silently.

    The capabilities of `main` are checked elsewhere.
    """
    if not draft.plain_cache:
        return tr("The draft model's KV cache can't be trimmed.")
    if main.model.vocabulary != draft.model.vocabulary:
        why = tr("The two models have vocabularies of different sizes: {main} and {draft} tokens.")
        return why.format(main=f"{main.model.vocabulary:,}", draft=f"{draft.model.vocabulary:,}")
    if _encoded(main) != _encoded(draft):
        return tr("The two models tokenize the same text differently.")
    return None


class DraftCount:
    """Counts proposed and accepted tokens: one pass of the target model is one step."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self._texts = texts
        self._proposed = 0
        self._accepted = 0
        self._steps = 0
        self._step: mx.array | None = None
        self._accepted_now = 0
        self._rejected: list[tuple[int, list[int]]] = []

    def step(self, rows: int) -> None:
        self._steps += 1
        self._proposed += rows - 1

    def propose(self, tokens: mx.array) -> None:
        """Store the input of the target model: its own token and the draft tokens, which aren't computed yet."""
        self._step, self._accepted_now = tokens, 0

    def token(self, index: int, from_draft: bool) -> None:
        """Count the next token of the run; one that the target model sampled ends a step."""
        self._accepted += from_draft
        self._accepted_now += from_draft
        if not from_draft and self._step is not None:
            # The whole array is computed, since it was fed; a part would be one more operation.
            step: list[list[int]] = self._step.tolist()  # type: ignore[assignment]
            self._step = None
            if rest := step[0][1 + self._accepted_now :]:
                self._rejected.append((index, rest))

    def total(self) -> Drafted:
        texts = self._texts.__getitem__
        rejected = tuple(Rejected(index, tuple(ids), tuple(map(texts, ids))) for index, ids in self._rejected)
        return Drafted(self._proposed, self._accepted, self._steps, rejected)


def _encoded(model: Loaded) -> list[int]:
    return list(model.tokenizer.encode(PROBE_TEXT, add_special_tokens=False))
