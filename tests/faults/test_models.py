"""Every file of the demo model spoiled in hundreds of ways: each folder ends in an answer or in one sentence.

The folders are opened one after the other in a child process. A crash or a hang counts against its seed, and another
child goes on behind it. `make faults POINTS=models` tries each mutation, `make test-all` one of each sort.
"""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import compiling
from tests.faults.full import IS_FULL
from tests.faults.mutations.catalogue import catalogue

pytestmark = pytest.mark.slow

HANG_S = 10.0
START_S = 120.0
"""The imports of a child on a busy machine."""
CHILD = (sys.executable, "-m", "tests.faults.spoiled")
SHORT = (
    *("config.json cut at half", "config.json is a pipe", "config.json has ten gigabytes", "tokenizer's auto_map 0"),
    *("config.json: num_hidden_layers 2 = '1000000000'", "config.json: head_dim 1 = '0'"),
    *("config.json: model_file 0 = 'evil.py'", "generation_config.json: eos_token_id 1 = '1000000000'"),
    *("generation_config.json leads to /dev/zero", "model.safetensors cut at last byte"),
    *("model.safetensors with other bytes", "model.safetensors is a pipe", "model.safetensors leads out of the folder"),
    *("ten gigabytes claimed", "ten gigabytes in the shape", "weights of type “BF16”"),
    *("weights named 'model.layers.999999999.x'", "all weights are 0xff", "a pickle as pytorch_model.bin"),
    *("the folder vanishes at: tokenizer", "tokenizer.json cut at half", "tokenizer with holes"),
    *("tokenizer whose merges go in a circle", "tokenizer with endings", "tokenizer splits at '(x+x+)+y'"),
    *("tokenizer with ids that the model has no row for",),
    *("tokenizer of class 'evil.Evil'", "tokenizer's chat_template 0 = 'None'"),
    *("endless template: loops that say nothing", "enormous template: a power", "reaching template: the system"),
    *("weights in a file with two lines in its name", "tokenizer's additional_special_tokens 0"),
)
"""One of each sort."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How one spoiled folder ended; `wrong` is empty where it ended well."""

    seed: int
    name: str
    ended: str
    wrong: tuple[str, ...] = ()


def short() -> list[int]:
    """The seeds of the short form."""
    names = [mutation.name for mutation in catalogue()]
    return [next(at for at, name in enumerate(names) if name.startswith(wanted)) for wanted in SHORT]


def attack(seeds: Sequence[int], folder: Path) -> Iterator[Ending]:
    """Start a child for as many folders as it survives."""
    left = list(seeds)
    while left:
        for ending in _child([*CHILD, str(folder), *map(str, left)]):
            left.remove(ending.seed)
            yield ending


def _child(command: Sequence[str]) -> Iterator[Ending]:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), **compiling.switched_off()}
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    lines: queue.Queue[str] = queue.Queue()
    said: list[str] = []
    readers = [
        threading.Thread(target=_read, args=(child.stdout, lines.put)),
        threading.Thread(target=_read, args=(child.stderr, said.append)),
    ]
    for reader in readers:
        reader.start()
    try:
        yield from _endings(child, lines, said)
    finally:
        child.kill()
        for reader in readers:
            reader.join()
        child.communicate()


def _endings(child: subprocess.Popen[str], lines: queue.Queue[str], said: list[str]) -> Iterator[Ending]:
    begun: dict[str, Any] | None = None
    wait = START_S
    while True:
        try:
            line = lines.get(timeout=wait)
        except queue.Empty:
            if begun is None:
                raise RuntimeError(f"the child does not start: {''.join(said)[-2000:]}") from None
            yield Ending(begun["seed"], begun["name"], "hangs", (f"hangs for {wait:.0f} s",))
            return
        if not line:
            code = child.wait()
            if begun is not None:
                why = "".join(said)[-300:].replace("\n", " ")
                yield Ending(begun["seed"], begun["name"], "crashes", (f"crashes with {code}: {why}",))
            elif code:
                raise RuntimeError(f"the child ends with {code}: {''.join(said)[-2000:]}")
            return
        content = json.loads(line)
        if "ended" in content:
            begun = None
            wrong = [*content["wrong"]]
            if content["seconds"] > HANG_S:
                wrong.append(f"takes {content['seconds']} s")
            yield Ending(content["seed"], content["name"], content["ended"], tuple(wrong))
        else:
            begun, wait = content, 3 * HANG_S


def _read(stream: Any, put: Any) -> None:
    """Line by line, then an empty one."""
    for line in stream:
        put(line)
    put("")


def test_spoiled_model_ends_in_an_answer_or_in_one_sentence(tmp_path: Path) -> None:
    seeds = range(len(catalogue())) if IS_FULL else short()
    endings = list(attack(seeds, tmp_path))
    assert [f"seed {each.seed}, {each.name}: {wrong}" for each in endings for wrong in each.wrong] == []
    assert len(endings) == len(seeds)
    assert {each.ended == "generates" for each in endings} == {True, False}
