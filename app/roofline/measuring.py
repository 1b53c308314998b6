"""Measurement of a model's roofline, of the parts of a token's time, and of the processor's caches."""

import ctypes
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from itertools import count
from pathlib import Path

from app.controls import Mode
from app.engine.errors import AbortedError
from app.engine.jobs import CountReads, MeasureDecoding, MeasureRun, MeasureSpeeds
from app.engine.protocol import Emit, Engine, StopFlag, unwrap
from app.engine.run_analysis import Cause, disturbances, is_crowded, most_of
from app.engine.system_load import ExternalLoad
from app.engine.types import (
    Cancellation,
    DecodeSpeed,
    Event,
    Failure,
    Limits,
    Model,
    PeakSpeeds,
    PromptEvent,
    Request,
    Role,
    RunProfile,
    Sampling,
    StepReads,
    TokenPrompt,
)
from app.i18n import tr
from app.number_format import two_percent
from app.records.journal import open_journal
from app.records.run_environment import run_start, versions
from app.records.types import ModelRef
from app.roofline import measurement_store
from app.roofline.roofline import Roofline, cause

WATCHED_TOKENS = 48
TRIES = 3
"""Number of measurements of the bandwidth while other programs disturb it."""
RUN_PASSES, LIMIT_STEPS = 6, 8
"""Steps of a profile: each pass of the run. Steps of a roofline: decode speed, bandwidth, and a profile."""
CROWDED = tr(
    "Other programs used {share} of the processors during the measurement, so the bandwidth limit may be too low. "
    "Measure it again while they are idle."
)
CROWDED_GPU = tr(
    "Other programs used {share} of the GPU during the measurement, so the bandwidth limit may be too low. "
    "Measure it again while they are idle."
)


StepReport = Callable[[int, int], object]
"""Called at the start of each step with its number, from 1, and the number of steps."""


@dataclass(frozen=True, slots=True)
class RooflineResult:
    model: Model
    ceiling: Roofline
    level: str
    causes: tuple[Cause, ...]
    where: RunProfile | None
    """Time by part; None if the context window is too full to measure it."""
    disturbed: str = ""
    """Why the limit is not valid, as a sentence; empty if it is."""


def no_report(step: int, steps: int) -> None:
    """Ignore a step."""


def measured(
    engine: Engine,
    model: Model,
    folder: Path,
    context: int,
    emit: Emit,
    stop: StopFlag,
    report: StepReport = no_report,
) -> RooflineResult:
    """Measure the open model, and store the roofline in this folder. Raise AbortedError."""
    if model.context is not None and context >= model.context:
        what = tr("The model's context holds {context} tokens.").format(context=f"{model.context:,}")
        raise AbortedError(Failure(what, "Ask with a smaller --context."))
    reads = unwrap(engine.run_job(CountReads(context), emit, stop), stop)
    report(1, LIMIT_STEPS)
    decoded = unwrap(engine.run_job(MeasureDecoding(context), emit, stop), stop)
    report(2, LIMIT_STEPS)
    speeds, others = _speeds(engine, model, reads, folder, decoded, stop)
    ceiling, disturbed = Roofline(reads, speeds, decoded), ""
    if ceiling.is_exceeded:
        disturbed = ceiling.sentence
    elif is_crowded(others, model.on_cpu):
        disturbed = CROWDED.format(share=two_percent(others))
    elif (gpu := decoded.conditions.gpu) is not None and is_crowded(gpu.others, where_model_runs=True):
        disturbed = CROWDED_GPU.format(share=two_percent(gpu.others or 0.0))
    else:
        measurement_store.keep_ceiling(folder, model, ceiling)
    result = stored_result(model, ceiling)
    slowed = most_of(disturbances(decoded.conditions, decoded.seconds), decoded.seconds)
    causes = (slowed,) if slowed is not None else () if disturbed else result.causes
    where = _where(engine, model, context, emit, stop, lambda step, _: report(2 + step, LIMIT_STEPS))
    return replace(result, causes=causes, where=where, disturbed=disturbed)


def stored_result(model: Model, ceiling: Roofline) -> RooflineResult:
    """Return the result of a roofline that was measured earlier, without a profile."""
    level = cache_level(ceiling.speeds.working_set, processor_caches() if model.on_cpu else ())
    return RooflineResult(model, ceiling, level, tuple(filter(None, [cause(ceiling, model.on_cpu)])), None)


def _where(
    engine: Engine, model: Model, context: int, emit: Emit, stop: StopFlag, report: StepReport
) -> RunProfile | None:
    ids = tuple(7 * index % model.vocabulary for index in range(context + 1))
    request = Request(TokenPrompt(ids, raw=True), Sampling(temperature=0), Limits(WATCHED_TOKENS))
    outcome = closely(engine, model, request, emit, stop, report)
    return None if isinstance(outcome, Failure) and outcome.kind == "short" else unwrap(outcome, stop)


def closely(
    engine: Engine, model: Model, request: Request, emit: Emit, stop: StopFlag, report: StepReport = no_report
) -> RunProfile | Failure | Cancellation:
    """Profile a run by part. It is recorded like any run, in a session database in memory."""
    passes = count(1)

    def count_passes(event: Event) -> None:
        if isinstance(event, PromptEvent):  # before anything is timed
            report(next(passes), RUN_PASSES)
        emit(event)

    with closing(open_journal(None)) as journal:
        session = journal.sessions.new()
        turn = journal.sessions.add_turn(session, Role.ASSISTANT, "")
        start = run_start(Mode.RAW.value, request, model, time.monotonic(), lambda name, at: ModelRef(name, str(at)))
        job = MeasureRun(request, journal.begin(session, turn, start).put)
        return engine.run_job(job, count_passes, stop)


def _speeds(
    engine: Engine, model: Model, reads: StepReads, folder: Path, seen: DecodeSpeed, stop: StopFlag
) -> tuple[PeakSpeeds, float]:
    """Return the stored speeds of this machine and these libraries, measured again if a run was faster.

    Also the share of the processors that other programs used meanwhile. The best values count, since slower
    measurements were disturbed; they are stored once the processors were free.
    """
    here = versions()
    name = measurement_store.key(
        reads.largest,
        reads.bytes,
        here.chip,
        here.system,
        f"mlx {here.mlx}",
        *model.report,
        *measurement_store.tf32_key(model),
    )
    known = measurement_store.SPEEDS.find(folder, name)
    best, others = known, 0.0
    for _ in range(TRIES):
        if best is not None and not is_crowded(others, model.on_cpu):
            ceiling = Roofline(reads, best, seen)
            # A prefill above its limit is worth one more measurement of a stored value, not of a new one.
            if not ceiling.is_exceeded and (best != known or _holds(ceiling)):
                break
        load = ExternalLoad()
        found = unwrap(engine.run_job(MeasureSpeeds(reads.largest, reads.bytes), lambda event: None, stop), stop)
        others = load.share() or 0.0
        best = PeakSpeeds(*map(max, astuple(best), astuple(found))) if best is not None else found
    assert best is not None
    if best != known and not is_crowded(others, model.on_cpu):
        measurement_store.SPEEDS.keep(folder, name, best)
    return best, others


def _holds(found: Roofline) -> bool:
    """Return whether no measured speed is above its limit."""
    return not found.is_exceeded and found.decoded.prompt_tokens_per_s <= found.prompt_tokens_per_s


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
