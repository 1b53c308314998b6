"""What prompt lookup with an automatic number of draft tokens gains or costs, by kind of prompt.

On the real model, which `make real-model` makes. Without it all rows are inconclusive, and say so.
"""

from functools import partial

from app.engine.types import AUTOMATIC, KV, Limits, Request
from tests.bench.engine import GREEDY, Bench
from tests.bench.lengths import length
from tests.bench.pairing import compare
from tests.bench.promised import BARS
from tests.bench.real import MISSING, MODEL
from tests.bench.row import Row
from tests.real.lookup_prompts import prompts

PAIRS, TOKENS = length(8, 1), length(64, 8)


def rows() -> list[Row]:
    if not (MODEL / "config.json").is_file():
        return [Row(name, None, {"why": MISSING}) for name in BARS["lookup"]]
    bench = Bench(MODEL, "")
    try:
        return [_gain(bench, name) for name in BARS["lookup"]]
    finally:
        bench.engine.unload()  # close would end MLX's streams of this thread


def _gain(bench: Bench, name: str) -> Row:
    """Both runs of a pair have the same prompt, each pair has its own."""
    requests = [
        Request(prompt, GREEDY, Limits(TOKENS), KV(reuse=False))
        for prompt in prompts(name.rpartition(".")[2], PAIRS + 1)
        for _ in range(2)
    ]
    accepted = tokens = 0

    def speed(lookup_tokens: int) -> float:
        nonlocal accepted, tokens
        request = requests.pop()
        played = Request(request.prompt, GREEDY, request.limits, request.kv, lookup_tokens=lookup_tokens)
        finish, _ = bench.play(played)
        if finish.drafted is not None:
            accepted, tokens = accepted + finish.drafted.accepted, tokens + finish.tokens
        return finish.tokens / (finish.times.last_token - finish.times.prefill_ended)

    compared = compare(partial(speed, AUTOMATIC), partial(speed, 0), PAIRS)
    return Row(name, compared.median, compared.detail() | {"accepted_of_tokens": accepted / tokens})
