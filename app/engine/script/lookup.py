"""Prompt lookup in scripts: a draft model without weights, for mlx-lm's own loop."""

from collections.abc import Iterator

from app.engine.script.literals import comment
from app.engine.script.options import has_lookup
from app.engine.types import AUTOMATIC, Model, Request

STEADY_TOKENS = 3
SAMPLED = (
    "Without draft tokens, which changed only the speed: mlx-lm would also use random numbers for them, so that the "
    "seed would give another text."
)
CHOSEN = "Sluice chose the number of draft tokens at each step; another number gives the same text."
LOOKUP = '''\
class Lookup:
    """Proposes what followed the same tokens earlier in the text: a draft model without weights."""

    layers, seen, text = [], 0, []

    def make_cache(self):
        return []

    def __call__(self, tokens, cache):
        if not ids or len(ids) != self.seen:  # a new step
            self.seen, self.text = len(ids), prompt + ids
        self.text = [*self.text, self.following()]
        return mx.where(mx.arange(vocabulary) == self.text[-1], 0.0, -1e9)[None, None]

    def following(self):
        for size in (3, 2, 1):
            for place in range(len(self.text) - size - 1, -1, -1):
                if self.text[place : place + size] == self.text[-size:]:
                    return self.text[place + size]
        return self.text[-1]'''


def lookup_lines(request: Request, model: Model) -> Iterator[str]:
    """Yield the class `Lookup`, or why the script works without it."""
    if not has_lookup(request):
        yield from comment(SAMPLED)
        return
    if request.lookup_tokens == AUTOMATIC:
        yield from comment(CHOSEN)
    yield f"vocabulary = {model.vocabulary}"
    yield f"\n\n{LOOKUP}"


def lookup_arguments(request: Request) -> Iterator[str]:
    """Yield the arguments of `stream_generate`."""
    yield "draft_model=Lookup()"
    yield _count_argument(request.lookup_tokens)


def draft_arguments(request: Request) -> Iterator[str]:
    """Yield the arguments of `stream_generate` for a draft model."""
    yield "draft_model=draft_model"
    yield _count_argument(request.draft_tokens)


def _count_argument(tokens: int) -> str:
    return f"num_draft_tokens={STEADY_TOKENS if tokens == AUTOMATIC else tokens}"
