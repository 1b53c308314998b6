"""Measurement of a model's roofline, of the parts of a token's time, and of the processor's caches."""

import ctypes
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path

from app.controls import Mode
from app.engine.errors import AbortedError
from app.engine.jobs import CountReads, MeasureDecoding, MeasureRun, MeasureSpeeds
from app.engine.protocol import Emit, Engine, StopFlag, unwrap
from app.engine.run_analysis import Cause, disturbances, most_of
from app.engine.types import (
    Cancellation,
    DecodeSpeed,
    Failure,
    Limits,
    Model,
    PeakSpeeds,
    Request,
    Role,
    RunProfile,
    Sampling,
    StepReads,
    TokenPrompt,
)
from app.i18n import tr
from app.records.journal import open_journal
from app.records.run_environment import run_start, versions
from app.records.types import ModelRef
from app.roofline import measurement_store
from app.roofline.roofline import Roofline, cause

WATCHED_TOKENS = 48


@dataclass(frozen=True, slots=True)
class RooflineResult:
    model: Model
    ceiling: Roofline
    level: str
    causes: tuple[Cause, ...]
    where: RunProfile | None
    """Time by part; None if the context window is too full to measure it."""


def measured(engine: Engine, model: Model, folder: Path, context: int, emit: Emit, stop: StopFlag) -> RooflineResult:
    """Measure the open model, and store the roofline in this folder. Raise AbortedError."""
    if model.context is not None and context >= model.context:
        what = tr("The model's context holds {context} tokens.").format(context=f"{model.context:,}")
        raise AbortedError(Failure(what, "Ask with a smaller --context."))
    reads = unwrap(engine.run_job(CountReads(context), emit, stop), stop)
    decoded = unwrap(engine.run_job(MeasureDecoding(context), emit, stop), stop)
    ceiling = Roofline(reads, _speeds(engine, model, reads, folder, decoded, stop), decoded)
    measurement_store.keep_ceiling(folder, model, ceiling)
    level = cache_level(ceiling.speeds.working_set, processor_caches() if model.on_cpu else ())
    disturbed = most_of(disturbances(decoded.conditions, decoded.seconds), decoded.seconds)
    causes = tuple(filter(None, [disturbed or cause(ceiling)]))
    return RooflineResult(model, ceiling, level, causes, _where(engine, model, context, emit, stop))


def _where(engine: Engine, model: Model, context: int, emit: Emit, stop: StopFlag) -> RunProfile | None:
    ids = tuple(7 * index % model.vocabulary for index in range(context + 1))
    request = Request(TokenPrompt(ids, raw=True), Sampling(temperature=0), Limits(WATCHED_TOKENS))
    outcome = closely(engine, model, request, emit, stop)
    return None if isinstance(outcome, Failure) and outcome.kind == "short" else unwrap(outcome, stop)


def closely(
    engine: Engine, model: Model, request: Request, emit: Emit, stop: StopFlag
) -> RunProfile | Failure | Cancellation:
    """Profile a run by part. It is recorded like any run, in a session database in memory."""
    with closing(open_journal(None)) as journal:
        session = journal.sessions.new()
        turn = journal.sessions.add_turn(session, Role.ASSISTANT, "")
        start = run_start(Mode.RAW.value, request, model, time.monotonic(), lambda name, at: ModelRef(name, str(at)))
        job = MeasureRun(request, journal.begin(session, turn, start).put)
        return engine.run_job(job, emit, stop)


def _speeds(
    engine: Engine, model: Model, reads: StepReads, folder: Path, seen: DecodeSpeed, stop: StopFlag
) -> PeakSpeeds:
    """Return the stored speeds of this machine and these libraries, measured again if a run was faster.

    The best values are stored, since slower measurements were disturbed.
    """
    here = versions()
    name = measurement_store.key(reads.largest, reads.bytes, here.chip, here.system, f"mlx {here.mlx}", *model.report)
    known = measurement_store.SPEEDS.find(folder, name)
    before = Roofline(reads, known, seen) if known is not None else None
    if before is not None and before.share <= 1 and seen.prompt_tokens_per_s <= before.prompt_tokens_per_s:
        return before.speeds
    found = unwrap(engine.run_job(MeasureSpeeds(reads.largest, reads.bytes), lambda event: None, stop), stop)
    best = PeakSpeeds(*map(max, astuple(known), astuple(found))) if known is not None else found
    measurement_store.SPEEDS.keep(folder, name, best)
    return best


CACHE_FOLDER = Path("/sys/devices/system/cpu/cpu0/cache")
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
OF_MAC = ("hw.perflevel0.l1dcachesize", "hw.perflevel0.l2cachesize")
MEMORY = "memory"

Cache = tuple[str, int]
"""Name and size in bytes."""


def cache_level(size: int, caches: Sequence[Cache]) -> str:
    """Return the smallest cache, or memory, that holds this many bytes."""
    return next((name for name, holds in sorted(caches, key=lambda each: each[1]) if size <= holds), MEMORY)


def processor_caches(folder: Path = CACHE_FOLDER) -> list[Cache]:
    """Return the processor's caches; empty if the system doesn't report them."""
    try:
        return _of_mac() if sys.platform == "darwin" else [_read(each) for each in sorted(folder.glob("index*"))]
    except (OSError, ValueError, LookupError, AttributeError):
        return []


def _read(folder: Path) -> Cache:
    number, kind, size = ((folder / name).read_text("ascii").strip() for name in ("level", "type", "size"))
    return f"L{number} cache", 0 if kind == "Instruction" else int(size[:-1]) * UNITS[size[-1]]


def _of_mac() -> list[Cache]:
    ask, found = ctypes.CDLL(None).sysctlbyname, []
    for number, name in enumerate(OF_MAC, 1):
        value = ctypes.c_uint64(0)
        length = ctypes.c_size_t(ctypes.sizeof(value))
        if not ask(name.encode(), ctypes.byref(value), ctypes.byref(length), None, ctypes.c_size_t(0)):
            found.append((f"L{number} cache", value.value))
    return found
