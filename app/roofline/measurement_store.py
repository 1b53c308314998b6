"""Storage of measurements in the data folder, by machine, MLX version and model."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from datetime import date
from math import isfinite, log2
from pathlib import Path
from typing import Generic, TypeVar

from app.engine.types import Conditions, Matrix, Model, PeakSpeeds
from app.files import json_reader, json_values, regular_files
from app.files.json_values import UNFIT
from app.i18n import tr
from app.records.run_environment import versions
from app.roofline.roofline import Roofline

LARGEST_BYTES = 1_000_000
MOST = 64
LONGEST = 2_000
STEPS = 2
"""Steps per doubling: working sets within a factor of √2 share a measurement."""
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class MeasurementStore(Generic[Value]):
    """Measured values of one type by name, in a file. Values that are not `sound` are ignored."""

    file: str
    kind: type[Value]
    sound: Callable[[Value], bool]

    def find(self, folder: Path, name: str) -> Value | None:
        """Return the stored value; None if it wasn't measured, or is unreadable."""
        return self._all(folder).get(name)

    def keep(self, folder: Path, name: str, value: Value) -> None:
        """Store a value and drop the oldest ones. If writing fails, it is measured again later."""
        known = {**{each: found for each, found in self._all(folder).items() if each != name}, name: value}
        raw = {each: json_values.write(self.kind, known[each]) for each in list(known)[-MOST:]}
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            regular_files.write_atomically(folder / self.file, json.dumps(raw).encode())

    def _all(self, folder: Path) -> dict[str, Value]:
        """Return all values; an unreadable one is skipped."""
        found: dict[str, Value] = {}
        with suppress(*UNFIT):
            for name, raw in json_reader.parse(regular_files.read(folder / self.file, LARGEST_BYTES)).items():
                with suppress(*UNFIT):
                    found[str(name)] = json_values.read(self.kind, raw)
        return {name: value for name, value in found.items() if self.sound(value)}


def key(matrix: Matrix, working_set: int, *machine: str) -> str:
    return " · ".join(map(str, (*machine, *astuple(matrix), round(STEPS * log2(max(1, working_set))))))


def machine_key(model: Model) -> str:
    here = versions()
    adapter = str(model.adapter.folder) if model.adapter is not None else ""
    computing = (here.system, f"mlx {here.mlx}", f"mlx-lm {here.mlx_lm}")
    return " · ".join((here.chip, *computing, str(model.folder), str(model.weights), adapter, *tf32_key(model)))


def tf32_key(model: Model) -> tuple[str, ...]:
    """Return the part of a key that says that TF32 is used; empty, as in earlier keys, if it isn't."""
    return ("TF32",) if model.tf32 else ()


def _positive(speeds: PeakSpeeds) -> bool:
    return all(isfinite(each) and each > 0 for each in astuple(speeds))


def _is_ceiling(found: Roofline) -> bool:
    reads, speed = found.reads, found.decoded.tokens_per_s
    counts = (reads.context, reads.weights - 1, reads.kv, *(number for pair in reads.growth for number in pair))
    return _positive(found.speeds) and isfinite(speed) and speed > 0 and min(counts) >= 0


@dataclass(frozen=True, slots=True)
class DeterminismResult:
    """The stored conclusion of the determinism experiment, with its date."""

    day: str
    concluded: str


SAMENESS = MeasurementStore(
    "sameness.json", DeterminismResult, lambda found: len(found.day) + len(found.concluded) < LONGEST
)
SPEEDS = MeasurementStore("speeds.json", PeakSpeeds, _positive)
CEILINGS = MeasurementStore("ceilings.json", Roofline, _is_ceiling)


def keep_sameness(folder: Path, model: Model, concluded: str) -> None:
    SAMENESS.keep(folder, machine_key(model), DeterminismResult(date.today().isoformat(), concluded))


def sameness(folder: Path | None, model: Model | None) -> str:
    """Return the stored conclusion of the determinism experiment; empty if there is none."""
    found = SAMENESS.find(folder, machine_key(model)) if folder is not None and model is not None else None
    raw = tr("As measured here on {day}: {concluded}")
    return raw.format(day=found.day, concluded=found.concluded) if found is not None else ""


def keep_ceiling(folder: Path, model: Model, found: Roofline) -> None:
    """Store the roofline, without the conditions of its run."""
    bare = replace(found, decoded=replace(found.decoded, conditions=Conditions()))
    CEILINGS.keep(folder, machine_key(model), bare)
