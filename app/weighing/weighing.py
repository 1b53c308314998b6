"""One text on its way through a model, and through a second one: it can be stopped, and go on from there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.engine.distributions import Distributions
from app.engine.protocol import ComparingEngine, Emit, Engine, StopFlag
from app.engine.types import (
    ChatPrompt,
    Event,
    ExactPrompt,
    Failure,
    LoadRequest,
    Model,
    Prefill,
    RawPrompt,
    Stopped,
    TokenPrompt,
    Weighed,
)
from app.weighing import run
from app.weighing.figures import apart, figures
from app.weighing.passage import Passage, Window, passage, windows
from app.weighing.result import Result
from app.words import tr

OTHER_VOCABULARY = tr(
    "The models have different vocabularies, so only bits per byte can be compared: the one figure that counts bytes."
)
ON_THIS_MACHINE = tr("Open a model of this machine.")
NO_LOGITS = Failure(tr("Only a model of this machine can weigh a text."), ON_THIS_MACHINE, kind="server")
TOO_SHORT = Failure(tr("The text is too short."), tr("A token is weighed by what stands before it."), kind="short")
MODELS = 2


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be weighed, and with what."""

    prompt: ChatPrompt | RawPrompt
    model: LoadRequest
    against: LoadRequest | None = None


@dataclass(slots=True)
class Side:
    """A model, the text as it reads it, and what it has made of it so far."""

    model: Model
    prompt: ExactPrompt
    text: Passage
    parts: tuple[Window, ...]
    found: run.Read = field(default_factory=run.Read)

    @property
    def length(self) -> int:
        return sum(part.end - part.start for part in self.parts)

    @property
    def done(self) -> int:
        """Of that length, in windows that were read whole."""
        return sum(part.end - part.start for part in self.parts[: self.found.window])


class BrokenOffError(Exception):
    """Nothing more can be weighed now, and why."""

    def __init__(self, outcome: Failure | Stopped) -> None:
        super().__init__(outcome.sentence if isinstance(outcome, Failure) else "")
        self.outcome = outcome


class Weighing:
    """One model after the other, since both may not fit in memory; what the first one said waits on the disk."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.opened: Model | None = None
        """The model that it opened last."""
        self._open: LoadRequest | None = None
        self._first: Side | None = None
        self._second: Side | None = None
        self._kept: Distributions | None = None

    @property
    def same(self) -> bool:
        """Whether both models read the same tokens, so that they can be compared one by one."""
        first, second = self._first, self._second
        if first is None or second is None:
            return False
        return first.text == second.text and first.model.vocabulary == second.model.vocabulary

    def go(self, engine: Engine, opened: Model | None, emit: Emit, stop: StopFlag) -> Failure | Stopped | None:
        """Weigh what is not weighed yet; `opened` is the model that is open. None: all is done."""
        if not isinstance(engine, ComparingEngine):
            return NO_LOGITS
        requests = (self.order.model, self.order.against)
        at = str(opened.folder) if opened is not None else None
        self.opened = opened
        self._open = next((each for each in requests if each is not None and each.model == at), None)
        try:
            self._go(engine, emit, stop)
        except BrokenOffError as broken:
            return broken.outcome
        return None

    def result(self) -> Result | None:
        """As far as it came."""
        if self._first is None:
            return None
        first = self._first
        found = first.found.so_far(first.text, first.parts)
        if not found.weights:
            return None
        count = len(found.weights)
        made = Result(
            first.prompt,
            first.text.counted[:count],
            tuple(found.weights),
            tuple(found.before),
            figures(found.nats, passage(first.prompt, count).bytes),
            len(first.parts),
        )
        return made if self._second is None else self._compared(made, self._second)

    def close(self) -> None:
        """What waits on the disk goes."""
        if self._kept is not None:
            self._kept.close()

    def _compared(self, made: Result, second: Side) -> Result:
        found = second.found.so_far(second.text, second.parts)
        if not found.weights:
            return made
        theirs = figures(found.nats, passage(second.prompt, len(found.weights)).bytes)
        if not self.same:
            return replace(made, second=theirs)
        own = [one.logprob - other.logprob for one, other in zip(made.weights, found.weights, strict=False)]
        return replace(made, second=theirs, between=apart(found.differences, own), others=tuple(found.weights))

    def _go(self, engine: ComparingEngine, emit: Emit, stop: StopFlag) -> None:
        """Both read the same windows: where the second model's context is the shorter one, all begins once more."""
        against = self.order.against
        first = self._first = self._first or self._side(engine, self.order.model, None, emit, stop)
        if against is not None and self._kept is None:
            self._kept = Distributions(run.places(first.parts), first.model.vocabulary)
        self._read(engine, self.order.model, first, emit, stop)
        if against is None:
            return
        second = self._second = self._second or self._side(engine, against, first.model.context, emit, stop)
        if self.same and second.parts != first.parts:
            self.close()
            first.parts, first.found, self._kept = second.parts, run.Read(), None
            self._go(engine, emit, stop)
            return
        self._read(engine, against, second, emit, stop)

    def _side(self, engine: Engine, request: LoadRequest, context: int | None, emit: Emit, stop: StopFlag) -> Side:
        """A model without a chat template gets the text as it stands."""
        model = self._load(engine, request, emit, stop)
        exact = engine.render(_fitting(self.order.prompt, model))
        if isinstance(exact, Failure):
            raise BrokenOffError(exact)
        text = passage(exact)
        if not text.counted:
            raise BrokenOffError(TOO_SHORT)
        contexts = [each for each in (model.context, context) if each is not None]
        return Side(model, exact, text, windows(len(text.ids), min(contexts, default=None)))

    def _load(self, engine: Engine, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model:
        if request != self._open or self.opened is None:
            self._open = None
            outcome = engine.load(request, emit, stop)
            if not isinstance(outcome, Model):
                raise BrokenOffError(outcome)
            self._open, self.opened = request, outcome
        return self.opened

    def _read(self, engine: ComparingEngine, request: LoadRequest, side: Side, emit: Emit, stop: StopFlag) -> None:
        if side.found.window == len(side.parts):
            return
        self._load(engine, request, emit, stop)
        if self._kept is not None and side is self._second and not (side.found.window or side.found.begun):
            self._kept.rewind()
        outcome = run.read(self._weigh(engine, side, emit, stop), side.text, side.parts, side.found)
        if outcome is not None:
            raise BrokenOffError(outcome)

    def _weigh(self, engine: ComparingEngine, side: Side, emit: Emit, stop: StopFlag) -> run.Weigh:
        """What is done with one window, told as a part of all there is to read."""
        kept = self._kept

        def weigh(ids: TokenPrompt, found: run.Read) -> Weighed | Failure | Stopped:
            told = self._telling(side, emit)
            if kept is not None and side is self._second and self.same:
                return engine.weigh_against(ids, kept, found.told, told, stop, found.begun)
            return engine.weigh_into(ids, kept if side is self._first else None, told, stop, found.begun)

        return weigh

    def _telling(self, side: Side, emit: Emit) -> Callable[[Event], None]:
        """How far one window has come, as a share of all of them in both models."""
        first, models = self._first or side, MODELS if self.order.against is not None else 1
        total = first.length + (self._second or first).length * (models - 1)
        before = side.done + (first.length if side is self._second else 0)

        def tell(event: Event) -> None:
            emit(Prefill(before + event.done, total, event.at) if isinstance(event, Prefill) else event)

        return tell


def _fitting(prompt: ChatPrompt | RawPrompt, model: Model) -> ChatPrompt | RawPrompt:
    if isinstance(prompt, RawPrompt) or model.can.chat:
        return prompt
    if not prompt.reply_start:
        what = tr("{model} has no chat template, which a session needs.").format(model=model.name)
        raise BrokenOffError(Failure(what, tr("Weigh a text, or name another model."), kind="template"))
    return RawPrompt(prompt.reply_start)
