"""Caches on the disk, attacked: killed while writing, no room, spoiled, swapped, two programs; answers are right."""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.saved_names import saved_files
from app.engine.types import KV, Event, Limits, LoadRequest, Model, Request, Sampling, Token, TokenPrompt, Tuning
from tests import models
from tests.faults.table import Row

POINT = "saving"
TIMES: Mapping[str, int] = {"killed": 40, "full": 40, "spoiled": 50, "swapped": 50, "two": 20}
SESSIONS = (1, 2, 3)
BUDGET = 10**8
READY = "ready\n"
LONGEST_S = 0.4

Ids = tuple[int, ...]


def rows(times: Mapping[str, int] = TIMES, seed: int = 0) -> list[Row]:
    """In full, two hundred of them."""
    with tempfile.TemporaryDirectory() as folder:
        model = models.tiny_llama(Path(folder) / "model")
        truth = answers(opened(model, None))
        return [_row(how, count, seed, model, truth) for how, count in times.items()]


def opened(model: Path, folder: Path | None) -> MlxEngine:
    """As after a start, saving in this folder."""
    engine = MlxEngine()
    if folder is not None:
        engine.tune(Tuning(saved_bytes=BUDGET, saved_to=str(folder)))
    found = engine.load(LoadRequest(str(model)), lambda event: None, StopFlag())
    assert isinstance(found, Model), found
    return engine


def told(session: int, more: int = 0) -> Ids:
    """A session's text, and a question that was not asked before."""
    chance = Random(f"session {session}")
    return (*(chance.randrange(5, 300) for _ in range(200 + 40 * session)), *([7 + more] if more else []))


def answer(engine: MlxEngine, ids: Ids, session: int) -> Ids:
    events: list[Event] = []
    request = Request(TokenPrompt(ids), Sampling(temperature=0), Limits(6), KV(), session=session)
    finish = engine.generate(request, events.append, StopFlag())
    assert finish.failure is None, finish.failure
    return tuple(event.id for event in events if isinstance(event, Token))


def answers(engine: MlxEngine) -> dict[int, Ids]:
    """To the question of each session; nothing of the engine stays."""
    found = {session: answer(engine, told(session, 1), session) for session in SESSIONS}
    engine.unload()
    return found


def write(model: Path, folder: Path) -> MlxEngine:
    """What a program does that saves its sessions."""
    engine = opened(model, folder)
    for session in SESSIONS:
        answer(engine, told(session), session)
    engine.save()
    return engine


def _row(how: str, times: int, seed: int, model: Path, truth: Mapping[int, Ids]) -> Row:
    lost: list[str] = []
    for number in range(times):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "caches"
            ATTACKS[how](model, folder, Random(f"{how} {seed + number}"))
            engine = opened(model, folder)
            if left := [each.name for each in folder.glob("*.half*")]:
                lost.append(f"{seed + number}: {left} is left")
            if (found := answers(engine)) != truth:
                lost.append(f"{seed + number}: {found}")
    return Row(POINT, SAID[how], times, tuple(lost))


def _killed(model: Path, folder: Path, random: Random) -> None:
    with _writing(model, folder) as child, _waited(child, random.uniform(0, LONGEST_S)):
        child.kill()


def _two(model: Path, folder: Path, random: Random) -> None:
    """Both write the same, over and over, until one is killed."""
    with _writing(model, folder) as one, _writing(model, folder) as other:
        with _waited(one, random.uniform(0, LONGEST_S)):
            one.kill()
        with _waited(other, random.uniform(0, LONGEST_S)):
            other.kill()


def _full(model: Path, folder: Path, random: Random) -> None:
    """No file may be longer than that."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (random.randrange(300_000), before[1]))
    try:
        engine = write(model, folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    engine.unload()


def _spoiled(model: Path, folder: Path, random: Random) -> None:
    """Bytes that were changed, taken out or put in, in some of them."""
    write(model, folder).unload()
    for path in saved_files(folder):
        content = bytearray(path.read_bytes())
        place = random.choice((random.randrange(len(content)), random.randrange(2_000)))
        match random.randrange(5):
            case 0:
                content[place] ^= 1 << random.randrange(8)
            case 1:
                del content[place:]
            case 2:
                del content[place : place + random.randrange(1, 100)]
            case 3:
                content[place:place] = random.randbytes(random.randrange(1, 100))
            case _:
                continue
        path.write_bytes(content)


def _swapped(model: Path, folder: Path, random: Random) -> None:
    """Each has another's name, or what another model wrote."""
    write(model, folder).unload()
    files = sorted(saved_files(folder))
    contents = [path.read_bytes() for path in files]
    random.shuffle(contents)
    for path, content in zip(files, contents, strict=True):
        path.write_bytes(content)
    if random.randrange(2):
        other = models.tiny_llama(folder.parent / "other", rope_theta=500.0)
        write(other, folder).unload()


@contextmanager
def _writing(model: Path, folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.faults.saving", str(model), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdout.readline() == READY
        yield child


@contextmanager
def _waited(child: subprocess.Popen[str], seconds: float) -> Iterator[None]:
    """What it goes on with for so long."""
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        yield
    else:
        raise AssertionError(f"it ended by itself: {child.returncode}")


Attack = Callable[[Path, Path, Random], None]
ATTACKS: Mapping[str, Attack] = {
    "killed": _killed,
    "full": _full,
    "spoiled": _spoiled,
    "swapped": _swapped,
    "two": _two,
}
SAID = {
    "killed": "killed while it writes",
    "full": "no room on the disk",
    "spoiled": "files with other bytes",
    "swapped": "files in the place of others",
    "two": "two programs at once",
}


def main(model: Path, folder: Path) -> None:
    """The program that is killed: it saves, and begins again."""
    sys.stdout.write(READY)
    sys.stdout.flush()
    while True:
        engine = write(model, folder)
        engine.forget(0)
        engine.unload()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
