"""Step: memory that is refused, and the run after it; what is wired before and after; what 200 runs leave behind."""

import os
import sys
from dataclasses import replace

import mlx.core as mx
import pytest

from app.engine.protocol import StopFlag
from app.engine.system_load import resident_bytes
from app.engine.types import Failure, Limits, Model, Sampling, Tuning
from tests.engine.mlx.conftest import Player
from tests.engine.mlx.metal import Metal
from tests.mac_check.facts import ON_A_MAC, SHORT, Facts, step
from tests.mac_check.models import OPEN, STORY, first_difference, ignore, opened

RUNS = 6 if SHORT else 200
WARM_UP = 3 if SHORT else 20
GROWN_MB = 20
ROW_BYTES = 1 << 20


def look(facts: Facts) -> None:
    with opened() as player:
        usual = player.play(STORY).ids
        wired = _wired()
        _refused_by_us(facts, player)
        parted = first_difference(usual, player.play(STORY).ids)
        facts.held("the run after a refused load: the same tokens", not parted, parted)
        _refused_by_the_device(facts, player)
        parted = first_difference(usual, player.play(STORY).ids)
        facts.held("the run after memory was refused: the same tokens", not parted, parted)
        facts.held("wired limit as before the runs", _wired() == wired, f"{wired} before, {_wired()} after", "bytes")
        _many(facts, player)


def _wired() -> int:
    """Only setting it tells what it was."""
    was = int(mx.set_wired_limit(0))
    mx.set_wired_limit(was)
    return was


def _refused_by_us(facts: Facts, player: Player) -> None:
    player.engine.tune(Tuning(memory_limit=1 << 20))
    ended = player.engine.load(OPEN, ignore, StopFlag())
    facts.held(
        "a load over the limit is refused",
        isinstance(ended, Failure) and ended.kind == "memory",
        ended.what if isinstance(ended, Failure) else "it opened",
    )
    player.engine.tune(Tuning())
    facts.held("and without the limit it opens", isinstance(player.engine.load(OPEN, ignore, StopFlag()), Model))


def _refused_by_the_device(facts: Facts, player: Player) -> None:
    """Metal names the longest buffer that it gives; a CPU would end the process, so there Metal is played."""
    if not ON_A_MAC:
        with pytest.MonkeyPatch.context() as patch:
            metal = Metal(patch)
            metal.fail(2)
            failure = player.play(STORY).finish.failure
        facts.held("memory refused in a run, played, is told", failure is not None and failure.kind == "memory")
        return
    rows = int(mx.device_info()["max_buffer_length"]) // ROW_BYTES + 1
    try:
        mx.eval(mx.zeros((rows, ROW_BYTES), dtype=mx.uint8))
    except (RuntimeError, MemoryError) as error:
        facts.held("an array larger than Metal's longest buffer is refused", True, error)
    else:
        facts.held("an array larger than Metal's longest buffer is refused", False, f"{rows} MB")
    mx.clear_cache()


def _many(facts: Facts, player: Player) -> None:
    begun = 0  # on a Mac a footprint, with what Metal holds for the process
    for number in range(WARM_UP + RUNS):
        if number == WARM_UP:
            begun = resident_bytes(os.getpid())
        sampling = Sampling(temperature=0.5 + number % 5 / 10, seed=number)
        player.play(replace(STORY, sampling=sampling, limits=Limits(16)))
    grown = (resident_bytes(os.getpid()) - begun) / 1e6
    facts.told("footprint before the runs", begun / 1e6, "MB")
    facts.told("of that, MLX", (mx.get_active_memory() + mx.get_cache_memory()) / 1e6, "MB")
    facts.held(f"grown over {RUNS} runs, at most {GROWN_MB} MB", begun > 0 and grown <= GROWN_MB, f"{grown:.1f}", "MB")


if __name__ == "__main__":
    sys.exit(step(look))
