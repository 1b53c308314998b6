"""`sluice why`: how fast a model could write here at the most, how fast it does, and what lies between."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from app.arguments import WHY, OneSentenceParser, known_model, refuse, writable
from app.ceiling import caches, kept
from app.ceiling.figures import Bound, Ceiling, cause
from app.engine.interruption import INTERRUPTION, interruptible
from app.engine.protocol import Collect, Engine, MeasuringEngine, StopFlag
from app.engine.remote.address import server_model
from app.engine.slowness import Cause, disturbances, most_of
from app.engine.types import Event, Failure, LoadRequest, Model, Prefill, Reads, Speeds, Stopped
from app.records.surroundings import versions
from app.settings import user_folder

DONE, FAILED, INTERRUPTED = 0, 1, 130
MOST_CONTEXT = 1_000_000
MEANINGS = {
    Bound.MEMORY: "reading what a token needs is most of its time",
    Bound.COMPUTE: "arithmetic is most of a token's time",
    Bound.OVERHEAD: "small operations and Python are most of a token's time, not what it reads",
}
Known = TypeVar("Known")


@dataclass(frozen=True, slots=True)
class Switches:
    """What is to be measured, and where measurements are kept."""

    model: str
    data_folder: Path
    context: int
    json: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A model's ceiling, and on what."""

    model: Model
    ceiling: Ceiling
    level: str
    causes: tuple[Cause, ...]


class BrokenOffError(Exception):
    """Nothing more can be measured, and why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__()
        self.failure = failure


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted."""
    given = parse(arguments, bundled)
    stop = StopFlag()
    engine = engine_of(gc.collect)
    assert isinstance(engine, MeasuringEngine)
    try:
        with interruptible(stop):
            found = measured(engine, given, stop)
    except BrokenOffError as broken:
        sys.stderr.write(f"sluice {WHY}: {broken.failure.sentence}\n")
        return INTERRUPTED if stop.asked else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        engine.close()
    sys.stdout.write(as_json(found) if given.json else as_text(found))
    return DONE


def parse(arguments: Sequence[str], bundled: Path) -> Switches:
    """The checked switches; leaves the program for --help and whatever is wrong."""
    parser = OneSentenceParser(
        prog=f"sluice {WHY}",
        description="Tells how fast a model could write on this machine at the most, how fast it does, and why.",
        epilog="What the machine does at its best is measured once, and kept with the settings.",
    )
    parser.add_argument("--context", type=int, default=0, metavar="N", help="with so many tokens before the next one")
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="the model; else the bundled one")
    parser.add_argument("--json", action="store_true", help="print all of it")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="where measurements are kept")
    given = parser.parse_args(arguments)
    if not 0 <= given.context <= MOST_CONTEXT:
        refuse(f"--context is a number from 0 to {MOST_CONTEXT:,}")
    model = known_model(given.model) or str(bundled)
    if server_model(model) is not None:
        refuse("What a token costs a server can't be measured from here; name a model on this machine")
    folder = (given.data_dir or user_folder()).expanduser()
    writable(folder)
    return Switches(model, folder, given.context, given.json)


def measured(engine: MeasuringEngine, given: Switches, stop: StopFlag) -> Found:
    """All of it; raises BrokenOffError."""
    model = _certain(engine.load(LoadRequest(given.model), lambda event: None, stop), stop)
    if model.context is not None and given.context >= model.context:
        what = f"The model's context holds {model.context:,} tokens."
        raise BrokenOffError(Failure(what, "Ask with a smaller --context."))
    reads = _certain(engine.token_reads(given.context), stop)
    decoded = _certain(engine.decode(given.context, _tell, stop), stop)
    speeds = _speeds(engine, model, reads, given.data_folder, decoded.tokens_per_s * reads.bytes, stop)
    ceiling = Ceiling(reads, speeds, decoded)
    level = caches.level(speeds.working_set, caches.of_processor() if model.on_cpu else ())
    disturbed = most_of(disturbances(decoded.conditions, decoded.seconds), decoded.seconds)
    return Found(model, ceiling, level, tuple(filter(None, [disturbed or cause(ceiling)])))


def _speeds(engine: MeasuringEngine, model: Model, reads: Reads, folder: Path, seen: float, stop: StopFlag) -> Speeds:
    """As they were measured before, on this machine and with these libraries; now where the model was `seen` faster."""
    here = versions()
    name = kept.key(reads.largest, reads.bytes, here.chip, here.system, f"mlx {here.mlx}", *model.report)
    known = kept.find(folder, name)
    if known is not None and known.bytes_per_s >= seen:
        return known
    found = _certain(engine.speeds(reads.largest, reads.bytes), stop)
    best = max(filter(None, (known, found)), key=lambda each: each.bytes_per_s)
    kept.keep(folder, name, best)
    return best


def _certain(outcome: Known | Failure | Stopped, stop: StopFlag) -> Known:
    if stop.asked or isinstance(outcome, Stopped):
        raise BrokenOffError(INTERRUPTION)
    if isinstance(outcome, Failure):
        raise BrokenOffError(outcome)
    return outcome


def _tell(event: Event) -> None:
    """Only where somebody looks on."""
    if isinstance(event, Prefill) and sys.stderr.isatty():
        sys.stderr.write(f"\r{event.done:,} of {event.total:,} tokens ")


def as_json(found: Found) -> str:
    """All of it."""
    ceiling, here = found.ceiling, versions()
    reads, speeds, decoded = ceiling.reads, ceiling.speeds, ceiling.decoded
    said = {
        "bytes_per_token": reads.bytes,
        "bandwidth_bytes_per_s": speeds.bytes_per_s,
        "ceiling_tokens_per_s": ceiling.tokens_per_s,
        "tokens_per_s": decoded.tokens_per_s,
        "share": ceiling.share,
        "bound": ceiling.bound.value,
        "causes": [{"name": each.name, "sentence": each.sentence} for each in found.causes],
        "context": reads.context,
        "weights_bytes": reads.weights,
        "kv_bytes": reads.kv,
        "working_set_bytes": speeds.working_set,
        "level": found.level,
        "seconds": {each.value: seconds for each, seconds in ceiling.seconds.items()},
        "prompt_ceiling_tokens_per_s": ceiling.prompt_tokens_per_s,
        "prompt_tokens_per_s": decoded.prompt_tokens_per_s,
        "model": found.model.name,
        "machine": here.chip,
        "versions": {"sluice": here.app, "mlx": here.mlx, "mlx-lm": here.mlx_lm, "system": here.system},
    }
    return json.dumps(said, allow_nan=False) + "\n"


def as_text(found: Found) -> str:
    """As Markdown, to be pasted where people speak of it."""
    ceiling, here = found.ceiling, versions()
    reads, speeds, decoded, largest = ceiling.reads, ceiling.speeds, ceiling.decoded, ceiling.reads.largest
    streamed = f"{largest.rows} × {largest.columns}, {_bytes(speeds.working_set)} in turn"
    bits = f"{largest.bits} bits in groups of {largest.group_size}" if largest.bits else largest.precision
    rows = (
        ("Model", f"{found.model.name} ({found.model.architecture}, {found.model.parameters:,} parameters, {bits})"),
        ("Machine", f"{here.chip}, {here.system}"),
        ("Versions", f"mlx {here.mlx}, mlx-lm {here.mlx_lm}, Python {here.python}, Sluice {here.app}"),
        ("Context", f"{reads.context:,} tokens"),
        ("A token reads", f"{_bytes(reads.weights)} of weights, {_bytes(reads.kv)} of keys, values and states"),
        (
            f"Measured from {'memory' if found.level == caches.MEMORY else f'the {found.level}'}",
            f"{_bytes(speeds.bytes_per_s)}/s ({streamed})",
        ),
        ("Ceiling", f"{ceiling.tokens_per_s:,.1f} tokens/s"),
        ("Seen", f"{decoded.tokens_per_s:,.1f} tokens/s, **{ceiling.share:.0%}** of that"),
        ("A token's time", ", ".join(f"{each} {1000 * took:.3f} ms" for each, took in ceiling.seconds.items())),
        ("Bound by", f"**{ceiling.bound}**: {MEANINGS[ceiling.bound]}"),
        ("Prompt", f"{decoded.prompt_tokens_per_s:,.0f} of at most {ceiling.prompt_tokens_per_s:,.0f} tokens/s"),
        ("Causes", " ".join(each.sentence for each in found.causes) or "nothing unusual"),
    )
    return "| | |\n| --- | --- |\n" + "".join(f"| {name} | {said} |\n" for name, said in rows)


def _bytes(number: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:.2f} {unit}"
    return f"{number:.0f} bytes"
