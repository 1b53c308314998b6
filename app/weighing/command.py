"""`sluice weigh`: how well a model foresees a text, and what a second one makes of the same, with no display."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from app.arguments import WEIGH
from app.engine.distributions import Distributions
from app.engine.interruption import interruptible
from app.engine.protocol import Collect, ComparingEngine, Engine, StopFlag
from app.engine.types import ChatPrompt, Event, Failure, LoadRequest, Model, Prefill, RawPrompt, Stopped
from app.weighing import run
from app.weighing.figures import Apart, Figures, apart, figures
from app.weighing.passage import Passage, passage, windows
from app.weighing.switches import Switches, parse

DONE, FAILED, INTERRUPTED = 0, 1, 130
INTERRUPTION = Failure("It was interrupted.", "Start it again.", kind="interrupted")
OTHER_VOCABULARY = (
    "The models have different vocabularies, so only bits per byte can be compared: the one figure that counts bytes."
)


@dataclass(frozen=True, slots=True)
class Result:
    """Of the first model, and of the second one where there is one; `between` only for one vocabulary."""

    first: Figures
    second: Figures | None = None
    between: Apart | None = None
    windows: int = 1


@dataclass(frozen=True, slots=True)
class Opened:
    """A model, and the text as it reads it."""

    model: Model
    text: Passage


class BrokenOffError(Exception):
    """Nothing more can be weighed, and why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.sentence)
        self.failure = failure


def main(arguments: Sequence[str], engine_of: Callable[[Collect], Engine], bundled: Path) -> int:
    """The exit code: 0 done, 1 it could not be done, 2 wrong arguments, 130 interrupted."""
    given = parse(arguments, bundled)
    stop = StopFlag()
    engine = engine_of(gc.collect)
    assert isinstance(engine, ComparingEngine)
    try:
        with interruptible(stop):
            result = _weighed(engine, given, stop)
    except BrokenOffError as broken:
        sys.stderr.write(f"sluice {WEIGH}: {broken.failure.sentence}\n")
        return INTERRUPTED if stop.asked else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        engine.close()
    if result.second is not None and result.between is None:
        sys.stderr.write(f"sluice {WEIGH}: {OTHER_VOCABULARY}\n")
    sys.stdout.write(as_json(result) if given.json else as_text(result))
    return DONE


def _weighed(engine: ComparingEngine, given: Switches, stop: StopFlag) -> Result:
    if given.against is not None:
        return _compared(engine, given, given.against, stop)
    only = _open(engine, given.model, given.prompt, stop)
    parts = windows(len(only.text.ids), only.model.context)
    found = _certain(run.read(_plainly(engine, stop), only.text, parts))
    return Result(figures(found.nats, only.text.bytes), windows=len(parts))


def _compared(engine: ComparingEngine, given: Switches, against: LoadRequest, stop: StopFlag) -> Result:
    """One model after the other, since both may not fit in memory; what the first one said waits on the disk.

    Both read the same windows, so the second model's context counts too: it is looked at before anything is weighed.
    """
    second = _open(engine, against, given.prompt, stop)
    first = _open(engine, given.model, given.prompt, stop)
    contexts = [each.model.context for each in (first, second) if each.model.context is not None]
    same = first.text == second.text and first.model.vocabulary == second.model.vocabulary
    parts = windows(len(first.text.ids), min(contexts, default=None))
    with Distributions(run.places(parts), first.model.vocabulary) as kept:
        into = partial(engine.weigh_into, kept=kept, emit=_tell, stop=stop) if same else _plainly(engine, stop)
        found = _certain(run.read(into, first.text, parts))
        _open(engine, against, given.prompt, stop)
        kept.rewind()
        if same:
            other = _certain(run.compare(engine, kept, second.text, parts, _tell, stop))
        else:
            own = windows(len(second.text.ids), min(contexts, default=None))
            other = _certain(run.read(_plainly(engine, stop), second.text, own))
    sums = figures(found.nats, first.text.bytes), figures(other.nats, second.text.bytes)
    return Result(*sums, apart(other.differences) if same else None, len(parts))


def _plainly(engine: ComparingEngine, stop: StopFlag) -> run.Weigh:
    return partial(engine.weigh, emit=_tell, stop=stop)


def _open(engine: Engine, request: LoadRequest, prompt: ChatPrompt | RawPrompt, stop: StopFlag) -> Opened:
    """A model without a chat template gets the text as it stands."""
    model = engine.load(request, lambda event: None, stop)
    if not isinstance(model, Model):
        raise BrokenOffError(model if isinstance(model, Failure) else INTERRUPTION)
    if isinstance(prompt, ChatPrompt) and not model.can.chat:
        if not prompt.reply_start:
            what = f"{model.name} has no chat template, which a session needs."
            raise BrokenOffError(Failure(what, "Weigh a text, or name another model."))
        prompt = RawPrompt(prompt.reply_start)
    exact = engine.render(prompt)
    if isinstance(exact, Failure):
        raise BrokenOffError(exact)
    text = passage(exact)
    if not text.counted:
        raise BrokenOffError(Failure("The text is too short.", "A token is weighed by what stands before it."))
    return Opened(model, text)


def _certain(outcome: run.Read | Failure | Stopped) -> run.Read:
    if isinstance(outcome, run.Read):
        return outcome
    raise BrokenOffError(outcome if isinstance(outcome, Failure) else INTERRUPTION)


def _tell(event: Event) -> None:
    """Only where somebody looks on."""
    if isinstance(event, Prefill) and sys.stderr.isatty():
        sys.stderr.write(f"\r{event.done:,} of {event.total:,} tokens ")


def as_json(result: Result) -> str:
    """All of it; figures that the two models have together stand beside those of the first."""
    said = asdict(result.first) | {"windows": result.windows}
    if result.second is not None:
        said["against"] = asdict(result.second)
    if result.between is not None:
        said |= asdict(result.between)
    return json.dumps(said, allow_nan=False) + "\n"


def as_text(result: Result) -> str:
    """In lines."""
    first, second, between = result.first, result.second, result.between
    lines = [_line("", first) if second is None else _line("first model: ", first)]
    if second is not None:
        lines.append(_line("second model: ", second))
    if result.windows > 1:
        lines.append(f"Longer than the context: read in {result.windows} windows, each half a context further.")
    if between is not None:
        low, high = between.kl_bounds
        mean = f"{low:.4g}{_error(between.kl_standard_error)}" if low == high else f"between {low:.4g} and {high:.4g}"
        lines += (
            f"KL of the first from the second: {mean} nats a token; 99 of 100 tokens up to {between.kl_p99:.4g}",
            f"same first choice: {between.same_first:.1%} of the tokens; of the first ten {between.same_ten:.1%}",
        )
    return "\n".join(lines) + "\n"


def _line(who: str, found: Figures) -> str:
    nats = f"{found.nats_per_token:.4f}{_error(found.standard_error)} nats a token"
    bits = f"{found.bits_per_byte:.4f} bits a byte"
    return f"{who}{found.tokens:,} tokens, {nats}, perplexity {found.perplexity:.4g}, {bits}"


def _error(error: float | None) -> str:
    return "" if error is None else f" ± {error:.2g}"
