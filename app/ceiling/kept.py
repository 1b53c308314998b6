"""What a machine was measured to do, kept beside the settings: for each shape, machine and version of MLX once."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import astuple
from math import isfinite, log2
from pathlib import Path

from app import atomic_file, json_reader, json_values, ordinary_files
from app.engine.types import Matrix, Speeds
from app.json_values import UNFIT

FILE = "speeds.json"
LARGEST_BYTES = 200_000
MOST = 64
STEPS = 2
"""Working sets within a factor of the square root of two count as one."""


def key(matrix: Matrix, working_set: int, *machine: str) -> str:
    """What a measurement is of: anything that changes it."""
    return " · ".join(map(str, (*machine, *astuple(matrix), round(STEPS * log2(max(1, working_set))))))


def find(folder: Path, name: str) -> Speeds | None:
    """None where it was not measured, or nobody can read it any more."""
    return _all(folder).get(name)


def keep(folder: Path, name: str, speeds: Speeds) -> None:
    """The oldest ones go; where nothing can be kept, it is measured again."""
    known = {**{each: found for each, found in _all(folder).items() if each != name}, name: speeds}
    said = {each: json_values.write(Speeds, known[each]) for each in list(known)[-MOST:]}
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        atomic_file.write(folder / FILE, json.dumps(said).encode())


def _all(folder: Path) -> dict[str, Speeds]:
    try:
        said = json_reader.parse(ordinary_files.read(folder / FILE, LARGEST_BYTES))
        found = {str(name): json_values.read(Speeds, speeds) for name, speeds in said.items()}
    except UNFIT:
        return {}
    return {name: speeds for name, speeds in found.items() if _is_sound(speeds)}


def _is_sound(speeds: Speeds) -> bool:
    return all(isfinite(each) and each > 0 for each in astuple(speeds))
