"""Step: MLX's compiled kernels on and off, each in a process of its own: how fast, and whether they say the same.

On a CPU each kernel takes a C++ compiler's time, so that a user's are off there; here they are tried all the same.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from typing import Any

from app.engine.types import Sampling
from tests.mac_check.facts import ON_A_MAC, SHORT, Facts, NotHereError, step

SETTINGS = {"greedy": Sampling(temperature=0), "drawn": Sampling(temperature=0.8, top_p=0.9, top_k=40, seed=3)}
LIMIT_S = 600


def measure(facts: Facts) -> None:
    if not ON_A_MAC and (SHORT or shutil.which("g++") is None):
        raise NotHereError("on a CPU this takes a C++ compiler, and minutes")
    from tests.mac_check.models import first_difference

    told = {name: _child(name) for name in ("off", "on")}
    for name, found in told.items():
        for kind, (speed, _) in found.items():
            facts.told(f"compile {name}, {kind}", speed, "tokens/s")
    for kind in SETTINGS:
        parted = first_difference(told["off"][kind][1], told["on"][kind][1])
        facts.told(f"compile on and off, {kind}", parted or "the same tokens")


def _child(name: str) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    environment |= {"MLX_DISABLE_COMPILE": "1"} if name == "off" else {}
    command = [sys.executable, "-m", "tests.mac_check.compiled", name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=LIMIT_S)
    if done.returncode:
        raise RuntimeError(f"compile {name} ended with {done.returncode}: {done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def child(name: str) -> None:
    """Each setting twice, since the first one compiles."""
    import mlx.core as mx

    from tests.mac_check.models import STORY, opened

    if name == "on":
        mx.disable_compile = lambda: None  # the engine switches it off on the CPU
    found = {}
    with opened() as player:
        for kind, sampling in SETTINGS.items():
            for _ in range(2):
                played = player.play(replace(STORY, sampling=sampling))
            times = played.finish.times
            found[kind] = [len(played.ids) / (times.ended - times.first_token), played.ids]
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    if sys.argv[1:]:
        child(sys.argv[1])
    else:
        sys.exit(step(measure))
