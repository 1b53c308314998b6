"""Step: the first token, cold and warm, and what a new temperature costs: in a process that has done nothing yet."""

import sys
import time
from dataclasses import replace

BEGAN = time.monotonic()

from app.engine.types import Request, Sampling  # noqa: E402
from tests.engine.mlx.conftest import Player  # noqa: E402
from tests.mac_check.facts import Facts, step  # noqa: E402
from tests.mac_check.models import COUNT, STORY, opened  # noqa: E402

DRAWN = Sampling(temperature=0.7, top_p=0.95, seed=1)


def measure(facts: Facts) -> None:
    """“Warming” is what the program takes out of the first token's time: a sampler that Metal compiles."""
    facts.told("imported, since the start", time.monotonic() - BEGAN, "s")
    before = time.monotonic()
    with opened() as player:
        facts.told("demo model opened", time.monotonic() - before, "s")
        asked = replace(STORY, sampling=DRAWN)
        _first_token(facts, "cold", player, asked)
        _first_token(facts, "warm", player, replace(COUNT, sampling=DRAWN))
        hotter = replace(DRAWN, temperature=1.3)
        _first_token(facts, "warm, a new temperature", player, replace(asked, sampling=hotter))
        _first_token(facts, "warm, the same again", player, replace(asked, sampling=hotter))


def _first_token(facts: Facts, name: str, player: Player, asked: Request) -> None:
    finish = player.play(asked).finish
    times = finish.times
    facts.held(f"{name}: it answered", finish.failure is None, finish.failure or "")
    facts.told(f"first token, {name}", 1000 * (times.first_token - times.sent), "ms")
    facts.told(f"warming before it, {name}", 1000 * finish.warming, "ms")
    facts.told(f"speed, {name}", (finish.tokens - 1) / (times.last_token - times.first_token), "tokens/s")


if __name__ == "__main__":
    from app.launch import preload_blas

    preload_blas()  # what users get: it may start this process over
    sys.exit(step(measure))
