import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from app.engine.saved_names import saved_files
from tests import models
from tests.faults.full import times
from tests.faults.saving import READY, answers, opened, write

pytestmark = pytest.mark.slow

LONGEST_S = 0.4


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.tiny_llama(tmp_path_factory.mktemp("saving") / "model")


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
WITH_PROCESSES = ("killed", "two")


@pytest.mark.parametrize("how", ATTACKS)
def test_saved_cache_under_attack_changes_no_answer(how: str, model: Path, tmp_path: Path) -> None:
    truth = answers(opened(model, None))
    for number in range(times(2 if how in WITH_PROCESSES else 5, 40)):
        folder = tmp_path / str(number) / "caches"
        folder.parent.mkdir()
        ATTACKS[how](model, folder, Random(f"{how} {number}"))
        engine = opened(model, folder)
        assert not list(folder.glob("*.half*")), number
        assert answers(engine) == truth, number
