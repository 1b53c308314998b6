"""Five fixed measurements of a model on this machine, kept, so that what an update changes can be told."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from statistics import median

from app.ceiling.drift import Change, changes
from app.ceiling.kept import Kept, machine_key
from app.ceiling.report import Row, markdown, milli
from app.engine.jobs import MeasureDecoding
from app.engine.protocol import Emit, Engine, StopFlag
from app.engine.types import Model
from app.engine.verb import certain
from app.figures import two_percent
from app.records.surroundings import versions
from app.words import tr

ROUNDS = 5
MOST_KEPT = 6
PREFILL_TOKENS, FIRST_TOKENS, LONGEST = 512, 64, 4_096
ROOM = 80
"""Of the context is left to what is written behind it."""
NAMES = {
    "prefill": tr("Reading up to 512 tokens"),
    "start": tr("A token at the start"),
    "far": tr("A token behind up to 4,096"),
    "first_token": tr("The first token, behind up to 64"),
    "load": tr("Loading"),
}


@dataclass(frozen=True, slots=True)
class Sitting:
    """What each probe took in each round, in seconds, and with what."""

    mlx: str
    mlx_lm: str
    system: str
    seconds: tuple[tuple[str, tuple[float, ...]], ...]

    @property
    def libraries(self) -> tuple[str, str, str]:
        return self.mlx, self.mlx_lm, self.system


@dataclass(frozen=True, slots=True)
class Sittings:
    """Of one model on one machine, the newest last."""

    all: tuple[Sitting, ...] = ()

    @property
    def before(self) -> Sitting | None:
        """The last one with other libraries than the newest."""
        return next((each for each in reversed(self.all) if each.libraries != self.all[-1].libraries), None)

    @property
    def outdated(self) -> bool:
        """Something was updated since the last one."""
        return bool(self.all) and self.all[-1].libraries != _libraries()

    @property
    def since(self) -> str:
        """What is new in the newest one."""
        names, now = ("mlx", "mlx-lm", ""), self.all[-1].libraries
        old = self.before.libraries if self.before is not None else now
        fresh = (f"{name} {new}".strip() for name, was, new in zip(names, old, now, strict=True) if was != new)
        return ", ".join(fresh)

    @property
    def changes(self) -> tuple[Change, ...]:
        before = self.before
        return changes(dict(before.seconds), dict(self.all[-1].seconds)) if before is not None else ()


def _sound(kept: Sittings) -> bool:
    values = [value for sitting in kept.all for _, each in sitting.seconds for value in each]
    several = all(len(each) <= ROUNDS for sitting in kept.all for _, each in sitting.seconds)
    return several and all(isfinite(each) and each > 0 for each in values)


SITTINGS = Kept("probes.json", Sittings, _sound)


def known(folder: Path, model: Model) -> Sittings:
    """What was probed of this model before."""
    return SITTINGS.find(folder, machine_key(model, libraries=False)) or Sittings()


def probe(engine: Engine, model: Model, folder: Path, emit: Emit, stop: StopFlag) -> Sittings:
    """Once more, kept beside what was probed before, of the model that is open. Raises BrokenOffError."""
    context = PREFILL_TOKENS + ROOM if model.context is None else model.context
    longest = max(1, min(LONGEST, context - ROOM))

    def write(length: int) -> float:
        return 1 / certain(engine.run_job(MeasureDecoding(length), emit, stop), stop).tokens_per_s

    def read(length: int) -> float:
        length = min(length, longest)
        return length / certain(engine.run_job(MeasureDecoding(length), emit, stop), stop).prompt_tokens_per_s

    def load() -> float:
        began = time.monotonic()
        certain(engine.load(replace(model.opened_by, model=str(model.folder)), lambda event: None, stop), stop)
        return time.monotonic() - began

    asked: dict[str, Callable[[], float]] = {
        "prefill": lambda: read(PREFILL_TOKENS),
        "start": lambda: write(0),
        "far": lambda: write(longest),
        "first_token": lambda: read(FIRST_TOKENS),
        "load": load,
    }
    took: dict[str, list[float]] = {name: [] for name in asked}
    for _round in range(ROUNDS):
        for name, ask in asked.items():
            took[name].append(ask())
    sitting = Sitting(*_libraries(), tuple((name, tuple(each)) for name, each in took.items()))
    found = Sittings((*known(folder, model).all, sitting)[-MOST_KEPT:])
    SITTINGS.keep(folder, machine_key(model, libraries=False), found)
    return found


def sentence(found: Sittings) -> str:
    """What has changed, or that nothing has."""
    if found.before is None:
        return tr("There is nothing from before an update to compare with yet; this is kept for the next one.")
    slower, quicker = tr("{what}: {share} slower since {update}"), tr("{what}: {share} faster since {update}")
    sure = tr("{change} ({beyond} of {of}, chance 1 in {chance}).")
    told = []
    for each in found.changes:
        words = slower if each.ratio > 1 else quicker
        change = words.format(what=NAMES[each.name], share=two_percent(abs(each.ratio - 1)), update=found.since)
        told.append(sure.format(change=change, beyond=each.beyond, of=each.of, chance=round(1 / each.chance)))
    return " ".join(told) or tr("Nothing has become slower or faster since {update}.").format(update=found.since)


def rows(found: Sittings) -> tuple[Row, ...]:
    """Each probe's middle time, and the one from before the last update."""
    now = dict(found.all[-1].seconds)
    before = dict(found.before.seconds) if found.before is not None else {}
    both = tr("{now}, before {before}")
    return tuple(
        (NAMES[name], both.format(now=_middle(each), before=_middle(before[name])) if name in before else _middle(each))
        for name, each in now.items()
        if name in NAMES
    )


def as_text(found: Sittings) -> str:
    return f"{markdown(rows(found))}\n{sentence(found)}\n"


def as_json(found: Sittings) -> str:
    newest, before = found.all[-1], found.before
    told = {
        "versions": dict(zip(("mlx", "mlx-lm", "system"), newest.libraries, strict=True)),
        "probes": {name: list(each) for name, each in newest.seconds},
        "before": {name: list(each) for name, each in before.seconds} if before is not None else None,
        "drift": [{"name": each.name, "ratio": each.ratio, "chance": each.chance} for each in found.changes],
        "sentence": sentence(found),
    }
    return json.dumps(told, allow_nan=False) + "\n"


def _middle(values: tuple[float, ...]) -> str:
    return milli(median(values))


def _libraries() -> tuple[str, str, str]:
    here = versions()
    return here.mlx, here.mlx_lm, here.system
