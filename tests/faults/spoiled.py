"""The child of the attack on models: opens one spoiled folder after the other, and says how each ended.

`python -m tests.faults.spoiled FOLDER SEED…` writes two lines of JSON for each seed: that it begins, and how it ended.
"""

import gc
import io
import json
import os
import resource
import shutil
import sys
import time
from pathlib import Path

from app.engine.protocol import StopFlag
from app.engine.system_load import resident_bytes
from app.engine.types import (
    ChatPrompt,
    Event,
    Failure,
    Limits,
    Loading,
    LoadRequest,
    Message,
    Model,
    RawPrompt,
    Request,
    Role,
    Sampling,
)
from app.library.local import describe
from app.platform.startup import TEMPLATE_SWITCH
from tests.faults.mutations.catalogue import chosen
from tests.faults.mutations.mutation import Mutation

DEMO = Path(__file__).parents[2] / "resources" / "models" / "demo"
LEAK_BYTES = 20_000_000
AGAIN = 3
PEAK_BYTES = 2_000_000_000
"""More than this for a model of five megabytes is a fault too, on a machine that has it."""
ADDRESSES_BYTES = 12_000_000_000
"""So that a fault takes the child and not the machine."""
SENTENCE = 300
QUESTION = "Hello xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, 3.5 °C? <|im_end|> <x>"
_reached: list[str] = []


class Nobody(io.TextIOBase):
    """Sits where a user would, and notes that something was asked."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        _reached.append("asked on stdin")
        return ""


def main(folder: Path, seeds: list[int]) -> None:
    from app.engine.mlx.engine import MlxEngine

    sys.stdin = Nobody()
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES_BYTES, ADDRESSES_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    engine = MlxEngine()
    os.chdir(folder)
    _open(engine, DEMO, None)  # what the first load takes is no leak
    gc.freeze()  # nor is there any garbage in it to be looked for twice for each folder
    sys.addaudithook(_watch)
    for seed in seeds:
        mutation, _ = chosen(seed)
        _say({"seed": seed, "name": mutation.name})
        _say({"seed": seed, "name": mutation.name, **_trial(engine, folder, seed)})
    engine.close()


def _trial(engine: object, folder: Path, seed: int) -> dict[str, object]:
    """What is left behind counts only if it is left behind again and again: a heap breathes."""
    del _reached[:]
    # The processor's time, since others may have the machine; whoever stands still is told by the clock of the parent.
    started, before, peak = time.process_time(), resident_bytes(os.getpid()), _peak()
    assert before, "the system reports no memory"
    ended, wrong = _once(engine, folder, seed)
    seconds = time.process_time() - started
    grown = resident_bytes(os.getpid()) - before
    for _ in range(AGAIN):
        if grown > LEAK_BYTES:
            before = resident_bytes(os.getpid())
            _once(engine, folder, seed)
            grown = resident_bytes(os.getpid()) - before
    if grown > LEAK_BYTES:
        wrong.append(f"leaks {grown / 1e6:.0f} MB each time")
    if _peak() - max(peak, before) > PEAK_BYTES:
        wrong.append(f"takes {(_peak() - before) / 1e9:.1f} GB on its way")
    wrong += sorted(set(_reached))
    if (folder / "RAN").exists():
        (folder / "RAN").unlink()
        wrong.append("ran foreign code")
    return {"ended": ended, "wrong": wrong, "seconds": round(seconds, 2)}


def _once(engine: object, folder: Path, seed: int) -> tuple[str, list[str]]:
    """As the list of models tells of it, and then opened."""
    mutation, luck = chosen(seed)
    spoiled = folder / "model"
    shutil.rmtree(spoiled, ignore_errors=True)
    spoiled.mkdir()
    for file in DEMO.iterdir():
        (spoiled / file.name).symlink_to(file)
    mutation.spoil(spoiled, luck)
    try:
        listed = describe(spoiled).unusable
        wrong = _no_sentence(listed) if listed is not None else []
        ended, others = _open(engine, spoiled, mutation)
        return ended, wrong + others
    except BaseException as error:
        return "raised", [f"raised {type(error).__name__}: {str(error)[:200]}"]


def _open(engine: object, folder: Path, mutation: Mutation | None) -> tuple[str, list[str]]:
    from app.engine.mlx.engine import MlxEngine

    assert isinstance(engine, MlxEngine)

    def emit(event: Event) -> None:
        if mutation is not None and mutation.during is not None and isinstance(event, Loading):
            mutation.during(folder, event.stage)

    outcome = engine.load(LoadRequest(str(folder)), emit, StopFlag())
    wrong: list[str] = []
    if isinstance(outcome, Model):
        ended, wrong = _generate(engine)
    else:
        assert isinstance(outcome, Failure)
        ended, wrong = f"refused: {outcome.what}", _no_sentence(outcome)
    engine.unload()
    gc.collect()
    return ended, wrong


def _generate(engine: object) -> tuple[str, list[str]]:
    """As a chat, and where the model takes none, as text."""
    from app.engine.mlx.engine import MlxEngine

    assert isinstance(engine, MlxEngine)
    wrong: list[str] = []
    ended = ""
    for prompt in (ChatPrompt((Message(Role.USER, QUESTION),)), RawPrompt(QUESTION)):
        engine.token_texts(RawPrompt(QUESTION))
        finish = engine.generate(Request(prompt, Sampling(temperature=0), Limits(4)), lambda event: None, StopFlag())
        if finish.failure is None:
            return ended or "generates", wrong
        ended = f"opened, then: {finish.failure.what}"
        wrong += _no_sentence(finish.failure)
    return ended, wrong


def _no_sentence(failure: Failure) -> list[str]:
    whole = failure.what.endswith(".") and "\n" not in failure.what and len(failure.what) <= SENTENCE
    return [] if whole and failure.todo else [f"no sentence: {failure.what[:SENTENCE]!r}"]


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """Nothing of a model reaches the network, another program, or a file that is none of its own."""
    if event == "subprocess.Popen" and TEMPLATE_SWITCH in str(arguments[1]):
        return
    if event in ("socket.getaddrinfo", "socket.connect", "socket.sendto", "subprocess.Popen", "os.system", "os.exec"):
        _reached.append(f"reached: {event} {arguments[:2]!r}"[:200])
    elif event == "open" and str(arguments[0]).startswith("/etc/passwd"):
        _reached.append("read /etc/passwd")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _say(line: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(seed) for seed in sys.argv[2:]])
