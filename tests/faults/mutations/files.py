"""Any file of a model: cut short, with other bytes, another kind of thing, or gone."""

import os
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.faults.mutations.mutation import FILES, WEIGHTS, Mutation, Spoil, edit, with_anything_hostile, write

JSON_FILES = tuple(name for name in FILES if name.endswith(".json"))
FLIPS = (1, 1, 8, 64)


class Touch:
    """Runs code when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch RAN",)


def cut(name: str, length: str) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        content = (folder / name).read_bytes()
        ends = {"0": 0, "1": 1, "half": len(content) // 2, "last byte": len(content) - 1}
        ends["anywhere"] = luck.randrange(len(content))
        write(folder / name, content[: ends[length]])

    return spoil


def flip(name: str) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        content = bytearray((folder / name).read_bytes())
        for _ in range(luck.choice(FLIPS)):
            content[luck.randrange(len(content))] = luck.randrange(256)
        write(folder / name, bytes(content))

    return spoil


def replace_anything(name: str) -> Spoil:
    return lambda folder, luck: edit(folder / name, lambda content: with_anything_hostile(content, luck))


def gone(name: str) -> Spoil:
    return lambda folder, luck: (folder / name).unlink()


def linked(name: str, to: str) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to(to)

    return spoil


def piped(name: str) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return spoil


def is_folder(name: str) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        (folder / name).unlink()
        (folder / name).mkdir()

    return spoil


def moved_out(name: str) -> Spoil:
    """A link to a whole file in another folder, as the Hugging Face cache has them."""

    def spoil(folder: Path, luck: Random) -> None:
        outside = folder.parent / f"outside-{name}"
        outside.unlink(missing_ok=True)
        (folder / name).rename(outside)
        (folder / name).symlink_to(outside)

    return spoil


def deep(name: str) -> Spoil:
    return lambda folder, luck: write(folder / name, '{"a":' + "[" * 200_000 + "]" * 200_000 + "}")


def huge(name: str) -> Spoil:
    """Ten gigabytes of nothing, which take no room on the disk."""

    def spoil(folder: Path, luck: Random) -> None:
        write(folder / name, (folder / name).read_bytes())
        os.truncate(folder / name, 10_000_000_000)

    return spoil


def weights_as_pickle(name: str) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        write(folder / name, pickle.dumps(Touch()))
        if name != WEIGHTS:
            (folder / WEIGHTS).unlink()

    return spoil


def crowd(folder: Path, luck: Random) -> None:
    for at in range(10_000):
        os.mknod(folder / f"{at}.txt")


def vanish(at: str) -> Mutation:
    """The folder goes at this stage of the load."""

    def during(folder: Path, stage: str) -> None:
        if stage == at:
            shutil.rmtree(folder, ignore_errors=True)

    return Mutation(f"the folder vanishes at: {at}", lambda folder, luck: None, during)


def all_of_them() -> Iterator[Mutation]:
    for name in FILES:
        for length in ("0", "1", "half", "last byte", "anywhere"):
            yield Mutation(f"{name} cut at {length}", cut(name, length))
        yield Mutation(f"{name} with other bytes", flip(name))
        yield Mutation(f"{name} is gone", gone(name))
        yield Mutation(f"{name} is a folder", is_folder(name))
        yield Mutation(f"{name} is a pipe", piped(name))
        yield Mutation(f"{name} leads out of the folder", moved_out(name))
        yield Mutation(f"{name} leads to itself", linked(name, name))
        yield Mutation(f"{name} leads to /dev/zero", linked(name, "/dev/zero"))
        yield Mutation(f"{name} has ten gigabytes", huge(name))
    for name in JSON_FILES:
        yield Mutation(f"{name} with anything hostile", replace_anything(name))
        yield Mutation(f"{name} is deep", deep(name))
    for name in (WEIGHTS, "pytorch_model.bin", "weights.npz"):
        yield Mutation(f"a pickle as {name}", weights_as_pickle(name))
    yield Mutation("a pipe with two lines in its name", lambda folder, luck: os.mkfifo(folder / "a\n\u202eb.json"))
    yield Mutation("a folder in a folder that leads back", lambda folder, luck: (folder / "x").symlink_to(folder))
    yield Mutation("ten thousand other files", crowd)
    for stage in ("weights", "tokenizer", "first pass"):
        yield vanish(stage)
